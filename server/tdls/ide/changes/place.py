"""The place of a refactoring, and the texts around it that move or get new neighbours."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from tdls.analysis.meaning.matchers import ACTION_ATTRIBUTES
from tdls.semantic.model import operation_at
from tdls.semantic.symbols import symbol_name, symbols_in
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.structs import Struct
from tdls.syntax import scanner
from tdls.syntax.layout import end_of_line_behind
from tdls.text.diagnostic import TextEdit
from tdls.text.positions import Position
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value


_FOREACH_MATCH = "transform.foreach_match"


class RefusalError(Exception):
    """A refactoring does not apply to what is at a place; the message gives the reason to the user."""


class Place(Struct, frozen=True):
    """A selection in the section of `context`; `is_asked` if the user asked for refactorings, not for all actions."""

    context: Context
    span: Span
    is_asked: bool = False

    @property
    def text(self) -> str:
        return self.context.section.text

    def operation(self, *names: str) -> Operation | None:
        """Return the innermost operation here if it has one of `names`; of one with a body, only the head counts."""
        operation = operation_at(self.context.model, self.span.start)
        if operation is None or operation.name not in names or operation.syntax.broken:
            return None
        end = operation.regions[0].syntax.start if operation.regions else operation.span.end
        return operation if self.span.end <= end else None

    def edit(self, span: Span, new_text: str) -> TextEdit:
        """Return the edit of the file that replaces a span of the section."""
        return TextEdit(self.context.to_file(span), new_text)

    def renaming(self, value: Value, users: Iterable[Operation], name: str) -> Iterator[TextEdit]:
        """Yield the edits after which `users` use `name` in the place of `value`."""
        for user in users if name != value.shown else ():
            uses = zip(user.syntax.operands, user.operands, strict=True)
            yield from (self.edit(use.span, name) for use, used in uses if used is value)

    def lines(self, first: Operation, last: Operation) -> Span:
        """Return the lines from `first` to `last`, without the last line break, with the comment behind them.

        Raises RefusalError if something else stands there.
        """
        start, end = self.text.rfind("\n", 0, first.span.start) + 1, end_of_line_behind(self.text, last.span.end)
        if end is None or self.text[start : first.span.start].strip():
            raise RefusalError("other code stands in the same line")
        return Span(start, end)

    def symbol(self, wanted: str) -> str:
        """Return `wanted`, with a number if the file has this word already."""
        names = (wanted if number == 1 else f"{wanted}_{number}" for number in count(1))
        return next(name for name in names if not self.context.file.mentions(name))

    def insertion_before(self, sequence: Operation, lines: Iterable[str]) -> TextEdit:
        """Return the edit that inserts `lines` before `sequence` and the comments above it, as they are spaced."""
        offset = self.start_with_comments(sequence)
        line = self.context.file.position(offset).line
        is_spaced = line > 0 and not self.context.file.line_text(line - 1).strip()
        indent = indentation(self.text, sequence)
        new = "".join(f"{indent}{each}\n" if each else "\n" for each in lines)
        return TextEdit(FileSpan(offset, offset), f"{new}\n" if is_spaced else new)

    def start_with_comments(self, sequence: Operation) -> int:
        """Return the offset in the file of the first line of `sequence`, or of the comments directly above it."""
        file = self.context.file
        line = file.position(self.context.to_file(sequence.span).start).line
        while line and _is_comment(file.line_text(line - 1)):
            line -= 1
        return file.offset(Position(line, 0))

    def refuse_in_action(self, step: Operation) -> None:
        """Raise RefusalError if `step` is directly in an action: a failure skips what is left of an include there only.

        ``foreach_match`` goes on with the next step of an action that fails, and fails at its end.
        """
        name = symbol_name(step.parent) if step.parent is not None else None
        contexts = (each for each in self.context.file.contexts if _FOREACH_MATCH in each.section.text)
        for matching in (operation for context in contexts for operation in context.operations(_FOREACH_MATCH)):
            if any(use.path == (name,) for use in symbols_in(matching.syntax, ACTION_ATTRIBUTES)):
                raise RefusalError(
                    "steps of an action are executed even if one before them fails, those of an include not"
                )

    def sequence_around(self, operation: Operation) -> Operation:
        """Return the named sequence around `operation`, next to which others can stand. Raises RefusalError."""
        for ancestor in operation.ancestors():
            if ancestor.name == NAMED_SEQUENCE:
                return ancestor
            if ancestor.has_trait("SymbolTable"):
                break
        raise RefusalError("it is in no named sequence, next to which another one could stand")


def references(text: str) -> Iterator[str]:
    """Yield the aliases and symbols that `text` mentions, with their sigils."""
    tokens = scanner.scan(text)
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        is_alias = (
            kind in (scanner.TYPE, scanner.ATTRIBUTE) and "." not in text[start:end] and not text.startswith("<", end)
        )
        if is_alias or kind == scanner.SYMBOL:
            yield text[start:end]


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("//") and not line.startswith("// -----")


def indentation(text: str, operation: Operation) -> str:
    """Return the blanks that begin the line of `operation`."""
    line = text[text.rfind("\n", 0, operation.span.start) + 1 : operation.span.start + 1]
    return line[: len(line) - len(line.lstrip(" \t"))]


def reindented(text: str, old: str, new: str) -> str:
    """Return lines that are indented by `old` with `new` in its place; those that are not lose their blanks."""
    lines = (line.removeprefix(old) if line.startswith(old) else line.lstrip(" \t") for line in text.split("\n"))
    return "\n".join(f"{new}{line}" if line.strip() else line for line in lines)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return `text` with values renamed: by their whole spelling ``%a#1``, else by their name ``%a``."""
    tokens = scanner.scan(text)
    pieces, end = [], 0
    for kind, start, stop in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        if kind == scanner.VALUE:
            name, sharp, number = text[start:stop].partition("#")
            new = names.get(text[start:stop]) or f"{names.get(name, name)}{sharp}{number}"
            pieces += [text[end:start], new]
            end = stop
    return "".join([*pieces, text[end:]])


def spelled_type(value: Value) -> str:
    """Return the type of `value` as its definition spells it. Raises RefusalError if it is not known."""
    if value.operation is not None:
        types = value.operation.syntax.result_types or ()
        written = types[value.index] if value.index < len(types) else None
    else:
        arguments = value.block.syntax.arguments if value.block is not None else ()
        written = arguments[value.index].type if value.index < len(arguments) else None
    spelled = written.text if written is not None and written.is_spelled else value.type
    if spelled is None:
        raise RefusalError(f"the type of `{value.shown}` is not known")
    return spelled


def unused_name(context: Context, name: str, suffix: str, taken: Collection[str] = ()) -> str:
    """Return a name like `name` that no value of the section has; one that is a number gets a letter in front."""
    return context.unused_name(name, f"v{name[1:]}_{suffix}" if name[1:].isdigit() else suffix, taken)


def list_of_types(types: list[str]) -> str:
    """Return types as they are spelled behind an arrow."""
    return types[0] if len(types) == 1 else f"({', '.join(types)})"
