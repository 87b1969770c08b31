"""The command that migrates a script or the workspace, as an editor sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually
from rpc.client import ResponseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    // Four at a time.
    BODY
    transform.yield
  }
}
"""
OLD = SCRIPT.replace("BODY", "transform.loop.unroll %root {factor = 4 : i64} : !transform.any_op")
NEW = OLD.replace("{factor = 4 : i64}", "factor = 4")
LEFT = OLD.replace("loop.unroll", "loop.unrol")
CAPABILITIES = {
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with scripts for an older version, for the newest one, and for none."""
    for name, text in {"old": OLD, "other": OLD, "new": NEW, "left": LEFT}.items():
        (tmp_path / f"{name}.mlir").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def running() -> Iterator[Workbench]:
    with Workbench(more=CAPABILITIES) as bench:
        yield bench


@pytest.fixture
def bench(running: Workbench, folder: Path) -> Iterator[Workbench]:
    with running.workspace_folders(folder):
        wait_for_scan(running, folder)
        yield running


def wait_for_scan(bench: Workbench, folder: Path) -> None:
    """Wait until the server knows the four scripts of the workspace, and no others."""

    def known() -> set[str]:
        symbols = bench.client.call("workspace/symbol", {"query": "__transform_main"})
        return {symbol["location"]["uri"] for symbol in symbols}

    assert eventually(lambda: known() == {path.as_uri() for path in folder.glob("*.mlir")})


def migrate(bench: Workbench, **argument: Json) -> Json:
    return bench.client.call("workspace/executeCommand", {"command": "tdls.migrate", "arguments": [argument]})


def sent(bench: Workbench) -> Json:
    """Return the parameters of the only request to apply edits."""
    (asked,) = [asked["params"] for asked in bench.client.asked if asked["method"] == "workspace/applyEdit"]
    return asked


def edited(text: str, edits: Json) -> str:
    """Return an ASCII text after edits, which are in order and change single lines."""
    lines = text.splitlines(keepends=True)
    for edit in reversed(edits):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
    return "".join(lines)


def test_the_workspace_is_migrated_after_a_question(bench: Workbench, folder: Path) -> None:
    bench.client.choice = "Apply"
    answer = migrate(bench, to="main")
    assert (answer["status"], answer["files"], answer["lines"]) == ("proposed", 2, 2)
    edit = sent(bench)["edit"]
    assert {change["textDocument"]["uri"]: edited(OLD, change["edits"]) for change in edit["documentChanges"]} == {
        (folder / name).as_uri(): NEW for name in ("old.mlir", "other.mlir")
    }
    (left,) = answer["left"]
    assert (left["uri"], left["line"]) == ((folder / "left.mlir").as_uri(), 4)
    assert "transform.loop.unrol" in left["reason"]
    message = "2 changed lines in 2 files for LLVM main. 1 place is left as before, with the reasons as findings."
    assert eventually(lambda: bench.inbox.messages != [])
    assert [shown["message"] for shown in bench.inbox.messages] == [message]


def test_a_script_is_migrated_as_it_is_in_the_editor(bench: Workbench, folder: Path) -> None:
    script = bench.open(OLD.replace("factor = 4", "factor = 8"), uri=(folder / "old.mlir").as_uri())
    answer = migrate(bench, uri=script.uri)
    assert (answer["status"], answer["files"], answer["lines"], answer["left"]) == ("proposed", 1, 1, [])
    (change,) = sent(bench)["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": script.uri, "version": script.version}
    assert edited(script.text, change["edits"]) == NEW.replace("factor = 4", "factor = 8")


def test_places_that_are_left_are_findings(bench: Workbench, folder: Path) -> None:
    script = bench.open(LEFT, uri=(folder / "left.mlir").as_uri())
    assert migrate(bench, uri=script.uri, to="22")["status"] == "unchanged"
    bench.wait_for_finding(script, "left as it is for LLVM 22: unknown transform operation `transform.loop.unrol`")


def test_the_message_leads_to_the_places_that_are_left(folder: Path) -> None:
    told: list[str] = []
    with Workbench(more={"experimental": {"tdlsProblems": True}}, folders=[folder]) as bench:
        wait_for_scan(bench, folder)
        bench.client.on_notification = lambda sent: told.append(sent.method)
        bench.client.choice = "Show in Problems"
        assert migrate(bench, uri=(folder / "left.mlir").as_uri(), to="22")["status"] == "unchanged"
        assert eventually(lambda: "tdls/showProblems" in told)
        (message,) = [each["params"]["message"] for each in bench.client.asked if "actions" in each["params"]]
        assert message.endswith(" 1 place is left as before, with the reasons as findings.")


@pytest.mark.parametrize(
    ("choice", "shown"), [(None, []), ("Apply", ["Nothing is migrated: the editor did not apply"])]
)
def test_edits_that_the_user_discards_are_not_called_done(
    bench: Workbench, choice: str | None, shown: list[str]
) -> None:
    bench.client.choice, bench.client.applies_edits = choice, False
    assert migrate(bench, to="main")["status"] == ("proposed" if choice else "cancelled")
    assert eventually(lambda: [each["message"][:45] for each in bench.inbox.messages] == shown)


def test_scripts_for_the_version_stay_as_they_are(bench: Workbench, folder: Path) -> None:
    answer = migrate(bench, uri=(folder / "old.mlir").as_uri(), to="22")
    assert answer == {"status": "unchanged", "files": 0, "lines": 0, "left": []}
    assert [shown["message"] for shown in bench.inbox.messages] == ["All fits LLVM 22."]


@pytest.mark.parametrize("argument", [{"to": "15"}, {"to": None}, {"uri": 1}])
def test_wrong_arguments_are_refused(bench: Workbench, argument: Json) -> None:
    with pytest.raises(ResponseError, match="`to` a version of LLVM such as 22 or main"):
        migrate(bench, **argument)


def test_an_editor_that_applies_no_edits_gets_a_message(folder: Path) -> None:
    with Workbench(folders=[folder]) as bench:
        wait_for_scan(bench, folder)
        for argument in ({"uri": bench.open(OLD).uri}, {}):
            assert migrate(bench, **argument)["status"] == "unsupported"
        assert all(asked["method"] != "window/showMessageRequest" for asked in bench.client.asked)
        assert [shown["message"] for shown in bench.inbox.messages] == [
            "This editor does not apply edits of a server. Run 'tdls migrate' instead."
        ] * 2
