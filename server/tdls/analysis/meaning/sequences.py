"""Finds the scripts of a section and those applied to the payload root; computes edits of argument marks
(`transform.consumed`, `transform.readonly`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.finding import SectionEdit
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import TRANSFORM, is_transform_operation
from tdls.text.scanning import after_blanks
from tdls.text.similarity import likeness
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import BlockArgument, NamedAttribute


def marks_of(argument: BlockArgument) -> set[str]:
    """Return the marks of `argument`: `CONSUMED`, `READONLY`, both or none."""
    return {attribute.name for attribute in argument.attributes} & {CONSUMED, READONLY}


def misspelt_marks(argument: BlockArgument) -> Iterator[tuple[NamedAttribute, str]]:
    """Yield attributes that look like slips of a mark, each with the mark."""
    for attribute in argument.attributes:
        dialect, _, word = attribute.name.rpartition(".")
        if dialect not in ("", TRANSFORM) or attribute.name in (READONLY, CONSUMED):
            continue
        for mark in (READONLY, CONSUMED):
            if likeness(word.replace("_", ""), mark.rpartition(".")[2]) >= _SLIP:
                yield attribute, mark


_SLIP = 0.85
"""The least likeness of a misspelt mark."""


def fitting_mark(context: Context, sequence: Operation, number: int) -> str | None:
    """Return the mark that fits the uses of argument `number` in the body; None without a body or argument.

    A declaration has the marks of its definition in a library.
    """
    body, name = sequence.body, symbol_name(sequence)
    home = context.library_body(name) if body is None and name is not None else None
    if home is not None:
        signature = home.operation.syntax.signature
        own = (
            [mark for argument in signature.arguments[number : number + 1] for mark in marks_of(argument)]
            if signature
            else []
        )
        return own[0] if len(own) == 1 else fitting_mark(home.context, home.operation, number)
    if body is None or number >= len(body.arguments):
        return None
    return CONSUMED if context.effects.is_consumed_in(body, body.arguments[number]) else READONLY


def add_mark(context: Context, argument: BlockArgument, mark: str) -> SectionEdit | None:
    """Return the edit that adds `mark` to `argument`; None if the type of `argument` is missing."""
    if argument.type is None:
        return None
    if argument.attributes:
        start = argument.attributes[0].start
        return SectionEdit(Span(start, start), f"{mark}, ")
    end = argument.type.end
    text = context.section.text
    opener = after_blanks(text, end)
    closer = after_blanks(text, opener + 1)
    is_empty = text.startswith("{", opener) and text.startswith("}", closer)
    return SectionEdit(Span(end, closer + 1 if is_empty else end), f" {{{mark}}}")


def remove_mark(argument: BlockArgument, mark: str) -> SectionEdit:
    """Return the edit that removes `mark` from `argument`, which has at least one other attribute."""
    attributes = argument.attributes
    index = next(i for i, attribute in enumerate(attributes) if attribute.name == mark)
    if index + 1 < len(attributes):
        return SectionEdit(Span(attributes[index].start, attributes[index + 1].start), "")
    return SectionEdit(Span(attributes[index - 1].end, attributes[index].end), "")


def scripts_of(context: Context) -> Iterator[Operation]:
    """Yield named sequences and other transform operations that are not nested in a transform operation."""
    todo = list(reversed(context.model.operations))
    while todo:
        operation = todo.pop()
        if is_transform_operation(operation):
            yield operation
        else:
            todo.extend(nested for block in operation.blocks() for nested in reversed(block.operations))


def is_applied_to_root(operation: Operation) -> bool:
    """Tell whether an operation outside of named sequences is applied to the payload root: it has no operands."""
    return not operation.operands and operation.has_trait("PossibleTopLevelTransformOpTrait")
