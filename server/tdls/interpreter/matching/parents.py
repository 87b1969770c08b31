"""Lists the parents of payload operations that fail at a matcher's search for a parent."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.source_file import SourceFile
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
_AROUND = "tdls.around"
"""First word of remarks, before the number of a stop and the distance of the parent at which they are reported."""
_REMARK = re.compile(rf"{re.escape(_AROUND)} (?P<stop>[0-9]+) (?P<far>[0-9]+)", re.ASCII)
_HANDLE = "!transform.any_op"


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
        told = [*report.stops[: stop.number], failed._replace(around=names), *report.stops[stop.number + 1 :]]
        found[stop.report] = report._replace(stops=tuple(told))
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
    script, *libraries = (script.inserting(insertions[script.name]) for script in (request.script, *request.libraries))
    marked = replace(
        request, script=script, libraries=tuple(libraries), emits=frozenset(), observe=False, is_telling=True
    )
    return _told(backend.run(marked).diagnostics, len(stops))


def _marks(number: int, search: HandleSearch) -> Iterator[str]:
    target, spelled = search.target.shown, search.target.type
    yield f'transform.debug.emit_remark_at {target}, "{_AROUND} {number} 0" : {spelled} '
    for far in range(1, _MOST_AROUND + 1):
        parent = f"%tdls_around_{number}_{far}"
        yield f"{parent} = transform.get_parent_op {target} {{allow_empty_results, nth_parent = {far} : i64}} "
        yield f': ({spelled}) -> {_HANDLE} transform.debug.emit_remark_at {parent}, "{_AROUND} {number} {far}" '
        yield f": {_HANDLE} "


def _told(diagnostics: Iterable[RunDiagnostic], stops: int) -> list[dict[Place | None, list[Place]]]:
    told: list[dict[Place | None, list[Place]]] = [{} for _ in range(stops)]
    around: list[Place] = []
    for diagnostic in diagnostics:
        remark = _REMARK.match(diagnostic.message)
        if remark is None:
            continue
        place = Place(diagnostic.file, diagnostic.line, diagnostic.column) if diagnostic.file is not None else None
        if remark["far"] == "0":
            around = []
            told[int(remark["stop"])].setdefault(place, around)
        elif place is not None:
            around.append(place)
    return told


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
