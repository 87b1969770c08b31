"""Reads the marks in a run's output: how far each payload operation got in each matcher."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.instrumentation.probe import SIZE, STATE, prints_in, remark_of
from tdls.interpreter.matching.probes import APPLIED, APPLYING, CANDIDATE, CONDITION, FOUND, SEARCH
from tdls.interpreter.model import Place
from tdls.interpreter.output.stripping import without_scripts
from tdls.structs import Struct
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.matching.probes import ProbedScript
    from tdls.interpreter.model import RunDiagnostic, RunResult

_END_OF_MODULE = "\n}\n"


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
    remarks = _remarks(result.diagnostics)
    reader = _AttemptReader(marks, remarks)
    begun: Counter[int] = Counter()
    for answer in prints_in(result.printed, CONDITION, APPLYING, APPLIED, SEARCH):
        probe, number = answer.probe, answer.numbers[0]
        if probe is CONDITION and number < len(marks.conditions):  # a script may print similar text
            reader.reach(number)
        elif probe is SEARCH:
            begun[number] += 1
        elif probe is APPLYING and number < len(marks.asking):
            reader.begin(number)
        elif probe is APPLIED:
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
            if condition.compared or attempt.found:
                attempt.found = tuple(value or self._remarks.value(number) for value in condition.compared)
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
    for answer in prints_in(printed, STATE):
        state, end, _ = answer.value.partition(_END_OF_MODULE)
        if end:
            yield answer.numbers[0], without_scripts(state + end)


class _Remarks:
    """The values in remarks, by the number of the condition, in their order."""

    def __init__(self) -> None:
        self._places: defaultdict[int, deque[Place | None]] = defaultdict(deque)
        self._values: defaultdict[int, deque[str]] = defaultdict(deque)
        self.held: defaultdict[tuple[int, int], list[int]] = defaultdict(list)

    def take(self, diagnostic: RunDiagnostic) -> None:
        answer = remark_of(diagnostic.message, CANDIDATE, FOUND, SIZE)
        if answer is None:
            return
        if answer.probe is CANDIDATE:
            is_known = diagnostic.file is not None
            place = Place(diagnostic.file or "", diagnostic.line, diagnostic.column)
            self._places[answer.numbers[0]].append(place if is_known else None)
        elif answer.probe is FOUND:
            self._values[answer.numbers[0]].append(answer.value.strip())
        else:
            point, handle = answer.numbers
            size = integer(answer.value.strip().partition(" ")[0])
            if size is not None:
                self.held[point, handle].append(size)

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
