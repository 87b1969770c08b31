"""What a run of a tool gave that was made to tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tdls.interpreter.model import Place
from tdls.interpreter.observation.origins import origins
from tdls.interpreter.observation.tool.answers import printed_at_stop
from tdls.interpreter.output.stripping import without_scripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.model import HandleContents, RunDiagnostic, RunResult, Status
    from tdls.interpreter.observation.instrumented import Instrumented
    from tdls.interpreter.observation.journal import JournalRecord
    from tdls.interpreter.observation.tool.answers import Answers

TELLING: Final = ("--mlir-print-debuginfo", "--mlir-print-op-on-diagnostic=false")
"""Flags for places behind operations, and for diagnostics that do not show operations, which takes MLIR long."""


@dataclass(frozen=True, slots=True)
class RawRun:
    """What a run of a tool gave. `files` are the names of texts by what the tool calls them where it prints places."""

    status: Status
    diagnostics: tuple[RunDiagnostic, ...]
    printed: str
    output: str
    files: dict[str, str]


class ObservedToolRun:
    """A run with insertions: what it told, and what it did else, with places of the texts as they were."""

    def __init__(self, instrumented: Instrumented, raw: RawRun, answers: Answers) -> None:
        self.status = raw.status
        self.printed = raw.printed
        self.record = answers.record
        self._instrumented = instrumented
        self._raw = raw
        self._own = answers.diagnostics

    def did(self, result: RunResult) -> bool:
        """Tell whether the script said something in the same places as in `result`; words may show operations."""
        own = map(self._instrumented.original, self._own)
        return self.status is result.status and _compared(own) == _compared(result.diagnostics)

    def handles(self, record: JournalRecord) -> tuple[HandleContents, ...]:
        """Return what handles stood for by `record`."""
        return self._instrumented.handles(record, self._raw.files)

    def origins(self, payload: str | None) -> Sequence[Place | None]:
        """Return the origins of the lines of `payload`; () where the run gave other lines, none, or no locations."""
        stopped = printed_at_stop(self._raw.printed)
        located = stopped[1] if stopped is not None else self._raw.output
        if payload is None or not located:
            return ()
        files = self._raw.files
        found = origins(payload, without_scripts(located))
        if not any(found):
            return ()
        return self._instrumented.original_places(
            [place and Place(files.get(place.file, place.file), place.line, place.column) for place in found]
        )


def _compared(diagnostics: Iterable[RunDiagnostic]) -> list[tuple[object, ...]]:
    return [(diagnostic.level, diagnostic.file, diagnostic.line, diagnostic.column) for diagnostic in diagnostics]
