"""Places in files as short texts: the text there, and the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ide.with_cursor import CATALOGUE, URI
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.ide.snapshot import Location
    from tdls.text.diagnostic import TextEdit
    from tdls.text.span import FileSpan


def snapshot_with_library(text: str, library: str, **others: str) -> Snapshot:
    """Return a snapshot in which `text` and `others` have the file ``library`` as their library."""
    preloaded = SourceFile.of(library, CATALOGUE)
    files = {URI: text} | {f"file:///{name}.mlir": content for name, content in others.items()}
    users = {uri: SourceFile.of(content, CATALOGUE, libraries=[preloaded]) for uri, content in files.items()}
    return Snapshot({**users, "file:///library.mlir": preloaded.with_libraries([])}, CATALOGUE)


def shown(snapshot: Snapshot, locations: Iterable[Location]) -> list[str]:
    """Return ``line: text`` for each location, lines counted from 1, with the file's name before others than `URI`."""
    return [_prefix(uri) + shown_span(snapshot, uri, span) for uri, span in locations]


def shown_span(snapshot: Snapshot, uri: str, span: FileSpan) -> str:
    file = snapshot.files[uri]
    return f"{file.position(span.start).line + 1}: {file.slice(span)}"


def _prefix(uri: str) -> str:
    return "" if uri == URI else uri.removeprefix("file:///").removesuffix(".mlir") + " "


def edited(snapshot: Snapshot, edits: dict[str, list[TextEdit]]) -> dict[str, str]:
    """Return the texts of all files after the edits."""
    texts = {uri: file.text for uri, file in snapshot.files.items()}
    for uri, changes in edits.items():
        for change in reversed(changes):
            text = texts[uri]
            texts[uri] = text[: change.span.start] + change.new_text + text[change.span.end :]
    return texts
