"""The rule `redefined-symbol`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import TRANSFORM
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations that define a symbol again in the same symbol table."""
    first: dict[tuple[int | None, str], Operation] = {}
    for operation in operations:
        name = _defined(context, operation)
        if name is None:
            continue
        parent = operation.parent
        before = first.setdefault((id(parent) if parent is not None else None, name), operation)
        if before is not operation:
            yield _finding(context, operation, name, SectionNote(_NOTE.format(name), before.location))
        elif parent is None:
            note = _defined_before(context, operation, name)
            if note is not None:
                yield _finding(context, operation, name, note)


def _defined(context: Context, operation: Operation) -> str | None:
    """Return the symbol that `operation` certainly defines in a symbol table.

    For payload, first asks whether another section may define the symbol, and stops if none does, so that other
    processes can check payload.
    """
    syntax = operation.syntax
    if syntax.symbol_name is None and syntax.form is not Form.GENERIC:
        return None
    is_read = syntax.form is not Form.STRUCTURAL or syntax.signature is not None
    if operation.definition is None or syntax.broken or not is_read:
        return None
    name = symbol_name(operation)
    if operation.parent is None and operation.definition.dialect != TRANSFORM:
        is_doubtful = name is not None and context.is_defined_before(name)
        if not is_doubtful:
            return None
    around = operation.parent or context.container_operation
    return name if around is None or around.has_trait("SymbolTable") else None


def _defined_before(context: Context, operation: Operation, name: str) -> SectionNote | None:
    """Return a note at the definition of `name` in another section of the same level, before `operation`."""
    is_likely = operation.syntax.form is Form.GENERIC or context.is_defined_before(name)
    if not is_likely or context.is_in_template:
        return None
    other = context.lookup((name,))
    if other is None or other.context.section is context.section or other.context.file is not context.file:
        return None
    if other.operation.definition is None or other.operation.syntax.broken or other.context.index > context.index:
        return None
    return SectionNote(_NOTE.format(name), other.operation.location, section=other.context.section)


def _finding(context: Context, operation: Operation, name: str, note: SectionNote) -> Finding:
    place = operation.syntax.symbol_span or operation.location
    subject = concerns_of(context).of(operation, is_certain=True)
    message = f"the symbol `@{name}` is defined more than once"
    return Finding(RULE.name, RULE.level, message, place, (note,), "give one of the two another name", subject=subject)


_NOTE = "`@{}` is first defined here"


RULE: Final = Rule("redefined-symbol", check=check, holds_for_any_definition=True)
