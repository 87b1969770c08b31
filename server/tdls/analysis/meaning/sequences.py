"""Finds the scripts of a section and those applied to the payload root; computes edits of argument marks
(`transform.consumed`, `transform.readonly`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.finding import SectionEdit
from tdls.catalogue.model import MatchCriterion
from tdls.semantic.symbols import PRIVATE, is_external, is_private, spelled_reference, symbol_name
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, TRANSFORM, is_transform_operation
from tdls.syntax.layout import end_of_line_behind
from tdls.text.scanning import after_blanks
from tdls.text.similarity import likeness
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context, DefiningOperation
    from tdls.semantic.model import Operation
    from tdls.syntax.sections.sections import Section
    from tdls.syntax.tree import BlockArgument, NamedAttribute, SymbolUse


DECLARE = "MLIR looks for symbols when it reads a file, before it merges libraries with it, so declare it"
"""Advice for sequences of libraries that a file uses without a declaration."""


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
    """Return the mark that fits the uses of argument `number` in the body, or None without a body or argument.

    A declaration has the marks of its definition in a library.
    """
    body, name = sequence.body, symbol_name(sequence)
    home = context.library_body(name) if body is None and name is not None else None
    if home is not None:
        return _declared_mark(home, number)
    if body is None or number >= len(body.arguments):
        return None
    return CONSUMED if context.effects.is_consumed_in(body, body.arguments[number]) else READONLY


def _declared_mark(definition: DefiningOperation, number: int) -> str | None:
    """Return the mark that argument `number` has in declarations of a sequence: its own, else a fitting one."""
    signature = definition.operation.syntax.signature
    arguments = signature.arguments[number : number + 1] if signature is not None else ()
    own = [mark for argument in arguments for mark in marks_of(argument)]
    return own[0] if len(own) == 1 else fitting_mark(*definition, number)


def declaration_of(definition: DefiningOperation) -> str | None:
    """Return the declaration that lets other files use a named sequence, or None if it is private, or not known."""
    signature, name = definition.operation.syntax.signature, symbol_name(definition.operation)
    is_unusable = definition.operation.syntax.broken or is_private(definition.operation)
    if signature is None or name is None or is_unusable:
        return None
    types = definition.context.types
    arguments = [
        f"{f'{argument.name}: ' if argument.name else ''}{types.canonical(argument.type.text)} {{{mark}}}"
        for number, argument in enumerate(signature.arguments)
        if argument.type is not None and (mark := _declared_mark(definition, number)) is not None
    ]
    if len(arguments) < len(signature.arguments):
        return None
    results = ", ".join(types.canonical(result.text) for result in signature.results)
    given = f" -> {results}" if len(signature.results) == 1 else f" -> ({results})" if results else ""
    return f"{NAMED_SEQUENCE} {PRIVATE} {spelled_reference(name)}({', '.join(arguments)}){given}"


def declare(context: Context, user: Operation, declaration: str) -> SectionEdit:
    """Return the edit that writes a `declaration` at the beginning of the symbol table around `user`.

    At the top level of a file it follows `user`, or what that is in.
    """
    inner = user
    while inner.parent is not None and not inner.parent.has_trait("SymbolTable"):
        inner = inner.parent
    around, section = around_operation(context, inner)
    text, place = context.section.text, inner.span.end
    indent = text[text.rfind("\n", 0, inner.span.start) + 1 : inner.span.start]
    if around is not None and around.syntax.regions:
        text, place = (section or context.section).text, around.syntax.regions[0].start + 1
    end = end_of_line_behind(text, place)
    if end is None or indent.strip():
        return SectionEdit(Span(place, place), f" {declaration} ", section)
    return SectionEdit(Span(end, end), f"\n{indent}{declaration}", section)


def around_operation(context: Context, operation: Operation) -> tuple[Operation | None, Section | None]:
    """Return the operation around `operation`, and its section if that is another one."""
    if operation.parent is not None or context.container is None:
        return operation.parent, None
    return context.container_operation, context.container.section


def has_body(operation: Operation) -> bool:
    """Whether `operation` is a named sequence with a body."""
    return operation.name == NAMED_SEQUENCE and not is_external(operation)


def is_outermost(context: Context, operation: Operation) -> bool:
    """Whether the symbol table around `operation` is the outermost one, which MLIR merges libraries with."""
    inside = sum(each.has_trait("SymbolTable") for each in operation.ancestors())
    container = context.container
    return inside == 0 if container is not None and container.container is None else inside <= (container is None)


def used_sequences(operation: Operation) -> Sequence[SymbolUse]:
    """Return the symbols of the named sequences that an operation calls or runs on what it matches."""
    attributes = operation.definition.attributes if operation.definition is not None else ()
    is_user = operation.has_callee or any(attribute.asks is MatchCriterion.MATCHERS for attribute in attributes)
    return operation.syntax.symbols if is_user and not operation.syntax.broken else ()


def add_mark(context: Context, argument: BlockArgument, mark: str) -> SectionEdit | None:
    """Return the edit that adds `mark` to `argument`, or None if the type of `argument` is missing."""
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
    """Whether an operation outside of named sequences is applied to the payload root: it has no operands."""
    return not operation.operands and operation.has_trait("PossibleTopLevelTransformOpTrait")
