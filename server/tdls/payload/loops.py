"""Computes the loops of structured payload operations: their kinds, indexing maps of operands, and trip counts."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from tdls.payload.attributes import affine_map, list_of, own_attribute, split
from tdls.payload.operations import input_count, is_structured, operands_of, type_of
from tdls.syntax.types import type_tree
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.catalogue import Catalogue
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Value

IndexingMap: TypeAlias = "tuple[int | None, ...]"
"""For each dimension of an operand, the number of the loop that indexes it, or None for another expression."""

PARALLEL, REDUCTION = "parallel", "reduction"
LOOPS = frozenset({"affine.for", "affine.parallel", "scf.for", "scf.forall", "scf.parallel", "scf.while"})
DYNAMIC = -(2**63)
"""The value of `ShapedType::kDynamic`: the size of a dimension that is only known when the payload runs."""
_MAPS, _ITERATORS = "indexing_maps", "iterator_types"
_ALL, _UNKNOWN, _WITHOUT, _INVERSE = "*", "!", "-", "^"
_KINDS = frozenset({PARALLEL, REDUCTION, "window"})
_VECTOR = "vector"
_CONSTANT = "arith.constant"
_SUMS = frozenset({"affine.apply", "arith.addi", "arith.subi"})
"""Operations whose distance to another value MLIR may know."""
_KIND = re.compile(r'"(\w+)"|#linalg\.iterator_type<(\w+)>', re.ASCII)


class Loops:
    """The loops of one structured operation. Unknown properties are None."""

    def __init__(self, operation: PayloadOperation, catalogue: Catalogue, aliases: Mapping[str, str]) -> None:
        if operation.written is None and operation.made_by is None and operation.made_from is not None:
            operation = operation.made_from  # renamed, with the same loops
        self._operation = operation
        self._aliases = aliases
        found = operation.definition(catalogue)
        definition = found if found is not None and is_structured(found) else None
        self._indexing = definition.indexing if definition is not None else ()
        self._count = definition.loops if definition is not None else None
        """The number of loops by the operation's name."""
        self.operands: list[Value | None] | None = operands_of(operation) if definition is not None else None
        self.inputs = input_count(operation) if self.operands is not None else None
        """The number of inputs among the operands; the others are initial values."""
        self.inits = len(self.operands) - self.inputs if self.operands is not None and self.inputs is not None else None
        """The number of initial values."""

    @cached_property
    def count(self) -> int | None:
        if self._count is not None:
            return self._count
        if self._indexing:
            named = zip(self.operands or (), self._indexing_of_operands or (), strict=False)
            values = [value for value, indexing in named if indexing == _ALL]  # which all loops index
            sizes = dimensions(type_of(values[-1])) if values else None
            return len(sizes) if sizes is not None else None
        if self.kinds is not None:
            return len(self.kinds)
        maps = self._written_maps
        return maps[0][0] if maps else None

    @cached_property
    def kinds(self) -> tuple[str, ...] | None:
        """The kind of each loop: `PARALLEL`, `REDUCTION`, or another one."""
        if self._indexing:
            init = self._named_map(self._indexing[-1])
            if init is None or self.count is None:
                return None
            return tuple(PARALLEL if loop in init else REDUCTION for loop in range(self.count))
        if self.operands is None:
            return None
        spelled = own_attribute(self._operation, _ITERATORS, self._aliases)
        if spelled is None:
            return None
        kinds = tuple(first or other for first, other in _KIND.findall(spelled))
        is_whole = len(kinds) == len(split(spelled.strip()[1:-1])) and _KINDS.issuperset(kinds)
        return kinds if is_whole else None

    @cached_property
    def maps(self) -> tuple[IndexingMap | None, ...] | None:
        """The indexing map of each operand, or None for an unknown one."""
        if self.operands is None:
            return None
        if self._spelled_maps is not None:
            written = self._written_maps
            return tuple(own for _, own in written) if written is not None else None
        named = self._indexing_of_operands
        return tuple(map(self._named_map, named)) if named is not None and self.count is not None else None

    @property
    def _indexing_of_operands(self) -> list[str] | None:
        """The indexing of each operand in the definition."""
        if not self._indexing or self.operands is None or self.inputs is None:
            return None
        inputs, init = self._indexing[:-1], self._indexing[-1]
        named = [inputs[min(number, len(inputs) - 1)] if inputs else _UNKNOWN for number in range(self.inputs)]
        return named + [init] * (len(self.operands) - self.inputs)

    def _named_map(self, indexing: str) -> IndexingMap | None:
        """Return the map for the indexing of one operand in a definition (`OperationDefinition.indexing`)."""
        if indexing == _UNKNOWN or self.count is None:
            return None
        if indexing == _ALL:
            return tuple(range(self.count))
        if not indexing.startswith((_WITHOUT, _INVERSE)):
            return tuple(integer(digit) for digit in indexing)
        listed = list_of(self._operation, indexing[1:], self._aliases)
        if listed is None or len({*listed}) < len(listed) or not all(0 <= each < self.count for each in listed):
            return None
        if indexing.startswith(_WITHOUT):
            return tuple(loop for loop in range(self.count) if loop not in listed)
        return tuple(listed.index(loop) for loop in range(self.count)) if len(listed) == self.count else None

    @property
    def _spelled_maps(self) -> str | None:
        return own_attribute(self._operation, _MAPS, self._aliases)

    @cached_property
    def _written_maps(self) -> list[tuple[int, IndexingMap]] | None:
        """The written maps, each with its number of loops, or None if one is not known."""
        spelled = self._spelled_maps
        if spelled is None or self.operands is None:
            return None
        found = [affine_map(self._aliases.get(text, text)) for text in split(spelled.strip()[1:-1])]
        known = [(each.dimensions, each.results) for each in found if each is not None]
        if not len(known) == len(found) == len(self.operands):
            return None
        return [(len(loops), tuple(loops.index(each) if each in loops else None for each in of)) for loops, of in known]

    @cached_property
    def ranges(self) -> tuple[int, ...] | None:
        """The trip count of each loop, `DYNAMIC` for a dynamic size."""
        if self.maps is None or self.count is None or self.operands is None:
            return None
        ranges: list[int | None] = [None] * self.count
        for value, own in zip(self.operands, self.maps, strict=True):
            sizes = dimensions(type_of(value)) if own != () else ()
            if sizes is None or (own is None and DYNAMIC in sizes):
                return None
            if own is None:
                continue
            if len(sizes) != len(own):
                return None
            for loop, size in zip(own, sizes, strict=True):
                if loop is not None and ranges[loop] is None:
                    ranges[loop] = size
        known = tuple(size for size in ranges if size is not None)
        return known if len(known) == len(ranges) else None


def is_projected_permutation(own: IndexingMap) -> bool | None:
    """Whether a map has some loops, each once (`AffineMap::isProjectedPermutation`), or None if not known."""
    loops = [loop for loop in own if loop is not None]
    if len(set(loops)) < len(loops):
        return False
    return True if len(loops) == len(own) else None


def is_permutation(own: IndexingMap, count: int) -> bool | None:
    """Whether a map has each of `count` loops once (`AffineMap::isPermutation`), or None if not known."""
    return False if len(own) != count else is_projected_permutation(own)


def dimensions(canonical: str | None) -> tuple[int, ...] | None:
    """Return the sizes of a ranked tensor or memref, `DYNAMIC` for ``?``, or None for another type."""
    found = type_tree(canonical) if canonical is not None else None
    if found is None or found.dimensions is None or found.kind == _VECTOR:
        return None
    sizes = [DYNAMIC if size == "?" else integer(size) for size in found.dimensions]
    known = tuple(size for size in sizes if size is not None)
    return known if len(known) == len(sizes) else None


def element_of(canonical: str) -> str | None:
    """Return the element type of a ranked tensor or memref, or None for another type."""
    return type_tree(canonical).element.text if dimensions(canonical) is not None else None


def bounds_of(loop: PayloadOperation) -> tuple[int, ...] | None:
    """Return the upper bounds of a loop in normalized form, ``(%i, %j) in (8, %n)``, or None for another form."""
    if not loop.is_as_written:
        return None
    variables, closed, rest = loop.behind_name.lstrip().partition(")")
    rest = rest.lstrip()
    if not variables.startswith("(") or not closed or not rest.startswith("in"):
        return None
    opened, _, bounds = rest[2:].partition("(")
    if opened.strip():
        return None
    values = {value.shown: value for value in loop.written.operands if value is not None} if loop.written else {}
    found = [
        constant_of(values.get(bound)) if bound.startswith("%") else integer(bound)
        for bound in split(bounds.partition(")")[0])
    ]
    known = tuple(size for size in found if size is not None)
    return known if len(known) == len(found) else None


def trip_count(lower: int, upper: int, step: int) -> int | None:
    """Return the number of iterations of a loop, or None if a bound is `DYNAMIC`."""
    return None if DYNAMIC in (lower, upper, step) or step <= 0 else max(0, -((lower - upper) // step))


def constant_of(value: Value | None) -> int | None:
    """Return the integer of a constant (`getConstantIntValue`), `DYNAMIC` for another value, None in doubt."""
    maker = value.operation if value is not None else None
    if maker is None:
        return DYNAMIC if value is not None else None
    if maker.name == _CONSTANT:
        return integer((maker.spelled("value") or "").partition(":")[0].strip())
    is_in_doubt = maker.definition is None or maker.has_trait("ConstantLike") or maker.name in _SUMS
    return None if is_in_doubt else DYNAMIC
