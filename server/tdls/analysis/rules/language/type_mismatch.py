"""The rule `type-mismatch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.meaning.unknown_names import unknown_name
from tdls.analysis.rule import FixKind, Rule
from tdls.analysis.verifying.type_relations import parameters_of_types, result_types
from tdls.payload.checking import is_type_known
from tdls.semantic.handle_types import (
    ANY_OPERATION,
    OPERATION_TYPE,
    HandleKind,
    allowed_kinds,
    allows,
    constraint_in_words,
    kind_of,
    type_in_words,
)
from tdls.semantic.transform_dialect import CAST, TRANSFORM
from tdls.semantic.types import DIALECT_NAME
from tdls.syntax.parser.assembly.implied_types import is_settled
from tdls.syntax.tree import Form
from tdls.syntax.types import differ
from tdls.text.diagnostic import Subject
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import TypeUse


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operands spelled with another type than that of their value, and types that an operation does not take."""
    contradictory: set[int] = set()
    """The identities of operations with a finding on a type that is that of a result, too."""
    for operation in operations:
        if operation.syntax.broken:
            continue
        spelled = list(_spelled_types(context, operation, contradictory))
        places = {finding.span for finding in spelled}
        if spelled and not all(t.is_spelled and t.span not in places for t in operation.syntax.result_types or ()):
            contradictory.add(id(operation))
        yield from spelled or (*_constraints(context, operation), *_constraints_of_results(context, operation))


def _spelled_types(context: Context, operation: Operation, contradictory: set[int]) -> Iterator[Finding]:
    """Compare spelled types with those of the values, except where the format spells only parameters (``<...>``)."""
    compared: set[tuple[int, Span]] = set()
    types = operation.syntax.operand_types
    if types is None or len(types) != len(operation.operands) or (operation.syntax.form is Form.STRUCTURAL):
        return
    for number, (value, spelled) in enumerate(zip(operation.operands, types, strict=True)):
        if value is None or value.type is None or spelled is None or spelled.text.startswith("<"):
            continue
        place = spelled.span if spelled.is_spelled else operation.location
        if (id(value), place) in compared or id(value.operation) in contradictory:
            continue
        compared.add((id(value), place))
        if value.operation is not None and value.operation.syntax.broken:
            continue
        type_ = context.model.types.canonical(spelled.text)
        if not differ(type_, value.type):
            continue
        message = f"`{value.shown}` has the type `{value.type}`, but is used here as `{type_}`"
        note = SectionNote(f"`{value.shown}` is defined here", value.span)
        subject = concerns_of(context).of(operation, is_certain=_is_certain(context, operation, value, spelled))
        fix = SectionFix(f"Change the type to `{value.type}`", (SectionEdit(spelled.span, value.type),))
        is_type = not any(map(context.catalogue.lacks, DIALECT_NAME.findall(value.type)))
        is_type &= value.operation is None or not any(parameters_of_types(context, value.operation))
        respelled = (fix,) if spelled.is_spelled and is_type and subject is not Subject.UNREAD_PAYLOAD else ()
        made = _conversions(context, operation, number, type_) if value.operation is not None else ()
        fixes = (*respelled, *made)
        yield Finding(RULE.name, RULE.level, message, place, (note,), fixes=fixes, subject=subject)


def _is_certain(context: Context, operation: Operation, value: Value, spelled: TypeUse) -> bool:
    """Whether no MLIR reads the types of a value in payload: at its definition and at this use they are known."""
    definition = operation.definition
    is_upstream = definition is not None and bool(definition.versions) and not definition.is_patched
    is_read = is_upstream if spelled.is_spelled else definition is not None and is_settled(definition)
    if not (is_read or operation.syntax.form is Form.GENERIC) or not concerns_of(context).is_only_name(value.name):
        return False
    return is_type_known(value) and (spelled.is_spelled or _is_implied(context, operation, value))


def _is_implied(context: Context, operation: Operation, value: Value) -> bool:
    """Whether every version implies the type of an operand that is not spelled."""
    definition, groups = operation.definition, operation.syntax.operand_groups or {}
    number = operation.operands.index(value)
    group = next((name for name, (begin, end) in groups.items() if begin <= number < end), None)
    known = next((each for each in definition.operands if each.name == group), None) if definition else None
    if known is None or known.type is None:
        return True
    variants = context.catalogue.variants(operation.name)
    return all(each.type == known.type for one in variants for each in one.operands if each.name == group)


def _constraints(context: Context, operation: Operation) -> Iterator[Finding]:
    groups = operation.syntax.operand_groups
    if operation.definition is None or groups is None or operation.definition.dialect != TRANSFORM:
        return
    for operand in operation.definition.operands:
        begin, end = groups.get(operand.name, (0, 0))
        for number in range(begin, min(end, len(operation.operands))):
            value = operation.operands[number]
            if value is None or value.type is None:
                continue
            if context.catalogue.ask(_may_be, operation.name, operand.name, value.type):
                continue
            wanted, given = (
                constraint_in_words(context.catalogue, operand),
                type_in_words(context.catalogue, value.type),
            )
            message = f"`{operation.name}` expects {wanted} here, but `{value.shown}` is {given}"
            place = operation.syntax.operands[number].span
            note = SectionNote(f"`{value.shown}` is defined here", value.span)
            fixes = tuple(_conversions(context, operation, number, operand.type))
            way = _WAYS.get((kind_of(context.catalogue, value.type), allowed_kinds(operand)))
            yield Finding(RULE.name, _level(value.type), message, place, (note,), way, fixes)


_WAYS: Final[dict[tuple[HandleKind | None, frozenset[HandleKind]], str]] = {
    (HandleKind.VALUES, frozenset({HandleKind.OPERATIONS})): "`transform.get_defining_op` returns the operations",
    (HandleKind.OPERATIONS, frozenset({HandleKind.VALUES})): (
        "`transform.get_result` and `transform.get_operand` return handles to values"
    ),
}
"""How to get from a handle of one kind to another."""


def _conversions(context: Context, operation: Operation, number: int, wanted: str | None) -> Iterator[SectionFix]:
    """Yield the fixes that make a handle to operations one of the type `wanted`: at its definition, and by a cast."""
    value, catalogue = operation.operands[number], context.catalogue
    kinds = {kind_of(catalogue, wanted), kind_of(catalogue, value.type if value is not None else None)}
    if value is None or wanted is None or kinds != {HandleKind.OPERATIONS}:
        return
    names = (each.removeprefix(OPERATION_TYPE)[:-2] for each in (wanted, value.type or ""))
    is_wanted_misspelt, is_given_misspelt = (catalogue.ask(unknown_name, name) is not None for name in names)
    if is_wanted_misspelt:
        return
    maker, text = value.operation, context.section.text
    if maker is not None and maker.required_names not in (None, {wanted.removeprefix(OPERATION_TYPE)[:-2]}):
        return
    types = maker.syntax.result_types or () if maker is not None else ()
    if maker is not None and value.index < len(types) and types[value.index].is_spelled:
        places = dict.fromkeys((types[value.index].span, *_uses(context, value)))
        yield SectionFix(
            f"Give `{value.shown}` the type `{wanted}` where it is defined",
            tuple(SectionEdit(place, wanted) for place in places),
        )
    start, spelled = operation.span.start, (operation.syntax.operand_types or ())[number]
    indentation = text[text.rfind("\n", 0, start) + 1 : start]
    if not indentation.strip() and spelled is not None and spelled.is_spelled and not is_given_misspelt:
        name = context.unused_name(value.name, "typed")
        cast = f"{name} = {CAST} {value.shown} : {value.type} to {wanted}\n{indentation}"
        edits = SectionEdit(Span(start, start), cast), SectionEdit(operation.syntax.operands[number].span, name)
        yield SectionFix(f"Cast it: `{name} = {CAST} {value.shown}`", (*edits, SectionEdit(spelled.span, wanted)))


def _constraints_of_results(context: Context, operation: Operation) -> Iterator[Finding]:
    groups = operation.syntax.result_groups
    if operation.definition is None or groups is None or operation.definition.dialect != TRANSFORM:
        return
    types = result_types(context, operation) or ()
    for result in operation.definition.results:
        begin, end = groups.get(result.name, (0, 0))
        for number, type_text in enumerate(types[begin:end], begin):
            if type_text is None or context.catalogue.ask(_may_be, operation.name, result.name, type_text):
                continue
            given, wanted = type_in_words(context.catalogue, type_text), constraint_in_words(context.catalogue, result)
            message = f"result #{number} (`{result.name}`) of `{operation.name}` is {wanted}, not {given}"
            written = operation.syntax.result_types or ()
            is_spelled = number < len(written) and written[number].is_spelled
            place = written[number].span if is_spelled else operation.location
            fixes: tuple[SectionFix, ...] = ()
            type_ = next((each for each in _PLAIN_TYPES if allows(context.catalogue, result, each)), result.type)
            if place != operation.location and type_ is not None:
                uses = _uses(context, operation.results[number]) if operation.results else ()
                edits = tuple(SectionEdit(span, type_) for span in dict.fromkeys((place, *uses)))
                fixes = (SectionFix(f"Change the type to `{type_}`", edits),)
            yield Finding(RULE.name, _level(type_text), message, place, fixes=fixes)


_PLAIN_TYPES: Final = (ANY_OPERATION, "!transform.any_value", "!transform.param<i64>")


def _uses(context: Context, value: Value) -> Iterator[Span]:
    """Yield the places where uses of `value` spell its type."""
    for user in context.users.get(value, ()):
        for operand, type_ in zip(user.operands, user.syntax.operand_types or (), strict=False):
            if operand is value and type_ is not None and type_.is_spelled:
                yield type_.span


def _level(type_text: str) -> Level:
    """Return how certain it is that a type does not fit: C++ may attach interfaces to a type of any other dialect."""
    is_of_other_dialect = type_text.startswith("!") and not type_text.startswith(f"!{TRANSFORM}.")
    return Level.HINT if is_of_other_dialect else RULE.level


def _may_be(catalogue: Catalogue, operation: str, name: str, type_text: str) -> bool:
    """Whether an LLVM version allows the type for an operand or result: a text may fit the formats of several."""
    return any(
        allows(catalogue, each, type_text)
        for variant in catalogue.counting(operation)
        for values in (variant.operands, variant.results)
        for each in values
        if each.name == name
    )


RULE: Final = Rule("type-mismatch", fix=FixKind.UNSAFE, check=check)
