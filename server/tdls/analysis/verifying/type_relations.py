"""Checks of the types of an operation's operands and results, and of relations between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionEdit, SectionFix, SectionNote
from tdls.analysis.verifying.attribute_values import (
    SpelledKind,
    elements_of,
    inherent,
    inherent_integers,
    kind_of_value,
)
from tdls.analysis.verifying.complaint import Complaint, check_in_context, check_of_operation
from tdls.semantic.handle_types import kind_of
from tdls.semantic.transform_dialect import PARAMETER_TYPE
from tdls.structs import NamedTuple
from tdls.syntax.tree import Form
from tdls.syntax.types import differ
from tdls.text.span import Span
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import TypeUse

    Differ = Callable[[str | None, str | None], bool]
    """Whether two canonical types, None for an unknown one, certainly do not fit."""


def parameters_of_known_type(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that the operands are parameters of a type that a solver knows, not of any."""
    del context
    for value in operation.operands:
        if value is not None and value.type == _ANY_PARAMETER:
            message = f"`{value.shown}` is a `{_ANY_PARAMETER}`, which cannot be constrained: its type is open"
            notes = (SectionNote(f"`{value.shown}` is defined here", value.span),)
            help_text = "make it a `!transform.param<i64>` or a `!transform.param<i1>`"
            yield Complaint(message, operation.location, notes, help_text)


_ANY_PARAMETER = "!transform.any_param"


@check_of_operation
def holds(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that the attribute called `name` is of the kind that the parameter in the result holds."""
    attribute = inherent(operation, name)
    parameter = operation.results[0].type if operation.results else None
    kind = kind_of_value(attribute.value) if attribute is not None else None
    if attribute is None or attribute.value is None or parameter is None or kind in (None, SpelledKind.OF_DIALECT):
        return
    value, place = attribute.value.strip(), Span(attribute.value_start, attribute.value_end)
    integer = parameter.removeprefix(PARAMETER_TYPE).removesuffix(">") if parameter.startswith(PARAMETER_TYPE) else ""
    is_integer = integer.lstrip("su").removeprefix("i").isdecimal()
    if is_integer and kind in (SpelledKind.INTEGER, SpelledKind.BOOLEAN):
        number, _, spelled = (part.strip() for part in value.partition(":"))
        number = {"true": "1", "false": "0"}.get(number, number)
        own = spelled or ("i1" if kind is SpelledKind.BOOLEAN else "i64")
        if own != integer:
            message = f"`{value}` is an `{own}`, but a `{parameter}` holds an `{integer}`"
            help_text = f"write `{number} : {integer}`, or make the result a `!transform.param<{own}>`"
            fix = SectionFix(f"Write `{number} : {integer}`", (SectionEdit(place, f"{number} : {integer}"),))
            yield Complaint(message, place, help=help_text, fixes=(fix,))
    elif is_integer or (parameter == _TYPE and kind is not SpelledKind.TYPE):
        held = "an integer" if is_integer else "a type"
        message = f"a `{parameter}` holds {held}, not `{value}`"
        yield Complaint(message, place, help=f"a `{_ANY_PARAMETER}` holds any attribute")


_TYPE = "!transform.type"


def result_types(context: Context, operation: Operation) -> tuple[str | None, ...] | None:
    """Return the canonical types of results, named or not, or None if unknown."""
    if operation.results:
        return tuple(result.type for result in operation.results)
    spelled = operation.syntax.result_types
    return tuple(context.model.types.canonical(each.text) for each in spelled) if spelled is not None else None


def are_of_other_kinds(context: Context, first: str | None, second: str | None) -> bool:
    """Whether two types of handles are of different kinds: operations, values, parameters."""
    if first is None or second is None:
        return False
    kinds = kind_of(context.catalogue, first), kind_of(context.catalogue, second)
    return None not in kinds and kinds[0] is not kinds[1]


_MATCHING = "AllTypesMatch<"


class _Typed(NamedTuple):
    """An operand or a result, as spelled in messages, with its type."""

    shown: str
    type: str | None


def parameters_of_types(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check the parameters, in angle brackets, of types that an operation or its bodies define."""
    for use in _defined_types(operation):
        yield from _of_parameter(use)
        yield from _of_handle(context, use)


def _defined_types(operation: Operation) -> Iterator[TypeUse]:
    syntax = operation.syntax
    arguments = (argument.type for block in operation.blocks() for argument in block.syntax.arguments)
    returned = syntax.signature.results if syntax.signature is not None else ()
    for use in (*(syntax.result_types or ()), *arguments, *returned):
        if use is not None and use.is_spelled and use.text.startswith("!transform."):
            yield use


def _of_parameter(use: TypeUse) -> Iterator[Complaint]:
    """Check that a parameter holds integers of at most 64 bits."""
    if not use.text.startswith(PARAMETER_TYPE):
        return
    inside = use.text.removeprefix(PARAMETER_TYPE).removesuffix(">").strip()
    integer_type = _INTEGER_TYPE.fullmatch(inside)
    if integer_type is None and not _OTHER_TYPE.match(inside):
        return
    if integer_type is None or len(integer_type[1]) > 2 or int(integer_type[1]) > _WIDEST:
        message = f"a parameter holds integers of at most {_WIDEST} bits, not `{inside}`"
        yield Complaint(message, use.span, help="for anything else there is `!transform.any_param`")


def _of_handle(context: Context, use: TypeUse) -> Iterator[Complaint]:
    """Check that a handle type names its operation in quotes, or lists normal forms, which dialects define."""
    name, opened, inside = use.text.partition("<")
    inside = inside.removesuffix(">").strip()
    if name == "!transform.op" and inside and not inside.startswith('"'):
        quoted = f'{name}<"{inside}">'
        fix = SectionFix(f"Change to `{quoted}`", (SectionEdit(use.span, quoted),))
        message = f"`{name}` takes the name of an operation in quotes, not `{inside}`"
        yield Complaint(message, use.span, fixes=(fix,) if inside.replace(".", "_").isidentifier() else ())
    elif name == "!transform.normalized_op" and opened:
        elements = elements_of(f"[{inside}]") or ("",)
        wrong = next((each for each in elements if _is_no_normal_form(context, each)), None)
        if wrong is not None:
            yield Complaint(f"`{name}` takes normal forms, not {f'`{wrong}`' if wrong else 'nothing'}", use.span)


def normal_forms(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that the attributes of a payload operation that guarantees normal forms are such."""
    attribute = inherent(operation, "normal_forms")
    for element in (elements_of((attribute.value or "").strip()) or ()) if attribute is not None else ():
        if attribute is not None and _is_no_normal_form(context, element):
            yield Complaint(f"`{element}` is not a normal form", attribute.span)


def _is_no_normal_form(context: Context, attribute: str) -> bool:
    """Whether a spelled attribute is certainly no normal form: LLVM has none, only their interface."""
    name = attribute.strip().partition("<")[0]
    variants = context.catalogue.attribute_kind_variants(name[1:])
    return not name.startswith("#") or (bool(variants) and all(variant.versions for variant in variants))


_INTEGER_TYPE = re.compile(r"[su]?i(\d+)", re.ASCII)
_OTHER_TYPE = re.compile(r"(?:index|none|b?f\d|tensor<|vector<|memref<|!\w+\.\w)", re.ASCII)
_WIDEST = 64


def by_traits(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check the relations between types that traits of the definition require."""
    traits = operation.definition.traits if operation.definition is not None else frozenset()
    if "SameOperandsAndResultType" in traits:
        yield from _one_type(operation, [*_operands(context, operation), *_results(context, operation)])
    if "SameTypeOperands" in traits:
        yield from _one_type(operation, _operands(context, operation))
    for trait in sorted(traits):
        if trait.startswith(_MATCHING) and operation.syntax.form is Form.GENERIC:
            groups = [name.strip() for name in trait.removeprefix(_MATCHING).removesuffix(">").split(",")]
            yield from _matching(operation, groups)


def _operands(context: Context, operation: Operation) -> list[_Typed]:
    """Return the operands with their spelled types, else with their own.

    Empty where a spelled type differs from the operand's own, which `type-mismatch` reports.
    """
    typed: list[_Typed] = []
    for number, value in enumerate(operation.operands):
        if value is None:
            continue
        spelled = _spelled(context, operation, number)
        if spelled is not None and differ(spelled, value.type):
            return []
        typed.append(_Typed(f"`{value.shown}`", spelled or value.type))
    return typed


def _spelled(context: Context, operation: Operation, number: int) -> str | None:
    """Return the canonical spelled type of an operand, or None where the format omits it or a part of it."""
    spelled = operation.syntax.operand_types or ()
    type_ = spelled[number] if number < len(spelled) else None
    if operation.syntax.form is Form.GENERIC or type_ is None or type_.text.startswith("<"):
        return None
    return context.model.types.canonical(type_.text)


def _results(context: Context, operation: Operation) -> list[_Typed]:
    types = result_types(context, operation) or ()
    if operation.results:
        return [_Typed(f"`{result.shown}`", result.type) for result in operation.results]
    return [_Typed(f"result #{number}", type_) for number, type_ in enumerate(types)]


def _one_type(operation: Operation, values: Sequence[_Typed]) -> Iterator[Complaint]:
    wrong = next((value for value in values if differ(value.type, values[0].type)), None)
    if wrong is not None:
        yield _unlike(operation, wrong, values[0])


def _matching(operation: Operation, groups: Sequence[str]) -> Iterator[Complaint]:
    """Compare groups of values element by element."""
    values = [operation.group(name) or operation.result_group(name) for name in groups]
    first = values[0]
    for other in values[1:]:
        for value, wanted in zip(other, first, strict=False):
            if value is not None and wanted is not None and differ(value.type, wanted.type):
                shown = [_Typed(f"`{each.shown}`", each.type) for each in (value, wanted)]
                yield _unlike(operation, *shown)
                return


def _unlike(operation: Operation, value: _Typed, other: _Typed) -> Complaint:
    message = f"{value.shown} and {other.shown} have to have one type, not `{value.type}` and `{other.type}`"
    return Complaint(message, operation.location)


def results_alike(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that all results have one type."""
    yield from _one_type(operation, _results(context, operation))


@check_in_context
def results_of_kind(context: Context, operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that all results are of the kind of the operand `name`: operations, values or parameters."""
    operand = next(iter(operation.group(name)), None)
    for result in _results(context, operation):
        if operand is not None and are_of_other_kinds(context, result.type, operand.type):
            message = f"{result.shown} is of another kind, `{result.type}`, than `{operand.shown}`"
            notes = (SectionNote(f"`{operand.shown}` has the type `{operand.type}`", operand.span),)
            yield Complaint(message, operation.location, notes)
            return


@check_in_context
def results_hold(context: Context, operation: Operation, *types: str) -> Iterator[Complaint]:
    """Check that each result that is a parameter has one of `types`: others cannot hold the value."""
    for result in _results(context, operation):
        type_ = result.type
        if type_ is None or not type_.startswith(_PARAMETERS) or not all(differ(type_, each) for each in types):
            continue
        shown = " or ".join(f"`{each}`" for each in types)
        yield Complaint(f"{result.shown} has to be {shown}, not `{type_}`", operation.location)


_PARAMETERS = (PARAMETER_TYPE, "!transform.affine_map", "!transform.type")


@check_in_context
def counts_results(context: Context, operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that an integer attribute is the index of a result."""
    types = result_types(context, operation)
    attribute, numbers = inherent_integers(operation, name)
    if attribute is not None and numbers and types is not None and not 0 <= numbers[0] < len(types):
        message = f"`{name}` is {numbers[0]}, but `{operation.name}` has {counted(len(types), 'result')}"
        yield Complaint(message, attribute.span)
