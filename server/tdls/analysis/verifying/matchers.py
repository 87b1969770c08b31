"""Checks of predicates in matchers: their parent, their operand, and the positions that they list."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionNote
from tdls.analysis.verifying.attribute_values import inherent, integers_of
from tdls.analysis.verifying.complaint import Complaint, check_in_context, check_of_operation
from tdls.analysis.verifying.type_relations import result_types
from tdls.semantic.handle_types import HandleKind, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


@check_in_context
def stands_in(context: Context, operation: Operation, matcher: str) -> Iterator[Complaint]:
    """Check that a predicate is directly in an operation called `matcher` and applies to its argument."""
    parent = operation.parent
    around = parent if parent is not None else context.container_operation
    if around is None or around.name != matcher:
        if around is None or (around.definition is not None and not around.syntax.broken):
            message = f"`{operation.name}` can only stand directly in `{matcher}`"
            yield Complaint(message, operation.location, help=f"put it into the body of a `{matcher}`")
        return
    body = next((region.blocks[0] for region in around.regions[:1] if region.blocks), None)
    subject = operation.operands[0] if operation.operands else None
    if body is None or not body.arguments or subject is None or subject is body.arguments[0]:
        return
    argument = body.arguments[0]
    message = f"`{operation.name}` has to apply to `{argument.shown}`, what is matched, not to `{subject.shown}`"
    yield Complaint(message, operation.location, (SectionNote("the argument of the matcher", argument.span),))


@check_of_operation
def positions(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that a list of positions is not empty, unless all are selected, and has no equal neighbours."""
    numbers, attribute = _listed(operation, name), inherent(operation, name)
    place = attribute.span if attribute is not None else operation.location
    is_all, is_inverted = inherent(operation, "is_all"), inherent(operation, "is_inverted")
    if is_all is not None and is_inverted is not None:
        yield Complaint("`is_all` cannot stand beside `is_inverted`", is_inverted.span)
    elif numbers is None:
        return
    elif is_all is not None and numbers:
        yield Complaint(f"`is_all` cannot stand beside numbers in `{name}`", place)
    elif is_all is None and not numbers and attribute is not None:
        yield Complaint(f"`{name}` needs a number, unless `is_all` is given", place)
    else:
        twice = next((second for first, second in pairwise(numbers) if first == second), None)
        if twice is not None:
            yield Complaint(f"the position {twice} is listed twice", place)


@check_in_context
def binds_one(context: Context, operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that a predicate with a result lists at most one position."""
    numbers, attribute = _listed(operation, name), inherent(operation, name)
    if result_types(context, operation) and attribute is not None and numbers is not None and len(numbers) > 1:
        message = f"the result of `{operation.name}` cannot stand for several positions"
        yield Complaint(message, attribute.span, help="use an operation for each position")


def _listed(operation: Operation, name: str) -> tuple[int, ...] | None:
    """Return the listed numbers, spelled as an attribute or as ``except(0, 1)``, or None if unknown."""
    attribute = inherent(operation, name)
    if attribute is None:
        return ()
    text = (attribute.value or "").strip()
    if text.startswith("array<"):
        return integers_of(text)
    inside = text.removeprefix("except").strip()
    return integers_of(f"[{inside.removeprefix('(').removesuffix(')')}]")


def result_of_users(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that a predicate on results selects a user (`any` or `single`) if it returns operations, and only then."""
    which = next((each for each in operation.syntax.attributes if each.name in ("any", "single")), None)
    type_ = next(iter(result_types(context, operation) or ()), None)
    kind = kind_of(context.catalogue, type_)
    if kind is None:
        return
    if which is None and kind is HandleKind.OPERATIONS:
        message = f"`{operation.name}` needs `any` or `single` to return a handle to operations"
        yield Complaint(message, operation.location, help="or let it return a handle to values, `!transform.any_value`")
    elif which is not None and kind is not HandleKind.OPERATIONS:
        message = f"with `{which.name}` the result is a handle to operations, not `{type_}`"
        yield Complaint(message, which.span)
