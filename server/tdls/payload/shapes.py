"""What MLIR verifies of shapes: indices, slices, reshapes, bodies that compute elements, and parts of vectors."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from tdls.catalogue.changed_operations import is_verified_otherwise
from tdls.payload.attributes import affine_map, split
from tdls.payload.checking import (
    Problem,
    are_other,
    group_types,
    known_type,
    only_type,
    operand_types,
    result_types,
    types_of,
)
from tdls.payload.loops import DYNAMIC
from tdls.structs import NamedTuple
from tdls.syntax.tree import Form
from tdls.text.scanning import integer
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.payload.checking import Check, Surroundings
    from tdls.semantic.model import Operation
    from tdls.syntax.types import Type


def indexed(group: str, *shaped: str) -> Check:
    """Return the check that an operation has as many indices as its shaped operand has dimensions."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        groups = operation.syntax.operand_groups or {}
        if group in groups:
            count = groups[group][1] - groups[group][0]
            yield from _indices(operation, count, only_type(group_types(payload, operation, *shaped)))

    return check


def subscripted(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that an affine access has an expression for each dimension of its buffer, each of single values."""
    attribute = operation.syntax.attribute("map")
    spelled = attribute.value if attribute is not None else None
    if attribute is not None and spelled is not None and spelled.startswith("["):
        if _NUMBERED.search(spelled):
            yield Problem("a subscript cannot have one of several results, such as `%a#0`", attribute.span)
        else:
            count = len(split(spelled[1:-1]))
            yield from _indices(operation, count, only_type(group_types(payload, operation, "memref")))


_NUMBERED = re.compile(r"%[\w$.-]+#\d", re.ASCII)


def _indices(operation: Operation, count: int, type_: Type | None) -> Iterator[Problem]:
    if type_ is not None and type_.dimensions is not None and count != len(type_.dimensions):
        wanted = counted(len(type_.dimensions), "dimension")
        given = "1 index" if count == 1 else f"{count} indices"
        yield Problem(f"`{operation.name}` has {given}, but `{type_.text}` has {wanted}", operation.location)


def sized(group: str) -> Check:
    """Return the check that an operation has as many sizes as its result has dynamic dimensions."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        groups = operation.syntax.operand_groups or {}
        type_ = only_type(result_types(payload, operation))
        if type_ is None or type_.dimensions is None or group not in groups or operation.group("copy"):
            return
        count, wanted = groups[group][1] - groups[group][0], type_.dimensions.count("?")
        if count != wanted:
            given = "1 size" if count == 1 else f"{count or 'no'} sizes"
            message = f"`{operation.name}` has {given}, but `{type_.text}` has {wanted or 'no'} dynamic ones"
            yield Problem(message, operation.location)

    return check


def counted_elements(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a result has an operand for each element."""
    type_ = only_type(result_types(payload, operation))
    if type_ is not None and type_.count is not None and type_.count != len(operation.operands):
        given = counted(len(operation.operands), "operand")
        yield Problem(f"`{operation.name}` has {given}, but its result needs {type_.count}", operation.location)


# Slices


class _Layout(NamedTuple):
    """The offset and the strides of a buffer, None where they are dynamic."""

    offset: int | None
    strides: list[int | None]

    def __str__(self) -> str:
        strides = ", ".join("?" if each is None else str(each) for each in self.strides)
        offset = "" if self.offset == 0 else f", offset: {'?' if self.offset is None else self.offset}"
        return f"strided<[{strides}]{offset}>"

    def of_slice(self, offsets: Sequence[str], steps: Sequence[str]) -> _Layout:
        strides = [_product(stride, integer(step)) for stride, step in zip(self.strides, steps, strict=True)]
        moves = [_product(stride, integer(offset)) for stride, offset in zip(self.strides, offsets, strict=True)]
        known = [move for move in (self.offset, *moves) if move is not None]
        return _Layout(sum(known) if len(known) > len(moves) else None, strides)

    def is_other(self, other: _Layout) -> bool:
        """Whether two layouts differ in a number that both have."""
        pairs = ((self.offset, other.offset), *zip(self.strides, other.strides, strict=True))
        return any(one is not None and two is not None and one != two for one, two in pairs)


def _layout_of(type_: Type) -> _Layout | None:
    """Return the layout of a buffer that has none or a strided one, None for others and for tensors."""
    spelled, dimensions = type_.parameters[0] if type_.parameters else "", type_.dimensions or ()
    strided = _STRIDED.fullmatch(spelled)
    if strided is not None:
        strides = [integer(each.strip()) for each in strided[1].split(",") if each.strip()]
        return _Layout(integer(strided[2] or "0"), strides) if len(strides) == len(dimensions) else None
    if type_.kind != "memref" or spelled.startswith(("#", "affine_map", "strided")):
        return None
    usual: list[int | None] = [1] if dimensions else []
    for size in reversed(dimensions[1:]):
        usual.append(_product(usual[-1], integer(size)))
    return _Layout(0, usual[::-1])


def _product(first: int | None, second: int | None) -> int | None:
    if first is None or second is None:
        return 0 if 0 in (first, second) else None
    return first * second


_STRIDED = re.compile(r"strided<\[([\d?, ]*)\](?:, offset: ?(\d+|\?))?>", re.ASCII)
_OF_SLICES = ("static_offsets", "static_sizes", "static_strides")


def sliced(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check offsets, sizes and strides against what is sliced, and the type of the slice against them."""
    offsets, sizes, steps = (_listed(operation, name) for name in _OF_SLICES)
    whole = only_type(group_types(payload, operation, "dest", "source"))
    if whole is None or whole.dimensions is None or offsets is None or sizes is None or steps is None:
        return
    if {len(offsets), len(sizes), len(steps)} != {len(whole.dimensions)}:
        yield _miscounted(operation, (offsets, sizes, steps), whole)
        return
    is_inserted = "insert" in operation.name
    types = group_types(payload, operation, "source") if is_inserted else result_types(payload, operation)
    part = only_type(types)
    if part is None or part.dimensions is None:
        return
    is_exact = is_verified_otherwise("layouts of slices", target := payload.catalogue.target)
    own, layout, kept = _layout_of(whole), _layout_of(part), _kept(sizes, part.dimensions)
    expected = own.of_slice(offsets, steps) if own is not None and layout is not None else None
    is_other = kept is None
    if kept is not None and expected is not None and layout is not None and (is_exact or target is None):
        is_clear = len(kept) == len(sizes)  # else another dimension of size 1 may be the one that is left out
        clear = [each for each in kept if is_clear or sizes[each] != "1"]
        pairs = [(layout.strides[kept.index(each)], expected.strides[each]) for each in clear]
        pairs.append((layout.offset, expected.offset))
        is_other = any(one != two and (is_exact or None not in (one, two)) for one, two in pairs)
    for number, listed in enumerate(zip(offsets, sizes, steps, whole.dimensions, strict=True)):
        offset, size, step, end = map(integer, listed)
        last = offset + (size - 1) * step if offset is not None and size is not None and step is not None else 0
        if end is not None and max(offset or 0, last) >= end and is_verified_otherwise("bounds of slices", target):
            yield Problem(f"this slice is out of bounds in dimension {number} of `{whole.text}`", operation.location)
    if is_other:
        right = f"{whole.kind}<{_spelled(sizes)}{whole.element.text}{f', {expected}' if expected is not None else ''}>"
        yield Problem(f"this slice of `{whole.text}` is a `{right}`, not a `{part.text}`", operation.location)


def _kept(sizes: Sequence[str], dimensions: Sequence[str]) -> list[int] | None:
    """Return which dimensions the type of a slice has, without some of size 1, or None if it does not fit."""
    kept: list[int] = []
    for number, size in enumerate(sizes):
        if dimensions[len(kept) : len(kept) + 1] == (size,):
            kept.append(number)
        elif size != "1":
            return None
    return kept if len(kept) == len(dimensions) else None


def reinterpreted(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check the offset, the sizes and the strides of a `memref.reinterpret_cast` against its result."""
    offsets, sizes, strides = (_listed(operation, name) for name in _OF_SLICES)
    type_ = only_type(result_types(payload, operation))
    if type_ is None or type_.dimensions is None or offsets is None or sizes is None or strides is None:
        return
    if len(offsets) != 1 or {len(sizes), len(strides)} != {len(type_.dimensions)}:
        yield _miscounted(operation, (offsets, sizes, strides), type_)
        return
    own, layout = _Layout(integer(offsets[0]), [integer(each) for each in strides]), _layout_of(type_)
    pairs = zip(sizes, type_.dimensions, strict=True)
    is_other = any(one != two and one.isdigit() and two.isdigit() for one, two in pairs)
    if is_other or (layout is not None and layout.is_other(own)):
        right = f"memref<{_spelled(sizes)}{type_.element.text}, {own}>"
        yield Problem(f"this makes a `{right}`, not a `{type_.text}`", operation.location)


def _miscounted(operation: Operation, lists: Sequence[Sequence[str]], type_: Type) -> Problem:
    counts = ", ".join(str(len(each)) for each in lists)
    message = f"`{operation.name}` has {counts} offsets, sizes and strides for a `{type_.text}`"
    return Problem(message, operation.location)


def _spelled(sizes: Sequence[str]) -> str:
    return "".join(f"{size}x" for size in sizes)


def _listed(operation: Operation, name: str) -> list[str] | None:
    """Return the elements of a list of integers and values, without comments; ``?`` for values."""
    spelled = operation.spelled(name)
    if spelled is None or not spelled.startswith("["):
        return None
    inside = _COMMENT.sub("", spelled[1:-1]).split(",")
    return ["?" if each.lstrip().startswith("%") else each.strip() for each in inside] if any(inside) else []


_COMMENT = re.compile(r"//[^\n]*")


# Reshapes and bodies


_GROUP = re.compile(r"\[([\d, ]*)\]")


def reshaped(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that each group of a reassociation has the size of the dimension that it becomes."""
    types, results = operand_types(payload, operation), result_types(payload, operation)
    value = operation.spelled("reassociation")
    if not types or types[0] is None or not results or results[0] is None or value is None:
        return
    groups = [[integer(part.strip()) for part in each.split(",") if part.strip()] for each in _GROUP.findall(value)]
    many, few = (results[0], types[0]) if "expand" in operation.name else (types[0], results[0])
    if not many.dimensions or not few.dimensions:
        return
    text = f"`{operation.name}` cannot make a `{results[0].text}` of a `{types[0].text}`"
    flat = [number for group in groups for number in group]
    is_whole = len(groups) == len(few.dimensions) and flat == list(range(len(many.dimensions)))
    if are_other(many.element, few.element) or not is_whole:
        yield Problem(text, operation.location)
        return
    shape = _listed(operation, "static_output_shape")
    if shape is not None and len(shape) != len(many.dimensions):
        yield Problem(f"`output_shape` has {counted(len(shape), 'size')} for a `{many.text}`", operation.location)
        return
    sizes = iter(many.dimensions)
    for group, size in zip(groups, few.dimensions, strict=True):
        parts = [next(sizes) for _ in group]
        if size != ("?" if "?" in parts else str(prod(map(int, parts)))):
            yield Problem(f"{text}: {' times '.join(parts)} is not {size}", operation.location)
            return


def computed(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the body takes an index for each dimension of the result, and yields an element of it."""
    result, body = only_type(result_types(payload, operation)), operation.body
    if body is None or result is None or result.dimensions is None:
        return
    if len(body.arguments) != len(result.dimensions):
        taken, wanted = counted(len(body.arguments), "argument"), counted(len(result.dimensions), "dimension")
        yield Problem(f"the body takes {taken}, but `{result.text}` has {wanted}", operation.location)
    last = body.terminator
    given = only_type(types_of(last.operands)) if last is not None else None
    if last is not None and given is not None and are_other(given, result.element):
        yield Problem(f"the body yields a `{given.text}`, not a `{result.element.text}`", last.location)


def extended(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that padding has a number for each dimension, and that the result has the sizes that it gives."""
    source, result = only_type(group_types(payload, operation, "source")), only_type(result_types(payload, operation))
    low, high = _listed(operation, "static_low"), _listed(operation, "static_high")
    if source is None or source.dimensions is None or low is None or high is None:
        return
    if {len(low), len(high)} != {len(source.dimensions)}:
        message = f"`{operation.name}` has {len(low)} and {len(high)} sizes of padding for a `{source.text}`"
        yield Problem(message, operation.location)
        return
    parts = [[integer(each) for each in sizes] for sizes in zip(source.dimensions, low, high, strict=True)]
    sizes = ["?" if None in each else str(sum(filter(None, each))) for each in parts]
    given = result.dimensions if result is not None else None
    if result is None or given is None or len(given) != len(sizes):
        return
    if any(size not in ("?", other) for size, other in zip(sizes, given, strict=True)):
        right = f"tensor<{_spelled(sizes)}{source.element.text}>"
        yield Problem(f"the padding makes a `{right}`, not a `{result.text}`", operation.location)


def packed(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the inner dimensions of a packed type are the tiles."""
    tiles, positions = _listed(operation, "static_inner_tiles"), operation.integers("inner_dims_pos")
    types = [only_type(group_types(payload, operation, name)) for name in ("source", "dest")]
    plain, whole = types if operation.name.endswith(".pack") else types[::-1]
    if plain is None or plain.dimensions is None or whole is None or whole.dimensions is None or tiles is None:
        return
    inner = whole.dimensions[len(plain.dimensions) :]
    is_counted = len(inner) == len(tiles) == len(tiles if positions is None else positions)
    if not is_counted or any(one != two and (one + two).isdigit() for one, two in zip(tiles, inner, strict=True)):
        message = f"tiles of {' and '.join(tiles)} do not make a `{whole.text}` of a `{plain.text}`"
        yield Problem(message, operation.location)


# Vectors


def extracted(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a position is in a vector, and holds a value of the type of the result."""
    source, result = only_type(group_types(payload, operation, "source")), only_type(result_types(payload, operation))
    yield from _position(operation, source)
    count = len(operation.integers("static_position") or ())
    if source is None or result is None or not source.dimensions or count > len(source.dimensions):
        return
    left = source.dimensions[count:]
    shapes = (left, ()) if left else ((), ("1",))
    allowed = [known_type(f"vector<{''.join(f'{size}x' for size in sizes)}{source.element.text}>") for sizes in shapes]
    if not left:
        allowed.append(source.element)
    if operation.has_attribute("static_position") and all(are_other(result, each) for each in allowed):
        message = f"this position of `{source.text}` does not hold a `{result.text}`"
        yield Problem(message, operation.location)


def inserted(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a position is in a vector, and leaves as many dimensions as the inserted value has."""
    target = only_type(group_types(payload, operation, "dest"))
    value = only_type(group_types(payload, operation, "valueToStore", "source"))
    yield from _position(operation, target)
    position = operation.integers("static_position")
    if target is None or value is None or not target.dimensions or not position or not value.is_builtin:
        return
    if len(position) <= len(target.dimensions) != len(position) + len(value.dimensions or ()):
        message = f"this position of `{target.text}` does not hold a `{value.text}`"
        yield Problem(message, operation.location)


def _position(operation: Operation, whole: Type | None) -> Iterator[Problem]:
    position, attribute = operation.integers("static_position"), operation.syntax.attribute("static_position")
    if position is None or attribute is None or whole is None or not whole.dimensions:
        return
    if len(position) > len(whole.dimensions):
        message = f"the position has {counted(len(position), 'number')}, but `{whole.text}` has fewer dimensions"
        yield Problem(message, attribute.span)
        return
    for number, size in zip(position, whole.dimensions, strict=False):
        if number not in (None, DYNAMIC) and size.isdigit() and not -1 <= (number or 0) < int(size):
            yield Problem(f"position {number} is out of range in `{whole.text}`", attribute.span)
            return


def transposed(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check the permutation of a transposition, and the sizes that it moves."""
    numbers, attribute = operation.integers("permutation"), operation.syntax.attribute("permutation")
    source = only_type(group_types(payload, operation, "vector"))
    result = only_type(result_types(payload, operation))
    if not numbers or attribute is None or source is None or source.dimensions is None:
        return
    if sorted(number for number in numbers if number is not None) != list(range(len(source.dimensions))):
        message = f"`{attribute.value}` is not a permutation of {counted(len(source.dimensions), 'dimension')}"
        yield Problem(message, attribute.span)
        return
    sizes = tuple(source.dimensions[number] for number in numbers if number is not None)
    if result is not None and result.dimensions is not None and result.dimensions != sizes:
        yield Problem(f"`{operation.name}` cannot make a `{result.text}` of a `{source.text}`", operation.location)


def reshaped_vector(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that another shape has as many elements of the same type."""
    source = only_type(group_types(payload, operation, "source"))
    result = only_type(result_types(payload, operation))
    if source is None or result is None or source.count is None or result.count is None:
        return
    if source.count != result.count or are_other(source.element, result.element):
        yield Problem(f"`{operation.name}` cannot make a `{result.text}` of a `{source.text}`", operation.location)


def broadcast(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the last dimensions of the result are those of the source, or stretch a single one."""
    source = only_type(group_types(payload, operation, "source"))
    result = only_type(result_types(payload, operation))
    if source is None or result is None or result.dimensions is None:
        return
    sizes = source.dimensions or ()
    pairs = list(zip(reversed(sizes), reversed(result.dimensions), strict=False))
    fits = len(sizes) <= len(result.dimensions) and all(one in (other, "1", "[1]") for one, other in pairs)
    element = source.element if source.is_shaped else source
    if not fits or are_other(element, result.element):
        yield Problem(f"`{operation.name}` cannot make a `{result.text}` of a `{source.text}`", operation.location)


def padded(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the padding of a transfer is an element of what is read, or of the vector."""
    base = only_type(group_types(payload, operation, "base", "source"))
    padding = only_type(types_of(operation.group("padding")))
    if base is not None and padding is not None and base.is_shaped and are_other(padding, base.element):
        message = f"the padding is a `{padding.text}`, but the elements are `{base.element.text}`"
        yield Problem(message, operation.location)


def transfer(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a transfer says of each dimension of its vector where it comes from, and whether it is in bounds."""
    vector: Type | None = only_type(group_types(payload, operation, "valueToStore", "vector"))
    if operation.name == "vector.transfer_read":
        vector = only_type(result_types(payload, operation))
    base = only_type(group_types(payload, operation, "base", "source"))
    if base is None or not base.is_shaped or base.element.is_shaped or base.dimensions is None:
        return
    if vector is None or vector.dimensions is None:
        return
    spelled = payload.attribute(operation, "permutation_map")
    own = affine_map(spelled) if spelled is not None else None
    if spelled is None and operation.syntax.form is Form.EXACT and len(vector.dimensions) > len(base.dimensions):
        message = f"`{vector.text}` has more dimensions than `{base.text}`, so a `permutation_map` is needed"
        yield Problem(message, operation.location)
    if own is not None and (len(own.dimensions), len(own.results)) != (len(base.dimensions), len(vector.dimensions)):
        message = f"`permutation_map` does not lead from a `{base.text}` to a `{vector.text}`"
        yield Problem(message, operation.location)
    attribute = operation.syntax.attribute("in_bounds")
    if attribute is None or attribute.value is None or not attribute.value.startswith("["):
        return
    count = attribute.value.count("true") + attribute.value.count("false")
    if count != len(vector.dimensions):
        dimensions = counted(len(vector.dimensions), "dimension")
        message = f"`in_bounds` has {counted(count, 'value')}, but `{vector.text}` has {dimensions}"
        yield Problem(message, attribute.span)
