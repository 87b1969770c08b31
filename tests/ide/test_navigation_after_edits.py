"""Answers about an edited file are those about its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from ide.scripts import BLOCKS, CALLS, HANDLES, LIBRARY, PARTS
from ide.with_cursor import CATALOGUE, URI
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.changes.rename import RenameError, rename
from tdls.ide.cursor.navigation import definition, document_highlight, implementation, references, type_definition
from tdls.ide.hover.hover import hover
from tdls.ide.snapshot import Snapshot
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.text.diagnostic import TextEdit

PIECES = ["", "x", "}", "{", "\n", "%root", "@main", "!op", "// -----\n", "!op = i32\n", "^each", "  transform.yield\n"]


def answers(file: SourceFile, library: SourceFile, offset: int) -> list[object]:
    snapshot = Snapshot({URI: file, "file:///library.mlir": library}, CATALOGUE)
    places = [
        feature(snapshot, URI, offset)
        for feature in (hover, definition, type_definition, implementation, references, document_highlight)
    ]
    return [*places, renamed(snapshot, offset)]


def renamed(snapshot: Snapshot, offset: int) -> dict[str, list[TextEdit]] | str:
    try:
        return rename(snapshot, URI, offset, "fresh")
    except RenameError as error:
        return str(error)


@given(text=st.sampled_from([HANDLES, CALLS, PARTS, BLOCKS]), data=st.data())
def test_answers_after_edits(text: str, data: st.DataObject) -> None:
    library = SourceFile.of(LIBRARY, CATALOGUE)
    file = SourceFile.of(text, CATALOGUE, libraries=[library])
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 5, 40])))
        new = data.draw(st.sampled_from([*PIECES, text[start : start + 60]]))
        text = text[:start] + new + text[end:]
        file = file.edited(FileSpan(start, end), new)
        offset = data.draw(st.integers(0, len(text)))
        fresh = SourceFile.of(text, CATALOGUE, libraries=[library])
        assert answers(file, library, offset) == answers(fresh, library, offset)
