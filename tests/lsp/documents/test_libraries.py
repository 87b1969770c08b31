"""Documents that rest on payloads and libraries in other files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from project.test_payloads import COMMENT, PAYLOAD, SCRIPT
from rpc.answers import eventually
from rpc.client import ResponseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.document import Document

CREATED, CHANGED, DELETED = 1, 2, 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def running() -> Iterator[Workbench]:
    with Workbench() as workbench:
        yield workbench


@pytest.fixture
def workbench(running: Workbench, folder: Path) -> Iterator[Workbench]:
    with running.workspace_folders(folder):
        yield running


def finds_nothing(workbench: Workbench, document: Document) -> bool:
    """Whether the last diagnostics of a script say that something is not in its payload."""
    published = workbench.inbox.publications(document.uri)
    return bool(published) and any(found.get("code") == "finds-nothing" for found in published[-1].diagnostics)


def opened(workbench: Workbench, folder: Path, text: str) -> Document:
    return workbench.open(text, uri=(folder / "script.mlir").as_uri())


def test_findings_follow_a_payload_that_is_edited(workbench: Workbench, folder: Path) -> None:
    script = opened(workbench, folder, COMMENT + SCRIPT)
    assert eventually(lambda: finds_nothing(workbench, script))
    payload = workbench.open(PAYLOAD, uri=(folder / "payload.mlir").as_uri())
    at = payload.text.index("exp")
    payload.replace(at, at + 3, "abs")
    assert eventually(lambda: not finds_nothing(workbench, script))
    payload.replace(at, at + 3, "exp")
    assert eventually(lambda: finds_nothing(workbench, script))


def test_findings_follow_a_payload_on_disk(workbench: Workbench, folder: Path) -> None:
    script, payload = opened(workbench, folder, COMMENT + SCRIPT), folder / "payload.mlir"
    assert eventually(lambda: finds_nothing(workbench, script))
    payload.write_text(PAYLOAD.replace("exp", "abs"), encoding="utf-8")
    tell(workbench, payload, CHANGED)
    assert eventually(lambda: not finds_nothing(workbench, script))
    payload.write_text(PAYLOAD, encoding="utf-8")
    tell(workbench, payload, CHANGED)
    assert eventually(lambda: finds_nothing(workbench, script))
    payload.unlink()
    tell(workbench, payload, DELETED)
    assert eventually(lambda: not finds_nothing(workbench, script))


def tell(workbench: Workbench, file: Path, kind: int) -> None:
    changes = [{"uri": file.as_uri(), "type": kind}]
    workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def test_findings_follow_comments_of_the_script(workbench: Workbench, folder: Path) -> None:
    script = opened(workbench, folder, SCRIPT.replace("structured.match ops", "structured.mat ops"))
    at = script.text.index("mat ops") + 3
    script.replace(at, at, "ch")
    script.replace(0, 0, COMMENT)
    assert eventually(lambda: finds_nothing(workbench, script))
    script.replace(0, len(COMMENT), "")
    assert eventually(lambda: not finds_nothing(workbench, script))


def test_a_search_that_is_typed_looks_at_the_payload(workbench: Workbench, folder: Path) -> None:
    script = opened(workbench, folder, COMMENT + SCRIPT.replace("structured.match ops", "structured.mat ops"))
    at = script.text.index("mat ops") + 3
    script.replace(at, at, "ch")
    assert eventually(lambda: finds_nothing(workbench, script))


def test_findings_follow_the_payload_that_the_editor_chooses(workbench: Workbench, folder: Path) -> None:
    script, other = opened(workbench, folder, COMMENT + SCRIPT), folder / "other.mlir"
    other.write_text(PAYLOAD.replace("exp", "abs"), encoding="utf-8")
    for payload, is_empty in ((other, False), (folder / "payload.mlir", True), (other, False), (None, True)):
        named = {"payload": payload.as_uri()} if payload is not None else {}
        argument = {"uri": script.uri, "show": False, **named}
        workbench.client.call("workspace/executeCommand", {"command": "tdls.run", "arguments": [argument]}, timeout=60)
        assert eventually(lambda is_empty=is_empty: finds_nothing(workbench, script) is is_empty), payload  # type: ignore[misc]


def test_a_payload_counts_as_soon_as_it_is_chosen(workbench: Workbench, folder: Path) -> None:
    """Nothing is run, and the document may be opened later than that is said, as where an editor remembers it."""
    script, payload = folder / "script.mlir", folder / "payload.mlir"

    def choose(chosen: str | None) -> None:
        argument = {"uri": script.as_uri(), "payload": chosen}
        workbench.client.call("workspace/executeCommand", {"command": "tdls.setPayload", "arguments": [argument]})

    choose(payload.as_uri())
    document = opened(workbench, folder, SCRIPT)
    assert eventually(lambda: finds_nothing(workbench, document))
    choose(None)
    assert eventually(lambda: not finds_nothing(workbench, document))
    choose(payload.as_uri())
    assert eventually(lambda: finds_nothing(workbench, document))
    with pytest.raises(ResponseError, match="`payload` that of a file"):
        choose("untitled:nowhere")


@pytest.mark.parametrize("watched", [{"dynamicRegistration": True}, {}], ids=["watched", "not watched"])
def test_findings_follow_the_settings(folder: Path, watched: dict[str, bool]) -> None:
    with Workbench(folders=[folder], more={"workspace": {"didChangeWatchedFiles": watched}}) as workbench:
        script, settings = opened(workbench, folder, SCRIPT), folder / "tdls.toml"
        for text in ('payload = "payload.mlir"\n', ""):
            settings.write_text(text, encoding="utf-8")
            if watched:
                tell(workbench, settings, CHANGED)
            assert eventually(lambda text=text: finds_nothing(workbench, script) is bool(text))  # type: ignore[misc]


CALLER = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @mark(%root: !transform.any_op {transform.readonly})
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @mark failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""
MARK = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @mark(%root: !transform.any_op {transform.readonly}) { transform.yield }
}
"""


def test_a_library_is_missing_and_comes_and_is_opened_and_closed(running: Workbench, folder: Path) -> None:
    settings, library = folder / "tdls.toml", folder / "mark.mlir"
    settings.write_text('libraries = [\n  "payload.mlir",\n  "mark.mlir",\n]\n', encoding="utf-8")
    with running.workspace_folders(folder):
        workbench, script = running, opened(running, folder, CALLER)
        (found,) = workbench.inbox.wait_for(settings.as_uri(), lambda published: bool(published)).diagnostics
        assert found["message"].startswith("`mark.mlir` names no file\nhelp: check the path")
        assert found["range"]["start"]["line"] == 2
        assert eventually(lambda: "`mark.mlir` names no file" in said(workbench, script))
        library.write_text(MARK, encoding="utf-8")
        tell(workbench, library, CREATED)
        assert eventually(lambda: workbench.inbox.publications(settings.as_uri())[-1].diagnostics == [])
        assert eventually(lambda: workbench.inbox.newest(script) == [])
        assert eventually(lambda: definitions(workbench, script) == [library.as_uri()])
        document = workbench.open(MARK, uri=library.as_uri())
        assert eventually(lambda: definitions(workbench, script) == [library.as_uri()])
        document.close()
        assert eventually(lambda: definitions(workbench, script) == [library.as_uri()])
        library.unlink()
        tell(workbench, library, DELETED)
        assert eventually(lambda: len(workbench.inbox.publications(settings.as_uri())[-1].diagnostics) == 1)
        settings.unlink()
        tell(workbench, settings, DELETED)
        assert eventually(lambda: workbench.inbox.publications(settings.as_uri())[-1].diagnostics == [])


def definitions(workbench: Workbench, script: Document) -> list[str]:
    """Return the files to which the name of the included sequence leads."""
    found = workbench.client.call("textDocument/definition", script.at(script.text.index("@mark failures")))
    return [place["uri"] for place in found]


def said(workbench: Workbench, document: Document) -> str:
    """Return the messages of the newest findings in a document."""
    return "\n".join(found["message"] for found in workbench.inbox.newest(document) or [])
