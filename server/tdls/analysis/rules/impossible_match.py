"""The rule `impossible-match`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.matches import match_of, names_in
from tdls.analysis.held_names import HeldNames, listed
from tdls.analysis.rule import Rule
from tdls.catalogue.model import Arity
from tdls.syntax.tree import Form
from tdls.text.diagnostic import Diagnostic, Level, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.analysis.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute

_TRAITS: Final = {"LinalgOp": "LinalgOp", "LoopLikeInterface": "LoopLikeOpInterface"}
"""The traits of definitions that stand for interfaces which no operation gets otherwise, by an external model."""
_BY_NAME: Final = "transform.match.operation_name"


def find(context: Context) -> Iterator[Diagnostic]:
    """Report matches, selections and steps to parents that cannot find anything, whatever the payload is."""
    held = HeldNames(context)
    for operation in context.model.walk():
        check = _CHECKS.get(operation.name)
        if check is not None and not operation.syntax.broken and operation.syntax.form is not Form.STRUCTURAL:
            yield from check(held, operation)


def _check_match(held: HeldNames, operation: Operation) -> Iterator[Diagnostic]:
    match = match_of(operation)
    definitions = _definitions(held.context, match.names)
    trait = _TRAITS.get(match.interface or "")
    target = next(iter(operation.group("target")), None)
    scope = held.of(target) if target is not None else None
    result_type = operation.syntax.attribute("filter_result_type")
    if match.names and trait and definitions and not any(trait in one.traits for one in definitions):
        message = f"nothing ever matches: {listed(match.names)} does not implement `{match.interface}`"
        yield _finding(operation, message, operation.syntax.attribute("interface"))
    elif match.names and result_type is not None and definitions and not any(map(_may_have_one_result, definitions)):
        message = f"nothing ever matches: {listed(match.names)} does not have exactly one result"
        yield _finding(operation, message, result_type)
    elif match.names and target is not None and scope is not None and not held.can_be_in(match.names, scope):
        message = f"nothing ever matches: `{target.shown}` holds {listed(scope)}, with no {listed(match.names)} in it"
        yield _finding(operation, message, operation.syntax.attribute("ops"), target)
    elif match.names:
        yield from _check_type(held, operation, match.names)


def _check_select(held: HeldNames, operation: Operation) -> Iterator[Diagnostic]:
    target = next(iter(operation.group("target")), None)
    wanted, names = _wanted(operation), held.of(target) if target is not None else None
    if wanted is None or names is None or target is None:
        return
    if wanted.isdisjoint(names) and not held.may_become(wanted):
        message = f"nothing is ever selected: `{target.shown}` holds {listed(names)} only"
        yield _finding(operation, message, operation.syntax.attribute("op_name"), target)
    else:
        yield from _check_type(held, operation, wanted)


def _check_parent(held: HeldNames, operation: Operation) -> Iterator[Diagnostic]:
    target = next(iter(operation.group("target")), None)
    wanted, names = _wanted(operation), held.of(target) if target is not None else None
    if wanted is None:
        return
    if target is not None and names is not None and not any(held.can_contain(one, names) for one in wanted):
        message = f"no parent is ever found: `{target.shown}` holds {listed(names)}, never nested in {listed(wanted)}"
        yield _finding(operation, message, operation.syntax.attribute("op_name"), target)
    else:
        yield from _check_type(held, operation, wanted)


def _check_matcher(held: HeldNames, operation: Operation) -> Iterator[Diagnostic]:
    """A matcher accepts what all its operations accept; names that were asked for before are compared with."""
    operand = next(iter(operation.operands), None)
    attribute = operation.syntax.attribute("op_names")
    if operand is None or attribute is None or attribute.value is None or operation.block is None:
        return
    wanted, known = names_in(attribute.value), held.of(operand)
    for earlier in operation.block.operations[: operation.index]:
        asked = earlier.syntax.attribute("op_names") if earlier.name == _BY_NAME else None
        if asked is not None and asked.value is not None and earlier.operands[:1] == [operand]:
            known = names_in(asked.value) if known is None else known & names_in(asked.value)
    if known and wanted.isdisjoint(known):
        message = f"nothing ever matches: `{operand.shown}` can only be {listed(known)} here"
        yield _finding(operation, message, attribute, operand)


def _check_cast(held: HeldNames, operation: Operation) -> Iterator[Diagnostic]:
    operand = next(iter(operation.operands), None)
    names = held.of(operand) if operand is not None else None
    if names is not None:
        yield from _check_type(held, operation, names)


def _check_type(held: HeldNames, operation: Operation, names: frozenset[str]) -> Iterator[Diagnostic]:
    """Report a result whose type asks for another operation than those with `names`."""
    for result in operation.results:
        wanted = held.by_type(result)
        if wanted is not None and wanted not in names and not held.may_become(frozenset({wanted})):
            message = f"the type of `{result.shown}` asks for `{wanted}`, but only {listed(names)} can be found here"
            types = operation.syntax.result_types or ()
            place = operation.place(types[result.index]) if result.index < len(types) else operation.location
            yield Diagnostic(RULE.name, RULE.level, message, place)


def _definitions(context: Context, names: frozenset[str] | None) -> list[OperationDefinition]:
    """Return the definitions of `names`, in all versions; none if one of them is not known."""
    variants = [context.catalogue.variants(name) for name in names or ()]
    return [one for several in variants for one in several] if all(variants) else []


def _may_have_one_result(definition: OperationDefinition) -> bool:
    arities = [result.arity for result in definition.results]
    return bool(arities) and arities.count(Arity.ONE) <= 1


def _wanted(operation: Operation) -> frozenset[str] | None:
    attribute = operation.syntax.attribute("op_name")
    return names_in(attribute.value) if attribute is not None and attribute.value is not None else None


def _finding(
    operation: Operation, message: str, attribute: NamedAttribute | None, value: Value | None = None
) -> Diagnostic:
    place = operation.place(attribute) if attribute is not None else operation.location
    note = Note(f"`{value.shown}` is defined here", value.span) if value is not None else None
    return Diagnostic(RULE.name, RULE.level, message, place, (note,) if note is not None else ())


_CHECKS: Final[dict[str, Callable[[HeldNames, Operation], Iterator[Diagnostic]]]] = {
    "transform.structured.match": _check_match,
    "transform.select": _check_select,
    "transform.get_parent_op": _check_parent,
    "transform.cast": _check_cast,
    _BY_NAME: _check_matcher,
}


RULE: Final = Rule(
    code="TD210",
    name="impossible-match",
    level=Level.WARNING,
    summary="What is looked for cannot be there, whatever the payload is",
    documentation="""\
The conditions of a match contradict each other, or what it looks for cannot be in the operations
that its handle holds. Then the result is an empty handle, and the rest of the script succeeds and
does nothing. `transform.get_parent_op` and `transform.cast` fail instead.

Reported are names of operations that do not have the interface that is asked for, or not exactly
one result where `filter_result_type` is given; handles to operations that cannot contain others of
the names that are asked for; matchers that ask for two names; and handle types of another operation
than the one that is looked for.

**Fix:** look in a handle to something around it, such as the function, or correct the conditions.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} interface{LoopLikeInterface} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} interface{LinalgOp} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    is_silent=True,
)
