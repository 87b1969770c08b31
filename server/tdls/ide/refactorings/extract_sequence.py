"""Extract to named sequence: selected steps become a sequence of their own, with an include in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.catalogue.model import HandleEffect
from tdls.ide.refactorings.place import (
    RefusalError,
    indentation,
    list_of_types,
    reindented,
    renamed,
    spelled_type,
    unused_name,
)
from tdls.semantic.model import operation_at
from tdls.semantic.transform_dialect import INCLUDE, NAMED_SEQUENCE, YIELD, is_transform_operation
from tdls.text.scanning import after_blanks, before_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.refactorings.place import Place
    from tdls.semantic.model import Operation, Value
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
    found = operation_at(place.context.model, span.start)
    for around in (found, *found.ancestors()) if found is not None else ():
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
        used.update((value, READONLY) for value in values if not _is_defined_in(value, inside))
        consumed.update((value, CONSUMED) for value in effects.consumed_operands(step) if value in used)
    return {value: mark for value, mark in used.items() if value not in consumed} | consumed


def _is_defined_in(value: Value, steps: set[int]) -> bool:
    return value.owner is not None and _is_in(value.owner, steps)


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
