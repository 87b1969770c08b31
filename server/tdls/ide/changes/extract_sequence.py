"""Extract steps to a named sequence or a match to a matcher, and the other way: inline an include."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.catalogue.model import HandleEffect
from tdls.ide.changes.place import (
    RefusalError,
    indentation,
    list_of_types,
    references,
    reindented,
    renamed,
    spelled_type,
    unused_name,
)
from tdls.semantic.model import operation_at
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import INCLUDE, NAMED_SEQUENCE, YIELD, is_transform_operation, suppresses_failures
from tdls.syntax.layout import end_of_line_behind
from tdls.syntax.tree import Form
from tdls.text.scanning import after_blanks, before_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.ide.changes.place import Place
    from tdls.semantic.model import Block, Operation, Value
    from tdls.text.diagnostic import TextEdit


def extract_sequence(place: Place) -> list[TextEdit] | None:
    """Return the edits that extract the selected steps, or None if no step is selected.

    The new sequence has the names of the present one. Arguments that it only reads come first, since MLIR looks at a
    call's operands one after the other: a consumed one makes later ones stale that overlap with it.
    """
    steps = _selected(place)
    if not steps or not (place.is_asked or place.span.start < place.span.end):
        return None
    sequence = place.sequence_around(steps[0])
    if len(steps) > 1:
        place.refuse_in_action(steps[0])
    lines = place.lines(steps[0], steps[-1])
    lines = lines._replace(start=_with_comments(place, lines.start))
    inside = {id(step) for step in steps}
    marks = _arguments(place, steps, inside)
    results = [value for step in steps for value in step.results if any(_users_behind(place, value, inside))]
    names = {value: _name(place, value) for value in (*marks, *results)}
    name, types = place.symbol("extracted"), {value: spelled_type(value) for value in names}
    returned = list_of_types([types[value] for value in results])
    body = renamed(place.text[lines.start : lines.end], {value.shown: names[value] for value in marks})
    indent = indentation(place.text, steps[0])
    step = _step_of(place, sequence)
    head = ", ".join(f"{names[value]}: {types[value]} {{{mark}}}" for value, mark in marks.items())
    yielded = ", ".join(value.shown for value in results)
    end = f" {yielded} : {', '.join(types[value] for value in results)}" if results else ""
    definition = (
        f"{NAMED_SEQUENCE} @{name}({head}){f' -> {returned}' if results else ''} {{",
        *reindented(body, indent, step).split("\n"),
        f"{step}{YIELD}{end}",
        "}",
    )
    defined = f"{', '.join(names[value] for value in results)} = " if results else ""
    passed = f"({', '.join(value.shown for value in marks)}) : ({', '.join(types[value] for value in marks)})"
    call = f"{indent}{defined}{INCLUDE} @{name} failures(propagate) {passed} -> {returned}"
    uses = (
        edit for value in results for edit in place.renaming(value, _users_behind(place, value, inside), names[value])
    )
    return [place.insertion_before(sequence, definition), place.edit(lines, call), *uses]


def _selected(place: Place) -> list[Operation]:
    """Return the steps that the selection touches, in the innermost body that holds all of it."""
    start = min(after_blanks(place.text, place.span.start), place.span.end)
    span = Span(start, max(start, before_blanks(place.text, place.span.end)))
    operation = operation_at(place.context.model, span.start)
    for around in (operation, *operation.ancestors()) if operation is not None else ():
        for block in around.blocks():
            region = block.region.syntax
            if region.start < span.start and span.end < region.end and is_transform_operation(around):
                steps = [step for step in block.operations if _touches(step.span, span)]
                return steps if all(_can_move(step) for step in steps) else []
    return []


def _touches(step: Span, span: Span) -> bool:
    return (step.start < span.end and span.start < step.end) or step.start <= span.start == span.end <= step.end


def _can_move(step: Operation) -> bool:
    """Whether `step` is one, not a pattern or a matcher's condition. Raises RefusalError."""
    if not is_transform_operation(step):
        return False
    if step.has_trait("IsTerminator"):
        raise RefusalError(f"`{step.name}` has to stay at the end of the body")
    if any(each.syntax.broken or None in each.operands for each in step.walk()):
        raise RefusalError(f"there is a mistake in `{step.name}`")
    if step.definition is None:
        raise RefusalError(f"what `{step.name}` does is not known")
    return step.has_trait("TransformOpInterface")


def _with_comments(place: Place, start: int) -> int:
    """Return the beginning of the lines of comments above `start` that are selected, too."""
    line = place.text.rfind("\n", 0, place.span.start) + 1
    above = place.text[line:start] if line < start else ""
    is_comment = all(each.lstrip().startswith("//") or not each.strip() for each in above.split("\n"))
    return line if is_comment and above.strip() else start


def _arguments(place: Place, steps: list[Operation], inside: set[int]) -> dict[Value, str]:
    """Return the values from outside that `steps` use, with their marks, in an order that is right for a call.

    Raises RefusalError.
    """
    used: dict[Value, str] = {}
    consumed: dict[Value, str] = {}
    for step in steps:
        effects = place.context.effects
        is_unknown = any(effect is HandleEffect.UNKNOWN for effect, _ in effects.effects(step))
        if is_unknown or (step.has_callee and effects.callee(step) is None):
            raise RefusalError(f"which operands `{step.name}` consumes is not known")
        values = (value for each in step.walk() for value in each.operands if value is not None)
        outer = (value for value in values if value.owner is None or not _is_in(value.owner, inside))
        used.update((value, READONLY) for value in outer)
        consumed.update((value, CONSUMED) for value in effects.consumed_operands(step) if value in used)
    return {value: mark for value, mark in used.items() if value not in consumed} | consumed


def _is_in(operation: Operation, steps: set[int]) -> bool:
    return not steps.isdisjoint(map(id, (operation, *operation.ancestors())))


def _users_behind(place: Place, value: Value, steps: set[int]) -> Iterator[Operation]:
    return (user for user in place.context.users.get(value, ()) if not _is_in(user, steps))


def _name(place: Place, value: Value) -> str:
    """Return the name of `value` where it is defined alone: one of several results needs a name of its own."""
    return value.name if value.number is None else unused_name(place.context, value.name, str(value.number))


def _step_of(place: Place, sequence: Operation) -> str:
    """Return the indentation of the steps of `sequence` in its body."""
    body, outer = sequence.body, indentation(place.text, sequence)
    first = indentation(place.text, body.operations[0]) if body is not None and body.operations else ""
    return first.removeprefix(outer) if first.startswith(outer) and first != outer else "  "


_MATCH = "transform.structured.match"
_TYPE = "!transform.any_op"


def extract_matcher(place: Place) -> list[TextEdit] | None:
    """Return the edits that give the match here a matcher, which ``collect_matching`` applies; None elsewhere.

    Both walk the same operations in the same order, the root included, and an operation of several roots fails only
    for a match. Raises RefusalError.
    """
    match = place.operation(_MATCH)
    if match is None:
        return None
    sequence = place.sequence_around(match)
    names = match.syntax.attribute("ops")
    other = next((attribute.name for attribute in match.syntax.attributes if attribute is not names), None)
    if other is not None:
        raise RefusalError(f"no operation of matchers asks for what `{other}` says")
    if names is None or names.value is None or match.syntax.form is not Form.EXACT:
        raise RefusalError("it names no operations")
    matched = sorted(match.required_names or ())
    name = place.symbol(f"match_{matched[0].replace('.', '_')}" if len(matched) == 1 else "matcher")
    step = "  "
    matcher = (
        f"{NAMED_SEQUENCE} @{name}(%op: {_TYPE} {{{READONLY}}}) -> {_TYPE} {{",
        f"{step}transform.match.operation_name %op {names.value} : {_TYPE}",
        f"{step}{YIELD} %op : {_TYPE}",
        "}",
    )
    searched = Span(match.location.start, match.syntax.operands[0].start)
    return [place.insertion_before(sequence, matcher), place.edit(searched, f"transform.collect_matching @{name} in ")]


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
