"""Determines the payload operations that searches examined, by a run with marks right before the searches."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from enum import Enum
from itertools import starmap
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.written_payload import payload_in
from tdls.catalogue.model import MatchCriterion, RelationKind
from tdls.interpreter.observing.probe import (
    HANDLE,
    STATE,
    Probe,
    only_probing,
    print_of,
    remark_at,
    remark_with,
    remarks_in,
    size_of,
    states_in,
)
from tdls.interpreter.runs.model import Place
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.structs import NamedTuple
from tdls.syntax.parser.asm_parser import DefinitionFact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import Place, RunDiagnostic, RunRequest
    from tdls.interpreter.runs.script import Script
    from tdls.payload.operations import PayloadOperation
    from tdls.payload.tree import Payload
    from tdls.semantic.model import Operation, Value


class SearchKind(Enum):
    """The kind of an operation's search, given payload operations."""

    PARENT = "parent"
    """A parent of each operation."""
    PRODUCER = "producer"
    """The definition of an operand of each operation."""
    SELECTION = "selection"
    """The operations with a name."""
    SPLIT = "split"
    """As many operations as there are results."""


class HandleSearch(NamedTuple):
    """An operation that examines the contents of `target`, in a script without marks."""

    kind: SearchKind
    script: Script
    context: Context
    operation: Operation
    target: Value


def search_of(script: Script, context: Context, operation: Operation) -> HandleSearch | None:
    """Return the search of an operation, or None for operations without a search of these kinds."""
    kind = _kind(operation.definition) if operation.definition is not None and operation.results else None
    target = operation.first_operand
    if kind is None or target is None or operation.syntax.broken:
        return None
    return HandleSearch(kind, script, context, operation, target)


@DefinitionFact
def _kind(definition: OperationDefinition) -> SearchKind | None:
    result = definition.results[0] if definition.results else None
    if result is None:
        return None
    relation = result.relations[0].kind if result.relations else None
    criteria = {attribute.asks for attribute in definition.attributes}
    if result.count is not None and result.count.operations_of:
        return SearchKind.SPLIT
    if relation is RelationKind.AROUND:
        return SearchKind.PARENT
    if relation is RelationKind.FEEDS:
        return SearchKind.PRODUCER
    return SearchKind.SELECTION if relation is RelationKind.PART_OF and MatchCriterion.NAMES in criteria else None


_SMALL = 20_000
"""Code points of payload to parse completely."""
_LARGE = 200_000
"""Code points of payload to parse if all of it may be relevant."""
_MOST_EXAMPLES = 16
"""Maximum number of functions with requested names to parse in a larger payload."""
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_][\w$]*\.[\w$.]+", re.ASCII)
_PRINTED_OPERATION = re.compile(r'^ *(?:%[^=\n]* = )?"?([A-Za-z_][\w$]*\.[\w$.]+)', re.ASCII | re.MULTILINE)
_BETWEEN_MEMBERS = re.compile(r"\n(?=  [^\s})\]>^])")
"""Matches the beginning of a member of the outermost module."""
_RESOURCES = "{-#"


def without_more_of_the_same(payload: str, required: Collection[str] | None) -> str:
    """Return a payload without functions whose operation names all occur in others; keep some with `required` names."""
    if len(payload) <= _SMALL or _RESOURCES in payload:
        return payload
    head, *members = _BETWEEN_MEMBERS.split(payload)
    seen: Counter[str] = Counter()
    kept = []
    for member in members[:-1]:
        names = set(_NAME.findall(member))
        if any(not seen[name] or (name in (required or ()) and seen[name] < _MOST_EXAMPLES) for name in names):
            kept.append(member)
            seen.update(names)
    return "\n".join((head, *kept, *members[-1:]))


def with_members_that_have(payload: str, mark: str) -> str:
    """Return the members of a payload's module that contain `mark`; "" if a large payload cannot be reduced."""
    if len(payload) <= _SMALL:
        return payload
    head, *members = _BETWEEN_MEMBERS.split(payload)
    if mark in head or _RESOURCES in payload:
        return payload if len(payload) <= _LARGE else ""
    return "\n".join((head, *(member for member in members[:-1] if mark in member), *members[-1:]))


def operations_in(payload: str, catalogue: Catalogue) -> Counter[str]:
    """Return the number of operations by name; a large payload is scanned as printed, one operation per line."""
    if len(payload) > _SMALL:
        return Counter(match[1] for match in _PRINTED_OPERATION.finditer(payload))
    file = SourceFile.of(payload, catalogue)
    return Counter(operation.name or "" for context in file.contexts for operation in context.model.walk())


MOST_CANDIDATES = 16
"""Maximum number of payload operations to list."""
_ATTRIBUTE = "tdls.marked"
"""First word of the attributes that mark payload operations, before the numbers of the search and the operation."""
_EXAMINED = Probe("tdls.examined", 2)
"""At a payload operation, by the numbers of the search and of the operation."""
_ALL = Probe("tdls.all")
"""The number of operations that a search examines."""
_MARKED = re.compile(rf"\b{re.escape(_ATTRIBUTE)}_(?P<search>[0-9]+)_(?P<number>[0-9]+)\b", re.ASCII)
_AROUND_MARKS = re.compile(r"attributes|[{},\s]")
_FORMER = "tdls.former"
"""Replacement for marks of former executions."""


class SearchedOperation(NamedTuple):
    """A payload operation that a search examined; `operation` is None if it is not found in the printed payload."""

    place: Place | None
    operation: PayloadOperation | None


class SearchedPayload(NamedTuple):
    """The operations that a search examined at its last execution: their number `size`, and the first ones."""

    size: int
    operations: tuple[SearchedOperation, ...]
    payload: Payload | None
    """The payload at that time, or the part of it with the examined operations."""


class SizedSearch(NamedTuple):
    """A search whose target held at most `most` operations."""

    search: HandleSearch
    most: int


def searched_payloads(
    request: RunRequest, searches: Sequence[SizedSearch], backend: Backend
) -> list[SearchedPayload | None]:
    """Return the operations that `searches` examined in a run of `request`, or None if unknown.

    Raises BackendError if the backend itself does not start.
    """
    marks = []
    for number, (search, most) in enumerate(searches):
        offset = search.context.to_file(search.operation.span).start
        marks.append((search.script, Insertion(offset, "".join(_marks(number, search, most)))))
    result = backend.run(only_probing(request, marks))
    remarks = _remarks(result.diagnostics)
    states: defaultdict[int, list[str]] = defaultdict(list)
    for number, state in states_in(result.printed):
        states[number].append(state)
    catalogue = request.script.catalogue
    return [_searched_payload(number, remarks, _last(states[number]), catalogue) for number in range(len(searches))]


def _marks(number: int, search: HandleSearch, most: int) -> Iterator[str]:
    """Yield operations that number a handle's operations by attributes, report their positions, and print all."""
    target, spelled = search.target.shown, search.target.type or HANDLE
    parts = f"%tdls_candidates_{number}"
    types = ", ".join([str(spelled)] * most)
    yield size_of(f"%tdls_all_{number}", target, spelled) + remark_with(f"%tdls_all_{number}", _ALL.label(number))
    yield f'{parts}:{most} = "transform.split_handle"({target}) <{{fail_on_payload_too_small = false}}>'
    yield f" : ({spelled}) -> ({types}) "
    for part in range(min(most, MOST_CANDIDATES)):
        yield f'transform.annotate {parts}#{part} "{_ATTRIBUTE}_{number}_{part}" : {spelled} '
        yield remark_at(f"{parts}#{part}", _EXAMINED.label(number, part), spelled)
    yield print_of(STATE.label(number))


class _Remarks(NamedTuple):
    """The last remarks: the number of operations of each search, and their positions."""

    counts: dict[int, int]
    places: dict[tuple[int, int], Place | None]


def _remarks(diagnostics: Iterable[RunDiagnostic]) -> _Remarks:
    remarks = _Remarks({}, {})
    for answer in remarks_in(diagnostics, _EXAMINED, _ALL):
        search = answer.numbers[0]
        if answer.probe is _EXAMINED:
            remarks.places[search, answer.numbers[1]] = answer.place
        else:
            remarks.counts[search] = answer.number
    return remarks


def _last(states: Sequence[str]) -> str:
    """Return the last state, with only the marks of the last execution, if they can be distinguished."""
    if len(states) < 2:
        return "".join(states)
    former, last = (state.splitlines(keepends=True) for state in states[-2:])
    if list(map(_without_marks, former)) != list(map(_without_marks, last)):
        return "".join(last)
    return "".join(starmap(_with_former_marks, zip(last, former, strict=True)))


def _with_former_marks(line: str, before: str) -> str:
    """Return a line with other marks in place of those that it had `before`."""
    return _MARKED.sub(lambda mark: _FORMER if mark[0] in before else mark[0], line)


def _without_marks(line: str) -> str:
    """Return a line without marks and the brackets around attributes, for comparison."""
    return _AROUND_MARKS.sub("", _MARKED.sub("", line))


def _searched_payload(number: int, remarks: _Remarks, state: str, catalogue: Catalogue) -> SearchedPayload | None:
    count = remarks.counts.get(number)
    if count is None:
        return None
    file = SourceFile.of(with_members_that_have(state, f"{_ATTRIBUTE}_{number}_"), catalogue)
    payload = payload_in(file)
    marked = dict(_marked(file, payload, number)) if payload is not None else {}
    candidates = (
        SearchedOperation(remarks.places.get((number, part)), marked.get(part))
        for part in range(min(count, MOST_CANDIDATES))
    )
    return SearchedPayload(count, tuple(candidates), payload)


def _marked(file: SourceFile, payload: Payload, search: int) -> Iterator[tuple[int, PayloadOperation]]:
    """Yield the number and operation of each unique mark of one search."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for mark in _MARKED.finditer(file.text):
        if int(mark["search"]) == search:
            places[int(mark["number"])].append(mark.start())
    for number, starts in places.items():
        context = file.context_at(starts[0])
        local = context.to_local(starts[0])
        around = [each for each in context.model.walk() if each.span.start <= local < each.span.end]
        operation = payload.by_written.get(id(around[-1])) if around and len(starts) == 1 else None
        if operation is not None:
            yield number, operation
