"""Texts with a cursor: ``$0`` marks the place, and is not part of the text."""

from __future__ import annotations

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.snapshot import Snapshot

URI = "file:///script.mlir"
CURSOR = "$0"
CATALOGUE = Catalogue.shipped()


def parse_cursor(marked: str) -> tuple[str, int]:
    """Return the text without the cursor and the cursor's offset."""
    before, cursor, after = marked.partition(CURSOR)
    assert cursor, "the text has no cursor"
    return before + after, len(before)


def snapshot_of(text: str, **others: str) -> Snapshot:
    """Return a snapshot with `text` as `URI`, and other files by name."""
    files = {URI: text} | {f"file:///{name}.mlir": content for name, content in others.items()}
    return Snapshot({uri: SourceFile.of(content, CATALOGUE) for uri, content in files.items()}, CATALOGUE)
