"""Reads the marks in a run's output: how far each payload operation got in each matcher."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

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


def told(marks: ProbedScript, result: RunResult) -> ProbeAnswers:
    """Parse the observations of a run of `marks`."""
    remarks = _remarks(result.diagnostics)
    reader = _AttemptReader(marks, remarks)
    begun: Counter[int] = Counter()
    for kind, digits in _PRINTED.findall(result.printed):
        number = integer(digits)
        if number is None:
            continue  # a script may print similar text
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
                attempt.candidate = self._remarks.place(number)
            if condition.tells or attempt.found:
                attempt.found = tuple(value or self._remarks.value(number) for value in condition.tells)
        if condition.is_end:
            self._matcher = ""

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


def printed_states(printed: str) -> Iterator[tuple[int, str]]:
    """Yield the payloads that marks printed, with the numbers of the marks."""
    for mark in _STATE.finditer(printed):
        end = printed.find(_END_OF_MODULE, mark.end())
        if end >= 0:
            yield integer(mark[1]) or 0, without_scripts(printed[mark.end() : end + len(_END_OF_MODULE)])


class _Remarks:
    """The values in remarks, by the number of the condition, in their order."""

    def __init__(self) -> None:
        self._places: defaultdict[int, deque[Place | None]] = defaultdict(deque)
        self._values: defaultdict[int, deque[str]] = defaultdict(deque)
        self.held: defaultdict[tuple[int, int], list[int]] = defaultdict(list)

    def take(self, diagnostic: RunDiagnostic) -> None:
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
        """Return and remove the next position of a condition."""
        known = self._places[number]
        return known.popleft() if known else None

    def value(self, number: int) -> str:
        """Return and remove the next value of a condition."""
        known = self._values[number]
        return known.popleft() if known else "?"


def _remarks(diagnostics: tuple[RunDiagnostic, ...]) -> _Remarks:
    found = _Remarks()
    for diagnostic in diagnostics:
        found.take(diagnostic)
    return found
