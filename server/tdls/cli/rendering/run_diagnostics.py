"""Diagnostics of a run, as findings in the texts that they speak of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.rendering.formats import full
from tdls.text.diagnostic import Diagnostic, Note
from tdls.text.positions import Position
from tdls.text.printable import printable
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.cli.rendering.source import SourceText
    from tdls.interpreter.model import RunDiagnostic

_ORIGIN = "mlir"
"""What findings of MLIR itself have for the name of a rule."""
_NOWHERE = Path()
_WORD = re.compile(r'[%@^!#]?"[^"\n]*"|[%@^!#]?[\w.$-]+|.')


def render(diagnostic: RunDiagnostic, sources: Mapping[str, SourceText], coloured: bool, rule: str = _ORIGIN) -> str:
    """Return `diagnostic` in the ``full`` format; `sources` are the texts of the run by name."""
    source = sources.get(diagnostic.file or "")
    if source is None:
        notes = [f"note: {full.message_lines(_message(note, sources))}" for note in diagnostic.notes]
        title = f"{diagnostic.level.value}[{rule}]: {full.message_lines(_message(diagnostic, sources))}"
        return "\n".join([title, *notes, "", ""])
    by_path = {Path(name): text for name, text in sources.items()}
    finding = Diagnostic(
        rule=rule,
        level=diagnostic.level.of_finding,
        message=diagnostic.message,
        span=_span(diagnostic, source),
        notes=tuple(_note(note, sources) for note in diagnostic.notes),
    )
    return full.render(finding, source, by_path.get, coloured)


def _note(note: RunDiagnostic, sources: Mapping[str, SourceText]) -> Note:
    source = sources.get(note.file or "")
    if source is None or note.file is None:
        return Note(_message(note, sources), FileSpan(0, 0), _NOWHERE)
    return Note(note.message, _span(note, source), Path(note.file))


def _message(diagnostic: RunDiagnostic, sources: Mapping[str, SourceText]) -> str:
    """Return the message, behind its place where that is in a file that cannot be shown."""
    if diagnostic.file is None or diagnostic.file in sources:
        return diagnostic.message
    return f"{printable(diagnostic.file)}:{diagnostic.line}:{diagnostic.column}: {diagnostic.message}"


def _span(diagnostic: RunDiagnostic, source: SourceText) -> FileSpan:
    """Return the word at the diagnostic's place: MLIR says where it begins, in bytes of its line."""
    line = source.lines.line_text(min(max(diagnostic.line - 1, 0), source.lines.line_count - 1))
    column = len(line.encode("utf-8")[: max(diagnostic.column - 1, 0)].decode("utf-8", "ignore"))
    start = source.lines.offset(Position(max(diagnostic.line - 1, 0), column))
    word = _WORD.match(source.text, start)
    return FileSpan(start, word.end() if word is not None else start)
