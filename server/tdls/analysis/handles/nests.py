"""Loops in loops that one operation made, which stay in each other while other things are moved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tdls.analysis.handles.payload.sets import Nesting, PayloadSet

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.payload.names import PayloadNames
    from tdls.semantic.model import Operation, Value


class Linked(Protocol):
    """A run, as far as links between sets are about it."""

    context: Context
    names: PayloadNames
    step: int

    def set_of(self, value: Value) -> PayloadSet:
        """Return what `value` stands for."""

    def link(self, inner: PayloadSet, outer: PayloadSet, nesting: Nesting, made: int, *, is_firm: bool = False) -> None:
        """Note how `inner` lies to `outer`."""


class _Nest(NamedTuple):
    """An inner loop in an outer one, as it was known in a step of the run."""

    inner: PayloadSet
    outer: PayloadSet
    since: int


@dataclass(slots=True)
class Nests:
    """The nests of a run."""

    _nests: list[_Nest] = field(default_factory=list)

    def add(self, run: Linked, inner: PayloadSet, outer: PayloadSet) -> None:
        """Note that loops are in others, with which they were made."""
        run.link(inner, outer, Nesting.NESTED, run.step)
        self._nests.append(_Nest(inner, outer, run.step))

    def renew(self, run: Linked, operation: Operation, before: int) -> None:
        """Let nests that held since step `before` hold on, if `operation`, which moves things, moves others only.

        That is so if it has no patterns and rewrites nothing that may have loops in it: a loop of a nest needs what the
        loop around it defines, so that nothing takes it out of there.
        """
        nests, self._nests = self._nests, []
        if not nests or not _moves_others(run, operation):
            return
        for nest in nests:
            if nest.since >= before:
                self.add(run, nest.inner, nest.outer)


def _moves_others(run: Linked, operation: Operation) -> bool:
    definition = operation.definition
    if definition is None or not definition.versions or definition.regions:
        return False
    consumed = (
        value for value in operation.operands if value is not None and run.context.effects.consumes(operation, value)
    )
    return all(_is_without_bodies(run, value) for value in consumed)


def _is_without_bodies(run: Linked, value: Value) -> bool:
    """Tell whether what `value` stands for is known to contain no operations that have bodies themselves."""
    names = run.set_of(value).facts.names
    return bool(names) and not any(run.names.may_contain(name, names) for name in names or ())
