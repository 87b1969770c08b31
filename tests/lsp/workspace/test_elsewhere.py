"""Calls of sequences that other files of the workspace define: findings, and actions that mend them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from command_line import tdls
from lsp.workbench import Workbench
from rpc.answers import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json
    from rpc.document import Document

EDITS = {
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    },
}
LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
"""
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @tile failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "tiling.mlir").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "main.mlir").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


@pytest.fixture
def workbench(folder: Path) -> Iterator[Workbench]:
    with Workbench(folders=[folder], more=EDITS) as running:
        yield running


def codes(workbench: Workbench, document: Document) -> list[tuple[str, int, bool]]:
    """Return the code and severity of each finding, and whether it names another file."""
    newest = workbench.inbox.newest(document) or []
    return [(each["code"], each["severity"], bool(each.get("relatedInformation"))) for each in newest]


NOT_DECLARED = [("unknown-symbol", 1, True)]
NOT_NAMED = [("library-not-named", 2, True)]


def opened(workbench: Workbench, folder: Path) -> Document:
    document = workbench.open(SCRIPT, uri=(folder / "main.mlir").as_uri())
    assert eventually(lambda: codes(workbench, document) == NOT_DECLARED)
    return document


def actions(workbench: Workbench, document: Document) -> list[Json]:
    place = document.range(document.text.rindex("@tile"), document.text.rindex("@tile"))
    shown = workbench.inbox.newest(document) or []
    params = {"textDocument": document.identifier, "range": place, "context": {"diagnostics": shown}}
    found = workbench.client.call("textDocument/codeAction", params)
    assert [bool(action.get("isPreferred")) for action in found] == [True, *[False] * (len(found) - 1)]
    repairs = [action for action in found if action["title"].startswith(("Name", "Declare"))]
    assert found[: len(repairs)] == repairs
    assert [action["diagnostics"] for action in repairs] == [shown] * len(repairs)
    return repairs


def edits_by_uri(edit: Json) -> dict[str, list[Json]]:
    """Return the edits of existing and new documents, in whichever form they are."""
    documents = [change for change in edit.get("documentChanges", ()) if "edits" in change]
    return edit.get("changes") or {change["textDocument"]["uri"]: change["edits"] for change in documents}


def applied(text: str, edits: list[Json]) -> str:
    """Return `text` after insertions into different lines of it."""
    lines = text.splitlines(keepends=True) or [""]
    for edit in edits:
        line, column = edit["range"]["start"].values()
        lines[line] = lines[line][:column] + edit["newText"] + lines[line][column:]
    return "".join(lines)


def take(workbench: Workbench, folder: Path, document: Document, action: Json) -> None:
    """Apply the edits of an action as an editor does that saves the settings."""
    edits = edits_by_uri(action["edit"])
    settings = folder / "tdls.toml"
    if settings.as_uri() in edits:
        before = settings.read_text(encoding="utf-8") if settings.exists() else ""
        settings.write_text(applied(before, edits.pop(settings.as_uri())), encoding="utf-8")
        changes = [{"uri": settings.as_uri(), "type": 1}]
        workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    ((uri, own),) = edits.items()
    assert uri == document.uri
    document.replace(0, len(document.text), applied(document.text, own))


@pytest.mark.parametrize(
    ("edits", "created"),
    [
        ({"documentChanges": True, "resourceOperations": ["create"]}, True),
        ({"resourceOperations": ["rename", "create"]}, True),  # Neovim
        ({"documentChanges": True}, False),
        (None, False),
    ],
)
def test_the_fix_names_the_library_and_declares_what_is_used(edits: Json, created: bool, folder: Path) -> None:
    more = {**EDITS, "workspace": {"workspaceEdit": edits}}
    with Workbench(folders=[folder], more=more) as workbench:
        document = opened(workbench, folder)
        naming, declaring = actions(workbench, document)
        assert naming["title"] == "Name `lib/tiling.mlir` as a library in `tdls.toml`, and declare what is used"
        assert declaring["title"] == "Declare `@tile` here"
        kinds = [change.get("kind") for change in naming["edit"].get("documentChanges", ())]
        assert kinds == (["create", None, None] if created else [])
        take(workbench, folder, document, naming)
        assert eventually(lambda: workbench.inbox.newest(document) == [])
    assert (folder / "tdls.toml").read_text(encoding="utf-8") == 'libraries = ["lib/tiling.mlir"]\n'
    (folder / "main.mlir").write_text(document.text, encoding="utf-8")
    done = tdls("run", "main.mlir", folder=folder)
    assert done.returncode == 0, done.stderr


def test_a_declaration_alone_makes_a_warning_of_the_error(workbench: Workbench, folder: Path) -> None:
    document = opened(workbench, folder)
    (error,) = workbench.inbox.newest(document) or []
    (related,) = error["relatedInformation"]
    assert related["location"]["uri"] == (folder / "lib" / "tiling.mlir").as_uri()
    assert related["location"]["range"]["start"] == {"line": 1, "character": 2}
    take(workbench, folder, document, actions(workbench, document)[1])
    assert eventually(lambda: codes(workbench, document) == NOT_NAMED)
    assert "  transform.named_sequence private @tile(%func: !transform.any_op {transform.readonly})\n" in document.text
    (naming,) = actions(workbench, document)
    assert naming["title"] == "Name `lib/tiling.mlir` as a library in `tdls.toml`"
    assert [*edits_by_uri(naming["edit"])] == [(folder / "tdls.toml").as_uri()]


def test_settings_that_are_there_are_kept(workbench: Workbench, folder: Path) -> None:
    (folder / "tdls.toml").write_text('# mine\nlibraries = ["ü.mlir"]\n', encoding="utf-8")
    document = opened(workbench, folder)
    take(workbench, folder, document, actions(workbench, document)[0])
    assert (folder / "tdls.toml").read_text(encoding="utf-8") == '# mine\nlibraries = ["lib/tiling.mlir","ü.mlir"]\n'


@pytest.mark.parametrize("is_opened", [True, False])
def test_without_a_project_the_folder_of_the_editor_counts_or_of_the_file(is_opened: bool, folder: Path) -> None:
    (folder / ".git").rmdir()
    with Workbench(folders=[folder] if is_opened else [], more=EDITS) as workbench:
        document = opened(workbench, folder)
        take(workbench, folder, document, actions(workbench, document)[0])
        assert eventually(lambda: workbench.inbox.newest(document) == [])


def test_an_open_document_counts_as_it_is(workbench: Workbench, folder: Path) -> None:
    document = opened(workbench, folder)
    place = document.text.index("@tile") + len("@tile")
    document.replace(place, place, "d")
    assert eventually(lambda: codes(workbench, document) == [("unknown-symbol", 1, False)])
    workbench.open(LIBRARY.replace("@tile", "@tiled"), uri=(folder / "new.mlir").as_uri())
    document.replace(0, 0, "\n")
    assert eventually(lambda: codes(workbench, document) == NOT_DECLARED)
