"""What a run of a tool gave that was made to tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tdls.interpreter.jobs.deferred import Deferred
from tdls.interpreter.observation.instrumented import contents_of
from tdls.interpreter.observation.origins import origins
from tdls.interpreter.observation.tool.answers import printed_at_stop
from tdls.interpreter.output.stripping import without_scripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.jobs.way_back import WayBack
    from tdls.interpreter.model import HandleContents, Place, RunDiagnostic, RunResult, Status
    from tdls.interpreter.observation.journal import JournalRecord
    from tdls.interpreter.observation.points import Point
    from tdls.interpreter.observation.tool.answers import Answers

QUIET: Final = ("--mlir-print-op-on-diagnostic=false",)
"""Flags for diagnostics that do not show operations, which takes MLIR long."""
TELLING: Final = ("--mlir-print-debuginfo", *QUIET)
"""Flags for places behind operations, too."""


@dataclass(frozen=True, slots=True)
class RawRun:
    """What a run of a tool gave, with places as the tool names them."""

    status: Status
    diagnostics: tuple[RunDiagnostic, ...]
    printed: str
    output: str
    way_back: WayBack


class ObservedToolRun:
    """A run with insertions at `points`: what it told, and what it did else, with places of the texts as they were."""

    def __init__(self, points: Sequence[Point], raw: RawRun, answers: Answers) -> None:
        self.status = raw.status
        self.printed = raw.printed
        self.record = answers.record
        self._points = points
        self._raw = raw
        self._own = answers.diagnostics

    def did(self, result: RunResult) -> bool:
        """Tell whether the script said something in the same places as in `result`; words may show operations."""
        own = self._raw.way_back.diagnostics(self._own)
        return self.status is result.status and agree(own, result.diagnostics)

    def handles(self, record: JournalRecord) -> tuple[HandleContents, ...]:
        """Return what handles stood for by `record`."""
        return contents_of(self._points, record, self._raw.way_back)

    def origins(self, payload: str | None) -> Sequence[Place | None]:
        """Return the origins of the lines of `payload`; () where the run gave other lines, none, or no locations."""
        stopped = printed_at_stop(self._raw.printed)
        located = stopped[1] if stopped is not None else self._raw.output
        if payload is None or not located:
            return ()
        found = origins(payload, without_scripts(located))
        return Deferred(lambda: self._raw.way_back.places(found)) if any(found) else ()


def agree(some: Iterable[RunDiagnostic], others: Iterable[RunDiagnostic]) -> bool:
    """Tell whether the same is said at the same places; words may show operations."""
    return _compared(some) == _compared(others)


def _compared(diagnostics: Iterable[RunDiagnostic]) -> list[tuple[object, ...]]:
    return [(diagnostic.level, diagnostic.file, diagnostic.line, diagnostic.column) for diagnostic in diagnostics]
