"""The rule `redefined-attribute`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report attributes with the name of one before them in the same dictionary."""
    for operation in operations:
        if operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
            continue
        arguments = (argument for block in operation.blocks() for argument in block.syntax.arguments)
        for attributes in (operation.syntax.attributes, *(argument.attributes for argument in arguments)):
            for first, second in _repeated(context.section.text, attributes):
                yield Finding(
                    RULE.name,
                    RULE.level,
                    f"the attribute `{second.name}` is given twice",
                    second.span,
                    (SectionNote(f"`{first.name}` is given here first", first.span),),
                    "remove one of them",
                    subject=concerns_of(context).of(operation, is_certain=True),
                )


def _repeated(text: str, attributes: Sequence[NamedAttribute]) -> Iterator[tuple[NamedAttribute, NamedAttribute]]:
    """Yield attributes with an earlier one of their name in the same dictionary, which no brace separates."""
    if len({attribute.name for attribute in attributes}) == len(attributes):
        return
    known: dict[str, NamedAttribute] = {}
    end = 0
    for attribute in sorted(attributes, key=lambda attribute: attribute.start):
        if known and text[end : attribute.start].strip() != ",":
            known = {}
        first = known.setdefault(attribute.name, attribute)
        if first is not attribute:
            yield first, attribute
        end = attribute.end


RULE: Final = Rule("redefined-attribute", check=check)
