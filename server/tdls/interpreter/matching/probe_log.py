"""What marks in scripts tell: how far each operation of the payload got that a matcher was asked about."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.matching.probes import ASKED, ASKING, BEGUN, CANDIDATE, CONDITION, FOUND, HELD, MARK, STATE
from tdls.interpreter.model import Place
from tdls.interpreter.output.stripping import without_scripts
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.matching.probes import ProbedScript
    from tdls.interpreter.model import RunDiagnostic, RunResult

_PRINTED = re.compile(
    rf"^\[\[\[ IR printer: {re.escape(MARK)} ([{CONDITION}{ASKING}{ASKED}{BEGUN}]) ([0-9]+) \]\]\]$", re.MULTILINE
)
_STATE = re.compile(rf"^\[\[\[ IR printer: {re.escape(STATE)} ([0-9]+) top-level \]\]\]\n", re.MULTILINE)
_END_OF_MODULE = "\n}\n"
_REMARKED = re.compile(
    rf"(?P<kind>{re.escape(CANDIDATE)}|{re.escape(FOUND)}|{re.escape(HELD)}) (?P<number>[0-9]+)(?P<rest>.*)", re.DOTALL
)


@dataclass(slots=True)
class ProbedAttempt:
    """One operation of the payload that a matcher was asked about."""

    last: int
    """The number of the last condition that was reached: that which it failed at, or the end."""
    asking: int | None
    """The number of the operation that asked."""
    candidate: Place | None = None
    """Where the operation is, if it got beyond the first condition."""
    found: tuple[str, ...] = ()
    """The values that the last condition compares, as MLIR prints them."""


class ProbeAnswers(NamedTuple):
    """What a marked run tells: the attempts in their order, and how much each handle held, by point and number."""

    attempts: list[ProbedAttempt]
    held: dict[tuple[int, int], list[int]]
    states: dict[int, str]
    """The payload in which nothing was found, by the numbers of the marks that print it."""
    begun: Counter[int]
    """How often each search was executed, by its number."""


def told(marks: ProbedScript, result: RunResult) -> ProbeAnswers:
    """Read what a run of `marks` tells."""
    remarks = _remarks(result.diagnostics)
    reader = _AttemptReader(marks, remarks)
    begun: Counter[int] = Counter()
    for kind, digits in _PRINTED.findall(result.printed):
        number = integer(digits)
        if number is None:
            continue  # a script may print such words, too
        if kind == CONDITION and number < len(marks.conditions):
            reader.reach(number)
        elif kind == BEGUN:
            begun[number] += 1
        elif kind == ASKING and number < len(marks.asking):
            reader.begin(number)
        elif kind == ASKED:
            reader.end(number)
    return ProbeAnswers(reader.attempts, remarks.held, dict(printed_states(result.printed)), begun)


class _AttemptReader:
    """Makes attempts of the marks that are passed, and of those that are not printed since they follow from others."""

    def __init__(self, marks: ProbedScript, remarks: _Remarks) -> None:
        self.attempts: list[ProbedAttempt] = []
        self._conditions = marks.conditions
        self._remarks = remarks
        self._asking: list[int] = []
        self._arms = [[arm.matcher for arm in asking.arms] for asking in marks.asking]
        self._first = {condition.matcher: at for at, condition in enumerate(marks.conditions) if condition.is_first}
        self._matcher = ""
        """The matcher that was asked last, about an operation of the payload that none accepted yet; else ""."""

    def begin(self, number: int) -> None:
        """An operation begins to ask."""
        self._asking.append(number)
        self._matcher = ""

    def end(self, number: int) -> None:
        """It has asked about all operations."""
        self._fill(None)
        self._matcher = ""
        while self._asking and self._asking.pop() != number:
            pass

    def reach(self, number: int) -> None:
        """A condition is reached."""
        condition = self._conditions[number]
        if condition.is_first or condition.matcher != self._matcher:
            self._fill(condition.matcher)
            self.attempts.append(ProbedAttempt(number, self._asking[-1] if self._asking else None))
            self._matcher = condition.matcher
        if not condition.is_first:
            attempt = self.attempts[-1]
            attempt.last = number
            if condition.is_placed:
                attempt.candidate = self._remarks.place(number)
            if condition.tells or attempt.found:
                attempt.found = tuple(value or self._remarks.value(number) for value in condition.tells)
        if condition.is_end:
            self._matcher = ""

    def _fill(self, matcher: str | None) -> None:
        """Add the attempts that failed at their first conditions since the last mark, before `matcher` was asked."""
        if not self._matcher or not self._asking:
            return
        arms = self._arms[self._asking[-1]]
        begin = arms.index(self._matcher) + 1 if self._matcher in arms else len(arms)
        end = arms.index(matcher, begin) if matcher in arms[begin:] else len(arms)
        for name in arms[begin:end]:
            if name in self._first:
                self.attempts.append(ProbedAttempt(self._first[name], self._asking[-1]))


def printed_states(printed: str) -> Iterator[tuple[int, str]]:
    """Yield the payloads that a script printed for marks that ask for it, with the numbers of these."""
    for mark in _STATE.finditer(printed):
        end = printed.find(_END_OF_MODULE, mark.end())
        if end >= 0:
            yield integer(mark[1]) or 0, without_scripts(printed[mark.end() : end + len(_END_OF_MODULE)])


class _Remarks:
    """What remarks tell, by the number of the condition, in their order."""

    def __init__(self) -> None:
        self._places: defaultdict[int, deque[Place | None]] = defaultdict(deque)
        self._values: defaultdict[int, deque[str]] = defaultdict(deque)
        self.held: defaultdict[tuple[int, int], list[int]] = defaultdict(list)

    def take(self, diagnostic: RunDiagnostic) -> None:
        """Read a remark."""
        remark = _REMARKED.match(diagnostic.message)
        if remark is None:
            return
        number, rest = integer(remark["number"]), remark["rest"].strip()
        if number is None:
            return
        if remark["kind"] == CANDIDATE:
            is_known = diagnostic.file is not None
            place = Place(diagnostic.file or "", diagnostic.line, diagnostic.column)
            self._places[number].append(place if is_known else None)
        elif remark["kind"] == FOUND:
            self._values[number].append(rest)
        else:
            handle, _, count = rest.partition(" ")
            size = count.strip().partition(" ")[0]
            numbers = (integer(handle), integer(size))
            if numbers[0] is not None and numbers[1] is not None:
                self.held[number, numbers[0]].append(numbers[1])

    def place(self, number: int) -> Place | None:
        """Take the place that the next mark of a condition tells."""
        known = self._places[number]
        return known.popleft() if known else None

    def value(self, number: int) -> str:
        """Take a value that the next mark of a condition tells."""
        known = self._values[number]
        return known.popleft() if known else "?"


def _remarks(diagnostics: tuple[RunDiagnostic, ...]) -> _Remarks:
    found = _Remarks()
    for diagnostic in diagnostics:
        found.take(diagnostic)
    return found
