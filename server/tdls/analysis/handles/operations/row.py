"""The meaning of one transform operation, which both runs, the explanations of searches and the rules read.

The definition of an operation without a row is its meaning: relations of its results, effects, criteria of a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.relations import by_relations
from tdls.payload.loops import DYNAMIC, Loops
from tdls.payload.operations import operands_of, type_of
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.catalogue.catalogue import Catalogue
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation, Value


class Unmet(NamedTuple):
    """The reason why an operation finds nothing for one payload operation of its handle, or refuses it."""

    message: str
    help: str | None = None
    """The property that the payload operation has instead."""
    nearness: float = 0.0
    """Degree to which the payload operation has the requested property: larger is nearer."""


class Target(NamedTuple):
    """A payload operation that an operation of a script is applied to in a run."""

    run: PayloadRun
    operation: Operation
    payload: PayloadOperation

    @property
    def shown(self) -> str:
        """The name of the payload operation, for messages."""
        return self.payload.shown

    @property
    def loops(self) -> Loops:
        """The loops of a structured payload operation."""
        return self.run.loops(self.payload)

    @property
    def types(self) -> list[str]:
        """The types of its operands, "" for unknown ones."""
        return [type_of(value) or "" for value in operands_of(self.payload) or ()]

    @property
    def body(self) -> list[PayloadOperation] | None:
        """The operations in its body but the terminator; None if they may be others."""
        children = self.payload.children
        if not all(child.is_added or (child.is_as_written and child.is_sure) for child in children):
            return None
        return [child for child in children if not child.name.endswith(".yield")]

    def users(self, value: Value) -> list[PayloadOperation] | None:
        """Return the operations that use a payload value; None if they may be others."""
        found = []
        for each in self.run.payload.root.walk():
            self.run.budget.spend()
            if not each.is_added and not (each.is_as_written and each.is_sure):
                return None
            if each.written is not None and value in each.written.operands:
                found.append(each)
        return found


if TYPE_CHECKING:
    Refuses = Callable[[Target], Unmet | None]
    """Returns why an operation refuses a target; None if it accepts it, or may."""


def shown_size(size: int) -> str:
    """Return a size for a message."""
    return "dynamic" if size == DYNAMIC else str(size)


class Meaning(NamedTuple):
    """The effects of an operation in a run without payload, and on a known payload."""

    binds: Callable[[AbstractRun, Operation], None] = by_relations
    """Runs its body and binds its results to sets, without payload."""
    evaluates: Callable[[PayloadRun, Operation], None] | None = None
    """Executes it on the known payload; None: by its effect."""
    refuses: Callable[[PayloadRun, Operation], None] | None = None
    """Fails where `apply` refuses its operands on the known payload, before it is executed."""
    unmet: Callable[[Operation, PayloadOperation, Catalogue], Unmet | None] | None = None
    """Tests one payload operation of its handle; None for one that it accepts, or may accept."""
    repeats_body: bool = False
    """True if its body is run once for each operation of its handles."""
    counts: str = ""
    """Words for the number that its result holds, in messages."""
