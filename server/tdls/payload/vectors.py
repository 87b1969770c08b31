"""What MLIR verifies of the vector dialect: positions, permutations, shapes and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.payload.attributes import known_integers
from tdls.payload.checking import Problem, are_other, group_types, known_type, only_type, result_types
from tdls.payload.loops import DYNAMIC
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.payload.checking import Surroundings
    from tdls.semantic.model import Operation
    from tdls.syntax.types import Type


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


def shuffled(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that each number of a mask is that of an element of one of both vectors."""
    first, second = (only_type(group_types(payload, operation, name)) for name in ("v1", "v2"))
    numbers, attribute = operation.integers("mask"), operation.syntax.attribute("mask")
    if numbers is None or attribute is None or first is None or second is None:
        return
    sizes = [(each.dimensions or ("1",))[0] for each in (first, second)]
    if all(map(str.isdigit, sizes)):
        count = sum(map(int, sizes))
        wrong = next((number for number in numbers if number is not None and not -1 <= number < count), None)
        if wrong is not None:
            yield Problem(
                f"both vectors have {counted(count, 'element')}, so there is no element {wrong}", attribute.span
            )


def reshaped(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a shape is made of as many elements, a vector of other elements of as many bits."""
    source = only_type(group_types(payload, operation, "source"))
    result = only_type(result_types(payload, operation))
    if source is None or result is None or source.dimensions is None or result.dimensions is None:
        return
    is_same = source.count == result.count
    if operation.name == "vector.bitcast":
        widths = source.element.width, result.element.width
        if None in widths or not source.dimensions or not result.dimensions:
            return
        last = source.dimensions[-1], result.dimensions[-1]
        is_same = not all(map(str.isdigit, last)) or int(last[0]) * (widths[0] or 0) == int(last[1]) * (widths[1] or 0)
        is_same &= source.dimensions[:-1] == result.dimensions[:-1]
    elif source.count is None or result.count is None:
        return
    if not is_same or (operation.name != "vector.bitcast" and are_other(source.element, result.element)):
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


def reduced(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the accumulator has the dimensions that are not reduced."""
    source = only_type(group_types(payload, operation, "source"))
    target = only_type(group_types(payload, operation, "acc"))
    numbers = operation.integers("reduction_dims")
    if source is None or target is None or source.dimensions is None or numbers is None:
        return
    left = tuple(size for number, size in enumerate(source.dimensions) if number not in numbers)
    if left != (target.dimensions or ()) or are_other(source.element, target.element):
        message = f"`{operation.name}` cannot reduce a `{source.text}` to a `{target.text}`"
        yield Problem(message, operation.location)


def flat(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a reduction takes a vector of at most one dimension."""
    source = only_type(group_types(payload, operation, "vector"))
    if source is not None and source.dimensions is not None and len(source.dimensions) > 1:
        message = f"`{operation.name}` takes one dimension, but `{source.text}` has {len(source.dimensions)}"
        yield Problem(message, operation.location)


def masked(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a constant mask has a size for each dimension, and none that is larger."""
    result = only_type(result_types(payload, operation))
    sizes, attribute = operation.integers("mask_dim_sizes"), operation.syntax.attribute("mask_dim_sizes")
    if result is None or not result.dimensions or sizes is None or attribute is None:
        return
    if len(sizes) != len(result.dimensions):
        message = f"`{operation.name}` has {counted(len(sizes), 'size')}, but `{result.text}` has other dimensions"
        yield Problem(message, attribute.span)
        return
    for size, most in zip(sizes, result.dimensions, strict=True):
        if size is not None and most.isdigit() and not 0 <= size <= int(most):
            yield Problem(f"size {size} is out of range in `{result.text}`", attribute.span)
            return


def strided(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a slice of a vector is in it: as many offsets, sizes and strides, none out of range."""
    whole = only_type(group_types(payload, operation, "vector", "source"))
    if whole is None or whole.dimensions is None:
        return
    offsets, sizes, strides = (known_integers(operation.spelled(name)) for name in ("offsets", "sizes", "strides"))
    if offsets is None or sizes is None or strides is None:
        return
    if len({len(offsets), len(sizes), len(strides)}) > 1 or len(offsets) > len(whole.dimensions):
        shown = ", ".join(str(len(each)) for each in (offsets, sizes, strides))
        message = f"`{operation.name}` has {shown} offsets, sizes and strides for a `{whole.text}`"
        yield Problem(message, operation.location)
        return
    for offset, size, most in zip(offsets, sizes, whole.dimensions, strict=False):
        if most.isdigit() and not (0 <= offset < int(most) and 0 < size <= int(most) - offset):
            message = f"a slice at {offset} of {counted(size, 'element')} is out of range in `{whole.text}`"
            yield Problem(message, operation.location)
            return


def transfer(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a transfer says of each dimension of its vector whether it is in bounds."""
    vector: Type | None = only_type(group_types(payload, operation, "valueToStore", "vector"))
    if operation.name == "vector.transfer_read":
        vector = only_type(result_types(payload, operation))
    base = only_type(group_types(payload, operation, "base", "source"))
    if base is None or not base.is_shaped or base.element.is_shaped:
        return
    attribute = operation.syntax.attribute("in_bounds")
    spelled = attribute.value if attribute is not None else None
    if attribute is None or spelled is None or not spelled.startswith("["):
        return
    count = spelled.count("true") + spelled.count("false")
    if vector is not None and vector.dimensions is not None and count != len(vector.dimensions):
        dimensions = counted(len(vector.dimensions), "dimension")
        yield Problem(
            f"`in_bounds` has {counted(count, 'value')}, but `{vector.text}` has {dimensions}", attribute.span
        )
