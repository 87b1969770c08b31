"""The server's documents, and the files that they depend on."""

from __future__ import annotations

import time
from unittest.mock import Mock

import pytest
from lsprotocol import types

from tdls.analysis.file.source_file import SourceFile
from tdls.lsp.protocol.errors import NotYetError
from tdls.lsp.session.document import Document
from tdls.lsp.session.session import Session

LIBRARY = "file:///library.mlir"
SCRIPT = "file:///script.mlir"
PLACE = types.HoverParams(types.TextDocumentIdentifier(SCRIPT), types.Position(0, 0))


def session_with(library: SourceFile, known: SourceFile) -> Session:
    """A session with a script that rests on `library`, of which another version is `known`."""
    session = Session(Mock())
    session.files[LIBRARY] = known
    file = SourceFile.of("transform.yield\n", session.catalogue).with_libraries([library])
    item = types.TextDocumentItem(SCRIPT, "mlir", 0, file.text)
    session.documents[SCRIPT] = Document.opened(item, file)
    return session


def test_a_library_that_is_about_to_follow_is_waited_for_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    catalogue = Session(Mock()).catalogue
    library, other = (SourceFile.of(text, catalogue) for text in ("// one\n", "// two\n"))
    session = session_with(library, other)
    for clock[0] in (100.0, 100.9):
        with pytest.raises(NotYetError):
            session.settled_cursor(PLACE)
    clock[0] = 101.0
    assert session.settled_cursor(PLACE) is not None
    session.files[LIBRARY] = library
    assert session.settled_cursor(PLACE) is not None
    session.files[LIBRARY] = other
    with pytest.raises(NotYetError):
        session.settled_cursor(PLACE)
