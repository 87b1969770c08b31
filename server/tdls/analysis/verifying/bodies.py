"""Checks of the regions of operations: their blocks, arguments, children and terminators."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionNote
from tdls.analysis.meaning.choices import spaces
from tdls.analysis.verifying.calls import signature_of
from tdls.analysis.verifying.complaint import Complaint, check_in_context, check_of_operation
from tdls.analysis.verifying.type_relations import result_types
from tdls.semantic.handle_types import INTERFACES, HandleKind, interfaces_of
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.settings.llvm_versions import version_name, version_since
from tdls.syntax.tree import Form
from tdls.syntax.types import differ
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation, Value

_DIALECT = "smt."
_PARAMETER = re.compile(r"!transform\.param<(.*)>")
_INTEGER = re.compile(r"[su]?i(\d+)")
_VECTOR = re.compile(r"!smt\.bv<(\d+)>")


def arguments_stand_for_parameters(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that the body has an argument for each operand, of a type of the solver that can hold its value."""
    del context
    for block in operation.blocks():
        if len(block.arguments) != len(operation.operands):
            operands = counted(len(operation.operands), "operand")
            arguments = counted(len(block.arguments), "argument")
            message = f"`{operation.name}` has {operands}, but its body takes {arguments}"
            yield Complaint(message, operation.location)
            return
        for argument, operand in zip(block.arguments, operation.operands, strict=True):
            wanted = _unlike(argument.type, operand.type if operand is not None else None)
            if wanted is not None:
                yield Complaint(f"`{argument.shown}` has to be {wanted}, not `{argument.type}`", argument.span)


def operations_of_solver(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that all operations of the body belong to the `smt` dialect."""
    del context
    for block in operation.blocks():
        for child in block.operations:
            if child.definition is not None and not child.name.startswith(_DIALECT) and not child.has_trait(_ENDS):
                message = f"`{child.name}` cannot stand in the body of `{operation.name}`"
                notes = (SectionNote("in this body", operation.location),)
                yield Complaint(message, child.location, notes, "only operations of the `smt` dialect can")


def assertions_hold(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that no assertion of a constraint is false for the values of its parameters, as far as they are known."""
    for _, space in spaces(context):
        for assertion in space.assertions.get(operation.location.start, ()):
            term = space.terms[assertion.term] if assertion.term is not None else None
            if term is None or term.domain != (False,):
                continue
            known = ((value, space.known.get(value)) for value in operation.operands)
            notes = tuple(
                SectionNote(f"`{value.shown}` is {space.terms[number].text}", value.span)
                for value, number in known
                if value is not None and number is not None and space.terms[number].text
            )
            yield Complaint(f"this assertion is false: `{term.text}`", assertion.operation.location, notes)


_ENDS = "IsTerminator"


@check_in_context
def yields_to_parameters(context: Context, operation: Operation, terminator: str) -> Iterator[Complaint]:
    """Check that `terminator` yields a value for each result, of a fitting type."""
    types = result_types(context, operation)
    for block in operation.blocks():
        last = block.terminator
        if types is None or last is None or last.name != terminator or last.syntax.broken:
            continue
        if len(last.operands) != len(types):
            results = counted(len(types), "result")
            message = f"`{operation.name}` has {results}, but {_yields(len(last.operands))} here"
            yield Complaint(message, last.location)
            return
        for value, type_ in zip(last.operands, types, strict=True):
            wanted = _unlike(value.type if value is not None else None, type_)
            if value is not None and wanted is not None:
                message = f"`{value.shown}` has to be {wanted} for the result, not `{value.type}`"
                yield Complaint(message, last.location)


def _unlike(solved: str | None, parameter: str | None) -> str | None:
    """Return the type of the solver required for a parameter, as a phrase, or None where `solved` may hold it."""
    if solved is None or "." not in solved:
        return None if solved is None else _ANY
    if not solved.startswith(("!smt.bool", "!smt.int", "!smt.bv<")):
        return _ANY
    match = _PARAMETER.fullmatch(parameter or "")
    if match is None:
        return None
    integer, vector = _INTEGER.fullmatch(match[1]), _VECTOR.fullmatch(solved)
    width = int(integer[1]) if integer is not None and len(integer[1]) < 9 else None
    if solved == "!smt.int":
        return None
    is_fitting = width == 1 if solved == "!smt.bool" else vector is None or vector[1] == str(width)
    return None if is_fitting else f"as wide as `{parameter}`"


_ANY = "`!smt.int`, `!smt.bool` or `!smt.bv`"

_IMPLICIT = "SingleBlockImplicitTerminator"
_TOP_LEVEL = "PossibleTopLevelTransformOpTrait"


def arguments_of_signature(operation: Operation) -> Iterator[Complaint]:
    """Check that the first block of a function whose arguments have no names has as many."""
    signature = operation.syntax.signature
    unnamed = [each for each in signature.arguments if not each.name] if signature is not None else []
    block = next(iter(operation.blocks()), None)
    if signature is None or not unnamed or block is None:
        return
    if block.syntax.label is None:
        type_ = unnamed[0].type.text if unnamed[0].type is not None else ""
        yield Complaint(f"a function with a body names its arguments: write `%arg0: {type_}`", unnamed[0].span)
    elif len(block.arguments) != len(signature.arguments) and all(each.type for each in block.arguments):
        expected = counted(len(signature.arguments), "argument")
        message = f"the function takes {expected}, but its first block has {len(block.arguments)}"
        yield Complaint(message, block.syntax.label_span)


@check_of_operation
def at_most_one_beside(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that a body has no two operations that are not called `name`."""
    inside = [each for block in operation.blocks() for each in block.operations if each.name != name]
    if len(inside) > 1 and all(each.definition is not None for each in inside):
        yield Complaint(f"`{operation.name}` takes one operation, and has another one here", inside[1].location)


@check_of_operation
def arguments_but(operation: Operation, number: int) -> Iterator[Complaint]:
    """Check that a body in generic form has an argument for each operand, but for `number` of them."""
    wanted = len(operation.operands) - number
    for block in operation.blocks() if operation.syntax.form is Form.GENERIC and wanted > 0 else ():
        if len(block.arguments) != wanted and all(each.type for each in block.arguments):
            given = f"{counted(wanted, 'argument')}, found {len(block.arguments)}"
            yield Complaint(f"the body of `{operation.name}` needs {given}", operation.location)


def arguments_need_operands(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check, in scripts for the versions that do, that bodies with arguments get operands."""
    since = version_since("block-arguments-need-operands")
    if (context.catalogue.target or 0) < since or operation.operands:
        return
    if any(block.arguments for block in operation.blocks()):
        message = f"`{operation.name}` has no operand for the argument of its body"
        yield Complaint(message, operation.location, help=f"since LLVM {version_name(since)} it needs one")


@check_in_context
def children_with(
    context: Context, operation: Operation, *traits: str, region: int | None = None, since: str = "", before: str = ""
) -> Iterator[Complaint]:
    """Check that all operations of the body, or of one `region`, but the terminator have one of `traits`.

    It applies to scripts for LLVM versions `since` a change, or `before` one; a script without a target counts as one
    for the oldest version.
    """
    target = context.catalogue.target or 0
    if (since and target < version_since(since)) or (before and target >= version_since(before)):
        return
    for number, inner in enumerate(operation.regions):
        if region not in (None, number):
            continue
        for child in (child for block in inner.blocks for child in block.operations):
            is_end = child.has_trait("IsTerminator") and not operation.has_trait("NoTerminator")
            if is_end or not _lacks(child, traits):
                continue
            yield Complaint(
                f"`{child.name}` cannot stand in the body of `{operation.name}`",
                child.location,
                (SectionNote("in this body", operation.location),),
                _why_not(child, traits[0]),
            )


def _why_not(child: Operation, interface: str) -> str:
    """Return why `child` cannot stand in a body whose operations implement `interface`, and the operation to use."""
    if is_transform_operation(child):
        return f"its operations have to implement `{interface}`"
    hint = "; `transform.param.constant` makes a parameter of a number" if child.has_trait("ConstantLike") else ""
    return f"`{child.name}` is not an operation of a script: its operations have to implement `{interface}`{hint}"


def _lacks(operation: Operation, traits: Sequence[str]) -> bool:
    """Whether an upstream operation has none of `traits`; a project's own may gain traits in C++."""
    definition = operation.definition
    if definition is None or not definition.versions or operation.syntax.broken:
        return False
    return not any(operation.has_trait(trait) for trait in traits)


@check_of_operation
def at_most_regions(operation: Operation, most: int) -> Iterator[Complaint]:
    """Check that there are at most `most` regions."""
    if len(operation.regions) > most:
        message = f"`{operation.name}` has at most {counted(most, 'region')}, found {len(operation.regions)}"
        yield Complaint(message, operation.location)


@check_of_operation
def one_operation(operation: Operation, region: int) -> Iterator[Complaint]:
    """Check that a region, if present, has exactly one operation."""
    for inner in operation.regions[region : region + 1]:
        count = sum(len(block.operations) for block in inner.blocks)
        if count != 1:
            message = f"region #{region} of `{operation.name}` has to have exactly one operation, found {count}"
            yield Complaint(message, operation.location)


@check_of_operation
def inside(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that an operation is somewhere in the body of one called `name`, without which MLIR crashes."""
    around = [*operation.ancestors()]
    if any(outer.name == name or outer.definition is None or outer.syntax.broken for outer in around):
        return
    if around:
        message = f"`{operation.name}` is in no `{name}`: the interpreter crashes"
        yield Complaint(message, operation.location, help=f"put it, and its patterns, into a `{name}`")


@check_of_operation
def one_not_called(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that a body has exactly one operation not called `name`, and is not in another such body."""
    children = [child for block in operation.blocks() for child in block.operations]
    others = [child for child in children if child.name != name]
    if any(child.definition is None or child.syntax.broken for child in others):
        return
    outer = next((each for each in operation.ancestors() if each.name == operation.name), None)
    wrong = next((child for child in others if _lacks(child, (_TOP_LEVEL,))), None)
    if wrong is not None:
        message = f"`{wrong.name}` cannot stand in the body of `{operation.name}`"
        yield Complaint(message, wrong.location, (SectionNote("in this body", operation.location),))
    elif not others:
        message = f"the body of `{operation.name}` needs an operation beside each `{name}`"
        yield Complaint(message, operation.location, help="put a `transform.sequence` into it")
    elif len(others) > 1:
        notes = (SectionNote("this is the first one", others[0].location),)
        message = f"the body of `{operation.name}` has more than one operation that is no `{name}`"
        yield Complaint(message, others[1].location, notes)
    elif outer is not None:
        notes = (SectionNote("it is nested in this one", outer.location),)
        yield Complaint(f"`{operation.name}` cannot be nested", operation.location, notes)


@check_of_operation
def only(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that a body has only operations called `name`."""
    for child in (child for block in operation.blocks() for child in block.operations):
        if child.name != name and child.definition is not None:
            message = f"`{child.name}` cannot stand in the body of `{operation.name}`, only `{name}` can"
            yield Complaint(message, child.location, (SectionNote("in this body", operation.location),))


def symbol_in_table(operation: Operation) -> Iterator[Complaint]:
    """Check that an operation in a body of a script defines a symbol only directly in a symbol table."""
    parent = operation.parent
    if parent is None or not any(operation.has_trait(trait) for trait in _SYMBOLS) or not has_no_symbols(parent):
        return
    if symbol_name(operation) is not None and is_transform_operation(parent):
        message = f"`{operation.name}` defines a symbol, which cannot stand in `{parent.name}`"
        yield Complaint(message, operation.location, (SectionNote("this has no symbols", parent.location),))


_SYMBOLS = ("SymbolOpInterface", "FunctionOpInterface")


def has_no_symbols(operation: Operation) -> bool:
    """Whether an upstream operation is not a symbol table."""
    definition = operation.definition
    return definition is not None and bool(definition.versions) and not operation.has_trait("SymbolTable")


def takes_one_handle(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that the body has one argument, a handle to operations."""
    for block in _entries(operation):
        if len(block.arguments) != 1:
            message = f"the body of `{operation.name}` takes one argument, not {len(block.arguments)}"
            yield Complaint(message, operation.location)
        elif not _is_of_scripts(context, block.arguments[0], HandleKind.OPERATIONS):
            argument = block.arguments[0]
            message = f"`{argument.shown}` has to be a handle to operations, not `{argument.type}`"
            yield Complaint(message, argument.span)


@check_of_operation
def last_is(operation: Operation, *names: str) -> Iterator[Complaint]:
    """Check that blocks that end in a terminator end in one of `names`."""
    for block in operation.blocks():
        last = block.terminator
        if last is None or not last.has_trait("IsTerminator") or last.name in names:
            continue
        yield Complaint(
            f"a block of `{operation.name}` cannot end in `{last.name}`",
            last.location,
            (SectionNote("the block of this operation", operation.location),),
            help=f"end it with `{names[0]}`",
        )


def top_level_body(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check an operation allowed at the top level: its body takes handles, which are operands if it is nested."""
    region = next((region for region in operation.regions if region.blocks), None)
    if not operation.regions:
        yield Complaint(f"`{operation.name}` needs a region", operation.location, help=_ARGUMENT_HELP)
    if region is None or len(region.blocks) > 1:
        return
    body = region.blocks[0]
    if not body.arguments:
        yield Complaint(f"the body of `{operation.name}` needs an argument", operation.location, help=_ARGUMENT_HELP)
        return
    wrong = [value for value in body.arguments if not _is_of_scripts(context, value, HandleKind.OPERATIONS)][:1]
    if wrong and (wrong[0].index == 0 or not _is_of_scripts(context, wrong[0], *HandleKind)):
        kind = "a handle to operations" if wrong[0].index == 0 else "a handle or a parameter"
        yield Complaint(f"`{wrong[0].shown}` has to be {kind}, not `{wrong[0].type}`", wrong[0].span)
        return
    outer = next((each for each in operation.ancestors() if each.has_trait(_TOP_LEVEL)), None)
    if (outer is not None or operation.operands) and len(operation.operands) != len(body.arguments):
        given = counted(len(operation.operands), "operand") if operation.operands else "no operands"
        yield Complaint(
            f"`{operation.name}` has {given} for {counted(len(body.arguments), 'argument')} of its body",
            operation.location,
            (SectionNote("it is nested in this operation", outer.location),) if outer is not None else (),
            "give it a handle for each argument of its body",
        )


_ARGUMENT_HELP = "begin the body with `^bb0(%root: !transform.any_op):`"


def _is_of_scripts(context: Context, value: Value, *kinds: HandleKind) -> bool:
    if value.type is None:
        return True
    interfaces = interfaces_of(context.catalogue, value.type)
    return interfaces is None or any(INTERFACES[kind] in interfaces for kind in kinds)


def each_takes_operands(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that each body after the first has an argument for each operand, if there are operands."""
    del context
    for block in list(_entries(operation))[1:]:
        if operation.operands and len(block.arguments) != len(operation.operands):
            operands, arguments = len(operation.operands), counted(len(block.arguments), "argument")
            message = f"`{operation.name}` has {counted(operands, 'operand')} for {arguments} of a body"
            yield Complaint(message, operation.location, help="give each body an argument for each operand")


def arguments_match_operands(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that the arguments of the bodies have the types of the corresponding operands."""
    del context
    for block in _entries(operation):
        for operand, argument in zip(operation.operands, block.arguments, strict=False):
            if operand is None or not differ(operand.type, argument.type):
                continue
            yield Complaint(
                f"`{argument.shown}` stands for `{operand.shown}`, but has the type `{argument.type}`",
                argument.span,
                (SectionNote(f"`{operand.shown}` has the type `{operand.type}`", operand.span),),
            )


def arguments_like_operands(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that the body has an argument for each operand, of the same type."""
    for block in _entries(operation):
        if len(block.arguments) != len(operation.operands):
            yield Complaint(
                f"`{operation.name}` has {counted(len(operation.operands), 'target')}, but its body takes "
                f"{counted(len(block.arguments), 'argument')}",
                operation.location,
            )
            return
    yield from arguments_match_operands(context, operation)


def yields_results(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that each block yields values of the types of the operation's results."""
    types = result_types(context, operation)
    return _yielded(operation, types) if types is not None else iter(())


def yields_signature(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that the body yields values of the result types in the signature."""
    signature = signature_of(context, operation)
    return _yielded(operation, signature.results) if signature is not None else iter(())


def arguments_match_signature(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that the body takes the arguments of the signature, where the two are spelled separately."""
    signature = signature_of(context, operation)
    if operation.syntax.signature is not None or signature is None:
        return
    for block in _entries(operation):
        if len(block.arguments) != len(signature.arguments):
            yield Complaint(
                f"the signature has {counted(len(signature.arguments), 'argument')}, but the body takes "
                f"{len(block.arguments) or 'none'}",
                operation.location,
            )
            continue
        for argument, wanted in zip(block.arguments, signature.arguments, strict=True):
            if differ(argument.type, wanted):
                message = f"`{argument.shown}` is a `{wanted}` in the signature, but a `{argument.type}` in the body"
                yield Complaint(message, argument.span)


def _yielded(operation: Operation, types: Sequence[str | None]) -> Iterator[Complaint]:
    """Compare the yielded values of each block with `types`; a terminator that MLIR adds yields none."""
    for block in operation.blocks():
        last = block.terminator
        if last is not None and (last.syntax.broken or last.definition is None):
            continue
        is_spelled = last is not None and last.has_trait("IsTerminator")
        if not is_spelled and not _adds_terminator(operation):
            continue
        values = last.operands if last is not None and is_spelled else []
        place = last.location if last is not None and is_spelled else operation.location
        if len(values) != len(types):
            yield Complaint(
                f"`{operation.name}` has {counted(len(types), 'result')}, but {_yields(len(values))} here",
                place,
                (SectionNote("its results are declared here", operation.location),) if is_spelled else (),
            )
            continue
        for number, (value, wanted) in enumerate(zip(values, types, strict=True)):
            if value is not None and differ(value.type, wanted):
                yield Complaint(
                    f"result #{number} of `{operation.name}` is a `{wanted}`, but a `{value.type}` is yielded here",
                    place,
                    (SectionNote(f"`{value.shown}` is defined here", value.span),),
                )


def _adds_terminator(operation: Operation) -> bool:
    """Whether MLIR adds the terminator of a body, as it does in custom forms."""
    definition = operation.definition
    if operation.syntax.form is Form.GENERIC:
        return False
    return definition is not None and any(trait.startswith(_IMPLICIT) for trait in definition.traits)


def _yields(number: int) -> str:
    return f"{counted(number, 'value')} {'is' if number == 1 else 'are'} yielded" if number else "nothing is yielded"


def _entries(operation: Operation) -> Iterator[Block]:
    return (region.blocks[0] for region in operation.regions if region.blocks)
