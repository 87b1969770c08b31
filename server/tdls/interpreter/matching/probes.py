"""Marks matchers and definitions of handles, so that a run tells how far operations got, and how many handles hold.

A mark precedes each condition of a matcher: it prints an empty handle under a name with a number, which is fast, and
allowed in matchers. Positions and values use remarks of the dialect's debug extension, which are few: the second
condition reports the position of the payload operation, since the first one applies to every operation. The operations
of a release `mlir-opt` are sufficient, no debug build is needed.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING

from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.meaning.matchers import ACTION_ATTRIBUTES, MATCHER_ATTRIBUTES, used_matchers
from tdls.catalogue.model import MatchCriterion
from tdls.interpreter.matching.searched_payload import search_of
from tdls.interpreter.observing.instrumented import points_of_run
from tdls.interpreter.observing.probe import (
    HANDLE,
    NUMBER,
    SIZE,
    STATE,
    Answer,
    Probe,
    only_probing,
    parent_of,
    print_of,
    prints_in,
    remark_at,
    remark_with,
    remarks_in,
    size,
    size_of,
    states_in,
)
from tdls.interpreter.runs.model import Place
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.symbols import symbol_name, symbols_in
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, SEQUENCE
from tdls.structs import NamedTuple, Struct
from tdls.text.scanning import strings_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.interpreter.matching.searched_payload import HandleSearch
    from tdls.interpreter.observing.points import Point
    from tdls.interpreter.runs.model import RunRequest, RunResult
    from tdls.interpreter.runs.script import Script
    from tdls.semantic.model import Block, Operation, Value


_CONDITION = Probe("tdls.condition")
"""Before a condition."""
_APPLYING, _APPLIED = Probe("tdls.applying"), Probe("tdls.applied")
"""Before and after an operation that applies matchers."""
_SEARCH = Probe("tdls.search")
"""Before a search."""
_CANDIDATE = Probe("tdls.candidate")
"""At the payload operation that meets the first condition."""
_FOUND = Probe("tdls.found")
"""A value that a condition compares."""
_NOTHING = "%tdls_nothing"
_TERMINATOR = "IsTerminator"
_COMPARE = "transform.match.param.cmpi"
_CONSTANT = "transform.param.constant"
_NEVER_FAIL = (_CONSTANT, "transform.num_associations", "transform.print")


class MatcherCondition(NamedTuple):
    """An operation of a matcher, which a payload operation passes or fails."""

    matcher: str
    script: Script
    start: int
    """Offset of its name in the script's text; `matcher_start` is the offset of the matcher's name."""
    matcher_start: int
    operation: str
    asks_for: str | None
    """The names or the attributes that spell the requested property, or None without any."""
    is_first: bool
    is_placed: bool
    """True if its mark reports the position of the payload operation."""
    compared: tuple[str | None, ...]
    """The compared values: constants as the script has them, and None for each value that its mark reports."""
    is_end: bool
    """True for the end of a matcher: operations that get there are accepted."""
    implemented: Place | None = None
    """The position in a project's C++ or Python sources that implements it."""


class Arm(NamedTuple):
    """A matcher that an operation applies, and the action for accepted operations, None without one."""

    matcher: str
    action: str | None


class AskingOperation(NamedTuple):
    """An operation that applies matchers to payload operations, one after another."""

    script: Script
    start: int
    operation: str
    result: int | None
    """Offset of its first result's definition in the user's text."""
    arms: tuple[Arm, ...]


class ProbedScript(NamedTuple):
    """A request with marks, and the data that the numbers in the marks refer to."""

    request: RunRequest
    conditions: list[MatcherCondition]
    asking: list[AskingOperation]
    points: list[Point]
    states: list[tuple[str, int]]
    """For each operation that prints the payload at an empty result: the script, and the offset of the result's
    definition.
    """
    searches: list[HandleSearch]


def marked(request: RunRequest) -> ProbedScript:
    """Return `request` with marks in all matchers that its scripts apply, and after definitions of handles.

    The request returns no texts.
    """
    scripts = (request.script, *request.libraries)
    matchers = frozenset().union(*(used_matchers(script.file) for script in scripts))
    marking = _Marking(matchers, request.entry_point, _never_first(scripts))
    marks = [(script, insertion) for script in scripts for insertion in marking.insertions(script)]
    points = points_of_run(request)
    targets = {(search.script.name, search.context.to_file(search.target.span).start) for search in marking.searches}
    for number, point in enumerate(points):
        marks.append((point.script, Insertion(point.offset, _sizes(number, point, targets))))
    probed = only_probing(request, marks)
    return ProbedScript(probed, marking.conditions, marking.asking, points, marking.states, marking.searches)


def _never_first(scripts: Iterable[Script]) -> frozenset[str]:
    """Return the matchers that each operation applies once, and never first.

    Their first conditions need no marks: an operation that got no further, and is not accepted before, failed there.
    """
    first: set[str] = set()
    later: set[str] = set()
    contexts = (context for script in scripts for context in script.file.contexts)
    trees = (context.section.tree for context in contexts if mentions_transform(context.section))
    for operation in (operation for tree in trees for operation in tree.walk()):
        names = [use.path[-1] for use in symbols_in(operation, MATCHER_ATTRIBUTES)]
        first.update(names[:1], (name for name, count in Counter(names).items() if count > 1))
        later.update(names)
    return frozenset(later - first)


def looks_for_payload(operation: Operation) -> bool:
    """Whether an operation searches payload by name or interface."""
    return any(operation.criterion(what) is not None for what in (MatchCriterion.NAMES, MatchCriterion.INTERFACE))


class _Marking:
    """Inserts marks into scripts; `matchers` are the names of all matchers that they apply."""

    def __init__(self, matchers: frozenset[str], entry_point: str, later: frozenset[str]) -> None:
        self.conditions: list[MatcherCondition] = []
        self.asking: list[AskingOperation] = []
        self.states: list[tuple[str, int]] = []
        self.searches: list[HandleSearch] = []
        self._asked = matchers
        self._later = later
        self._entry_point = entry_point

    def insertions(self, script: Script) -> Iterator[Insertion]:
        """Yield the marks of a script, and the remarks with the values that conditions compare."""
        for context in script.file.contexts:
            if mentions_transform(context.section):
                yield from self._in(script, context, context.model.operations)

    def _in(self, script: Script, context: Context, operations: Iterable[Operation]) -> Iterator[Insertion]:
        for operation in operations:
            if operation.name == NAMED_SEQUENCE and symbol_name(operation) in self._asked:
                is_later = symbol_name(operation) in self._later
                marked = _MarkedMatcher(script, context, operation, self.conditions, begins_silently=is_later)
                yield from marked.insertions()
                continue
            yield from self._around_asking(script, context, operation)
            yield from self._before_search(script, context, operation)
            around = operation.parent  # of which one is executed only once, so that long output is acceptable
            while around is not None and around.name == SEQUENCE:
                around = around.parent
            if around is not None and around.name == NAMED_SEQUENCE and symbol_name(around) == self._entry_point:
                yield from self._behind_search(script, context, operation)
            for block in operation.blocks():
                yield from self._in(script, context, block.operations)

    def _around_asking(self, script: Script, context: Context, operation: Operation) -> Iterator[Insertion]:
        """Yield marks around an operation if it applies matchers."""
        matchers = [use.path[-1] for use in symbols_in(operation.syntax, MATCHER_ATTRIBUTES)]
        value = next((value for value in operation.operands if value is not None), None)
        if not matchers or value is None or not _holds_operations(context, value):
            return
        actions = [use.path[-1] for use in symbols_in(operation.syntax, ACTION_ATTRIBUTES)]
        arms = [Arm(name, actions[at] if at < len(actions) else None) for at, name in enumerate(matchers)]
        number = len(self.asking)
        start = context.to_file(operation.location).start
        spans = [context.to_file(result.span) for result in operation.results[:1]]
        result = script.original_offset(spans[0].start) if spans else None
        self.asking.append(AskingOperation(script, start, operation.name or "", result, tuple(arms)))
        span, nothing = context.to_file(operation.span), f"{_NOTHING}_applying{number}"
        yield Insertion(span.start, _none_of(nothing, value) + print_of(_APPLYING.label(number), nothing, HANDLE))
        yield Insertion(span.end, print_of(_APPLIED.label(number), nothing, HANDLE))

    def _before_search(self, script: Script, context: Context, operation: Operation) -> Iterator[Insertion]:
        """Yield a mark before an operation that examines payload operations one by one."""
        search = search_of(script, context, operation)
        if search is None or not _holds_operations(context, search.target):
            return
        number = len(self.searches)
        self.searches.append(search)
        nothing = f"{_NOTHING}_search{number}"
        start = context.to_file(operation.span).start
        yield Insertion(start, _none_of(nothing, search.target) + print_of(_SEARCH.label(number), nothing, HANDLE))

    def _behind_search(self, script: Script, context: Context, operation: Operation) -> Iterator[Insertion]:
        """Yield the operations that print the payload if a search finds nothing."""
        value = operation.results[0] if len(operation.results) == 1 else None
        if value is None or not looks_for_payload(operation) or not _holds_operations(context, value):
            return
        number = len(self.states)
        self.states.append((script.name, script.original_offset(context.to_file(value.span).start)))
        parameter = f"%tdls_size_{number}"
        yield Insertion(
            context.to_file(operation.span).end,
            f"{size_of(parameter, value.shown, value.type or '')}"
            f" {SEQUENCE} {value.shown} : {value.type} failures(suppress) {{ ^bb0(%tdls_around: {value.type}):"
            f" {SEQUENCE} %tdls_around : {value.type} failures(propagate) {{ ^bb0(%tdls_it: {value.type}):"
            f" %tdls_none = {_CONSTANT} 0 : i64 -> {NUMBER}"
            f" {_COMPARE} eq {parameter}, %tdls_none : {NUMBER}"
            f"{print_of(STATE.label(number))} }} }} ",
        )


class _MarkedMatcher:
    """Inserts marks into one matcher; extends `conditions`, the list of all matchers' conditions."""

    def __init__(
        self,
        script: Script,
        context: Context,
        matcher: Operation,
        conditions: list[MatcherCondition],
        *,
        begins_silently: bool,
    ) -> None:
        self._script = script
        self._context = context
        self._matcher = matcher
        self._conditions = conditions
        self._first = len(conditions)
        self._nothing = f"{_NOTHING}_{self._first}"
        self._begins_silently = begins_silently

    def insertions(self) -> Iterator[Insertion]:
        """Yield the marks, and the remarks with the values that conditions compare."""
        block = next(self._matcher.blocks(), None)
        if block is not None and block.terminator is not None and self._candidate(block) is not None:
            first = next(operation for operation in block.operations if operation.name not in _NEVER_FAIL)
            self._begins_silently &= not first.regions and first is not block.terminator
            yield from self._in_block(block, is_outermost=True)

    def _in_block(self, block: Block, *, is_outermost: bool) -> Iterator[Insertion]:
        for operation in block.operations:
            is_end = is_outermost and operation is block.terminator
            is_first = len(self._conditions) == self._first
            if (operation.has_trait(_TERMINATOR) and not is_end) or (is_first and operation.name in _NEVER_FAIL):
                continue
            number = len(self._conditions)
            candidate = self._candidate(block)
            is_placed = number == self._first + 1 and candidate is not None
            self._conditions.append(self._condition(operation, is_placed=is_placed, is_end=is_end))
            is_named = number == self._first + self._begins_silently
            text = _none_of(self._nothing, candidate) if is_named and candidate is not None else ""
            if not is_first or not self._begins_silently:
                text += print_of(_CONDITION.label(number), self._nothing, HANDLE)
            if is_placed and candidate is not None:
                text += remark_at(candidate.shown, _CANDIDATE.label(number), candidate.type or HANDLE)
            text += "".join(
                remark_with(value.shown, _FOUND.label(number), value.type or NUMBER)
                for value in _compared(operation)
                if _written(value) is None
            )
            yield Insertion(self._context.to_file(operation.span).start, text)
            for nested in operation.blocks():
                yield from self._in_block(nested, is_outermost=False)

    def _candidate(self, block: Block) -> Value | None:
        """Return the handle to the payload operation in a block of the matcher."""
        value = block.arguments[0] if block.arguments else None
        return value if value is not None and _holds_operations(self._context, value) else None

    def _condition(self, operation: Operation, *, is_placed: bool, is_end: bool) -> MatcherCondition:
        known = operation.definition.implemented_at if operation.definition is not None else ()
        return MatcherCondition(
            matcher=symbol_name(self._matcher) or "",
            script=self._script,
            start=self._context.to_file(operation.location).start,
            matcher_start=self._context.to_file(self._matcher.location).start,
            operation=operation.name or "",
            asks_for=_asked(operation, self._context.section.text),
            is_first=len(self._conditions) == self._first,
            is_placed=is_placed,
            compared=tuple(map(_written, _compared(operation))),
            is_end=is_end,
            implemented=Place(str(known[0].path), known[0].line + 1, known[0].column + 1) if known else None,
        )


def _holds_operations(context: Context, value: Value) -> bool:
    return kind_of(context.catalogue, value.type) is HandleKind.OPERATIONS


def _asked(operation: Operation, text: str) -> str | None:
    """Return the names that an operation asks for, or else its attributes, as `text`, its section, spells them."""
    names = operation.criterion(MatchCriterion.NAMES)
    if names is not None and names.value is not None:
        return " or ".join(f"`{name}`" for name in sorted(strings_in(names.value))) or None
    own = (
        {attribute.name for attribute in operation.definition.attributes} if operation.definition is not None else None
    )
    attributes = [each for each in operation.syntax.attributes if own is None or each.name in own]
    named = [attribute for attribute in attributes if text.startswith(attribute.name, attribute.start)]
    spelled = (text[attribute.start : attribute.end] for attribute in named or attributes)
    return ", ".join(f"`{' '.join(each.split())}`" for each in spelled) or None


def _none_of(name: str, value: Value) -> str:
    """Return an operation that defines an empty handle, from a handle to operations."""
    return parent_of(name, value.shown, value.type or HANDLE, 'op_name = "tdls.none"')


def _compared(operation: Operation) -> list[Value]:
    return [value for value in operation.operands if value is not None] if operation.name == _COMPARE else []


def _written(value: Value) -> str | None:
    """Return the value of a constant parameter, as MLIR prints it."""
    constant = value.operation
    return constant.spelled("value") if constant is not None and constant.name == _CONSTANT else None


def _sizes(number: int, point: Point, targets: Collection[tuple[str, int]]) -> str:
    """Return operations that report the sizes of a point's handles to operations.

    Block arguments, which may be as many as operations, are reported only if they are `targets` of searches.
    """
    return "".join(
        size(number, index, handle)
        for index, handle in enumerate(point.handles)
        if handle.kind is HandleKind.OPERATIONS
        and (point.behind is not None or (point.script.name, handle.span.start) in targets)
    )


class ProbedAttempt(Struct):
    """The application of a matcher to one payload operation."""

    last: int
    """Number of the last condition reached: the failed one, or the end."""
    asking: int | None
    """Number of the operation that applied the matcher."""
    candidate: Place | None = None
    """Position of the payload operation, if it met the first condition."""
    found: tuple[str, ...] = ()
    """The values that the last condition compares, as printed by MLIR."""


class ProbeAnswers(NamedTuple):
    """The observations of a marked run: the attempts in order, and the sizes of each handle, by point and number."""

    attempts: list[ProbedAttempt]
    held: dict[tuple[int, int], list[int]]
    states: dict[int, str]
    """The payload at empty searches, by the numbers of the marks that print it."""
    begun: Counter[int]
    """Number of executions of each search, by its number."""


def answers_of(marks: ProbedScript, result: RunResult) -> ProbeAnswers:
    """Parse the observations of a run of `marks`."""
    remarks: _Remarks = defaultdict(deque)
    held: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for answer in remarks_in(result.diagnostics, _CANDIDATE, _FOUND, SIZE):
        if answer.probe is not SIZE:
            remarks[answer.probe, answer.numbers[0]].append(answer)
        else:
            point, handle = answer.numbers
            held[point, handle].append(answer.number)
    reader = _AttemptReader(marks, remarks)
    begun: Counter[int] = Counter()
    for answer in prints_in(result.printed, _CONDITION, _APPLYING, _APPLIED, _SEARCH):
        probe, number = answer.probe, answer.numbers[0]
        if probe is _CONDITION and number < len(marks.conditions):  # a script may print similar text
            reader.reach(number)
        elif probe is _SEARCH:
            begun[number] += 1
        elif probe is _APPLYING and number < len(marks.asking):
            reader.begin(number)
        elif probe is _APPLIED:
            reader.end(number)
    return ProbeAnswers(reader.attempts, held, dict(states_in(result.printed)), begun)


_Remarks = defaultdict[tuple[Probe, int], "deque[Answer]"]
"""Remarks at conditions by their kind and the number of the condition, in their order."""


class _AttemptReader:
    """Reconstructs the attempts from the printed marks, including attempts without marks that follow from others."""

    def __init__(self, marks: ProbedScript, remarks: _Remarks) -> None:
        self.attempts: list[ProbedAttempt] = []
        self._conditions = marks.conditions
        self._remarks = remarks
        self._asking: list[int] = []
        self._arms = [[arm.matcher for arm in asking.arms] for asking in marks.asking]
        self._first = {condition.matcher: at for at, condition in enumerate(marks.conditions) if condition.is_first}
        self._matcher = ""
        """The last matcher, for a payload operation that no matcher has accepted yet; else ""."""

    def begin(self, number: int) -> None:
        """Enter the operation with this number, which applies matchers."""
        self._asking.append(number)
        self._matcher = ""

    def end(self, number: int) -> None:
        """Leave the operation with this number."""
        self._fill(None)
        self._matcher = ""
        while self._asking and self._asking.pop() != number:
            pass

    def reach(self, number: int) -> None:
        """Record that a condition is reached."""
        condition = self._conditions[number]
        if condition.is_first or condition.matcher != self._matcher:
            self._fill(condition.matcher)
            self.attempts.append(ProbedAttempt(number, self._asking[-1] if self._asking else None))
            self._matcher = condition.matcher
        if not condition.is_first:
            attempt = self.attempts[-1]
            attempt.last = number
            if condition.is_placed:
                answer = self._next(_CANDIDATE, number)
                attempt.candidate = answer.place if answer is not None else None
            if condition.compared or attempt.found:
                answers = [None if value else self._next(_FOUND, number) for value in condition.compared]
                values = [answer.value.strip() if answer is not None else "?" for answer in answers]
                attempt.found = tuple(value or own for value, own in zip(condition.compared, values, strict=True))
        if condition.is_end:
            self._matcher = ""

    def _next(self, probe: Probe, number: int) -> Answer | None:
        answers = self._remarks[probe, number]
        return answers.popleft() if answers else None

    def _fill(self, matcher: str | None) -> None:
        """Add the attempts that failed at first conditions without marks since the last mark, up to `matcher`."""
        if not self._matcher or not self._asking:
            return
        arms = self._arms[self._asking[-1]]
        begin = arms.index(self._matcher) + 1 if self._matcher in arms else len(arms)
        end = arms.index(matcher, begin) if matcher in arms[begin:] else len(arms)
        for name in arms[begin:end]:
            if name in self._first:
                self.attempts.append(ProbedAttempt(self._first[name], self._asking[-1]))
