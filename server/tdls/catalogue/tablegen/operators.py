"""The bang operators that evaluate all their operands; one function each, by name in `_OPERATORS`."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING, Any

from tdls.catalogue.tablegen.scanner import signed
from tdls.catalogue.tablegen.values import UNKNOWN, UNSET, Bits, DagValue, Missing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.catalogue.tablegen.values import EvaluatedValue

TEXT_TYPES = ("string", "code", "int", "bit", "dag")
"""Types that a text is not looked up as a record for."""

_Operands = list[Any]


def apply(name: str, operands: list[EvaluatedValue]) -> EvaluatedValue:
    """The result of ``!name(operands)``; `UNKNOWN` for an operator that is not known or operands that do not fit."""
    if name in _TOLERANT:
        return _TOLERANT[name](operands)
    missing = next((operand for operand in operands if isinstance(operand, Missing)), None)
    if missing is not None:
        return UNKNOWN if UNKNOWN in operands else missing
    operator = _OPERATORS.get(name)
    if operator is None:
        return UNKNOWN
    try:
        return operator(operands)
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, OverflowError, ZeroDivisionError):
        return UNKNOWN


def text_concatenation(values: Sequence[EvaluatedValue]) -> EvaluatedValue:
    """The texts one behind the other."""
    texts = [text(value) for value in values]
    missing = next((one for one in texts if isinstance(one, Missing)), None)
    return "".join(str(one) for one in texts) if missing is None else missing


def list_concatenation(values: Sequence[EvaluatedValue]) -> EvaluatedValue:
    """The lists one behind the other. What is not known is left out, as long as something is."""
    lists = [value for value in values if isinstance(value, tuple)]
    if not lists:
        return UNSET if UNSET in values else UNKNOWN
    return tuple([item for one in lists for item in one])


def text(value: EvaluatedValue) -> EvaluatedValue:
    """The value as text; records give their name."""
    if isinstance(value, (str, Missing)):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Bits):
        return text(value.number())
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else UNKNOWN


def matches(name: str, pattern: str) -> bool:
    """Does the pattern, a POSIX regular expression, occur in the name?"""
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return False


def dag_argument(dag: EvaluatedValue, key: EvaluatedValue) -> EvaluatedValue:
    """``!getdagarg(dag, key)``: by index or name; unset if there is none."""
    if not isinstance(dag, DagValue):
        return UNKNOWN
    if isinstance(key, int):
        return dag.items[key][0] if 0 <= key < len(dag.items) else UNSET
    return next((value for value, name in dag.items if name == key), UNSET)


def _number(value: Any) -> int:
    number = value.number() if isinstance(value, Bits) else value
    if not isinstance(number, int):
        raise TypeError(number)
    return number


def _arithmetic(function: Callable[[int, int], int]) -> Callable[[_Operands], EvaluatedValue]:
    return lambda operands: signed(reduce(function, [_number(operand) for operand in operands]))


def _comparable(value: Any) -> Any:
    return value.number() if isinstance(value, Bits) else value


def _compare(function: Callable[[Any, Any], bool]) -> Callable[[_Operands], EvaluatedValue]:
    return lambda operands: int(function(_comparable(operands[0]), _comparable(operands[1])))


def _equal(one: Any, other: Any) -> bool:
    key = getattr(one, "same_as", None)
    return bool(key(other)) if key is not None else bool(one == other)


def _sequence(value: Any) -> Any:
    return value.items if isinstance(value, DagValue) else value


def _head(operands: _Operands) -> EvaluatedValue:
    (sequence,) = operands
    found: EvaluatedValue = sequence[0]
    return found


def _interleave(operands: _Operands) -> EvaluatedValue:
    sequence, separator = operands
    texts = [text(item) for item in sequence]
    missing = next((one for one in texts if isinstance(one, Missing)), None)
    return separator.join(texts) if missing is None else missing


def _subst(operands: _Operands) -> EvaluatedValue:
    target, replacement, value = operands
    if isinstance(value, str):
        result: str = value.replace(target, replacement) if target else value
        return result
    return replacement if _equal(value, target) else value  # type: ignore[no-any-return]


def _substr(operands: _Operands) -> EvaluatedValue:
    value, start, *length = operands
    end = start + length[0] if length else len(value)
    result: str = value[start:end]
    return result


def _range(operands: _Operands) -> EvaluatedValue:
    if isinstance(operands[0], tuple):
        return tuple(range(len(operands[0])))
    start, end, step = {1: (0, *operands, 1), 2: (*operands, 1), 3: operands}[len(operands)]
    return tuple(range(start, end, step))[:100_000]


def _listremove(operands: _Operands) -> EvaluatedValue:
    kept, removed = operands
    return tuple([item for item in kept if not any(_equal(item, other) for other in removed)])


def _listflatten(operands: _Operands) -> EvaluatedValue:
    return tuple([item for one in operands[0] for item in (one if isinstance(one, tuple) else (one,))])


def _con(operands: _Operands) -> EvaluatedValue:
    """Dags one behind the other; the operator of the first holds. What is not known is left out."""
    dags = [operand for operand in operands if isinstance(operand, DagValue)]
    if not dags:
        return UNKNOWN
    items = tuple([item for dag in dags for item in dag.items])
    return DagValue(dags[0].operator, dags[0].operator_name, items)


def _dag(operands: _Operands) -> EvaluatedValue:
    operator, values, names = operands
    count = max(len(one) for one in (values, names) if isinstance(one, tuple))
    values = values if isinstance(values, tuple) else (UNSET,) * count
    names = names if isinstance(names, tuple) else (None,) * count
    labels = [name if isinstance(name, str) else None for name in names]
    return DagValue(operator, None, tuple(zip(values, labels, strict=False)))


def _setdagarg(operands: _Operands) -> EvaluatedValue:
    dag, key, value = operands
    items = [(value if key in (index, name) else old, name) for index, (old, name) in enumerate(dag.items)]
    return DagValue(dag.operator, dag.operator_name, tuple(items))


def _setdagname(operands: _Operands) -> EvaluatedValue:
    dag, key, label = operands
    items = [(value, label if key in (index, name) else name) for index, (value, name) in enumerate(dag.items)]
    return DagValue(dag.operator, dag.operator_name, tuple(items))


_TOLERANT: dict[str, Callable[[_Operands], EvaluatedValue]] = {
    "listconcat": list_concatenation,
    "con": _con,
    "dag": _dag,
}
"""Operators for which some operands may be missing."""

_OPERATORS: dict[str, Callable[[_Operands], EvaluatedValue]] = {
    "add": _arithmetic(lambda one, other: one + other),
    "sub": _arithmetic(lambda one, other: one - other),
    "mul": _arithmetic(lambda one, other: one * other),
    "div": _arithmetic(lambda one, other: int(one / other) if other else 0),
    "and": _arithmetic(lambda one, other: one & other),
    "or": _arithmetic(lambda one, other: one | other),
    "xor": _arithmetic(lambda one, other: one ^ other),
    "shl": _arithmetic(lambda one, other: one << other if 0 <= other < 64 else 0),
    "sra": _arithmetic(lambda one, other: one >> other),
    "srl": _arithmetic(lambda one, other: (one & ((1 << 64) - 1)) >> other),
    "not": lambda operands: int(not _number(operands[0])),
    "logtwo": lambda operands: _number(operands[0]).bit_length() - 1,
    "eq": _compare(_equal),
    "ne": _compare(lambda one, other: not _equal(one, other)),
    "lt": _compare(lambda one, other: one < other),
    "le": _compare(lambda one, other: one <= other),
    "gt": _compare(lambda one, other: one > other),
    "ge": _compare(lambda one, other: one >= other),
    "strconcat": text_concatenation,
    "interleave": _interleave,
    "subst": _subst,
    "substr": _substr,
    "find": lambda operands: operands[0].find(*operands[1:]),
    "tolower": lambda operands: operands[0].lower(),
    "toupper": lambda operands: operands[0].upper(),
    "match": lambda operands: int(matches(operands[0], operands[1])),
    "repr": lambda operands: repr(operands[0]),
    "empty": lambda operands: int(not _sequence(operands[0])),
    "size": lambda operands: len(_sequence(operands[0])),
    "head": _head,
    "tail": lambda operands: operands[0][1:],
    "range": _range,
    "listsplat": lambda operands: (operands[0],) * min(operands[1], 100_000),
    "listremove": _listremove,
    "listflatten": _listflatten,
    "getdagop": lambda operands: operands[0].operator,
    "getdagopname": lambda operands: operands[0].operator_name or UNSET,
    "getdagname": lambda operands: operands[0].items[operands[1]][1] or UNSET,
    "setdagop": lambda operands: DagValue(operands[1], None, operands[0].items),
    "setdagopname": lambda operands: DagValue(operands[0].operator, operands[1], operands[0].items),
    "setdagarg": _setdagarg,
    "setdagname": _setdagname,
}
