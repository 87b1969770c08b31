"""Inline include: the steps of a named sequence take the place of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.refactorings.place import RefusalError, indentation, references, reindented, renamed, unused_name
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import INCLUDE, YIELD, suppresses_failures
from tdls.syntax.layout import end_of_line_behind
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.ide.refactorings.place import Place
    from tdls.semantic.model import Block, Operation, Value
    from tdls.text.diagnostic import TextEdit


def inline_include(place: Place) -> list[TextEdit] | None:
    """Return the edits that inline the sequence that the include here runs; None at other operations.

    Arguments get the names of the operands; other names stay, unless the sequence has them. Raises RefusalError.
    """
    call = place.operation(INCLUDE)
    if call is None:
        return None
    home, body = _called(place.context, call)
    if len(body.operations) > 2:
        place.refuse_in_action(call)
    names = _names(place, call, body)
    new = renamed(reindented(*_steps(home.section.text, body), indentation(place.text, call)), names)
    edits = [place.edit(_replaced(place, call, is_empty=not new), new)]
    for result, value in zip(call.results, body.yielded, strict=False):
        spelled = renamed(value.shown, names) if value is not None else ""
        edits += place.renaming(result, place.context.users.get(result, ()), spelled)
    return edits


def _called(context: Context, call: Operation) -> tuple[Context, Block]:
    """Return the body that `call` runs, with the context of its section. Raises RefusalError."""
    name = "".join(f"@{part}" for use in call.syntax.symbols[:1] for part in use.path)
    sequence = context.callee(call)
    body = sequence.body if sequence is not None else None
    if suppresses_failures(call):
        raise RefusalError("the include suppresses failures of its steps, which would end this sequence")
    if sequence is None or body is None:
        raise RefusalError(f"the steps of `{name}` are not known here")
    end = body.terminator
    fits = end is not None and end.name == YIELD and len(end.operands) == len(call.results)
    if not fits or len(body.arguments) != len(call.operands) or None in call.operands:
        raise RefusalError(f"the call does not fit to `{name}`")
    if any(around is sequence for around in call.ancestors()):
        raise RefusalError(f"`{name}` calls itself")
    home = context.definition_of(sequence).context
    text = home.section.text[sequence.span.start : sequence.span.end] if home.file is not context.file else ""
    needed = next((word for word in references(text) if word[1:].strip('"') != symbol_name(sequence)), None)
    if needed is not None:
        raise RefusalError(f"`{name}` is in another file, and refers to `{needed}` there")
    return home, body


def _steps(text: str, body: Block) -> tuple[str, str]:
    """Return the text of the steps with the comments around them, and the indentation of the first."""
    *steps, end = body.operations
    if not steps:
        return "", ""
    start = body.region.syntax.start + 1
    stop = max(text.rfind("\n", start, end.span.start), steps[-1].span.end)
    return text[start:stop].strip(), indentation(text, steps[0])


def _names(place: Place, call: Operation, body: Block) -> dict[str, str]:
    """Return the names that change: arguments to operands, and what the present sequence has as another value."""
    names = {
        argument.name: operand.shown
        for argument, operand in zip(body.arguments, call.operands, strict=True)
        if operand is not None
    }
    own = dict.fromkeys(value.name for value in _defined_in(body))
    present = place.context.value_names - {group.name for group in call.syntax.results}
    for name in own:
        if name in present and name not in names:
            names[name] = unused_name(place.context, name, "2", own)
    return names


def _defined_in(body: Block) -> Iterator[Value]:
    """Yield the values that operations of `body` define, also the arguments of their blocks."""
    for step in body.operations:
        for operation in step.walk():
            yield from operation.results
            yield from (argument for block in operation.blocks() for argument in block.arguments)


def _replaced(place: Place, call: Operation, *, is_empty: bool) -> Span:
    """Return the lines of `call` without a comment behind it; if nothing takes their place, with the line break."""
    lines = place.lines(call, call)
    if is_empty and end_of_line_behind(place.text, call.span.end) == call.span.end:
        return Span(lines.start, place.text.find("\n", lines.end) + 1 or lines.end)
    return Span(lines.start, call.span.end)
