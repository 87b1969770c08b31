"""What MLIR verifies of structured operations: operands, maps, bodies and results against each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.changed_operations import is_verified_otherwise
from tdls.payload.attributes import AffineMap, affine_map
from tdls.payload.checking import Problem, are_other, group_types, operand_types, pairs, result_types, types_of
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.payload.checking import Surroundings
    from tdls.semantic.model import Operation
    from tdls.syntax.types import Type

_SPELLED_MAP = re.compile(r"affine_map<[^<]*?\)\s*>|#[\w.$-]+", re.DOTALL)
_ITERATORS = ("parallel", "reduction", "window")


def structured_problems(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Yield what every MLIR rejects in an operation with the interface of structured operations."""
    types = operand_types(payload, operation)
    groups = list((operation.syntax.operand_groups or {}).values())
    if len(groups) != 2 or any(type_ is None for type_ in types):
        return
    is_mixed = {"tensor", "memref"} <= {type_.kind for type_ in types if type_ is not None}
    if is_mixed and is_verified_otherwise("tensors with buffers", payload.catalogue.target):
        yield Problem(f"`{operation.name}` has tensors and buffers, not only one of these", operation.location)
        return
    outputs = types[groups[1][0] : groups[1][1]]
    results = result_types(payload, operation)
    tensors = [type_ for type_ in outputs if type_ is not None and type_.kind == "tensor"]
    if results is not None and len(tensors) == len(outputs):
        yield from pairs(operation, results, tensors, "its `outs`", "result")
    if operation.name == "linalg.generic":
        yield from _generic(payload, operation, types)
    elif operation.name in _MOVED:
        yield from _moved(operation, types)
    elif operation.syntax.attribute("indexing_maps") is None:
        yield from _named(operation, types)


def contracted(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check the maps of `vector.contract` against its vectors."""
    types = [type_ for name in ("lhs", "rhs", "acc") for type_ in group_types(payload, operation, name)]
    if len(types) == len(operation.operands):
        yield from _indexed(payload, operation, types)


def _indexed(payload: Surroundings, operation: Operation, types: Sequence[Type | None]) -> Iterator[Problem]:
    """Check the kinds of iterators, and the maps of operands against their types."""
    iterators = operation.syntax.attribute("iterator_types")
    spelled = payload.attribute(operation, "iterator_types")
    kinds = re.findall(r'"([^"]*)"', spelled or "")
    if iterators is not None:
        for kind in kinds:
            if kind not in _ITERATORS:
                yield Problem(f'"{kind}" is not a kind of iterator: {", ".join(_ITERATORS)} are', iterators.span)
                return
    spelled_maps = _SPELLED_MAP.findall(payload.attribute(operation, "indexing_maps") or "")
    maps = [own for text in spelled_maps if (own := affine_map(payload.aliases.get(text, text))) is not None]
    if len(maps) == len(spelled_maps) and operation.syntax.attribute("indexing_maps") is not None:
        yield from _mapped(operation, types, maps, kinds if "#" not in (spelled or "#") else None)


def _generic(payload: Surroundings, operation: Operation, types: Sequence[Type | None]) -> Iterator[Problem]:
    yield from _indexed(payload, operation, types)
    block = operation.body
    if block is None:
        return
    elements = [type_.parts[0] if type_ is not None and type_.is_shaped else type_ for type_ in types]
    given = types_of(block.arguments)
    if len(given) != len(types):
        count = counted(len(types), "operand")
        message = f"the body takes {counted(len(given), 'argument')}, but the operation has {count}"
        yield Problem(message, operation.location)
    elif any(are_other(*pair) for pair in zip(given, elements, strict=True)):
        yield Problem("the arguments of the body are not the elements of the operands", operation.location)
    last = block.terminator
    if last is not None and last.name == "linalg.yield":
        begin, end = list((operation.syntax.operand_groups or {}).values())[1]
        wanted = elements[len(types) - (end - begin) :] if end > begin else []
        yield from pairs(last, types_of(last.operands), wanted, "the list of outputs")


def _mapped(
    operation: Operation, types: Sequence[Type | None], maps: Sequence[AffineMap], kinds: Sequence[str] | None
) -> Iterator[Problem]:
    if len(maps) != len(types):
        message = f"`{operation.name}` has {counted(len(types), 'operand')}, but {counted(len(maps), 'map')}"
        yield Problem(message, operation.location)
        return
    for (dimensions, symbols, results), type_ in zip(maps, types, strict=True):
        if symbols:
            yield Problem(f"a map of `{operation.name}` has symbols, which it cannot have", operation.location)
            return
        if kinds is not None and len(dimensions) != len(kinds):
            message = f"a map has {counted(len(dimensions), 'dimension')}, but there are {len(kinds)} iterators"
            yield Problem(message, operation.location)
            return
        if type_ is None or (type_.is_shaped and type_.dimensions is None):
            continue
        if len(results) != len(type_.dimensions or ()):
            message = f"a map has {counted(len(results), 'result')}, but its operand is a `{type_.text}`"
            yield Problem(message, operation.location)
            return
    loops = [
        [str(own.dimensions.index(part)) if part in own.dimensions else "?" for part in own.results] for own in maps
    ]
    used = {number for numbers in loops for number in numbers}
    unused = next((name for n, name in enumerate(maps[0].dimensions if maps else ()) if str(n) not in used), None)
    if unused is not None:
        message = f"no map of `{operation.name}` has `{unused}` by itself, so its size is not known"
        yield Problem(message, operation.location)
        return
    yield from _sizes(operation, types, loops)


def _named(operation: Operation, types: Sequence[Type | None]) -> Iterator[Problem]:
    """Check a named operation whose maps are known, such as `linalg.matmul`, or that computes each element."""
    definition = operation.definition
    indexing = definition.indexing if definition is not None else ()
    if indexing == _OF_ELEMENTS:
        rank = max((len(type_.dimensions or ()) for type_ in types if type_ is not None), default=0)
        indexing = ("".join(map(str, range(rank))),) * len(types)
        scalars = {type_.scalar.text: type_ for type_ in types if type_ is not None and type_.scalar.is_scalar}
        if operation.name in _OF_ONE_TYPE and len(scalars) > 1:
            first, second, *_ = (type_.text for type_ in scalars.values())
            message = f"`{operation.name}` needs one element type here, found `{first}` and `{second}`"
            yield Problem(message, operation.location)
            return
    if not indexing or any(not each.replace("?", "0").isdigit() for each in indexing if each):
        return
    if len(indexing) != len(types):
        wanted = counted(len(indexing), "operand")
        yield Problem(f"`{operation.name}` needs {wanted}, but has {len(types)}", operation.location)
        return
    for letters, type_ in zip(indexing, types, strict=True):
        if type_ is not None and type_.dimensions is not None and len(type_.dimensions) != len(letters):
            wanted = counted(len(letters), "dimension")
            message = f"`{operation.name}` needs {wanted} where it has a `{type_.text}`"
            yield Problem(message, operation.location)
            return
    yield from _sizes(operation, types, [list(letters) for letters in indexing])


_OF_ELEMENTS = ("*", "*")
_OF_ONE_TYPE = frozenset(
    f"linalg.{name}"
    for name in (
        *("abs", "add", "ceil", "div", "div_unsigned", "erf", "exp", "floor", "log", "max", "min", "mul", "negf"),
        *("powf", "reciprocal", "round", "rsqrt", "sqrt", "square", "sub", "tanh"),
    )
)
"""Operations on elements that do not cast."""


def _sizes(operation: Operation, types: Sequence[Type | None], loops: Sequence[Sequence[str]]) -> Iterator[Problem]:
    """Check that each loop has one size in all operands; MLIR does so only if all loops have static ones."""
    sizes: dict[str, tuple[str, Type]] = {}
    wrong = None
    for numbers, type_ in zip(loops, types, strict=True):
        for loop, size in zip(numbers, type_.dimensions or () if type_ is not None else (), strict=False):
            if type_ is None or loop == "?":
                continue
            known, other = sizes.setdefault(loop, (size, type_))
            if wrong is None and known != size and size.isdigit():
                wrong = f"a loop of `{operation.name}` is {known} in `{other.text}` and {size} in `{type_.text}`"
    if wrong is not None and None not in types and all(size.isdigit() for size, _ in sizes.values()):
        yield Problem(wrong, operation.location)


_MOVED = {"linalg.broadcast": "dimensions", "linalg.reduce": "dimensions", "linalg.transpose": "permutation"}
"""Operations that list dimensions, with the attribute that does."""


def _moved(operation: Operation, types: Sequence[Type | None]) -> Iterator[Problem]:
    """Check the listed dimensions, and that those of the input are those of the output at their places."""
    attribute = operation.syntax.attribute(_MOVED[operation.name])
    listed = [number for number in operation.integers(_MOVED[operation.name]) or () if number is not None]
    source, target = types[0], types[-1]
    if attribute is None or source is None or target is None or source.dimensions is None or target.dimensions is None:
        return
    many, few = (source, target) if operation.name != "linalg.broadcast" else (target, source)
    ranks = len(many.dimensions or ()), len(few.dimensions or ())
    wrong = next((number for number in listed if not 0 <= number < ranks[0]), None)
    if wrong is not None:
        message = f"`{many.text}` has no dimension {wrong}: its {counted(ranks[0], 'dimension')} count from 0"
        yield Problem(message, attribute.span)
        return
    is_permutation = operation.name == "linalg.transpose"
    if len(set(listed)) < len(listed) or (is_permutation and len(listed) != ranks[0]):
        what = f"is not a permutation of {counted(ranks[0], 'dimension')}" if is_permutation else "repeats a dimension"
        yield Problem(f"`{attribute.value}` {what}", attribute.span)
        return
    left = listed if is_permutation else [number for number in range(ranks[0]) if number not in listed]
    if len(left) != ranks[1]:
        message = f"`{operation.name}` with {counted(len(listed), 'dimension')} of a `{many.text}` gives {len(left)}"
        yield Problem(f"{message}, but the other side is a `{few.text}`", operation.location)
        return
    for number, size in zip(left, few.dimensions or (), strict=True):
        other = (many.dimensions or ())[number]
        if other != size and other.isdigit() and size.isdigit():
            message = f"dimension {number} of `{many.text}` does not fit the {size} of `{few.text}`"
            yield Problem(message, operation.location)
            return
