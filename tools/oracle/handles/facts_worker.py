"""Runs scripts and says how the operations that each result stands for lie to those of operands and other results.

Reads a JSON list of texts with options from standard input and prints one line of JSON for each: the observations,
one for each execution of an operation with results that are handles. A process of its own since MLIR may crash.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from torch_mlir import ir

from oracle.handles.groups import sizes_of_groups
from oracle.handles.steps import (
    DIALECT,
    bodies,
    is_parameter,
    is_value,
    members,
    new_context,
    own_output,
    place,
    run_pass,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class _Entry(NamedTuple):
    """An operation of the payload by identity, or the owner of a value, and its parents, from inside out."""

    identity: int
    name: str
    ancestors: tuple[int, ...]
    value: int


@dataclass
class _Script:
    """Names of the operations of a script, and facts about those that are being executed, by number.

    `segments` are the sizes of groups of operands and results. `present` is the payload `before` an operation, by
    identity; other keys have the number of an operand or a result, too.
    """

    names: list[str]
    segments: list[dict[str, list[int]]]
    present: dict[int, frozenset[int]] = field(default_factory=dict)
    before: dict[tuple[int, int], list[_Entry]] = field(default_factory=dict)
    after: dict[tuple[int, int], list[_Entry]] = field(default_factory=dict)


class _Session:
    def __init__(self) -> None:
        steps = {"first": self._first, "before": self._before, "after": self._after, "last": self._last}
        self.context = new_context(steps)
        self._script = _Script([], [])
        self._observations: list[dict[str, Any]] = []
        self._module: Any = None

    def run(self, job: dict[str, Any]) -> list[dict[str, Any]]:
        """Run the script of `job` as far as it goes and return the observations."""
        self._observations = []
        with self.context:
            handler = self.context.attach_diagnostic_handler(lambda _: True)
            try:
                self._module = ir.Module.parse(job["text"])
                self._instrument(job["reads"])
                run_pass(self._module, f"transform-interpreter{{entry-point={job['entry_point']}}}")
            except ir.MLIRError:
                return []
            finally:
                handler.detach()
        return self._observations

    def _instrument(self, reads: dict[str, list[tuple[bool, bool]]]) -> None:
        executed = [operation for body in list(bodies(self._module.operation)) for operation in members(body)]
        self._script = _Script([operation.name for operation in executed], list(map(_segments, executed)))
        for number, operation in enumerate(executed):
            if operation.name != "transform.yield" and len(operation.results):
                ahead, behind = ir.InsertionPoint(operation), ir.InsertionPoint.after(operation)
                _insert("before", operation.operands, number, ahead)
                _insert_one("first", [], (number, 0), ahead)
                _insert("before", operation.operands, number, behind, _kept(operation, reads.get(operation.name, [])))
                _insert("after", operation.results, number, behind)
                _insert_one("last", [], (number, 0), behind)

    def _before(self, step: Any, state: Any) -> None:
        _, number, index = place(step.location)
        self._script.before[number, index] = _entries(step.operands[0], state)

    def _after(self, step: Any, state: Any) -> None:
        _, number, index = place(step.location)
        self._script.after[number, index] = _entries(step.operands[0], state)

    def _first(self, step: Any, _state: Any) -> None:
        self._script.present[place(step.location)[1]] = self._present()

    def _present(self) -> frozenset[int]:
        return frozenset(map(_identity, _payload(self._module.operation)))

    def _last(self, step: Any, _state: Any) -> None:
        number = place(step.location)[1]
        operands, results = (_taken(found, number) for found in (self._script.before, self._script.after))
        before, now = self._script.present[number], self._present()
        self._observations.append(
            {
                "operation": self._script.names[number],
                "segments": self._script.segments[number],
                "operands": [
                    (index, other, _relations(entries, found, before))
                    for index, entries in results.items()
                    for other, found in operands.items()
                    if entries and found
                ],
                "results": [
                    (index, other, _relations(entries, found, before))
                    for index, entries in results.items()
                    for other, found in results.items()
                    if other != index and entries and found
                ],
                "remaining": [
                    (index, all(entry.identity in now for entry in found)) for index, found in operands.items() if found
                ],
            }
        )


def _taken(found: dict[tuple[int, int], list[_Entry]], number: int) -> dict[int, list[_Entry]]:
    return {index: found.pop((each, index)) for each, index in list(found) if each == number}


def _insert(name: str, handles: Any, number: int, point: Any, only: Sequence[bool] | None = None) -> None:
    for index, handle in enumerate(handles):
        if not is_parameter(handle) and (only is None or only[index]):
            _insert_one(name, [handle], (number, index), point)


def _insert_one(name: str, operands: list[Any], number: tuple[int, int], point: Any) -> None:
    ir.Operation.create(f"{DIALECT}.{name}", operands=operands, loc=ir.Location.file(DIALECT, *number), ip=point)


def _kept(operation: Any, groups: list[tuple[bool, bool]]) -> list[bool]:
    """Tell of each operand whether it can be looked at behind `operation`; see `main` for `groups`."""
    sizes = sizes_of_groups([is_one for is_one, _ in groups], _segments(operation)["operands"])
    kept = [is_read for (_, is_read), size in zip(groups, sizes, strict=True) for _ in range(size)]
    return kept if len(kept) == len(operation.operands) else [False] * len(operation.operands)


def _segments(operation: Any) -> dict[str, list[int]]:
    """Return how many operands and results each group has where the operation says so, and how many there are."""
    kinds = (
        ("operands", "operandSegmentSizes", operation.operands),
        ("results", "resultSegmentSizes", operation.results),
    )
    attributes = operation.attributes
    return {kind: list(attributes[name]) if name in attributes else [len(all_)] for kind, name, all_ in kinds}


def _entries(handle: Any, state: Any) -> list[_Entry]:
    if not is_value(handle):
        return [_entry(view.operation, 0) for view in state.get_payload_ops(handle)]
    return [_entry(_owner(value), hash(value)) for value in state.get_payload_values(handle)]


def _owner(value: Any) -> Any:
    owner = value.owner
    return (owner.owner if isinstance(owner, ir.Block) else owner).operation


def _payload(operation: Any) -> Iterator[Any]:
    """Yield `operation` and its nested operations, without scripts."""
    yield operation
    for member in members(operation):
        if not member.name.startswith("transform."):
            yield from _payload(member)


def _identity(operation: Any) -> int:
    """Return a number that another operation is not likely to have, though it be where this one was in memory."""
    return hash((hash(operation), operation.name, str(operation.location)))


def _entry(operation: Any, value: int) -> _Entry:
    ancestors = []
    parent = operation.parent
    while parent is not None:
        ancestors.append(_identity(parent.operation))
        parent = parent.operation.parent
    return _Entry(_identity(operation), operation.name, tuple(ancestors), value)


def _relations(these: list[_Entry], those: list[_Entry], before: frozenset[int]) -> list[str]:
    """Return the kinds of relations of `these`, looked at after the operation, to `those`.

    `before` is the payload before the operation.
    """
    ours, theirs = ({entry.identity for entry in entries} for entries in (these, those))
    are_within = [not theirs.isdisjoint(entry.ancestors) for entry in these]
    parents = {entry.ancestors[0] for entry in those if entry.ancestors}
    places = parents | theirs
    around = {ancestor for entry in those for ancestor in entry.ancestors}
    are_new = [entry.identity not in before or entry.identity in theirs for entry in these]
    tests = {
        "same": ours == theirs and (not _values(these) or not _values(those) or _values(these) == _values(those)),
        "part-of": ours <= theirs,
        "whole-of": theirs <= ours,
        "within": all(are_within),
        "found-in": all(inside or entry.identity in theirs for inside, entry in zip(are_within, these, strict=True)),
        "around": ours <= around and all(not ours.isdisjoint(entry.ancestors) for entry in those),
        "replaces": all(are_new) and all(not places.isdisjoint((entry.identity, *entry.ancestors)) for entry in these),
        "beside": all(entry.ancestors and entry.ancestors[0] in parents for entry in these),
        "new": not any(entry.identity in before for entry in these),
        "like": {entry.name for entry in these} <= {entry.name for entry in those},
        "apart": ours.isdisjoint(theirs) and not any(are_within) and ours.isdisjoint(around),
    }
    return [kind for kind, holds in tests.items() if holds]


def _values(entries: list[_Entry]) -> set[int]:
    return {entry.value for entry in entries} - {0}


def main() -> None:
    """Answer for every text, flushing each so that a crash loses one answer only.

    A job has the groups of each operation's operands: whether one operand is in the group, and whether it is only read.
    The worker reads such a handle after the operation, as the interpreter updates it, and others before.
    """
    jobs = json.load(sys.stdin)
    output = own_output()
    session = _Session()
    for job in jobs:
        print(json.dumps(session.run(job)), file=output, flush=True)


if __name__ == "__main__":
    main()
