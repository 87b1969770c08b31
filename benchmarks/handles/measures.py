"""Measurements of the analysis of handles, in this process: processor time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.stopwatch import processor_seconds

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.meaning.use_after_free import use_after_free_of
from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.file.context import Context


def of_analysis(text: str) -> Callable[[], float]:
    """Return a function that analyses the handles of all sections of `text` and returns the processor seconds."""

    def measure() -> float:
        file = SourceFile.of(text, Catalogue.shipped())
        contexts = [file.context_of(piece.section) for piece in file.sections.pieces if piece.begins_section]
        for context in contexts:
            _read(context)
        return processor_seconds(lambda: [_look_at(context) for context in contexts])

    return measure


def of_everything(text: str) -> float:
    """Return the processor seconds for reading `text` and applying all rules."""
    return processor_seconds(lambda: findings_in_file(SourceFile.of(text, Catalogue.shipped())))


def _read(context: Context) -> None:
    if not context.model.operations:
        raise RuntimeError("a section of the script has nothing in it")


def _look_at(context: Context) -> int:
    """Return the number of findings about handles."""
    return sum(1 for _ in use_after_free_of(context).findings()) + len(handle_findings(context).invalid)
