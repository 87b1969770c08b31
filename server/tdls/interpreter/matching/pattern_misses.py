"""Explains why payload operations do not match a ``pdl.pattern``: the first condition that they fail.

Conditions are checked from the root of the pattern outwards, as written: the name, operands, attributes and results of
an operation, and then the definitions of its operands. Conditions that cannot be decided count as met.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.payload.operations import operands_of, result_count, type_of
from tdls.structs import NamedTuple
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.payload.operations import PayloadOperation
    from tdls.payload.tree import Payload
    from tdls.semantic.model import Operation, Value

_OPERATION, _RESULT = "pdl.operation", "pdl.result"
_RANGE = "PDL_RangeOf"
_STRING = re.compile(r'"([^"]*)"')
_HAS_ANOTHER = 0.5
"""Partial credit for an attribute with another value."""
_MOST_DEPTH = 8
"""Maximum number of steps from operands to their definitions."""


class _Answer(NamedTuple):
    """The result of a condition, and the message if it is not met."""

    is_met: bool
    words: str = ""
    nearly: float = 0.0
    """Partial credit for an unmet condition, up to 1."""


_MET = _Answer(True)


class PatternMiss(NamedTuple):
    """An operation that does not match a pattern, or None if no operation has the requested name."""

    met: float
    """Number of conditions that it meets, with partial credit."""
    words: str
    operation: PayloadOperation | None


def pattern_misses(pattern: Operation, roots: Sequence[PayloadOperation], payload: Payload | None) -> list[PatternMiss]:
    """Return the conditions that operations in `roots` fail, the nearest miss first."""
    root = _root(pattern)
    if root is None or payload is None:
        return []
    reading = _Reading(payload)
    found = [
        miss
        for outer in roots
        for operation in outer.walk()
        if (miss := _miss(reading, root, operation)) is not None and (miss.met or not _name(root))
    ]
    if not found and _name(root):
        inside = " and ".join(outer.shown for outer in roots)
        return [PatternMiss(0.0, f"no `{_name(root)}` is in {inside}", None)]
    return sorted(found, key=lambda miss: miss.met, reverse=True)


def pattern_root_name(pattern: Operation) -> str | None:
    """Return the name of the operations that a pattern matches, or None if it has no name."""
    root = _root(pattern)
    return _name(root) if root is not None else None


def _root(pattern: Operation) -> Operation | None:
    block = pattern.body
    rewrite = block.terminator if block is not None else None
    value = next(iter(rewrite.group("root")), None) if rewrite is not None else None
    return value.operation if value is not None else None


def _name(wanted: Operation) -> str | None:
    found = _STRING.findall(wanted.spelled("opName") or "")
    return found[0] if found else None


def _miss(reading: _Reading, root: Operation, operation: PayloadOperation) -> PatternMiss | None:
    for met, answer in enumerate(reading.answers(root, operation)):
        if not answer.is_met:
            return PatternMiss(met + answer.nearly, answer.words, operation)
    return None


class _Reading:
    """Compares operations of a pattern with operations of a payload."""

    def __init__(self, payload: Payload) -> None:
        self._payload = payload

    def answers(self, wanted: Operation, operation: PayloadOperation, depth: int = 0) -> Iterator[_Answer]:
        """Yield the results of a ``pdl.operation``'s conditions in order; the caller stops at the first unmet one."""
        name = _name(wanted)
        if name is not None:
            yield _Answer(operation.name == name, f"{operation.shown} is no `{name}`")
        operands = operands_of(operation)
        yield from self._operands(wanted, operation, operands)
        yield from self._attributes(wanted, operation)
        yield from self._results(wanted, operation)
        if operands is not None and depth < _MOST_DEPTH:
            for value, given in zip(wanted.group("operandValues"), operands, strict=False):
                if value is not None:
                    yield from self._producer(value, given, operation, depth)

    def _operands(
        self, wanted: Operation, operation: PayloadOperation, operands: Sequence[Value | None] | None
    ) -> Iterator[_Answer]:
        values = wanted.group("operandValues")
        if operands is None or any(_is_range(value) for value in values):
            return
        required = len(values)
        words = f"{operation.shown} has {counted(len(operands), 'operand')}, {required} asked for"
        yield _Answer(required == len(operands), words)
        for number, (value, given) in enumerate(zip(values, operands, strict=False)):
            maker = value.operation if value is not None else None
            kind = next(iter(maker.group("valueType")), None) if maker is not None else None
            yield self._type(kind, type_of(given), f"operand {number} of {operation.shown}")

    def _type(self, kind: Value | None, found: str | None, subject: str) -> _Answer:
        """Compare a type with the constant of a ``pdl.type``."""
        maker = kind.operation if kind is not None else None
        required = maker.spelled("constantType") if maker is not None else None
        if required is None or found is None:
            return _MET
        return _Answer(_bare(required) == _bare(found), f"{subject} is of type `{found}`, `{required}` asked for")

    def _attributes(self, wanted: Operation, operation: PayloadOperation) -> Iterator[_Answer]:
        names = _STRING.findall(wanted.spelled("attributeValueNames") or "")
        written = operation.written
        if written is None:
            return
        for name, value in zip(names, wanted.group("attributeValues"), strict=False):
            found = written.syntax.attribute(name)
            maker = value.operation if value is not None else None
            required = maker.spelled("value") if maker is not None else None
            if found is None:
                words = f"`{name}` = `{required}`" if required is not None else f"`{name}`"
                yield _Answer(False, f"{operation.shown} has no attribute {words}")
            elif required is not None and found.value is not None:
                words = f"`{name}` of {operation.shown} is `{found.value}`, `{required}` asked for"
                yield _Answer(_bare(found.value) == _bare(required), words, _HAS_ANOTHER)
            else:
                yield _MET

    def _results(self, wanted: Operation, operation: PayloadOperation) -> Iterator[_Answer]:
        types, count = wanted.group("typeValues"), result_count(operation)
        if count is None or any(_is_range(value) for value in types):
            return
        words = f"{operation.shown} has {counted(count, 'result')}, {len(types)} asked for"
        yield _Answer(len(types) == count, words)
        results = operation.written.results if operation.written is not None else ()
        for number, (kind, value) in enumerate(zip(types, results, strict=False)):
            yield self._type(kind, type_of(value), f"result {number} of {operation.shown}")

    def _producer(
        self, wanted: Value, given: Value | None, operation: PayloadOperation, depth: int
    ) -> Iterator[_Answer]:
        """Compare the definition of an operand, if the pattern requests the result of an operation."""
        result = wanted.operation
        if result is None or result.name != _RESULT or given is None:
            return
        inner = next((value for value in result.operands if value is not None), None)
        if inner is None or inner.operation is None or inner.operation.name != _OPERATION:
            return
        if given.operation is None:
            yield _Answer(False, f"an operand of {operation.shown} is a block argument, which no operation defines")
            return
        producer = self._payload.by_written.get(id(given.operation))
        if producer is not None:
            yield from self.answers(inner.operation, producer, depth + 1)


def _is_range(value: Value | None) -> bool:
    """Whether a value of a pattern is a range of operands or results."""
    maker = value.operation if value is not None else None
    results = maker.definition.results if maker is not None and maker.definition is not None else ()
    return maker is None or any(result.constraint == _RANGE for result in results)


def _bare(text: str) -> str:
    return "".join(text.split())
