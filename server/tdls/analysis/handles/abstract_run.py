"""Runs a script without a payload: computes the effect of each operation on the payload sets of handles.

The order of checks is that of `TransformState::applyTransform`: operands from left to right; consumed operands
invalidate other handles before the body is executed; bodies that are isolated from above do not invalidate handles
around them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.handle_state import HandleState
from tdls.analysis.handles.invalid_uses import EventLog
from tdls.analysis.handles.locations import Locations
from tdls.analysis.handles.payload_state import PayloadState
from tdls.analysis.handles.shortfalls import Evaluated
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.structs import field

if TYPE_CHECKING:
    from tdls.semantic.model import Block, Operation

_OPERATION = 8
"""Budget cost of an operation, in addition to one step for each visited set, link and handle."""


class AbstractRun(HandleState):
    """A run.

    Methods raise `OverBudget` when the script takes more than `budget`; the state is meaningless then.
    """

    depth: int = 0
    """The current depth of calls."""
    is_repeated: bool = False
    """True in the second iteration of a loop: running a nested loop twice again would find the same."""
    begins: bool = False
    """True if the interpreter begins here, with the payload of the script's file."""
    known: Evaluated = field(default_factory=Evaluated)
    """The result of running the script on the payload of its file."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.places: Locations = Locations(self, self.known.written)
        self.payload = PayloadState(self, self.places)
        self.log = EventLog(self, self.payload)

    def transfer(self, operation: Operation) -> None:
        """Apply the effects of an operation other than consumption, by its row."""
        raise NotImplementedError

    def execute(self, block: Block) -> None:
        """Execute the operations of a block in turn."""
        for operation in block.operations:
            if is_transform_operation(operation):
                self.step += 1
                self.budget.spend(_OPERATION + len(operation.operands) + len(operation.results))
                self.log.check(operation)
                self.payload.apply(operation)
                self.transfer(operation)

    def isolated(self, block: Block) -> None:
        """Execute a block that is isolated from above: its operations do not invalidate handles outside of it."""
        outer = self.enter_scope()
        self.execute(block)
        self.scope = outer
