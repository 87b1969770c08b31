"""The rule `misplaced-terminator`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.rule import Rule
from tdls.analysis.verifying.verifiers import verifier_of
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Block, Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report misplaced terminators, and successors of operations that have none.

    A terminator is misplaced before the end of a block, or where another one has to end the block.
    """
    for operation in operations:
        definition = operation.definition
        if definition is None or not definition.versions:
            continue
        yield from _successors(operation, definition)
        for block in operation.blocks():
            yield from _early(block)
        for check in verifier_of(operation).terminator:
            for complaint in check(context, operation):
                yield complaint.finding(RULE.name, RULE.level)


def _successors(operation: Operation, definition: OperationDefinition) -> Iterator[Finding]:
    """Only the generic form can spell successors of an operation without any."""
    spelled = operation.syntax.successors
    if spelled and not definition.successors and operation.syntax.form is Form.GENERIC:
        message = f"`{operation.name}` has no successors, found {len(spelled)}"
        yield Finding(RULE.name, RULE.level, message, operation.location, help="take the labels of blocks away")


def _early(block: Block) -> Iterator[Finding]:
    for operation in block.operations[:-1]:
        definition = operation.definition
        if definition is not None and definition.versions and operation.has_trait("IsTerminator"):
            message = f"`{operation.name}` ends a block, but more follows it here"
            yield Finding(RULE.name, RULE.level, message, operation.location, help="move it to the end of the block")


RULE: Final = Rule("misplaced-terminator", check=check)
