"""Lists the parents of payload operations that fail at a matcher's search for a parent."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.source_file import SourceFile
from tdls.interpreter.instrumentation.probe import HANDLE, Probe, only_probing, parent_of, remark_at, remark_of
from tdls.interpreter.matching.probes import SearchKind, search_of
from tdls.interpreter.model import Place
from tdls.interpreter.placed_edits import Insertion
from tdls.text.positions import LineIndex, Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.interpreter.matching.probes import HandleSearch
    from tdls.interpreter.matching.reports import FailedCondition, MatcherReport
    from tdls.interpreter.model import RunDiagnostic, RunRequest
    from tdls.interpreter.recording.backend import Backend

_MOST_AROUND = 6
"""Maximum number of parents to list."""
_MOST_STOPS = 8
_MOST_PRINTED = 1_000_000
"""Code points: MLIR's bindings print an operation with each remark at it, and the outermost one is the whole payload.
"""
_AROUND = Probe("tdls.around", 2)
"""At a parent, by the number of the stop and the distance of the parent; 0 for the operation itself."""


class _Stop(NamedTuple):
    report: int
    number: int
    """Index of the stop in its report."""
    search: HandleSearch


def with_parents(reports: Sequence[MatcherReport], request: RunRequest, backend: Backend) -> list[MatcherReport]:
    """Return `reports` with the parents of the nearest misses, where a matcher searches for a parent.

    Runs the script once more if there are such misses, and not too many operations get there. Raises BackendError.
    """
    stops = list(_stops(reports, len(request.root.text)))[:_MOST_STOPS]
    found = list(reports)
    for stop, places in zip(stops, _places_around(request, stops, backend) if stops else (), strict=True):
        report = found[stop.report]
        failed = report.stops[stop.number]
        names = _names(request, places.get(failed.nearest.candidate, ()))
        known = [*report.stops[: stop.number], failed._replace(around=names), *report.stops[stop.number + 1 :]]
        found[stop.report] = report._replace(stops=tuple(known))
    return found


def _stops(reports: Sequence[MatcherReport], size: int) -> Iterator[_Stop]:
    """Yield the failed searches for parents, in a payload of `size` code points."""
    for at, report in enumerate(reports):
        reached = report.accepted
        for number, stop in enumerate(report.stops):
            reached += stop.failed
            is_little = reached * size <= _MOST_PRINTED
            search = _search(stop) if stop.nearest.candidate is not None and is_little else None
            if search is not None and search.kind is SearchKind.PARENT:
                yield _Stop(at, number, search)


def _search(stop: FailedCondition) -> HandleSearch | None:
    script = stop.condition.script
    context = script.file.context_at(stop.condition.start)
    local = context.to_local(stop.condition.start)
    operation = next((found for found in context.model.walk() if found.location.start == local), None)
    return search_of(script, context, operation) if operation is not None else None


def _places_around(
    request: RunRequest, stops: Sequence[_Stop], backend: Backend
) -> list[dict[Place | None, list[Place]]]:
    """Return, for each stop, the positions of the parents of each payload operation that gets there."""
    insertions: defaultdict[str, list[Insertion]] = defaultdict(list)
    for number, (_, _, search) in enumerate(stops):
        offset = search.context.to_file(search.operation.span).start
        insertions[search.script.name].append(Insertion(offset, "".join(_marks(number, search))))
    result = backend.run(only_probing(request, insertions))
    return _places_in(result.diagnostics, len(stops))


def _marks(number: int, search: HandleSearch) -> Iterator[str]:
    target, spelled = search.target.shown, search.target.type or HANDLE
    yield remark_at(target, _AROUND.label(number, 0), spelled)
    for far in range(1, _MOST_AROUND + 1):
        parent = f"%tdls_around_{number}_{far}"
        yield parent_of(parent, target, spelled, f"nth_parent = {far} : i64")
        yield remark_at(parent, _AROUND.label(number, far))


def _places_in(diagnostics: Iterable[RunDiagnostic], stops: int) -> list[dict[Place | None, list[Place]]]:
    found: list[dict[Place | None, list[Place]]] = [{} for _ in range(stops)]
    around: list[Place] = []
    for diagnostic in diagnostics:
        answer = remark_of(diagnostic.message, _AROUND)
        if answer is None or answer.numbers[0] >= stops:
            continue
        stop, far = answer.numbers
        place = Place(diagnostic.file, diagnostic.line, diagnostic.column) if diagnostic.file is not None else None
        if far == 0:
            around = []
            found[stop].setdefault(place, around)
        elif place is not None:
            around.append(place)
    return found


def _names(request: RunRequest, places: Sequence[Place]) -> tuple[str, ...]:
    """Return the names of the operations at positions of the payload; () if one is unknown."""
    root = request.root
    written = [place for place in places if place.line > 0]
    if not written or any(place.file != root.name for place in written):
        return ()
    file, lines = SourceFile.of(root.text, request.script.catalogue), LineIndex(root.text)
    names: list[str] = []
    for place in written:
        prefix = lines.line_text(place.line - 1).encode("utf-8", "surrogatepass")[: place.column - 1]
        offset = lines.offset(Position(place.line - 1, len(prefix.decode("utf-8", "ignore"))))
        context = file.context_at(offset)
        starts = ((found, context.to_file(found.location).start) for found in context.model.walk())
        name = next((found.name for found, start in starts if start == offset), None)
        if name is None:
            return ()
        names.append(name)
    return tuple(names)
