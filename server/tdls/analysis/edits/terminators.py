"""Ending a block with ``transform.yield``: what to yield, and where to write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.semantic.transform_dialect import YIELD
from tdls.syntax.lexing.layout import end_of_line_behind
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation, Value

_STEP = "  "


def end_block(context: Context, operation: Operation, block: Block) -> SectionFix | None:
    """Return the fix that ends `block`, which is one of `operation`.

    Where something is to be yielded, the last value of each type is; None where there is none, or no closing brace.
    """
    wanted = _wanted_types(context, operation)
    values = [_last_of_type(block, type_text) for type_text in wanted]
    named = [value.shown for value in values if value is not None]
    edit = _edit(context.section.text, operation, block, _spelled(named, wanted))
    if len(named) < len(wanted) or edit is None:
        return None
    return SectionFix(f"End the block with `{_spelled(named, wanted)}`", (edit,), safe=not wanted)


def _spelled(names: list[str], types: list[str]) -> str:
    return f"{YIELD} {', '.join(names)} : {', '.join(types)}" if types else YIELD


def _wanted_types(context: Context, operation: Operation) -> list[str]:
    signature = operation.syntax.signature
    spelled = signature.results if signature is not None else operation.syntax.result_types or ()
    return [context.model.types.canonical(type_use.text) for type_use in spelled]


def _last_of_type(block: Block, type_text: str) -> Value | None:
    return next((value for value in _values_backwards(block) if value.type == type_text), None)


def _values_backwards(block: Block) -> Iterator[Value]:
    for operation in reversed(block.operations):
        yield from operation.results
    yield from block.arguments


def _edit(text: str, operation: Operation, block: Block, spelled: str) -> SectionEdit | None:
    line_end = "\r\n" if "\r\n" in text else "\n"
    last = block.terminator
    if last is None:
        return _in_empty_body(text, operation, block, spelled, line_end)
    indent = _indent_before(text, last.span.start)
    if indent is None:
        indent = _indent_of_line(text, last.span.start) + _STEP
    line_end_behind = end_of_line_behind(text, last.span.end)
    place = line_end_behind if line_end_behind is not None else last.span.end
    return SectionEdit(Span(place, place), f"{line_end}{indent}{spelled}")


def _in_empty_body(text: str, operation: Operation, block: Block, spelled: str, line_end: str) -> SectionEdit | None:
    closer = block.region.syntax.end - 1
    if text[closer : closer + 1] != "}":
        return None
    outer = _indent_of_line(text, operation.span.start)
    indent = _indent_before(text, closer)
    if indent is None:
        return SectionEdit(Span(closer, closer), f"{line_end}{outer}{_STEP}{spelled}{line_end}{outer}")
    start = closer - len(indent)
    return SectionEdit(Span(start, start), f"{outer}{_STEP}{spelled}{line_end}")


def _indent_before(text: str, offset: int) -> str | None:
    """Return the blanks between the line's beginning and `offset`; None if there is something else."""
    head = text[text.rfind("\n", 0, offset) + 1 : offset]
    return head if not head.strip() else None


def _indent_of_line(text: str, offset: int) -> str:
    line = text[text.rfind("\n", 0, offset) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]
