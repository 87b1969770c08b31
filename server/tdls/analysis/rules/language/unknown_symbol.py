"""The rule `unknown-symbol`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.model import MatchCriterion
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.text.level import Level
from tdls.text.similarity import SimilarNames

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import SymbolUse

_BARE = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report calls of named sequences that do not exist."""
    similar_names = SimilarNames(0.7)
    for operation in operations:
        if not _calls(operation) or operation.syntax.broken:
            continue
        for use in operation.syntax.symbols:
            target = context.symbols.lookup_nearest(use.path, operation)
            if target is None:
                yield from _unknown(context, operation, use, similar_names)
            elif target.definition is not None and target.name != NAMED_SEQUENCE:
                message = f"`@{'::@'.join(use.path)}` is a `{target.name}`, not a named sequence"
                yield Finding(RULE.name, RULE.level, message, use.span)


def _calls(operation: Operation) -> bool:
    """Tell whether an operation refers to named sequences by its symbols."""
    attributes = operation.definition.attributes if operation.definition is not None else ()
    return operation.has_callee or any(attribute.asks is MatchCriterion.MATCHERS for attribute in attributes)


def _unknown(context: Context, operation: Operation, use: SymbolUse, similar_names: SimilarNames) -> Iterator[Finding]:
    """Report an unknown symbol, unless it has an unreadable definition (reported there) or a template may define it."""
    tables = (context.symbols.table_of(parent) for parent in [*operation.ancestors(), None])
    inside = [name for table in tables for name, target in table.items() if target.name == NAMED_SEQUENCE]
    visible = context.visible_symbols(NAMED_SEQUENCE)
    name = use.path[0]
    if (len(use.path) == 1 and (name in inside or name in visible)) or context.is_in_template:
        return
    message = f"no named sequence `@{'::@'.join(use.path)}` is in reach"
    similar = similar_names.to(name, (inside, visible))
    help_text = (
        f"there is `@{similar}`"
        if similar is not None
        else "define it in this module, or declare it: `transform.named_sequence private @name(...)`"
    )
    fixes = _rename(use, similar) if similar is not None and len(use.path) == 1 else ()
    yield Finding(RULE.name, RULE.level, message, use.span, help=help_text, fixes=fixes)


def _rename(use: SymbolUse, name: str) -> tuple[SectionFix, ...]:
    spelled = f"@{name}" if _BARE.fullmatch(name) else f'@"{name}"'
    return (SectionFix(f"Change to `{spelled}`", (SectionEdit(use.span, spelled),)),)


RULE: Final = Rule(
    code="TD107",
    name="unknown-symbol",
    level=Level.ERROR,
    summary="A symbol is named that does not exist",
    documentation="""\
`transform.include`, `transform.foreach_match` and `transform.collect_matching` call named sequences
by their symbol. The symbol is looked up in the enclosing symbol table, outwards from the call;
nested ones are reached by `@outer::@inner`.

**Fix:** correct the name, or define the sequence. Where it comes from another file, declare it here
without a body: `transform.named_sequence private @name(...)`; the interpreter then links it with
the library it preloads.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorise(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @vectorize failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorise(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @vectorise failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
    fix=FixKind.UNSAFE,
    holds_for_any_definition=True,
)
