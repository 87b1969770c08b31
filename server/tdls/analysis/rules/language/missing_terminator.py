"""The rule `missing-terminator`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, TRANSFORM, YIELD
from tdls.syntax.layout import end_of_line_behind
from tdls.syntax.tree import Form
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation, Value

_STEP = "  "


def end_block(context: Context, operation: Operation, block: Block) -> SectionFix | None:
    """Return the fix that ends `block` of `operation` with a terminator.

    It yields the last values of each expected type, those without a use first, each once. Returns None if there are
    too few of them, or no closing brace.
    """
    signature = operation.syntax.signature
    spelled = signature.results if signature is not None else operation.syntax.result_types or ()
    wanted = [context.model.types.canonical(type_use.text) for type_use in spelled]
    values = [*block.arguments, *(value for child in block.operations for value in child.results)]
    values.sort(key=lambda value: value not in context.users)  # is stable: the unused ones are the last
    taken: dict[str, list[Value]] = {}
    for type_text in dict.fromkeys(wanted):
        own = [value for value in values if value.type == type_text]
        taken[type_text] = own[len(own) - wanted.count(type_text) :] if len(own) >= wanted.count(type_text) else []
    named = [taken[type_text].pop(0).shown for type_text in wanted if taken[type_text]]
    edit = _edit(context.section.text, operation, block, _spelled(named, wanted))
    if len(named) < len(wanted) or edit is None:
        return None
    return SectionFix(f"End the block with `{_spelled(named, wanted)}`", (edit,), safe=not wanted)


def _spelled(names: list[str], types: list[str]) -> str:
    return f"{YIELD} {', '.join(names)} : {', '.join(types)}" if types else YIELD


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
    """Return the blanks between the line's beginning and `offset`, or None if there is other text."""
    head = text[text.rfind("\n", 0, offset) + 1 : offset]
    return head if not head.strip() else None


def _indent_of_line(text: str, offset: int) -> str:
    line = text[text.rfind("\n", 0, offset) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


_NEEDS_NONE = ("NoTerminator", "GraphRegionNoTerminator", "SingleBlockImplicitTerminator")


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report blocks of known operations that do not end in a terminator."""
    for operation in operations:
        definition = operation.definition
        if definition is None or definition.dialect != TRANSFORM or _needs_none(operation):
            continue
        for block in operation.blocks():
            finding = _check(context, operation, block)
            if finding is not None:
                yield finding


def _needs_none(operation: Operation) -> bool:
    """Whether terminators may be missing: MLIR's parser adds them to custom forms, and pattern lists have none."""
    definition = operation.definition
    if definition is None:
        return True
    none = _NEEDS_NONE if operation.syntax.form is not Form.GENERIC else _NEEDS_NONE[:-1]
    return any(trait.startswith(none) for trait in definition.traits)


def _check(context: Context, operation: Operation, block: Block) -> Finding | None:
    last = block.terminator
    if last is None:
        if operation.name != NAMED_SEQUENCE and operation.syntax.form is not Form.GENERIC:
            return None
        body = block.region.syntax
        if any(body.start <= problem.start < body.end for problem in context.tree.problems()):
            return None
        message = f"the body of a `{operation.name}` must not be empty"
        return _finding(context, operation, block, message, operation.location)
    if last.definition is None or last.syntax.broken or last.has_trait("IsTerminator"):
        return None
    message = f"this block ends in `{last.name}`, which is not a terminator"
    return _finding(context, operation, block, message, last.location)


def _finding(context: Context, operation: Operation, block: Block, message: str, span: Span) -> Finding:
    fix = end_block(context, operation, block)
    notes = (SectionNote("the block of this operation", operation.location),) if span != operation.location else ()
    return Finding(RULE.name, RULE.level, message, span, notes, _HELP, (fix,) if fix is not None else ())


_HELP = "end the block with `transform.yield`"


RULE: Final = Rule("missing-terminator", check=check, fix=FixKind.SAFE)
