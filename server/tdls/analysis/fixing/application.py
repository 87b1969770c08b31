"""The version of a file after edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.text.diagnostic import TextEdit

_MOST_EDITS = 8


def with_edits(file: SourceFile, edits: Sequence[TextEdit]) -> SourceFile:
    """Return the version of `file` after `edits`, which are in the order of the text and do not overlap."""
    if len(edits) > _MOST_EDITS:
        return _rewritten(file, edits)
    for edit in reversed(edits):
        file = file.edited(edit.span, edit.new_text)
    return file


def _rewritten(file: SourceFile, edits: Iterable[TextEdit]) -> SourceFile:
    """Many edits cost less if the file is read again than if it is edited so often."""
    text, pieces, end = file.text, [], 0
    for edit in edits:
        pieces += [text[end : edit.span.start], edit.new_text]
        end = edit.span.end
    new_text = "".join([*pieces, text[end:]])
    read = SourceFile.of(new_text, file.catalogue, split=file.sections.mode, libraries=file.libraries)
    return read.with_payload(file.payload)
