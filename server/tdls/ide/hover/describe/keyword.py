"""What a keyword of an assembly format introduces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.hover.describe.attribute import attribute_line
from tdls.ide.hover.describe.constraint import name_in_cpp, value_constraint
from tdls.ide.hover.describe.meaning import meaning
from tdls.ide.markdown.pieces import code, code_block, paragraphs
from tdls.syntax.parser.assembly import format as ods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.cursor.entity import Keyword


def keyword_text(entity: Keyword, documentation: str = "") -> str:
    """Return Markdown about a keyword; nothing where its operation's format does not have it.

    `documentation` is that of the operation, where it is at hand.
    """
    definition = entity.operation.definition if entity.operation is not None else None
    if definition is None or definition.assembly_format is None:
        return ""
    try:
        elements = ods.parse_format(definition.assembly_format).elements
    except ValueError:
        return ""
    introduced = next(_introduced(elements, entity.text), None)
    if introduced is None:
        return ""
    lines = [_described(definition, name) for name in introduced]
    known = "\n".join(f"- {line}" for line in lines if line)
    said = next(filter(None, (meaning(name, documentation) for name in introduced)), "")
    return paragraphs(code_block(entity.text), said, f"Keyword of {code(definition.name)}.", known)


def _introduced(elements: tuple[ods.Element, ...], keyword: str) -> Iterator[tuple[str, ...]]:
    """Yield the names of what stands behind `keyword` wherever the format has it."""
    for index, element in enumerate(elements):
        if isinstance(element, ods.Literal) and element.text == keyword:
            following = (
                follower for follower in elements[index + 1 :] if isinstance(follower, (ods.Variable, ods.Custom))
            )
            yield _names(next(following, None))
        for branch in _branches(element):
            yield from _introduced(branch, keyword)


def _branches(element: ods.Element) -> tuple[tuple[ods.Element, ...], ...]:
    if isinstance(element, ods.OptionalGroup):
        return element.then, element.otherwise
    return tuple(clause.elements for clause in element.clauses) if isinstance(element, ods.OIList) else ()


def _names(element: ods.Element | None) -> tuple[str, ...]:
    if isinstance(element, ods.Variable):
        return (element.name,)
    if isinstance(element, ods.Custom):
        return tuple(argument.name for argument in element.args if isinstance(argument, ods.Variable))
    return ()


def _described(definition: OperationDefinition, name: str) -> str:
    attribute = next((candidate for candidate in definition.attributes if candidate.name == name), None)
    if attribute is not None:
        return attribute_line(attribute)
    operand = next((candidate for candidate in definition.operands if candidate.name == name), None)
    if operand is None:
        return ""
    words = value_constraint(operand)
    return f"{code('%' + name)}{': ' + words if words else ''}{name_in_cpp(operand, words)}"
