"""Checks of the values passed to named sequences and returned by them, and of handles that are consumed twice."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.finding import SectionNote
from tdls.analysis.verifying.attribute_values import elements_of
from tdls.analysis.verifying.complaint import Complaint
from tdls.analysis.verifying.type_relations import are_of_other_kinds, result_types
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.symbols import is_external, symbols_in
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.structs import NamedTuple
from tdls.syntax import scanner
from tdls.syntax.types import differ
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.verifying.type_relations import Differ
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import SymbolUse


class SequenceTypes(NamedTuple):
    """The canonical types of a signature, or None for an unknown type."""

    arguments: tuple[str | None, ...]
    results: tuple[str | None, ...]


def signature_of(context: Context, operation: Operation) -> SequenceTypes | None:
    """Return the signature of an operation, from its custom form or its attribute, or None if unknown."""
    spelled, canonical = operation.syntax.signature, context.model.types.canonical
    if spelled is not None:
        arguments = (canonical(each.type.text) if each.type is not None else None for each in spelled.arguments)
        return SequenceTypes(tuple(arguments), tuple(canonical(each.text) for each in spelled.results))
    text = (operation.spelled("function_type") or "").strip()
    tokens = scanner.scan(text)
    closer = tokens.partners.get(0, -1)
    if not text.startswith("(") or closer < 0:
        return None
    arrow = text[tokens.ends[closer] :].strip()
    if not arrow.startswith("->"):
        return None
    results = arrow[2:].strip()
    inside = results[1:-1] if results.startswith("(") and results.endswith(")") else results
    types = elements_of(f"[{text[1 : tokens.starts[closer]]}]"), elements_of(f"[{inside}]")
    if types[0] is None or types[1] is None:
        return None
    return SequenceTypes(tuple(map(canonical, types[0])), tuple(map(canonical, types[1])))


_INTERFACES = ("TransformOpInterface", "MatchOpInterface")


def consumed_once(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that at most one operation, at any depth, consumes a handle that the body defines.

    An operation that the interpreter does not execute, such as `transform.yield`, counts as a consumer.
    """
    for block in operation.blocks():
        values = [*block.arguments, *(result for child in block.operations for result in child.results)]
        for value in values:
            consumers = [user for user in context.users.get(value, ()) for _ in range(_times(context, user, value))]
            if len(consumers) < 2:
                continue
            first, second = consumers[:2]
            others = (SectionNote("it is also consumed here", first.location),) if first is not second else ()
            around = SectionNote("a handle is consumed at most once in this body", operation.location)
            message, notes = f"`{value.shown}` is consumed more than once", (*others, around)
            yield Complaint(message, second.location, notes, "use what the first operation returns, or match again")


def _times(context: Context, operation: Operation, value: Value) -> int:
    """Return the number of operands with which an operation consumes a value; 0 where that is not certain."""
    definition = operation.definition
    if definition is None or operation.syntax.broken:
        return 0
    if context.effects.consumes(operation, value) or (
        definition.versions and not any(operation.has_trait(name) for name in _INTERFACES)
    ):
        return sum(operand is value for operand in operation.operands)
    return 0


Types = tuple[str | None, ...]


class _Sequence(NamedTuple):
    """A named sequence that an operation refers to."""

    name: str
    """For messages: ``@name``."""
    types: SequenceTypes
    marks: tuple[str | None, ...]
    """The attributes of each argument as spelled in braces, or None if unknown."""
    notes: tuple[SectionNote, ...]


def includes(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that a call has the operands and results of its callee."""
    callee = next((_sequence(context, operation, use) for use in operation.syntax.symbols), None)
    if callee is None:
        return
    given, taken = _types(operation.operands), result_types(context, operation)
    if len(given) != len(callee.types.arguments):
        wanted, actual = counted(len(callee.types.arguments), "argument"), counted(len(given), "operand")
        message = f"{callee.name} takes {wanted}, but is handed {actual} here"
        yield Complaint(message, operation.location, callee.notes)
    elif taken is not None and len(taken) != len(callee.types.results):
        wanted, actual = counted(len(callee.types.results), "value"), counted(len(taken), "result")
        yield Complaint(f"{callee.name} returns {wanted}, but this call has {actual}", operation.location, callee.notes)
    else:
        yield from _pairs(
            operation, given, callee.types.arguments, differ, "operand #{} is a `{}`, but {name} takes a `{}`", callee
        )
        yield from _pairs(
            operation,
            taken,
            callee.types.results,
            _of_other_kinds(context),
            "result #{} is a `{}`, but {name} returns a `{}`",
            callee,
        )


def collects(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that a matcher takes an operation, and yields as many values, of the same kinds, as are collected."""
    matcher = next((_sequence(context, operation, use) for use in operation.syntax.symbols), None)
    if matcher is None:
        return
    arguments, taken = matcher.types.arguments, result_types(context, operation)
    kind = kind_of(context.catalogue, arguments[0]) if len(arguments) == 1 else HandleKind.VALUES
    if kind in (HandleKind.VALUES, HandleKind.PARAMETERS):
        shown = ", ".join(f"`{each}`" for each in arguments) or "none"
        message = f"a matcher takes one handle to operations, but {matcher.name} takes {shown}"
        yield Complaint(message, operation.location, matcher.notes)
    elif matcher.marks and matcher.marks[0] is not None and READONLY not in matcher.marks[0]:
        message = f"the argument of the matcher {matcher.name} has to be marked `{READONLY}`"
        yield Complaint(message, operation.location, matcher.notes, f"write `{{{READONLY}}}` behind its type")
    elif taken is not None and len(taken) != len(matcher.types.results):
        wanted, actual = counted(len(matcher.types.results), "value"), counted(len(taken), "result")
        message = f"the matcher {matcher.name} yields {wanted}, but `{operation.name}` has {actual}"
        yield Complaint(message, operation.location, matcher.notes)
    else:
        message = "result #{} is a `{}`, but the matcher {name} yields a `{}`"
        yield from _pairs(operation, taken, matcher.types.results, _of_other_kinds(context), message, matcher)


def matches_each(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that operands fit the matchers, values yielded by these the actions, and their values the results."""
    names = [[*symbols_in(operation.syntax, (name,))] for name in _PAIRED]
    if len(names[0]) != len(names[1]):
        counts = counted(len(names[0]), "matcher"), counted(len(names[1]), "action")
        yield Complaint(
            f"there has to be an action for each matcher, not {counts[1]} for {counts[0]}", operation.location
        )
    elif not names[0] and all(elements_of((operation.spelled(name) or "?").strip()) == () for name in _PAIRED):
        yield Complaint(f"`{operation.name}` needs a matcher and an action", operation.location)
    for pair in zip(*names, strict=False):
        matcher, action = (_sequence(context, operation, use) for use in pair)
        complaint = next(_of_pair(context, operation, matcher, action), None)
        if complaint is not None:
            yield complaint
            return


_PAIRED = ("matchers", "actions")


def _unmarked(operation: Operation, sequences: Sequence[_Sequence | None]) -> Iterator[Complaint]:
    for sequence in sequences:
        marks = sequence.marks if sequence is not None else ()
        number = next((n for n, mark in enumerate(marks) if mark is not None and not _is_marked(mark)), None)
        if sequence is not None and number is not None:
            message = f"argument #{number} of {sequence.name} has to say what happens to it"
            help_ = f"mark it `{{{READONLY}}}` or `{{{CONSUMED}}}`"
            yield Complaint(message, operation.location, sequence.notes, help_)


def _is_marked(mark: str) -> bool:
    return READONLY in mark or CONSUMED in mark


def _of_pair(
    context: Context, operation: Operation, matcher: _Sequence | None, action: _Sequence | None
) -> Iterator[Complaint]:
    other = _of_other_kinds(context)
    yield from _unmarked(operation, (matcher, action))
    if matcher is not None:
        given, arguments = _types(operation.operands), matcher.types.arguments
        if len(given) != len(arguments):
            wanted, actual = counted(len(arguments), "argument"), counted(len(given), "operand")
            message = f"the matcher {matcher.name} takes {wanted}, but `{operation.name}` has {actual}"
            yield Complaint(message, operation.location, matcher.notes)
        consumed = next((number for number, mark in enumerate(matcher.marks) if CONSUMED in (mark or "")), None)
        if consumed is not None:
            message = f"the matcher {matcher.name} consumes its argument #{consumed}, but matchers only read"
            yield Complaint(message, operation.location, matcher.notes)
        message = "operand #{} is a `{}`, but the matcher {name} takes a `{}`"
        yield from _pairs(operation, given, arguments, other, message, matcher)
    if matcher is not None and action is not None:
        yielded, arguments = matcher.types.results, action.types.arguments
        notes = (*matcher.notes, *action.notes)
        if len(yielded) != len(arguments):
            wanted, actual = counted(len(arguments), "argument"), counted(len(yielded), "value")
            message = f"the action {action.name} takes {wanted}, but the matcher {matcher.name} yields {actual}"
            yield Complaint(message, operation.location, notes)
        message = f"value #{{}} of the matcher {matcher.name} is a `{{}}`, but the action {{name}} takes a `{{}}`"
        yield from _pairs(operation, yielded, arguments, other, message, action._replace(notes=notes))
    if action is not None:
        results, returned = result_types(context, operation), action.types.results
        taken = results[1:] if results is not None else None
        if taken is not None and len(taken) != len(returned):
            wanted, actual = counted(len(returned), "value"), counted(len(taken), "result")
            message = f"the action {action.name} returns {wanted}, but `{operation.name}` has {actual} for that"
            yield Complaint(message, operation.location, action.notes)
        message = "the result for value #{} is a `{}`, but the action {name} returns a `{}`"
        yield from _pairs(operation, taken, returned, other, message, action)


def marks_each_argument(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check the marks of arguments where they are an attribute: their number, and that none are contradictory."""
    spelled, signature = operation.syntax.attribute("arg_attrs"), signature_of(context, operation)
    marks = elements_of((spelled.value or "").strip()) if spelled is not None else None
    if spelled is not None and marks is not None and signature is not None and len(marks) != len(signature.arguments):
        wanted, actual = counted(len(signature.arguments), "argument"), counted(len(marks), "dictionary")
        yield Complaint(f"the signature has {wanted}, but `arg_attrs` has {actual}", spelled.span)
    for number, mark in enumerate(marks or ()):
        if spelled is not None and READONLY in mark and CONSUMED in mark:
            message = f"argument #{number} cannot be both `{READONLY}` and `{CONSUMED}`"
            yield Complaint(message, spelled.span)
    if signature is not None and operation.syntax.signature is None and is_external(operation):
        yield from _unmarked_external(operation, [""] * len(signature.arguments) if spelled is None else marks or ())


def _unmarked_external(operation: Operation, marks: Sequence[str]) -> Iterator[Complaint]:
    """Check a declaration in generic form; `argument-effect-attributes` checks those with a spelled signature."""
    unmarked = [number for number, mark in enumerate(marks) if not _is_marked(mark)]
    if unmarked:
        message = f"argument #{unmarked[0]} of an external named sequence must say what happens to it"
        spelled = operation.syntax.attribute("arg_attrs")
        place = spelled.span if spelled is not None else operation.location
        yield Complaint(message, place, help=f"mark it `{{{READONLY}}}` or `{{{CONSUMED}}}`")


def _sequence(context: Context, operation: Operation, use: SymbolUse) -> _Sequence | None:
    """Return the named sequence that a symbol refers to, if it could be read."""
    definition = context.symbols.lookup_nearest(use.path, operation)
    if definition is None or definition.name != NAMED_SEQUENCE or definition.syntax.broken:
        return None
    home = context.definition_of(definition).context
    types = signature_of(home, definition)
    if types is None:
        return None
    section = home.section if home.section is not context.section else None
    is_here = home.file is context.file
    notes = (SectionNote("it is defined here", definition.location, section=section),) if is_here else ()
    return _Sequence(f"`@{'::@'.join(use.path)}`", types, tuple(_marks(definition, len(types.arguments))), notes)


def _marks(sequence: Operation, count: int) -> Iterator[str | None]:
    signature = sequence.syntax.signature
    if signature is not None:
        yield from (" ".join(each.name for each in argument.attributes) for argument in signature.arguments)
        return
    spelled = sequence.syntax.attribute("arg_attrs")
    if spelled is None:
        yield from [""] * count
        return
    elements = elements_of((spelled.value or "").strip()) or ()
    yield from (element if element.startswith("{") else None for element in elements)


def _pairs(
    operation: Operation, actual: Types | None, wanted: Types, is_wrong: Differ, message: str, sequence: _Sequence
) -> Iterator[Complaint]:
    """Compare pairs of types; `message` is formatted with the number, the two types and the name of the sequence."""
    for number, (first, second) in enumerate(zip_longest(actual or (), wanted)):
        if is_wrong(first, second):
            text = message.format(number, first, second, name=sequence.name)
            yield Complaint(text, operation.location, sequence.notes)


def _of_other_kinds(context: Context) -> Differ:
    return lambda first, second: are_of_other_kinds(context, first, second)


def _types(values: Sequence[Value | None]) -> Types:
    return tuple(value.type if value is not None else None for value in values)
