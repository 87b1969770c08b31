"""Decides whether a matcher accepts all operations that another one accepts, by the conditions written in both.

Conditions are equal if they are computed alike: by the same operation with the same attributes from equal operands,
regardless of value names. Operation names and comparisons with constants are compared by meaning, as sets and ranges.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from tdls.analysis.handles.matches import required_names
from tdls.analysis.handles.operations.structured_matchers import (
    COMPARE,
    COMPARISONS,
    CONSTANT,
    MATCH_STRUCTURED,
    MEANINGS,
)
from tdls.analysis.handles.payload.names import STRUCTURED
from tdls.structs import Struct, field
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.analysis.handles.operations.row import Meaning
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Block, Operation, Value

Term: TypeAlias = int
"""The number in `Terms` of the computation of a value or condition."""
_MATCHER = "MatchOpInterface"
_SUPPRESSING = "failure_propagation_mode"
_KINDS = frozenset({"parallel", "reduction"})
"""Attributes that require a kind of dimension; each dimension has exactly one kind."""
_PERMUTATION, _PROJECTED = "permutation", "projected_permutation"
"""Attributes that require a kind of indexing map; each map of the first kind is one of the second."""
_ALL = "all"
_DIMENSIONS, _IS_ALL, _IS_INVERTED = "raw_dim_list", "is_all", "is_inverted"
_INTEGER = re.compile(r"([+-]?\d{1,18})(?:\s*:\s*(?:i\d+|index))?", re.ASCII)
_MOST_CONDITIONS = 100


class Terms:
    """Numbers computations of values and conditions (hash consing): equal computations of all matchers share a number.

    A term refers to its operands by number, so that no term is larger than one operation.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, ...], Term] = {}
        self.candidate = self.of("the operation that is asked about")
        self.is_structured = self.of(MATCH_STRUCTURED, (), (self.candidate,))

    def of(self, *parts: object) -> Term:
        """Return the number of the computation with these `parts`."""
        return self._numbers.setdefault(parts, len(self._numbers))


class IntegerRange(Struct):
    """The integers that satisfy a conjunction of comparisons."""

    least: int | None = None
    most: int | None = None
    without: set[int] = field(default_factory=set)

    def compare(self, predicate: str, constant: int) -> bool:
        """Restrict the range by a comparison; return False for an unknown predicate."""
        if predicate == "ne":
            self.without.add(constant)
            return True
        comparison = COMPARISONS.get(predicate)
        if comparison is None:
            return False
        if comparison.least is not None:
            least = constant + comparison.least
            self.least = least if self.least is None else max(self.least, least)
        if comparison.most is not None:
            most = constant + comparison.most
            self.most = most if self.most is None else min(self.most, most)
        return True

    @property
    def is_empty(self) -> bool:
        """True if no integer is in the range."""
        if self.least is None or self.most is None:
            return False
        return self.least > self.most or (self.least == self.most and self.least in self.without)

    def has_all_of(self, other: IntegerRange) -> bool:
        """Tell whether the range has every integer of `other`."""
        is_above = self.least is None or (other.least is not None and other.least >= self.least)
        is_below = self.most is None or (other.most is not None and other.most <= self.most)
        return is_above and is_below and all(map(other.is_without, self.without))

    def is_without(self, number: int) -> bool:
        """Tell whether an integer is not in the range."""
        is_below = self.least is not None and number < self.least
        return is_below or (self.most is not None and number > self.most) or number in self.without


class Accepted(Struct):
    """The operations that a matcher accepts: with one of `names`, all `conditions`, and values in `ranges`."""

    terms: Terms
    names: frozenset[str] | None = None
    conditions: set[Term] = field(default_factory=set)
    ranges: dict[Term, IntegerRange] = field(default_factory=dict)
    kinds: dict[tuple[Term, str], set[str]] = field(default_factory=dict)
    """The required kinds of dimensions, by the structured operation and the dimension, or `_ALL` for each dimension."""

    def has_all_of(self, other: Accepted, catalogue: Catalogue) -> bool:
        """Tell whether this matcher accepts all operations that `other` accepts."""
        if self.names is not None and (other.names is None or not other.names <= self.names):
            return False
        unmet = self.conditions - other.conditions
        if unmet and not (unmet == {self.terms.is_structured} and _are_structured(other.names, catalogue)):
            return False
        return all(
            other_range is not None and own.has_all_of(other_range)
            for own, other_range in ((own, other.ranges.get(term)) for term, own in self.ranges.items())
        )

    def contradiction(self, catalogue: Catalogue) -> str | None:
        """Return the reason why nothing is accepted, as text after "it asks for"; None if something may be accepted.

        Disjoint names are not reported here: `impossible-match` reports them at the second condition.
        """
        if any(own.is_empty for own in self.ranges.values()):
            return "values that are not there together"
        if any(
            (self.kinds[whole, which] | self.kinds.get((whole, _ALL), set())) >= _KINDS
            for whole, which in self.kinds
            if which != _ALL
        ):
            return "a dimension that is parallel and a reduction"
        if self.names and self.terms.is_structured in self.conditions and not _any_is(self.names, catalogue):
            return "a structured operation, and names of others"
        return None


def _are_structured(names: frozenset[str] | None, catalogue: Catalogue) -> bool:
    """Tell whether all operations with one of `names` are structured ones."""
    definitions = map(catalogue.operation, names or ())
    return bool(names) and all(definition is not None and STRUCTURED in definition.traits for definition in definitions)


def _any_is(names: frozenset[str], catalogue: Catalogue) -> bool:
    """Tell whether an operation with one of `names` may be a structured one."""
    definitions = map(catalogue.operation, names)
    return any(definition is None or STRUCTURED in definition.traits for definition in definitions)


def accepted_by(matcher: Operation, terms: Terms) -> Accepted | None:
    """Return the operations that a matcher with one argument accepts; None if one of its conditions is not known.

    Only results with the same `terms` can be compared.
    """
    block = next(matcher.blocks(), None)
    if block is None or len(block.arguments) != 1 or matcher.syntax.broken:
        return None
    reader = _Reader(terms)
    reader.known[block.arguments[0]] = terms.candidate
    return reader.accepted if reader.read(block) else None


class _Reader:
    """Reads the conditions of one matcher."""

    def __init__(self, terms: Terms) -> None:
        self.accepted = Accepted(terms)
        self.known: dict[Value, Term] = {}
        """The terms of values."""
        self._terms = terms
        self._constants: dict[Term, int] = {}

    def read(self, block: Block) -> bool:
        """Read the operations of a block; return False if the meaning of one of them is not known."""
        return all(operation is block.terminator or self._read(operation) for operation in block.operations)

    def _read(self, operation: Operation) -> bool:
        term = self._term(operation)
        if term is None or len(self.accepted.conditions) > _MOST_CONDITIONS:
            return False
        for number, result in enumerate(operation.results):
            self.known[result] = self._terms.of(term, number)
        if _row(operation) is CONSTANT:
            spelled = operation.spelled("value")
            found = _INTEGER.fullmatch(spelled.strip()) if spelled is not None else None
            if found is not None and operation.results:
                self._constants[self.known[operation.results[0]]] = int(found[1])
            return True
        names = required_names(operation) if operation.operands else None
        if names is not None and self.known.get(_first(operation)) == self._terms.candidate and not operation.results:
            own = self.accepted.names
            self.accepted.names = names if own is None else own & names
            return True
        if _row(operation) is COMPARE and self._read_comparison(operation):
            return True
        if not self._read_kinds(operation):
            self.accepted.conditions.update(filter(None, (term, self._implied(operation))))
        return not operation.regions or self._read_body(operation)

    def _term(self, operation: Operation) -> Term | None:
        """Return the term of an operation; None if parts of its meaning are not known."""
        definition = operation.definition
        if definition is None or not definition.versions or not operation.has_trait(_MATCHER):
            return None
        if operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
            return None
        attributes = {attribute.name: attribute.value for attribute in operation.syntax.attributes}
        if attributes.get(_SUPPRESSING, "propagate") != "propagate":
            return None
        return self._computed(operation, attributes)

    def _implied(self, operation: Operation) -> Term | None:
        """Return a condition implied by that of an operation: a permutation is a projected permutation."""
        attributes = {attribute.name: attribute.value for attribute in operation.syntax.attributes}
        if _PERMUTATION not in attributes:
            return None
        attributes[_PROJECTED] = attributes.pop(_PERMUTATION)
        return self._computed(operation, attributes)

    def _computed(self, operation: Operation, attributes: Mapping[str, str | None]) -> Term | None:
        operands = [self.known.get(value) if value is not None else None for value in operation.operands]
        if None in operands:
            return None
        spelled = sorted((name, " ".join((value or "").split())) for name, value in attributes.items())
        is_structured = _row(operation) is MATCH_STRUCTURED
        return self._terms.of(MATCH_STRUCTURED if is_structured else operation.name, tuple(spelled), tuple(operands))

    def _read_comparison(self, operation: Operation) -> bool:
        """Read a comparison with a constant; return False for another comparison."""
        if len(operation.operands) != 2:
            return False
        left, right = (self.known.get(value) if value is not None else None for value in operation.operands)
        constant = self._constants.get(right) if right is not None else None
        if left is None or constant is None:
            return False
        return self.accepted.ranges.setdefault(left, IntegerRange()).compare(
            operation.spelled("predicate") or "", constant
        )

    def _read_kinds(self, operation: Operation) -> bool:
        """Read the required kinds of dimensions; return False if the operation requires more than kinds of single ones.

        A list of several dimensions does: the match fails if two numbers, counted from both ends, are one dimension.
        """
        attributes = {attribute.name: attribute.value for attribute in operation.syntax.attributes}
        kinds = _KINDS.intersection(attributes)
        if not kinds:
            return False
        whole = self._terms.of(operation.name, self.known.get(_first(operation)))
        if _IS_ALL in attributes:
            self.accepted.kinds.setdefault((whole, _ALL), set()).update(kinds)
            return False
        listed = attributes.get(_DIMENSIONS)
        numbers = _listed(listed) if listed is not None and _IS_INVERTED not in attributes else []
        for number in numbers:
            self.accepted.kinds.setdefault((whole, number), set()).update(kinds)
            self.accepted.conditions.update(self._terms.of("a dimension", whole, number, kind) for kind in kinds)
        return len(numbers) == 1

    def _read_body(self, operation: Operation) -> bool:
        """Read the body of ``transform.match.structured``, which tests the same operation and yields the results."""
        block = next(operation.blocks(), None)
        if (
            _row(operation) is not MATCH_STRUCTURED
            or block is None
            or len(block.arguments) != 1
            or block.terminator is None
        ):
            return False
        self.known[block.arguments[0]] = self._terms.of("the structured operation", self.known.get(_first(operation)))
        if not self.read(block):
            return False
        for result, value in zip(operation.results, block.terminator.operands, strict=False):
            if value is None or value not in self.known:
                return False
            self.known[result] = self.known[value]
        return True


def _row(operation: Operation) -> Meaning | None:
    return MEANINGS.get(operation.name)


def _listed(spelled: str) -> list[str]:
    """Return the numbers in a list of dimensions, as spelled; empty for other text."""
    inside = spelled.strip().removeprefix("array<i64:").removesuffix(">")
    numbers = [number.strip() for number in inside.split(",")]
    return numbers if all(number.removeprefix("-").isdecimal() for number in numbers) else []


def _first(operation: Operation) -> Value:
    """Return the first operand. Raises `ValueError` if it is unresolved."""
    (value, *_) = operation.operands
    if value is None:
        raise ValueError(operation.name)
    return value
