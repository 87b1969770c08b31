"""The rule `no-match-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.file.source_file import matcher_uses
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.sections.sections import Section

_INTERFACE = "MatchOpInterface"
_EXECUTED = "TransformOpInterface"


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations of matchers that no matcher can execute; `malformed-body` reports those of no script."""
    for sequence in sequences:
        name = symbol_name(sequence)
        if name is None or sequence.syntax.broken:
            continue
        bodies = [block for block in sequence.blocks() if block.operations]
        wrong = [child for block in bodies[:1] for child in block.operations if _cannot_match(context, child)]
        user = context.section_using_matcher(name) if wrong else None
        for operation in wrong if user is not None else ():
            yield Finding(
                RULE.name,
                RULE.level,
                f"`{operation.name}` cannot be executed in the matcher `@{name}`: it does not implement `{_INTERFACE}`",
                operation.location,
                tuple(_uses(user, name, context.section)),
                "do it in the action, or in a sequence that the matcher calls with `transform.include`",
            )


def _cannot_match(context: Context, operation: Operation) -> bool:
    """Tell whether `operation` is an upstream operation that no version of MLIR executes in a matcher."""
    if operation.syntax.broken or operation.has_trait("IsTerminator") or not operation.has_trait(_EXECUTED):
        return False
    variants = context.catalogue.counting(operation.name)
    return bool(variants) and all(each.versions and _INTERFACE not in each.traits for each in variants)


def _uses(user: Section | None, name: str, own: Section) -> Iterator[SectionNote]:
    """Yield a note at the first use of the sequence `name` as a matcher, in the section `user`."""
    for operation in user.tree.walk() if user is not None else ():
        for use in matcher_uses(operation):
            if use.path == (name,):
                section = user if user is not own else None
                yield SectionNote(f"`{operation.name}` uses `@{name}` as a matcher here", use.span, section=section)
                return


RULE: Final = Rule(
    code="TD226",
    name="no-match-operation",
    level=Level.WARNING,
    summary="A matcher has an operation that fails in matchers",
    documentation="""\
`transform.foreach_match` and `transform.collect_matching` execute the operations of a matcher one after
the other, and each has to implement `MatchOpInterface`. The first one that does not is a definite failure
and ends the script, as soon as a payload operation passes the conditions before it; in
`transform.collect_matching`, some versions of MLIR crash. MLIR does not look at it when it reads the script.

Operations that search or navigate are not all match operations: `transform.get_defining_op` and
`transform.get_parent_op` are, `transform.cast` and `transform.structured.match` are not.

**Fix:** do what the operation does in the action, which takes the values that the matcher yields. What
only reads the payload may also stand in another sequence that the matcher calls with `transform.include`.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_loop(%op: !transform.any_op {transform.readonly}) -> !transform.op<"scf.for"> {
    transform.match.operation_name %op ["scf.for"] : !transform.any_op
    %loop = transform.cast %op : !transform.any_op to !transform.op<"scf.for">
    transform.yield %loop : !transform.op<"scf.for">
  }
  transform.named_sequence @mark(%loop: !transform.op<"scf.for"> {transform.readonly}) {
    transform.annotate %loop "found" : !transform.op<"scf.for">
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %updated = transform.foreach_match in %root @is_loop -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_loop(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["scf.for"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    %loop = transform.cast %op : !transform.any_op to !transform.op<"scf.for">
    transform.annotate %loop "found" : !transform.op<"scf.for">
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %updated = transform.foreach_match in %root @is_loop -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    check=check,
    looks_at=NAMED_SEQUENCE,
    shows_when_run=True,
)
