"""Calls of sequences that other files of the workspace define: a hint, and an action that writes the setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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


def opened(workbench: Workbench, folder: Path) -> Document:
    return workbench.open(SCRIPT, uri=(folder / "main.mlir").as_uri())


def codes(workbench: Workbench, document: Document) -> list[str]:
    return [finding["code"] for finding in workbench.inbox.newest(document) or []]


def actions(workbench: Workbench, document: Document) -> list[Json]:
    place = document.range(document.text.index("@tile"), document.text.index("@tile"))
    params = {"textDocument": document.identifier, "range": place, "context": {"diagnostics": []}}
    return [found for found in workbench.client.call("textDocument/codeAction", params) if "library" in found["title"]]


def test_a_call_of_a_sequence_in_another_file_is_a_hint(workbench: Workbench, folder: Path) -> None:
    document = opened(workbench, folder)
    assert eventually(lambda: codes(workbench, document) == ["library-not-named"])
    (hint,) = workbench.inbox.newest(document) or []
    (related,) = hint["relatedInformation"]
    assert related["location"]["uri"] == (folder / "lib" / "tiling.mlir").as_uri()
    assert related["location"]["range"]["start"] == {"line": 1, "character": 2}


def test_the_setting_is_written_where_it_belongs(workbench: Workbench, folder: Path) -> None:
    document = opened(workbench, folder)
    assert eventually(lambda: codes(workbench, document) == ["library-not-named"])
    (action,) = actions(workbench, document)
    assert action["title"] == "Name `lib/tiling.mlir` as a library in `tdls.toml`"
    create, change = action["edit"]["documentChanges"]
    assert (create["kind"], create["uri"]) == ("create", (folder / "tdls.toml").as_uri())
    (edit,) = change["edits"]
    (folder / "tdls.toml").write_text(edit["newText"], encoding="utf-8")
    changes = [{"uri": (folder / "tdls.toml").as_uri(), "type": 1}]
    workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert eventually(lambda: workbench.inbox.newest(document) == [])


def test_settings_that_are_there_are_kept(workbench: Workbench, folder: Path) -> None:
    (folder / "tdls.toml").write_text('# mine\nlibraries = ["ü.mlir"]\n', encoding="utf-8")
    document = opened(workbench, folder)
    assert eventually(lambda: codes(workbench, document) == ["library-not-named"])
    (action,) = actions(workbench, document)
    (change,) = action["edit"]["documentChanges"]
    (edit,) = change["edits"]
    line, column = edit["range"]["start"].values()
    lines = (folder / "tdls.toml").read_text(encoding="utf-8").splitlines()
    lines[line] = lines[line][:column] + edit["newText"] + lines[line][column:]
    assert lines == ["# mine", 'libraries = ["lib/tiling.mlir", "ü.mlir"]']


def test_an_open_document_counts_as_it_is(workbench: Workbench, folder: Path) -> None:
    document = opened(workbench, folder)
    assert eventually(lambda: codes(workbench, document) == ["library-not-named"])
    place = document.text.index("@tile") + len("@tile")
    document.replace(place, place, "d")
    assert eventually(lambda: codes(workbench, document) == ["unknown-symbol"])
    workbench.open(LIBRARY.replace("@tile", "@tiled"), uri=(folder / "new.mlir").as_uri())
    document.replace(0, 0, "\n")
    assert eventually(lambda: codes(workbench, document) == ["library-not-named"])
