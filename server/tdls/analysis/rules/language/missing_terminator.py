"""The rule `missing-terminator`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.edits.terminators import end_block
from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, TRANSFORM
from tdls.syntax.tree import Form
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation
    from tdls.text.span import Span

_NEEDS_NONE = ("NoTerminator", "GraphRegionNoTerminator", "SingleBlockImplicitTerminator")


def find(context: Context) -> Iterator[Finding]:
    """Report blocks of known operations that do not end in a terminator."""
    for operation in context.model.walk():
        definition = operation.definition
        if definition is None or definition.dialect != TRANSFORM or _needs_none(operation):
            continue
        for block in operation.blocks():
            finding = _check(context, operation, block)
            if finding is not None:
                yield finding


def _needs_none(operation: Operation) -> bool:
    """MLIR's parser adds an implicit terminator to custom forms; that of a pattern list is nothing at all."""
    definition = operation.definition
    if definition is None:
        return True
    none = _NEEDS_NONE if operation.syntax.form is not Form.GENERIC else _NEEDS_NONE[:-1]
    return any(trait.startswith(none) for trait in definition.traits)


def _check(context: Context, operation: Operation, block: Block) -> Finding | None:
    last = block.terminator
    if last is None:
        if operation.name != NAMED_SEQUENCE and operation.syntax.form is not Form.GENERIC:
            return None
        message = f"the body of a `{operation.name}` must not be empty"
        return _finding(context, operation, block, message, operation.location)
    if last.definition is None or last.syntax.broken or last.has_trait("IsTerminator"):
        return None
    message = f"this block ends in `{last.name}`, which is not a terminator"
    return _finding(context, operation, block, message, last.location)


def _finding(context: Context, operation: Operation, block: Block, message: str, span: Span) -> Finding:
    fix = end_block(context, operation, block)
    notes = (SectionNote("the block of this operation", operation.location),) if span != operation.location else ()
    return Finding(RULE.name, RULE.level, message, span, notes, _HELP, (fix,) if fix is not None else ())


_HELP = "end the block with `transform.yield`"


RULE: Final = Rule(
    code="TD108",
    name="missing-terminator",
    level=Level.ERROR,
    summary="A block does not end with the operation that has to end it",
    documentation="""\
The body of a `transform.named_sequence` ends with `transform.yield`, that of a function with a
return, and so on for most operations with regions. Some, such as `transform.foreach`, add the
terminator themselves when it is left out and nothing has to be yielded; the others do not.

**Fix:** end the block with the terminator the message names.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "seen" : !transform.any_op
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "seen" : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    fix=FixKind.SAFE,
)
