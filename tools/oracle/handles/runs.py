"""Reads runs of scripts: the uses that the interpreter's diagnostics name, and the uses that it executed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from oracle.handles.processes import Died, answers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oracle.handles.scripts import HandleScript

_STEPS = "oracle"
_INVALIDATED = "op uses a handle invalidated by a previously executed transform op"
_EMPTY = "op uses a handle associated with empty payload and invalidated by a previously executed transform op"
_REPEATED = re.compile(r"a handle passed as operand #(\d+) and consumed by this operation points to a payload entity")
NESTED = "transform operation consumes a handle pointing to an ancestor payload operation before its descendant"
"""Beginning of the diagnostic for a handle that holds an operation before one nested in it."""
_CONSUMED = re.compile(r"invalidated by this transform op that consumes its operand #(\d+)")
_PAYLOAD = ("ancestor payload op", "nested payload op", "ancestor op associated", "op defining the value")
_CHECK_USES = re.compile(r"operand #(\d+) may be used after free")

Place = tuple[int, int]
"""Line and column of an operation's name, both from 1."""


class Use(NamedTuple):
    """Operand number `operand` of the operation at `place`."""

    place: Place
    operand: int


class WorkEnd(Enum):
    """The end of a run."""

    SUCCESS = "success"
    INVALIDATED = "invalidated handle"
    """A use of a handle that something executed before had invalidated, or the same operation."""
    REPEATED = "repeated consumption"
    """A consumed handle held an operation twice, or an operation before one nested in it."""
    STALE_YIELD = "stale yield"
    """A terminator gave an invalidated handle away; the interpreter does not look."""
    FAILURE = "other failure"
    INVALID = "invalid"
    CRASH = "crash"


@dataclass(frozen=True, slots=True)
class Flag:
    """The uses the interpreter complained of: of `uses` it is one, which MLIR does not tell apart.

    `consumed` is the use that invalidated the handle, None if none did.
    """

    uses: frozenset[Use]
    consumed: Use | None
    message: str
    is_nested: bool = False
    """True if the handle's operation is nested in the consumed one."""
    earlier: int = 0
    """Number of earlier executions of one of the uses with a handle that was not empty."""


@dataclass(frozen=True, slots=True)
class Run:
    """The run of one script."""

    ending: WorkEnd
    message: str = ""
    failed: str = ""
    """The name of the operation that failed, if one did."""
    failed_at: Place | None = None
    """Its place."""
    flag: Flag | None = None
    executed: dict[Use, tuple[int, int]] = field(default_factory=dict)
    """Numbers of executions of each use without a diagnostic, and of those among them with a handle that was not empty.

    If MLIR crashed, the uses before that; one of them is the cause.
    """
    operations: dict[Place, str] = field(default_factory=dict)
    """The names of the operations of the script."""
    warnings: frozenset[Use] = frozenset()
    """The uses that ``transform-dialect-check-uses`` warns of."""


class Watched(Enum):
    """The uses that the run reports one by one. MLIR's own diagnostics are the same for `NOTHING` and `USES`."""

    NOTHING = "nothing"
    USES = "uses"
    ALL = "all"
    """Also the operands of terminators."""


def run(scripts: Sequence[HandleScript], watched: Watched = Watched.ALL) -> list[Run]:
    """Run scripts. Needs the extra ``mlir``."""
    jobs = [{"text": each.text, "library": each.placed_library, "watched": watched.value} for each in scripts]
    return [_crash(answer.notes) if isinstance(answer, Died) else _run(answer) for answer in answers("worker", jobs)]


def reading(answer: dict[str, Any]) -> Run:
    """Return the outcome of a script by the worker's report, or by the `notes` of one that died of it."""
    return _crash(answer["notes"]) if "notes" in answer else _run(answer)


def _crash(notes: Iterable[Any]) -> Run:
    uses = [(name, Use((line, column), operand)) for name, (line, column), operand in notes]
    return Run(
        WorkEnd.CRASH,
        failed=uses[-1][0] if uses else "",
        executed={use: (1, 1) for _, use in uses},
        operations={use.place: name for name, use in uses},
    )


def _run(answer: dict[str, Any]) -> Run:
    errors = [each for each in answer["diagnostics"] if each["severity"] == "error"]
    if answer["status"] == "invalid":
        return Run(WorkEnd.INVALID, errors[0]["message"] if errors else "")
    reading = _Reading(answer)
    flag, ending = None, WorkEnd.SUCCESS
    if answer["status"] == "failure":
        flag, ending = reading.failure(errors)
    return Run(
        ending=ending,
        message=errors[0]["message"] if errors else "",
        failed=reading.name_at(errors[0]["place"]) if errors else "",
        failed_at=reading.operation_at(errors[0]["place"]) if errors else None,
        flag=flag,
        executed=reading.executed(flag),
        operations=dict(zip(reading.places, reading.names, strict=True)),
        warnings=frozenset(_warnings(answer["warnings"])),
    )


def _warnings(diagnostics: Iterable[dict[str, Any]]) -> Iterator[Use]:
    for each in diagnostics:
        match = _CHECK_USES.fullmatch(each["message"])
        if match:
            yield Use(_place(each), int(match[1]))


def _consumed(notes: Iterable[dict[str, Any]]) -> Iterator[Use]:
    for note in notes:
        match = _CONSUMED.match(note["message"])
        if match:
            yield Use(_place(note), int(match[1]))


def _is_nested(notes: Iterable[dict[str, Any]]) -> bool:
    """Whether the notes name different places for the consumed and for the used operation."""
    places = [note["place"] for note in notes if note["message"].startswith(_PAYLOAD)]
    return len(set(map(tuple, places))) > 1


class _Reading:
    """Reads the worker's report about a script that ran."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.names: list[str] = [name for name, _ in answer["operations"]]
        self.places: list[Place] = [(line, column) for _, (line, column) in answer["operations"]]
        self._passed = {(operation, operand): (count, full) for operation, operand, count, full in answer["passed"]}

    def operation_at(self, place: tuple[str, int, int]) -> Place:
        """Return the place of the operation at `place`, or of that behind the step that stands there."""
        file, line, column = place
        return self.places[line] if file == _STEPS else (line, column)

    def name_at(self, place: tuple[str, int, int]) -> str:
        """Return the name of that operation; "" for one that is no operation of the script."""
        found = self.operation_at(place)
        return self.names[self.places.index(found)] if found in self.places else ""

    def failure(self, errors: Sequence[dict[str, Any]]) -> tuple[Flag | None, WorkEnd]:
        """Return the flagged uses and the end of a failed run, by its errors."""
        for error in errors:
            match = _REPEATED.match(error["message"])
            if error["message"] in (_INVALIDATED, _EMPTY):
                return self._invalidated(error)
            if match:
                uses = frozenset({Use(_place(error), int(match[1]))})
                flag = Flag(uses, None, error["message"], earlier=self._earlier(uses, begun=True))
                return flag, WorkEnd.REPEATED
            if error["message"].startswith(NESTED):
                return Flag(frozenset({Use(_place(error), 0)}), None, error["message"]), WorkEnd.REPEATED
        return None, WorkEnd.FAILURE

    def _invalidated(self, error: dict[str, Any]) -> tuple[Flag, WorkEnd]:
        consumed, nested = next(_consumed(error["notes"]), None), _is_nested(error["notes"])
        file, operation, operand = error["place"]
        if file != _STEPS:
            uses = self._by_itself(error)
            earlier = self._earlier(uses, begun=True)
            return Flag(uses, consumed, error["message"], nested, earlier), WorkEnd.INVALIDATED
        uses = frozenset({Use(self.places[operation], operand)})
        is_yield = self.names[operation] == "transform.yield"
        flag = Flag(uses, consumed, error["message"], nested, self._earlier(uses, begun=False))
        return flag, WorkEnd.STALE_YIELD if is_yield else WorkEnd.INVALIDATED

    def _by_itself(self, error: dict[str, Any]) -> frozenset[Use]:
        """Return the operands that an operation may mean which itself invalidated one by consuming one before."""
        place = _place(error)
        number = self.places.index(place)
        operands = sorted(operand for operation, operand in self._passed if operation == number)
        return frozenset(Use(place, operand) for operand in operands[1:])

    def _earlier(self, uses: frozenset[Use], *, begun: bool) -> int:
        """Return how often one of `uses` came to pass; once less if the step of the one that failed did so, too."""
        full = (self._passed.get((self.places.index(use.place), use.operand), (0, 0))[1] for use in uses)
        return max((count - begun for count in full), default=0)

    def executed(self, flag: Flag | None) -> dict[Use, tuple[int, int]]:
        """Return the uses that were executed, but for those that the interpreter complained of."""
        complained = flag.uses if flag is not None else frozenset()
        passed = ((Use(self.places[key[0]], key[1]), counts) for key, counts in self._passed.items())
        return {use: counts for use, counts in passed if use not in complained}


def _place(diagnostic: dict[str, Any]) -> Place:
    _, line, column = diagnostic["place"]
    return line, column
