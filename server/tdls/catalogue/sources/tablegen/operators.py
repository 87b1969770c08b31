"""Implements the bang operators that evaluate all their operands; one function each, by name in `_OPERATORS`."""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any

from tdls.catalogue.sources.tablegen.scanner import signed
from tdls.catalogue.sources.tablegen.values import UNKNOWN, UNSET, Bits, DagValue, Missing
from tdls.catalogue.sources.work import WORK
from tdls.text.given_patterns import GivenPattern, PatternError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.catalogue.sources.tablegen.values import EvaluatedValue

TEXT_TYPES = ("string", "code", "int", "bit", "dag")
"""Types to which a text is cast without a look-up of a record."""

_Operands = list[Any]


def apply(name: str, operands: list[EvaluatedValue]) -> EvaluatedValue:
    """Return the result of ``!name(operands)``; `UNKNOWN` for an unknown operator and for invalid operands."""
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
    """Concatenate texts; the result is missing if one is."""
    texts = [text(value) for value in values]
    missing = next((operand for operand in texts if isinstance(operand, Missing)), None)
    return _in_one_text("", [str(operand) for operand in texts]) if missing is None else missing


def _in_one_text(separator: str, texts: list[str]) -> str:
    WORK.text(sum(map(len, texts)) + len(separator) * len(texts))
    return separator.join(texts)


def _in_one_list(lists: Iterable[tuple[EvaluatedValue, ...]]) -> tuple[EvaluatedValue, ...]:
    kept = list(lists)
    WORK.elements(sum(map(len, kept)))
    return tuple([item for items in kept for item in items])


def list_concatenation(values: Sequence[EvaluatedValue]) -> EvaluatedValue:
    """Concatenate lists. Missing lists are left out, unless all are missing."""
    lists = [value for value in values if isinstance(value, tuple)]
    if not lists:
        return UNSET if UNSET in values else UNKNOWN
    return _in_one_list(lists)


def text(value: EvaluatedValue) -> EvaluatedValue:
    """Return the value as text; of a record its name."""
    if isinstance(value, (str, Missing)):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Bits):
        return text(value.number())
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else UNKNOWN


def matches(name: str, pattern: str) -> bool:
    """Whether the pattern, a POSIX regular expression, occurs in the name."""
    known = _given(pattern)
    if known is None:
        return False
    WORK.spend((len(name) + 1) * known.size)
    return known.occurs_in(name)


@lru_cache(maxsize=64)
def _given(pattern: str) -> GivenPattern | None:
    try:
        return GivenPattern.of((pattern, True))
    except PatternError:
        return None


def dag_argument(dag: EvaluatedValue, key: EvaluatedValue) -> EvaluatedValue:
    """Return ``!getdagarg(dag, key)``, by index or name, or `UNSET`."""
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
    def result(operands: _Operands) -> EvaluatedValue:
        first, *others = map(_number, operands)
        return reduce(lambda total, operand: signed(function(total, operand)), others, signed(first))

    return result


def _comparable(value: Any) -> Any:
    return value.number() if isinstance(value, Bits) else value


def _compare(function: Callable[[Any, Any], bool]) -> Callable[[_Operands], EvaluatedValue]:
    return lambda operands: int(function(_comparable(operands[0]), _comparable(operands[1])))


def _order(function: Callable[[Any, Any], bool]) -> Callable[[_Operands], EvaluatedValue]:
    compared = _compare(function)
    return lambda operands: (
        compared(operands) if all(isinstance(operand, (str, int, Bits)) for operand in operands) else UNKNOWN
    )


def _equal(first: Any, second: Any) -> bool:
    """Whether two values are equal; nested lists of any depth are compared without recursion."""
    pairs = [(first, second)]
    while pairs:
        WORK.spend()
        left, right = pairs.pop()
        if isinstance(left, DagValue) and isinstance(right, DagValue):
            left, right = _parts(left), _parts(right)
        if isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                return False
            pairs += zip(left, right, strict=True)
        elif left != right:
            return False
    return True


def _parts(dag: DagValue) -> tuple[Any, ...]:
    return (dag.operator, dag.operator_name, *[part for item in dag.items for part in item])


def _sequence(value: Any) -> Any:
    return value.items if isinstance(value, DagValue) else value


def _head(operands: _Operands) -> EvaluatedValue:
    (sequence,) = operands
    found: EvaluatedValue = sequence[0]
    return found


def _interleave(operands: _Operands) -> EvaluatedValue:
    sequence, separator = operands
    texts = [text(item) for item in sequence]
    missing = next((operand for operand in texts if isinstance(operand, Missing)), None)
    return _in_one_text(separator, [str(operand) for operand in texts]) if missing is None else missing


def _subst(operands: _Operands) -> EvaluatedValue:
    target, replacement, value = operands
    if isinstance(value, str):
        if not target:
            return value
        WORK.text(len(value) + value.count(target) * len(replacement))
        result: str = value.replace(target, replacement)
        return result
    return replacement if _equal(value, target) else value  # type: ignore[no-any-return]


def _substr(operands: _Operands) -> EvaluatedValue:
    value, start, *length = operands
    end = start + length[0] if length else len(value)
    WORK.text(len(value))
    result: str = value[start:end]
    return result


def _range(operands: _Operands) -> EvaluatedValue:
    if isinstance(operands[0], tuple):
        return tuple(range(len(operands[0])))
    start, end, step = {1: (0, *operands, 1), 2: (*operands, 1), 3: operands}[len(operands)]
    numbers = range(start, end, step)
    WORK.elements(len(numbers))
    return tuple(numbers)


def _listsplat(operands: _Operands) -> EvaluatedValue:
    value, count = operands[0], _number(operands[1])
    WORK.elements(count)
    return (value,) * count


def _tail(operands: _Operands) -> EvaluatedValue:
    (sequence,) = operands
    WORK.elements(len(sequence))
    found: EvaluatedValue = sequence[1:]
    return found


def _listremove(operands: _Operands) -> EvaluatedValue:
    kept, removed = operands
    WORK.spend(len(kept))
    return tuple([item for item in kept if not any(_equal(item, other) for other in removed)])


def _con(operands: _Operands) -> EvaluatedValue:
    """Concatenate dags, with the operator of the first. Missing dags are left out."""
    dags = [operand for operand in operands if isinstance(operand, DagValue)]
    if not dags:
        return UNKNOWN
    WORK.elements(sum(len(dag.items) for dag in dags))
    items = tuple([item for dag in dags for item in dag.items])
    return DagValue(dags[0].operator, dags[0].operator_name, items)


def _dag(operands: _Operands) -> EvaluatedValue:
    operator, values, names = operands
    count = max(len(items) for items in (values, names) if isinstance(items, tuple))
    WORK.elements(count)
    values = values if isinstance(values, tuple) else (UNSET,) * count
    names = names if isinstance(names, tuple) else (None,) * count
    labels = [name if isinstance(name, str) else None for name in names]
    return DagValue(operator, None, tuple(zip(values, labels, strict=False)))


def _setdagarg(operands: _Operands) -> EvaluatedValue:
    dag, key, value = operands
    WORK.elements(len(dag.items))
    items = [(value if key in (index, name) else old, name) for index, (old, name) in enumerate(dag.items)]
    return DagValue(dag.operator, dag.operator_name, tuple(items))


def _setdagname(operands: _Operands) -> EvaluatedValue:
    dag, key, label = operands
    WORK.elements(len(dag.items))
    items = [(value, label if key in (index, name) else name) for index, (value, name) in enumerate(dag.items)]
    return DagValue(dag.operator, dag.operator_name, tuple(items))


_TOLERANT: dict[str, Callable[[_Operands], EvaluatedValue]] = {
    "listconcat": list_concatenation,
    "con": _con,
    "dag": _dag,
}
"""Operators that accept missing operands."""

_OPERATORS: dict[str, Callable[[_Operands], EvaluatedValue]] = {
    "add": _arithmetic(lambda first, second: first + second),
    "sub": _arithmetic(lambda first, second: first - second),
    "mul": _arithmetic(lambda first, second: first * second),
    "div": _arithmetic(lambda first, second: int(first / second) if second else 0),
    "and": _arithmetic(lambda first, second: first & second),
    "or": _arithmetic(lambda first, second: first | second),
    "xor": _arithmetic(lambda first, second: first ^ second),
    "shl": _arithmetic(lambda first, second: first << second if 0 <= second < 64 else 0),
    "sra": _arithmetic(lambda first, second: first >> second),
    "srl": _arithmetic(lambda first, second: (first & ((1 << 64) - 1)) >> second),
    "not": lambda operands: int(not _number(operands[0])),
    "logtwo": lambda operands: _number(operands[0]).bit_length() - 1,
    "eq": _compare(_equal),
    "ne": _compare(lambda first, second: not _equal(first, second)),
    "lt": _order(lambda first, second: first < second),
    "le": _order(lambda first, second: first <= second),
    "gt": _order(lambda first, second: first > second),
    "ge": _order(lambda first, second: first >= second),
    "strconcat": text_concatenation,
    "interleave": _interleave,
    "subst": _subst,
    "substr": _substr,
    "find": lambda operands: operands[0].find(*operands[1:]),
    "tolower": lambda operands: operands[0].lower(),
    "toupper": lambda operands: operands[0].upper(),
    "match": lambda operands: int(matches(operands[0], operands[1])),
    "repr": lambda operands: repr(operands[0]) if isinstance(operands[0], (str, int)) else UNKNOWN,
    "empty": lambda operands: int(not _sequence(operands[0])),
    "size": lambda operands: len(_sequence(operands[0])),
    "head": _head,
    "tail": _tail,
    "range": _range,
    "listsplat": _listsplat,
    "listremove": _listremove,
    "listflatten": lambda operands: _in_one_list(each if isinstance(each, tuple) else (each,) for each in operands[0]),
    "getdagop": lambda operands: operands[0].operator,
    "getdagopname": lambda operands: operands[0].operator_name or UNSET,
    "getdagname": lambda operands: operands[0].items[operands[1]][1] or UNSET,
    "setdagop": lambda operands: DagValue(operands[1], None, operands[0].items),
    "setdagopname": lambda operands: DagValue(operands[0].operator, operands[1], operands[0].items),
    "setdagarg": _setdagarg,
    "setdagname": _setdagname,
}
