"""The rule `unknown-symbol`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.sequences import used_sequences
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.model import MatchCriterion
from tdls.semantic.symbols import spelled_reference
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, PATTERN, is_transform_operation
from tdls.text.level import Level
from tdls.text.similarity import SimilarNames

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import SymbolUse


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report calls of named sequences that do not exist, and searches by patterns that do not."""
    similar_names = SimilarNames(0.7)
    for operation in operations:
        if operation.syntax.broken:
            continue
        attributes = operation.definition.attributes if operation.definition is not None else ()
        if any(attribute.asks is MatchCriterion.PATTERN for attribute in attributes):
            yield from _unknown_pattern(context, operation, similar_names)
        for use in used_sequences(operation):
            target = context.symbols.lookup_nearest(use.path, operation)
            if target is None:
                yield from _unknown(context, operation, use, similar_names)
            elif target.definition is not None and target.name != NAMED_SEQUENCE:
                message = f"`@{'::@'.join(use.path)}` is a `{target.name}`, not a named sequence"
                yield Finding(RULE.name, RULE.level, message, use.span)


def _unknown_pattern(context: Context, operation: Operation, similar_names: SimilarNames) -> Iterator[Finding]:
    """Report a pattern that is not in the operation of the dialect around, in whose symbol table MLIR looks it up."""
    around = next((each for each in operation.ancestors() if each.definition is None or _has_symbols(each)), None)
    if around is None or not is_transform_operation(around) or around.definition is None or context.is_in_template:
        return
    children = [child for block in around.blocks() for child in block.operations]
    if any(child.syntax.broken or child.definition is None for child in children):
        return
    patterns = [name for name, each in context.symbols.table_of(around).items() if each.name == PATTERN]
    for use in operation.syntax.symbols:
        if len(use.path) == 1 and use.path[0] in patterns:
            continue
        message = f"no `{PATTERN}` in `{around.name}` is called `@{'::@'.join(use.path)}`"
        similar = similar_names.to(use.path[-1], (patterns,))
        known = ", ".join(f"`@{name}`" for name in sorted(patterns)[:_MOST_LISTED])
        help_text = f"there is `@{similar}`" if similar is not None else f"there is {known}" if known else None
        fixes = _rename(use, similar) if similar is not None else ()
        note = SectionNote("patterns are looked up in here", around.location)
        yield Finding(RULE.name, Level.WARNING, message, use.span, (note,), help=help_text, fixes=fixes)


def _has_symbols(operation: Operation) -> bool:
    return operation.has_trait("SymbolTable")


_MOST_LISTED = 3


def _unknown(context: Context, operation: Operation, use: SymbolUse, similar_names: SimilarNames) -> Iterator[Finding]:
    """Report an unknown symbol, unless it has an unreadable definition (reported there) or a template may define it.

    The rule `library-conflict` reports those that libraries define.
    """
    around = [*operation.ancestors()]
    nearest = next((number for number, each in enumerate(around) if _has_symbols(each)), None)
    reached = [*around, None] if nearest is None else around[: nearest + 1]
    tables = map(context.symbols.table_of, reached)
    inside = [name for table in tables for name, target in table.items() if target.name == NAMED_SEQUENCE]
    visible = context.visible_symbols(NAMED_SEQUENCE) if nearest is None else ()
    name = use.path[0]
    is_elsewhere = name in inside or name in visible or context.library_definitions(name)
    if (len(use.path) == 1 and is_elsewhere) or context.is_in_template:
        return
    message = f"no named sequence `@{'::@'.join(use.path)}` is in reach"
    similar = similar_names.to(name, (inside, visible))
    help_text = (
        f"there is `@{similar}`"
        if similar is not None
        else next(
            iter(context.named_libraries.missing),
            "define it in this module, or declare it: `transform.named_sequence private @name(...)`",
        )
    )
    fixes = _rename(use, similar) if similar is not None and len(use.path) == 1 else ()
    yield Finding(RULE.name, RULE.level, message, use.span, help=help_text, fixes=fixes)


def _rename(use: SymbolUse, name: str) -> tuple[SectionFix, ...]:
    spelled = spelled_reference(name)
    return (SectionFix(f"Change to `{spelled}`", (SectionEdit(use.span, spelled),)),)


RULE: Final = Rule("unknown-symbol", check=check, fix=FixKind.UNSAFE, holds_for_any_definition=True)
