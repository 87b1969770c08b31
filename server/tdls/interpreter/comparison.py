"""Compares what two scripts make of the same payload: as structure, and if it differs, from which step on."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from enum import Enum
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tdls.analysis.meaning.matchers import ACTION_ATTRIBUTES, MATCHER_ATTRIBUTES
from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF, asks_matchers, explained, tables_of
from tdls.interpreter.matching.probes import answers_of, marked
from tdls.interpreter.matching.reports import notes_of
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.changes import changes
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.reducing.cuts import with_edits
from tdls.interpreter.runs.model import Emit, Status
from tdls.interpreter.runs.plan import has_payload
from tdls.interpreter.runs.script import Script
from tdls.semantic.symbols import symbols_in
from tdls.structs import replace
from tdls.syntax.parser.parser import parse
from tdls.syntax.scanner import BLOCK, VALUE, scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.changes import TextChanges
    from tdls.interpreter.recording.recording import HandleState, Recording
    from tdls.interpreter.runs.model import Place, RunDiagnostic, RunRequest, RunResult
    from tdls.syntax.tree import Operation

Structure: TypeAlias = tuple[object, ...]
"""The tokens of an operation without its nested ones, and the structures of these; equal for equal payloads."""

Coverage: TypeAlias = "Mapping[str, Counter[Place | None]]"
"""The operations that each matcher accepts, None for those beyond the most that a table lists."""
_NAME = re.compile(r"%[\w$.-]+(?:[:#]\d+)?|\^bb\d+|\s+")

_ALIAS = re.compile(r"[#!]\w+")
_FUNCTION = re.compile(r"\s*[\w$.]+ (?:[a-z]+ )?@")


def structure_of(text: str, catalogue: Catalogue) -> Structure:
    """Return the structure of a payload: names of values and blocks, aliases, locations and the order of symbols do not
    count.
    """
    return _Reader(text, catalogue).structure()


class _Names:
    """The names of values and blocks of a scope, numbered in the order of their definitions."""

    def __init__(self, outer: _Names | None = None) -> None:
        self._numbers: dict[str, int] = dict(outer._numbers) if outer is not None else {}
        self._next = len(self._numbers)
        self._expected: set[str] = set()
        """Names that were used before their definition."""

    def number(self, name: str, *, is_definition: bool) -> int:
        """Return the number of a name at its definition, or at a use."""
        is_new = name not in self._expected if is_definition else name not in self._numbers
        if is_new:
            self._numbers[name] = self._next
            self._next += 1
        if is_definition:
            self._expected.discard(name)
        elif is_new:
            self._expected.add(name)
        return self._numbers[name]


class _Reader:
    def __init__(self, text: str, catalogue: Catalogue) -> None:
        self._tokens = scan(text)
        self._tree = parse(text, catalogue, looks_for_typos=False)
        self._aliases = {each.alias.name: each.alias.value for each in self._tree.members if each.alias is not None}
        self._expanded: dict[str, list[object]] = {}
        self._definitions: set[int] = set()
        for operation in self._tree.walk():
            self._definitions.update(group.start for group in operation.results)
            for block in (block for region in operation.regions for block in region.blocks):
                self._definitions.update(argument.start for argument in block.arguments)
                if block.label is not None:
                    self._definitions.add(block.label_span.start)

    def structure(self) -> Structure:
        """Return the structure of the whole text."""
        inner = [(member.start, member.end, member.operation) for member in self._tree.members]
        return self._shape(0, self._tokens.count, inner, _Names(), is_table=True)

    def _shape(
        self, first: int, end: int, inner: Sequence[tuple[int, int, Operation | None]], names: _Names, *, is_table: bool
    ) -> Structure:
        """Return the structure of the tokens from `first` to `end`; an inner range without operation is an alias."""
        own: list[object] = []
        nested: list[Structure] = []
        symbols: dict[str, Structure] = {}
        for start, stop, operation in inner:
            begin, behind = (
                bisect_left(self._tokens.starts, offset, 0, self._tokens.count) for offset in (start, stop)
            )
            self._take(range(first, begin), own, names)
            first = behind
            if operation is None:
                continue
            symbol = operation.symbol_name if is_table else None
            shape = self._operation(begin, behind, operation, names if symbol is None else _Names(names))
            if symbol is not None and symbol not in symbols:
                symbols[symbol] = shape
            else:
                nested.append(shape)
        self._take(range(first, end), own, names)
        return tuple(own), tuple(nested), tuple(sorted(symbols.items(), key=lambda item: item[0]))

    def _operation(self, begin: int, behind: int, operation: Operation, names: _Names) -> Structure:
        inner = [
            (each.start, each.end, each)
            for region in operation.regions
            for block in region.blocks
            for each in block.operations
        ]
        is_table = operation.definition is not None and "SymbolTable" in operation.definition.traits
        return self._shape(begin, behind, inner, names, is_table=is_table)

    def _take(self, indices: range, own: list[object], names: _Names) -> None:
        """Add tokens to `own`, without locations."""
        tokens, behind = self._tokens, 0
        for index in indices:
            spelled = tokens.spellings[index]
            if index < behind:
                continue
            if spelled == "loc" and tokens.kinds[index + 1] == "(":
                behind = tokens.partners.get(index + 1, index) + 1
            elif tokens.kinds[index] in (VALUE, BLOCK):
                name, _, result = spelled.partition("#")
                own.append((names.number(name, is_definition=tokens.starts[index] in self._definitions), result))
            elif spelled in self._aliases:
                own.extend(self._alias(spelled))
            else:
                own.append(spelled)

    def _alias(self, name: str) -> list[object]:
        if name not in self._expanded:
            self._expanded[name] = []  # for one that refers to itself
            tokens = scan(self._aliases[name])
            for spelled in tokens.spellings[: tokens.count]:
                self._expanded[name] += self._alias(spelled) if spelled in self._aliases else [spelled]
        return self._expanded[name]


class Verdict(Enum):
    """How two scripts compare on a payload."""

    EQUAL = "equal"
    DIFFERENT = "different"
    NOT_COMPARABLE = "not comparable"


class ComparedMatcher(NamedTuple):
    """How many operations a matcher accepted of those that it was asked for, in both scripts; None where it is not."""

    name: str
    old: tuple[int, int] | None
    new: tuple[int, int] | None
    decisive: RunDiagnostic | None = None
    """The condition that refused operations which the other script accepted, and the sentence on it."""


class Comparison(NamedTuple):
    """The result of comparing two scripts; `reason` is a sentence, for equal ones on what their matchers accept."""

    verdict: Verdict
    reason: str
    results: tuple[RunResult, RunResult]
    matchers: tuple[ComparedMatcher, ...] = ()
    recordings: tuple[Recording, Recording] | None = None
    """The two runs, if their payloads differ."""
    steps: tuple[Step | None, Step | None] = (None, None)
    """The first steps after which the payloads differ for good."""
    change: TextChanges | None = None
    """From the payload after the old step to the one after the new step."""
    held: tuple[tuple[HandleState | None, HandleState | None], ...] = ()
    """The handles that these steps use, and that held other operations, or None where there is no such operand."""
    nothing: tuple[tuple[RunDiagnostic, ...], tuple[RunDiagnostic, ...]] = ((), ())
    """Why handles are empty in one of the two, if the payloads differ."""


def compared(
    old: RunRequest, new: RunRequest, backend: Backend, old_backend: Backend | None = None, *, is_brief: bool = False
) -> Comparison:
    """Run both requests, and compare their payloads. Raises BackendError if a backend does not start.

    `old_backend` is that of `old`, if it is another one. One that `is_brief` has no steps and matchers.
    """
    backends = old_backend or backend, backend
    old, new = (
        replace(own.printed(each), emits=frozenset({Emit.PAYLOAD, Emit.BEFORE}))
        for own, each in zip(backends, (old, new), strict=True)
    )
    results = backends[0].run(old), backend.run(new)
    reason = _obstacle(old, new, results)
    if reason:
        return Comparison(Verdict.NOT_COMPARABLE, reason, results)
    catalogue = old.script.catalogue
    has_failed = [each.status is Status.FAILURE for each in results]
    if any(has_failed):
        which, other = ("OLD", "NEW") if has_failed[0] else ("NEW", "OLD")
        comparison = Comparison(Verdict.DIFFERENT, f"{which} fails, and {other} does not", results)
        if is_brief:
            return comparison
        runs = recorded(backends[0], old, Wanted.every()), recorded(backend, new, Wanted.every())
        return comparison._replace(recordings=runs, steps=(runs[0].failing, runs[1].failing))
    begin_alike, end_alike = (
        before == after or structure_of(before, catalogue) == structure_of(after, catalogue)
        for before, after in ([each.texts[emit] for each in results] for emit in (Emit.BEFORE, Emit.PAYLOAD))
    )
    if not begin_alike:
        return Comparison(Verdict.NOT_COMPARABLE, "the two begin with different payloads", results)
    if is_brief or (end_alike and not (asks_matchers(old) or asks_matchers(new))):
        alike = (Verdict.EQUAL, "") if end_alike else (Verdict.DIFFERENT, "the payloads differ")
        return Comparison(*alike, results)
    before, after = explained(old, backends[0]), explained(new, backend)
    matchers = tuple(_by_name(before, after)) if asks_matchers(old) or asks_matchers(new) else ()
    if end_alike:
        accepts_same = before.reason or after.reason or _accepted(old, before) == _accepted(new, after)
        reason = "" if accepts_same else "their matchers accept other operations"
        return Comparison(Verdict.EQUAL, reason, results, matchers)
    empty = [
        {each.remark.message: each.remark for each in side.nothing if each.looks_for_payload}
        for side in (before, after)
    ]
    nothing = tuple(empty[0][each] for each in empty[0] if each not in empty[1])
    others = tuple(empty[1][each] for each in empty[1] if each not in empty[0])
    comparison = Comparison(Verdict.DIFFERENT, "the payloads differ", results, matchers, nothing=(nothing, others))
    return _different((old, new), backends, comparison)


def _obstacle(old: RunRequest, new: RunRequest, results: tuple[RunResult, RunResult]) -> str:
    """Return why two runs cannot be compared, "" if they can."""
    for which, request, result in zip(("OLD", "NEW"), (old, new), results, strict=True):
        if not has_payload(request):
            return f"{which} has no payload: name one with --payload"
        if result.status not in ENDED_BY_ITSELF:
            said = next((each.message.partition("\n")[0] for each in result.diagnostics), result.status.value)
            return f"{which} does not run to its end: {result.detail or said}"
    return "both fail" if all(result.status is Status.FAILURE for result in results) else ""


def _accepted(request: RunRequest, explanation: Explanation) -> tuple[int, Counter[Place]]:
    """Return how many payload operations the arms accepted, and, in a payload of both scripts, which."""
    candidates = (each for table in explanation.tables for each in table.candidates if each.accepted is not None)
    places = Counter(each.place for each in candidates if request.payload is not None)
    return sum(sum(table.accepted) for table in explanation.tables), places


def _by_name(old: Explanation, new: Explanation) -> Iterator[ComparedMatcher]:
    before = {report.matcher: report for report in old.matchers}
    after = {report.matcher: report for report in new.matchers}
    for name in dict.fromkeys([*before, *after]):
        pair = before.get(name), after.get(name)
        counts = [(each.accepted, each.reached) if each is not None else None for each in pair]
        fewer = None
        if pair[0] is not None and pair[1] is not None and pair[0].accepted != pair[1].accepted:
            fewer = min((pair[0], pair[1]), key=lambda report: report.accepted)
        stop = fewer.stops[0] if fewer is not None and fewer.stops else None
        decisive = next(notes_of(stop)) if stop is not None else None
        yield ComparedMatcher(name, counts[0], counts[1], decisive)


def _different(
    requests: tuple[RunRequest, RunRequest], backends: tuple[Backend, Backend], base: Comparison
) -> Comparison:
    """Add the first steps that differ to a comparison."""
    old, new = (recorded(*pair, Wanted.every()) for pair in zip(backends, requests, strict=True))
    runs = old, new
    if not (runs[0].passings and runs[1].passings):
        texts = [result.texts[Emit.PAYLOAD] for result in base.results]
        return base._replace(change=changes(texts[0], texts[1]))
    states = [[_State(None, run.text(0) or ""), *_states(run)] for run in runs]
    common = _last_common(
        [each.text for each in states[0]], [each.text for each in states[1]], requests[0].script.catalogue
    )
    before, after = _first(states[0][common[0] + 1 :], states[1][common[1] + 1 :])
    steps = before.step if before is not None else None, after.step if after is not None else None
    if before is None and after is not None:
        change = changes(after.before, after.text)
    elif before is not None and after is None:
        change = changes(before.text, before.before)
    else:
        change = changes(*((each or side[-1]).text for each, side in zip((before, after), states, strict=True)))
    reason = f"{base.reason}{_from(steps)}"
    return base._replace(reason=reason, recordings=runs, steps=steps, change=change, held=tuple(_held(runs, steps)))


def _last_common(old: Sequence[str], new: Sequence[str], catalogue: Catalogue) -> tuple[int, int]:
    """Return the indices of the last payloads of two runs that are equal; the first ones always are."""
    outlines = {}
    for text in (*old, *new):
        lines = (line for line in text.splitlines() if line[:1] not in ("#", "!"))
        outlines[text] = hash(tuple(sorted(_ALIAS.sub("", _NAME.sub(" ", line)) for line in lines)))
    shared = {outlines[text] for text in old} & {outlines[text] for text in new}
    numbers: dict[Structure, int] = {}
    known = {  # reading takes long, and most payloads have no equal one
        text: numbers.setdefault(structure_of(text, catalogue), len(numbers))
        for text, outline in outlines.items()
        if outline in shared
    }
    last = {known[text]: number for number, text in enumerate(new) if text in known}
    common = ((number, last[known[text]]) for number, text in enumerate(old) if known.get(text) in last)
    return max(common, key=sum, default=(0, 0))


def _from(steps: tuple[Step | None, Step | None]) -> str:
    """Return which the first differing steps are, as the end of a sentence."""
    old, new = (
        f"step {step.number} of {which}" if step is not None else ""
        for which, step in zip(("OLD", "NEW"), steps, strict=True)
    )
    if old and new:
        return f", from {old} and {new} on"
    return f", from {old or new} on, which the other does not have" if old or new else ""


class _State(NamedTuple):
    """A payload, the step that led to it, and the payload before that."""

    step: Step | None
    text: str
    before: str = ""
    change: tuple[str, ...] = ()
    """The lines that the step removed and added, without names."""


def _states(run: Recording) -> Iterator[_State]:
    """Yield the payloads after the innermost steps that changed them."""
    for step in run.steps:
        change = run.change(step) if not step.inner else None
        if change is not None and step.after is not None and (change.added or change.removed):
            before, after = _with_functions(change.before), _with_functions(change.after)
            lines = [f"-{before[number]}" for number in change.removed]
            lines += (f"+{after[number]}" for number in change.added)
            key = tuple(sorted(_NAME.sub(" ", line) for line in lines))
            yield _State(step, run.text(step.after) or "", run.text(step.before) or "", key)


def _with_functions(lines: Iterable[str]) -> list[str]:
    """Return each line behind the one that begins the function around it."""
    numbered, function = [], ""
    for line in lines:
        function = line if _FUNCTION.match(line) else function
        numbered.append(f"{function}\n{line}")
    return numbered


def _first(old: Sequence[_State], new: Sequence[_State]) -> tuple[_State | None, _State | None]:
    """Return the first states whose steps change what no step of the other run does, where they belong together.

    That is so if as many steps before them have partners, or if they are steps of the same operation; else only the
    earlier one is returned.
    """
    keys = [state.change for state in old], [state.change for state in new]
    pairs = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
    aligned = [{pair[side] + number for pair in pairs for number in range(pair.size)} for side in (0, 1)]
    alone = [[number for number in range(len(keys[side])) if number not in aligned[side]] for side in (0, 1)]
    first: list[_State | None] = []
    ranks: list[int] = []
    for side, states in enumerate((old, new)):
        elsewhere = Counter(keys[1 - side][number] for number in alone[1 - side])  # in another order
        own = [number for number in alone[side] if not elsewhere[keys[side][number]]]
        first.append(states[own[0]] if own else None)
        ranks.append(sum(number < own[0] for number in aligned[side]) if own else len(states))
    before, after = first
    if before is None and after is None:  # the same changes, in an order that matters
        return old[0] if old else None, new[0] if new else None
    if before is None or after is None or ranks[0] == ranks[1]:
        return before, after
    if before.step is not None and after.step is not None and before.step.operation == after.step.operation:
        return before, after
    return (before, None) if ranks[0] < ranks[1] else (None, after)


def _held(
    runs: tuple[Recording, Recording], steps: tuple[Step | None, Step | None]
) -> Iterator[tuple[HandleState | None, HandleState | None]]:
    """Yield the operands of two steps that held other payload operations."""
    sides = (list(_operands(run, step)) if step is not None else [] for run, step in zip(runs, steps, strict=True))
    for old, new in zip_longest(*sides):
        held = [each.contents if each is not None else None for each in (old, new)]
        if held[0] is None or held[1] is None or (held[0].count, held[0].names) != (held[1].count, held[1].names):
            yield old, new


def _operands(run: Recording, step: Step) -> Iterator[HandleState]:
    """Yield the handles that a step uses, as they are before it."""
    state = run.known_state(step.before)
    scripts = (run.request.script, *run.request.libraries)
    script = next((each for each in scripts if each.name == step.file), None)
    for context in script.file.contexts if script is not None and state is not None else ():
        for operation in context.model.walk():
            if context.to_file(operation.location).start == step.start and state is not None:
                starts = [context.to_file(value.span).start for value in operation.operands if value is not None]
                yield from (handle for start in starts for handle in state.handles if handle.start == start)


def coverage_of(request: RunRequest, backend: Backend) -> Coverage:
    """Run `request`, and return what its matchers accept, if anything. Raises BackendError if MLIR does not start."""
    marks = marked(request)
    coverage: defaultdict[str, Counter[Place | None]] = defaultdict(Counter)
    for table in tables_of(marks, answers_of(marks, backend.run(marks.request)).attempts):
        for number, arm in enumerate(table.asking.arms):
            listed = [each.place for each in table.candidates if each.accepted == number]
            coverage[arm.matcher].update(listed)
            coverage[arm.matcher][None] += table.accepted[number] - len(listed)
    return coverage


def taken_first(request: RunRequest, backend: Backend, coverage: Coverage, matcher: str) -> Counter[str]:
    """Return how many of the operations that `matcher` would accept as the first arm others accept in `coverage`."""
    script, *libraries = (_with_first_arm(each, matcher) for each in (request.script, *request.libraries))
    alone = coverage_of(replace(request, script=script, libraries=tuple(libraries)), backend)[matcher]
    return Counter(name for name, places in coverage.items() for place in places if place is not None and alone[place])


def _with_first_arm(script: Script, matcher: str) -> Script:
    """Return `script` with the arm of `matcher` exchanged with the first one, in all operations with several arms."""
    edits = []
    for context in script.file.contexts:
        for operation in context.section.tree.walk():
            arms = [[*symbols_in(operation, names)] for names in (MATCHER_ATTRIBUTES, ACTION_ATTRIBUTES)]
            number = next((number for number, use in enumerate(arms[0]) if use.path[-1] == matcher), 0)
            for uses in arms if number else ():
                for use, other in ((uses[0], uses[number]), (uses[number], uses[0])):
                    span = context.to_file(use.span)
                    edits.append((span.start, span.end, context.section.text[other.start : other.end]))
    return Script(script.name, with_edits(script.text, edits), script.catalogue)
