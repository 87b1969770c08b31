"""Evaluates expressions (https://llvm.org/docs/TableGen/ProgRef.html#values-and-expressions).

Records and expressions refer to each other: fields are evaluated here, and `Globals` makes the records of classes with
arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.catalogue.sources.tablegen import operators
from tdls.catalogue.sources.tablegen.environment import Thunk, VariableScope
from tdls.catalogue.sources.tablegen.nodes import (
    BitSelection,
    BitsType,
    ClassCall,
    Dag,
    FieldAccess,
    ListType,
    ListValue,
    Name,
    Operator,
    Paste,
    Pieces,
    Range,
    Slice,
)
from tdls.catalogue.sources.tablegen.values import UNKNOWN, UNSET, Bits, DagValue, Missing, RecordValue, bits_of
from tdls.catalogue.sources.work import WORK
from tdls.limits import NESTED_VALUES, OverBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.catalogue.sources.tablegen.nodes import TypeNode, Value
    from tdls.catalogue.sources.tablegen.values import EvaluatedValue


def evaluate(node: Value, scope: VariableScope) -> EvaluatedValue:
    """Return the value of an expression; `UNKNOWN` if it is invalid or depends on something unknown.

    Raises OverBudget, e.g. for endless recursion.
    """
    if isinstance(node, (str, int)):
        return node
    if node is None:
        return UNSET
    WORK.left -= 1
    if WORK.left < 0:
        raise OverBudget(WORK.limit)
    if WORK.depth >= NESTED_VALUES.most:
        raise OverBudget(NESTED_VALUES)
    WORK.depth += 1
    try:
        return _EVALUATORS[type(node)](node, scope)
    finally:
        WORK.depth -= 1


def delayed_value(variables: dict[str, EvaluatedValue | Thunk], name: str) -> EvaluatedValue:
    """Return the value of a variable, evaluated once. Raises OverBudget; the variable is `UNKNOWN` from then on."""
    value = variables[name]
    if isinstance(value, Thunk):
        variables[name] = UNSET
        try:
            value = variables[name] = evaluate(value.node, value.scope)
        except OverBudget:
            variables[name] = UNKNOWN
            raise
    return value


def look_up(name: str, scope: VariableScope) -> EvaluatedValue | None:
    """Return the value of a name in the scopes around it, without global definitions, or None if none has the name."""
    around: VariableScope | None = scope
    while around is not None:
        variables = around.variables
        if name in variables:
            return delayed_value(variables, name)
        if name in around.fields and around.record is not None:
            return around.record.value(name)
        around = around.parent
    return None


def evaluate_name(node: Value, scope: VariableScope) -> EvaluatedValue:
    """Return the value of the name of a definition; identifiers that are not variables are texts."""
    if isinstance(node, Name):
        found = look_up(node.text, scope)
        return node.text if found is None else found
    if isinstance(node, Paste):
        return _pasted([evaluate_name(part, scope) for part in node.parts])
    return evaluate(node, scope)


def _name(node: Name, scope: VariableScope) -> EvaluatedValue:
    found = look_up(node.text, scope)
    return scope.globals.value(node.text) if found is None else found


def _list(node: ListValue, scope: VariableScope) -> EvaluatedValue:
    return tuple([evaluate(item, scope) for item in node.items])


def _bits(node: Pieces, scope: VariableScope) -> EvaluatedValue:
    bits: list[EvaluatedValue] = []
    for item in reversed(node.items):
        value = evaluate(item, scope)
        WORK.elements(len(bits))
        bits += value if isinstance(value, Bits) else [value]
    return Bits(bits)


def _dag(node: Dag, scope: VariableScope) -> EvaluatedValue:
    items = tuple([(evaluate(item.value, scope), item.name) for item in node.items])
    return DagValue(evaluate(node.operator.value, scope), node.operator.name, items)


def _class_call(node: ClassCall, scope: VariableScope) -> EvaluatedValue:
    """Return an anonymous record; the same one for equal arguments, if these depend on global names only."""
    if not _is_closed(node, scope):
        return scope.globals.instantiate(node, scope)
    known = scope.globals.anonymous_records
    if node not in known:
        known[node] = scope.globals.instantiate(node, scope.globals.scope)
    return known[node]


def _is_closed(node: Value, scope: VariableScope) -> bool:
    """Whether an expression depends on global names only; False for all but simple expressions."""
    WORK.spend()
    if isinstance(node, Name):
        return not _is_local(node.text, scope)
    if isinstance(node, ClassCall):
        return all(_is_closed(argument.value, scope) for argument in node.arguments)
    if isinstance(node, ListValue):
        return all(_is_closed(item, scope) for item in node.items)
    return not isinstance(node, tuple)


def _is_local(name: str, scope: VariableScope) -> bool:
    around: VariableScope | None = scope
    while around is not None:
        if name in around.variables or name in around.fields:
            return True
        around = around.parent
    return False


def _field_access(node: FieldAccess, scope: VariableScope) -> EvaluatedValue:
    value = evaluate(node.value, scope)
    if isinstance(value, RecordValue):
        return value.value(node.field)
    return value if isinstance(value, Missing) else UNKNOWN


def _paste(node: Paste, scope: VariableScope) -> EvaluatedValue:
    first, *others = node.parts
    return _pasted([evaluate(first, scope), *(_pasted_part(part, scope) for part in others)])


def _pasted_part(node: Value, scope: VariableScope) -> EvaluatedValue:
    """Return the value of a part behind ``#``; an unknown identifier is a text."""
    if isinstance(node, Name):
        found = look_up(node.text, scope)
        if found is None:
            found = scope.globals.known_value(node.text)
        return node.text if found is None else found
    return evaluate(node, scope)


def _pasted(values: list[EvaluatedValue]) -> EvaluatedValue:
    result = values[0]
    for value in values[1:]:
        result = joined(result, value)
    return result


def joined(first: EvaluatedValue, second: EvaluatedValue) -> EvaluatedValue:
    """Return ``first # second`` of lists, texts or dags."""
    if isinstance(first, DagValue) and isinstance(second, DagValue):
        return operators.apply("con", [first, second])
    if any(isinstance(side, tuple) and not isinstance(side, Bits) for side in (first, second)):
        return operators.list_concatenation([second if first == "" else first, () if second == "" else second])
    return operators.text_concatenation([first, second])


def _slice(node: Slice, scope: VariableScope) -> EvaluatedValue:
    value = evaluate(node.value, scope)
    if not isinstance(value, tuple):
        return value if isinstance(value, Missing) else UNKNOWN
    found = [value[index] if 0 <= index < len(value) else UNKNOWN for index in _numbers(node.pieces, scope)]
    if node.single and len(found) == 1:
        selector = evaluate(node.pieces.items[0], scope)
        return tuple(found) if isinstance(selector, tuple) else found[0]
    return tuple(found)


def _bit_selection(node: BitSelection, scope: VariableScope) -> EvaluatedValue:
    value = evaluate(node.value, scope)
    if isinstance(value, int):
        value = bits_of(value, 64)
    if not isinstance(value, Bits):
        return value if isinstance(value, Missing) else UNKNOWN
    places = reversed(_numbers(node.pieces, scope))
    return Bits([value[place] if 0 <= place < len(value) else UNKNOWN for place in places])


def with_bits(before: EvaluatedValue, pieces: Pieces, value: EvaluatedValue, scope: VariableScope) -> EvaluatedValue:
    """Return `before` with the bits at `pieces` set to `value`."""
    places = list(reversed(_numbers(pieces, scope)))
    new = bits_of(value, len(places)) if isinstance(value, int) else value
    if not isinstance(before, Bits) or not isinstance(new, (list, Bits)):
        return UNKNOWN
    bits = list(before)
    for place, bit in zip(places, new, strict=False):
        if 0 <= place < len(bits):
            bits[place] = bit
    return Bits(bits)


def numbers(node: Value, scope: VariableScope) -> list[EvaluatedValue] | None:
    """Return the values of a ``foreach``, elements of a list or of ranges, or None if unknown."""
    if isinstance(node, Pieces):
        return [*_numbers(node, scope)]
    if isinstance(node, Range):
        return [*_numbers(Pieces((node,)), scope)]
    value = evaluate(node, scope)
    return list(value) if isinstance(value, tuple) else None


def _numbers(pieces: Pieces, scope: VariableScope) -> list[int]:
    found: list[int] = []
    for piece in pieces.items:
        found += _range(piece, scope)
        WORK.elements(len(found))
    return found


def _range(piece: Value, scope: VariableScope) -> Iterator[int]:
    if isinstance(piece, Range):
        first, last = evaluate(piece.first, scope), evaluate(piece.last, scope)
        if isinstance(first, int) and isinstance(last, int):
            WORK.elements(abs(last - first))
            yield from range(first, last + 1) if first <= last else range(first, last - 1, -1)
        return
    value = evaluate(piece, scope)
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, int):
            yield number


# Operators that do not evaluate all their operands, or depend on their scope


def _operator(node: Operator, scope: VariableScope) -> EvaluatedValue:
    special = _SPECIAL_OPERATORS.get(node.name)
    if special is not None:
        try:
            return special(node, scope)
        except (IndexError, ValueError, TypeError):
            return UNKNOWN
    operands = [evaluate(operand[0], scope) for operand in node.operands]
    return operators.apply(node.name, operands)


def _if(node: Operator, scope: VariableScope) -> EvaluatedValue:
    condition, then, otherwise = node.operands
    decided = truth(evaluate(condition[0], scope))
    if isinstance(decided, Missing):
        return decided
    return evaluate((then if decided else otherwise)[0], scope)


def truth(value: EvaluatedValue) -> bool | Missing:
    """Return the truth value of a condition."""
    number = value.number() if isinstance(value, Bits) else value
    if isinstance(number, Missing):
        return number
    return bool(number) if isinstance(number, int) else UNKNOWN


def _cond(node: Operator, scope: VariableScope) -> EvaluatedValue:
    for condition, value in node.operands:
        decided = truth(evaluate(condition, scope))
        if isinstance(decided, Missing):
            return decided
        if decided:
            return evaluate(value, scope)
    return UNKNOWN


def _foreach(node: Operator, scope: VariableScope) -> EvaluatedValue:
    name, sequence, body = _variable(node.operands[0][0]), node.operands[1][0], node.operands[2][0]
    value = evaluate(sequence, scope)
    if isinstance(value, DagValue):
        return _foreach_in_dag(name, value, body, scope)
    if not isinstance(value, tuple):
        return value if isinstance(value, Missing) else UNKNOWN
    WORK.elements(len(value))
    return tuple([evaluate(body, scope.inner({name: item})) for item in value])


def _foreach_in_dag(name: str, dag: DagValue, body: Value, scope: VariableScope) -> EvaluatedValue:
    operator = evaluate(body, scope.inner({name: dag.operator}))
    items = tuple([(evaluate(body, scope.inner({name: value})), label) for value, label in dag.items])
    return DagValue(operator, dag.operator_name, items)


def _filter(node: Operator, scope: VariableScope) -> EvaluatedValue:
    name, sequence, condition = _variable(node.operands[0][0]), node.operands[1][0], node.operands[2][0]
    value = evaluate(sequence, scope)
    if not isinstance(value, tuple):
        return value if isinstance(value, Missing) else UNKNOWN
    return tuple([item for item in value if truth(evaluate(condition, scope.inner({name: item}))) is True])


def _foldl(node: Operator, scope: VariableScope) -> EvaluatedValue:
    start, sequence, accumulator, item, body = [operand[0] for operand in node.operands]
    value, elements = evaluate(start, scope), evaluate(sequence, scope)
    if not isinstance(elements, tuple):
        return elements if isinstance(elements, Missing) else UNKNOWN
    for element in elements:
        value = evaluate(body, scope.inner({_variable(accumulator): value, _variable(item): element}))
    return value


def _variable(node: Value) -> str:
    if not isinstance(node, Name):
        raise TypeError("a variable is missing")
    return node.text


def _isa(node: Operator, scope: VariableScope) -> EvaluatedValue:
    value = evaluate(node.operands[0][0], scope)
    return value if isinstance(value, Missing) else int(has_type(value, node.type))


def has_type(value: EvaluatedValue, type_: TypeNode | None) -> bool:
    """Whether a value has the type; a list does if all its elements have the element type."""
    if isinstance(value, RecordValue):
        return isinstance(type_, str) and value.is_a(type_)
    if isinstance(value, str):
        return type_ in ("string", "code")
    if isinstance(value, int):
        return type_ == "int" or (type_ == "bit" and value in (0, 1))
    if isinstance(value, Bits):
        return isinstance(type_, BitsType)
    if isinstance(value, tuple):
        return isinstance(type_, ListType) and all(has_type(item, type_.element) for item in value)
    return type_ == "dag"


def _cast(node: Operator, scope: VariableScope) -> EvaluatedValue:
    value = evaluate(node.operands[0][0], scope)
    if node.type == "string":
        return operators.text(value)
    if node.type == "int" and isinstance(value, Bits):
        return value.number()
    if isinstance(value, str) and isinstance(node.type, str) and node.type not in operators.TEXT_TYPES:
        return scope.globals.value(value)
    return value


def _exists(node: Operator, scope: VariableScope) -> EvaluatedValue:
    name = evaluate(node.operands[0][0], scope)
    if not isinstance(name, str):
        return UNKNOWN
    found = scope.globals.known_value(name)
    return int(isinstance(found, RecordValue) and has_type(found, node.type))


def _instances(node: Operator, scope: VariableScope) -> EvaluatedValue:
    pattern = evaluate(node.operands[0][0], scope) if node.operands else ""
    if not isinstance(node.type, str) or not isinstance(pattern, str):
        return UNKNOWN
    named = sorted(scope.globals.instances(node.type), key=lambda record: record.name)
    WORK.spend(len(named))
    return tuple([record for record in named if operators.matches(record.name, pattern)])


def _initialized(node: Operator, scope: VariableScope) -> EvaluatedValue:
    value = evaluate(node.operands[0][0], scope)
    return UNKNOWN if value is UNKNOWN else int(value is not UNSET)


def _getdagarg(node: Operator, scope: VariableScope) -> EvaluatedValue:
    dag, key = evaluate(node.operands[0][0], scope), evaluate(node.operands[1][0], scope)
    return operators.dag_argument(dag, key)


_SPECIAL_OPERATORS: dict[str, Callable[[Operator, VariableScope], EvaluatedValue]] = {
    "if": _if,
    "cond": _cond,
    "foreach": _foreach,
    "filter": _filter,
    "foldl": _foldl,
    "isa": _isa,
    "cast": _cast,
    "exists": _exists,
    "instances": _instances,
    "initialized": _initialized,
    "getdagarg": _getdagarg,
}

_EVALUATORS: dict[type, Callable[[Any, VariableScope], EvaluatedValue]] = {
    Name: _name,
    ListValue: _list,
    Pieces: _bits,
    Dag: _dag,
    ClassCall: _class_call,
    FieldAccess: _field_access,
    Paste: _paste,
    Slice: _slice,
    BitSelection: _bit_selection,
    Operator: _operator,
}
