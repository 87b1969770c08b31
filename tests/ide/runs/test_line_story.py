"""What is said of the steps that made and changed a line of a payload."""

from __future__ import annotations

from tdls.ide.runs.line_story import ToldStep, origin_text, story_text
from tdls.interpreter.model import Place

TILE = ToldStep("transform.structured.tile_using_for", "file:///script.mlir", "", 12, 1)
IN_LIBRARY = ToldStep("transform.annotate", "file:///lib.mlir", "lib.mlir", 3, 2)
EDITED = ToldStep("transform.annotate", "", "", 0, 1)


def test_words() -> None:
    made = "Made in [line 12](file:///script.mlir#L12) by `transform.structured.tile_using_for`"
    assert story_text(TILE, [], is_older=False) == f"{made}."
    changed = "changed in [line 3 of lib.mlir](file:///lib.mlir#L3) by `transform.annotate`, in iteration 2"
    assert story_text(TILE, [IN_LIBRARY], is_older=False) == f"{made}, {changed}."
    assert story_text(None, [IN_LIBRARY], is_older=False) == f"C{changed[1:]}."
    assert story_text(None, [], is_older=True) == "Was there before the run."
    assert story_text(EDITED, [], is_older=False) == "Made in a line that was edited since by `transform.annotate`."


def test_nothing_is_said_of_what_is_not_known() -> None:
    assert story_text(None, [], is_older=False) == ""


def test_changes_are_told_in_their_order() -> None:
    told = story_text(None, [TILE, IN_LIBRARY], is_older=True)
    assert told.startswith("Was there before the run, changed in [line 3 of lib.mlir]")
    assert told.index("line 3 of lib.mlir") < told.index("line 12")


def test_origin() -> None:
    assert origin_text(Place("/a/payload.mlir", 4, 1)) == "Came from [payload.mlir:4](file:///a/payload.mlir#L4)."
    assert origin_text(Place("untitled:1", 4, 1)) == "Came from untitled:1:4."
