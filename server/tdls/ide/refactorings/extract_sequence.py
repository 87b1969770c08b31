"""Extract to named sequence: selected steps become a sequence of their own, with an include in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.catalogue.model import HandleEffect
from tdls.ide.refactorings.place import RefusalError, indentation, reindented, renamed, result_types, spelled_type
from tdls.semantic.model import operation_at
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, YIELD, is_transform_operation
from tdls.text.scanning import after_blanks, before_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tdls.ide.refactorings.place import Place
    from tdls.semantic.model import Operation, Value
    from tdls.text.diagnostic import TextEdit


def extract_sequence(place: Place) -> list[TextEdit] | None:
    """Return the edits that extract the selected steps; None if no step is selected.

    The new sequence has the names of the present one. Arguments that it only reads come first, since MLIR looks at a
    call's operands one after the other: a consumed one makes later ones stale that overlap with it.
    """
    steps = _selected(place)
    if not steps or not (place.is_asked or place.span.start < place.span.end):
        return None
    sequence = place.sequence_around(steps[0])
    lines = place.lines(steps[0], steps[-1])
    lines = lines._replace(start=_with_comments(place, lines.start))
    inside = {id(step) for step in steps}
    results = [value for step in steps for value in step.results if _is_used_behind(place, value, inside)]
    used = _used(place, steps)
    consumed = [value for step in steps for value in used if place.context.effects.consumes(step, value)]
    marks = {value: CONSUMED if value in consumed else READONLY for value in used}
    arguments = [*(value for value in used if marks[value] is READONLY), *dict.fromkeys(consumed)]
    names: dict[Value, str] = {}
    for value in (*arguments, *results):
        names[value] = _name(place, value, names.values())
    name = place.symbol("extracted")
    returned = [spelled_type(value) for value in results]
    body = renamed(place.text[lines.start : lines.end], {value.shown: names[value] for value in arguments})
    body_indent, outer = indentation(place.text, steps[0]), indentation(place.text, sequence)
    step_indent = _step_of(place, sequence, outer)
    head = ", ".join(f"{names[value]}: {spelled_type(value)} {{{marks[value]}}}" for value in arguments)
    behind = f" {', '.join(value.shown for value in results)} : {', '.join(returned)}" if results else ""
    definition = [
        f"{NAMED_SEQUENCE} @{name}({head}){f' -> {result_types(returned)}' if returned else ''} {{",
        *reindented(body, body_indent, step_indent).split("\n"),
        f"{step_indent}{YIELD}{behind}",
        "}",
    ]
    taken = f"{', '.join(names[value] for value in results)} = " if results else ""
    passed = ", ".join(value.shown for value in arguments)
    types = f"({', '.join(map(spelled_type, arguments))}) -> {result_types(returned)}"
    call = f"{body_indent}{taken}transform.include @{name} failures(propagate) ({passed}) : {types}"
    uses = [edit for value in results for edit in _uses(place, value, names[value], inside)]
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
    """Tell whether `step` is one, not a pattern or a matcher's condition. Raises RefusalError."""
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


def _used(place: Place, steps: list[Operation]) -> list[Value]:
    """Return the values from outside that `steps` use, in the order of their uses. Raises RefusalError."""
    values: dict[Value, None] = {}
    for step in steps:
        effects = [effect for effect, _ in place.context.effects.effects(step)]
        if HandleEffect.UNKNOWN in effects or (step.has_callee and place.context.effects.callee(step) is None):
            raise RefusalError(f"which operands `{step.name}` consumes is not known")
        for operation in step.walk():
            values.update((value, None) for value in operation.operands if value is not None)
    return [value for value in values if not any(_is_within(value, step) for step in steps)]


def _is_within(value: Value, step: Operation) -> bool:
    """Tell whether `step`, or an operation in it, defines `value`."""
    owner = value.operation or (value.block.region.parent if value.block is not None else None)
    return owner is not None and (owner is step or any(outer is step for outer in owner.ancestors()))


def _is_used_behind(place: Place, value: Value, steps: set[int]) -> bool:
    users = place.context.users.get(value, ())
    return any(steps.isdisjoint(map(id, (user, *user.ancestors()))) for user in users)


def _name(place: Place, value: Value, taken: Collection[str]) -> str:
    """Return the name of `value` where it is defined alone: one of several results needs a name of its own."""
    return value.name if value.number is None else place.context.unused_name(value.name, str(value.number), taken)


def _uses(place: Place, value: Value, name: str, steps: set[int]) -> Iterator[TextEdit]:
    """Yield the edits that rename the uses of `value` behind the steps."""
    for user in place.context.users.get(value, ()) if name != value.shown else ():
        if steps.isdisjoint(map(id, (user, *user.ancestors()))):
            for use, used in zip(user.syntax.operands, user.operands, strict=True):
                if used is value:
                    yield place.edit(use.span, name)


def _step_of(place: Place, sequence: Operation, outer: str) -> str:
    """Return the indentation of the steps of `sequence` in its body."""
    body = sequence.body
    first = indentation(place.text, body.operations[0]) if body is not None and body.operations else ""
    return first.removeprefix(outer) if first.startswith(outer) and first != outer else "  "
