"""Computes the loops of structured payload operations, and tells which numbers of a script do not fit them.

Kinds of loops, indexing maps of operands, and trip counts; sizes, orders and numbers of threads.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from tdls.catalogue.model import EffectSource, LoopFit
from tdls.payload.attributes import affine_map, list_of, own_attribute, split
from tdls.payload.operations import input_count, is_structured, operands_of, type_of
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.structs import NamedTuple
from tdls.syntax.types import type_tree
from tdls.text.scanning import integer, integers_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tdls.catalogue.catalogue import Catalogue
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute

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
            return self._count_of_dimensions
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
    def _count_of_dimensions(self) -> int | None:
        """The number of loops by the dimensions of an operand that all loops index."""
        named = zip(self.operands or (), self._indexing_of_operands or (), strict=False)
        values = [value for value, indexing in named if indexing == _ALL]
        sizes = dimensions(type_of(values[-1])) if values else None
        return len(sizes) if sizes is not None else None

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


def misfit(attribute: NamedAttribute, fit: LoopFit, loops: frozenset[int]) -> str | None:
    """Return how the numbers of an attribute do not fit operations with these numbers of loops, or None if they do."""
    if fit is LoopFit.INDEX:
        number = integer((attribute.value or "").partition(":")[0].strip())
        if number is None or not loops or number < max(loops):
            return None
        return f"the dimension {number} is asked for, which counts from 0"
    given = integers_in(attribute.value or "")
    if given is None or not loops or (fit is LoopFit.EACH_OR_NONE and not given):
        return None
    count = len(given)
    if count <= max(loops) if fit is LoopFit.AT_MOST else count in loops:
        return None
    noun = "size" if "size" in attribute.name else "number"
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'} {'is' if count == 1 else 'are'} given here"


# Numbers that parameters of a script pass to its operations: MLIR casts their attributes to integers without a look


_CONSTRAINT = "TransformAnyParamTypeOrAnyHandle"
"""Of operands that are integers: parameters, or handles to operations that compute them."""
_SIZE = re.compile("sizes|num_threads")
"""What the name of an operand contains that cannot be negative."""
_CONSTANTS = {"transform.param.constant": "value", "transform.tune.knob": "selected"}
"""Operations whose attribute is what the parameter in their result holds."""
_INTEGER = re.compile(r"(-?)(?:\d+|0x[\da-fA-F]+)(?:\s*:\s*(?:[su]?i\d+|index))?", re.ASCII)
_OTHER = re.compile(
    r'["\[{@!]|true$|unit$|-?\d[\w.+-]*\s*:\s*\w*f|-?\d+\.|(array|dense|affine_map)\s*<|([su]?i|b?f)\d+$|index$',
    re.ASCII,
)
"""The beginning of an attribute that is certainly not an integer; an alias or an attribute of a dialect may be one."""


class NumberUse(NamedTuple):
    """An operand of a script operation that has to be an integer."""

    operand: int
    value: Value
    is_size: bool

    def misfit(self, attributes: str) -> str | None:
        """Return why `attributes`, which the parameter holds, do not fit, or None."""
        for attribute in split(attributes):
            match = _INTEGER.fullmatch(attribute)
            if match is None and _OTHER.match(attribute) is not None:
                reason = "MLIR crashes, or computes with what lies in memory"
                return f"`{self.value.shown}` is `{attribute}`, but has to be an integer: {reason}"
            if match is not None and match[1] and self.is_size:
                return f"`{self.value.shown}` is `{attribute}`, but a size cannot be negative"
        return None


def number_uses(operation: Operation, catalogue: Catalogue) -> Iterator[NumberUse]:
    """Yield the parameters of an operation of upstream that have to hold integers."""
    definition, groups = operation.definition, operation.syntax.operand_groups or {}
    for operand in definition.operands if definition is not None and definition.versions else ():
        if operand.constraint == _CONSTRAINT:
            for index in range(*groups.get(operand.name, (0, 0))):
                value = operation.operands[index]
                if value is not None and kind_of(catalogue, value.type) is HandleKind.PARAMETERS:
                    yield NumberUse(index, value, _SIZE.search(operand.name) is not None)


def held_constant(value: Value) -> str | None:
    """Return the attribute that a parameter holds, or None if not known."""
    while value.operation is None and value.owner is not None:
        loop = value.owner
        is_loop = loop.definition is not None and loop.definition.effect_source is EffectSource.REGION
        source = loop.operands[value.index] if is_loop and value.index < len(loop.operands) else None
        if source is None:
            return None
        value = source
    name = _CONSTANTS.get(value.operation.name) if value.operation is not None else None
    return value.operation.spelled(name) if value.operation is not None and name is not None else None
