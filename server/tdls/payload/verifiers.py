"""What MLIR verifies of upstream's payload operations, as far as it holds for every version: one table by name.

A check here gets an operation that was read without a problem, in a form whose operands and types are known.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from math import prod
from typing import TYPE_CHECKING

from tdls.payload.attributes import AffineMap, affine_map
from tdls.payload.types import (
    Shaped,
    differ,
    elements_of,
    is_float,
    is_integer,
    is_type_known,
    may_be_equal,
    shaped,
    width,
)
from tdls.structs import Struct
from tdls.syntax import scanner
from tdls.syntax.parser.assembly.custom_payload_operations import ALIAS
from tdls.syntax.parser.assembly.format_reader import is_settled
from tdls.syntax.tree import Form
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Block, Operation, Value
    from tdls.syntax.tree import TypeUse
    from tdls.text.span import Span


class Surroundings(Struct, frozen=True):
    """The surroundings of an operation: its definitions, its types, and the symbols in reach."""

    catalogue: Catalogue
    canonical: Callable[[str], str]
    lookup: Callable[[Sequence[str], Operation], Operation | None]


class Problem(Struct, frozen=True):
    """What MLIR rejects, and where."""

    message: str
    place: Span


if TYPE_CHECKING:
    Check = Callable[[Surroundings, Operation], Iterator[Problem]]


def problems(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Yield what every MLIR rejects in an upstream operation."""
    definition = operation.definition
    if definition is None or not is_settled(definition) or operation.syntax.broken:
        return
    if operation.syntax.form is Form.STRUCTURAL:
        return
    yield from _structure(operation)
    if operation.syntax.form is Form.GENERIC:
        yield from _required(payload, operation)
    yield from _constraints(payload, operation)
    if "LinalgOp" in definition.traits:
        yield from _structured(payload, operation)
    for check in _CHECKS.get(operation.name, ()):
        yield from check(payload, operation)


# What the traits and constraints of a definition say


def _structure(operation: Operation) -> Iterator[Problem]:
    """Check the parent and the ends of blocks."""
    definition = operation.definition
    assert definition is not None
    parent, around = _PARENTS.get(operation.name), operation.parent
    if parent is not None and around is not None and around.definition is not None and around.name != parent:
        message = f"`{operation.name}` stands in `{around.name}`, but only `{parent}` takes it"
        yield Problem(message, operation.location)
    if not definition.regions:
        return
    implied = () if definition.written_body else ("SingleBlockImplicit",)
    if any(trait.startswith(("NoTerminator", "GraphRegion", *implied)) for trait in definition.traits):
        return
    for block in operation.blocks():
        last = block.terminator
        ends = last is None or last.definition is None or last.has_trait("IsTerminator") or last.syntax.broken
        if last is not None and not ends and last.definition is not None and last.definition.versions:
            message = f"`{last.name}` ends this block of `{operation.name}`, which needs a terminator"
            yield Problem(message, last.location)


_PARENTS = {
    "func.return": "func.func",
    "memref.atomic_yield": "memref.generic_atomic_rmw",
    "scf.condition": "scf.while",
    "scf.reduce.return": "scf.reduce",
}


def _required(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the generic form has the attributes that every version requires."""
    needed = [
        {each.name for each in variant.attributes if not each.optional and each.default is None}
        for variant in payload.catalogue.variants(operation.name)
    ]
    spelled = {attribute.name for attribute in operation.syntax.attributes}
    for name in sorted(set.intersection(*needed) - spelled if needed else ()):
        yield Problem(f"`{operation.name}` requires the attribute `{name}`", operation.location)


def _constraints(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check the types of operands and results against the constraints that all versions have."""
    definition, syntax = operation.definition, operation.syntax
    assert definition is not None
    sides = (
        (definition.operands, syntax.operand_groups, syntax.operand_types, "operand"),
        (definition.results, syntax.result_groups, syntax.result_types, "result"),
    )
    for groups, places, spelled, kind in sides:
        for group in groups if places is not None and spelled is not None else ():
            if group.constraint not in _KINDS and group.constraint not in _ELEMENTS:
                continue
            begin, end = (places or {}).get(group.name, (0, 0))
            types = [_whole(payload, each) for each in (spelled or ())[begin:end] if each is not None]
            wrong = next((each for each in types if each is not None and _is_against(group.constraint, each)), None)
            if wrong is not None and all(
                _is_against(each, wrong) for each in _same(payload, operation, kind, group.name)
            ):
                message = f"`{operation.name}` cannot have the type `{wrong}` for its {kind} `{group.name}`"
                yield Problem(message, operation.location)
                return


def _same(payload: Surroundings, operation: Operation, kind: str, name: str) -> list[str]:
    """Return the constraints of a group of operands or results in all versions."""
    variants = payload.catalogue.variants(operation.name)
    sides = (variant.operands if kind == "operand" else variant.results for variant in variants)
    return [group.constraint for side in sides for group in side if group.name == name]


def _is_against(constraint: str, type_: str) -> bool:
    """Tell whether a type certainly violates a constraint, by its name."""
    if _BUILTIN.match(type_) is None:
        return False
    kinds = _KINDS.get(constraint)
    if kinds is not None:
        return not type_.startswith(kinds)
    element = elements_of(type_)
    if element is None:
        return constraint in _ELEMENTS and type_.startswith(("memref", "tuple", "complex", "("))
    wanted = _ELEMENTS.get(constraint)
    return wanted is not None and not wanted(element)


_BUILTIN = re.compile(r"(?:tensor|memref|vector|complex|tuple)<|index$|[su]?i\d+$|b?f\d\w*$|\(")
_KINDS: dict[str, tuple[str, ...]] = {
    "AnyMemRef": ("memref<",),
    "AnyNon0RankedMemRef": ("memref<",),
    "AnyRankedOrUnrankedMemRef": ("memref<",),
    "AnyRankedTensor": ("tensor<",),
    "AnyTensor": ("tensor<",),
    "AnyVectorOfAnyRank": ("vector<",),
    "AnyVectorOfNonZeroRank": ("vector<",),
    "I1": ("i1",),
    "Index": ("index",),
    "TensorOrMemref": ("tensor<", "memref<"),
}
_ELEMENTS: dict[str, Callable[[str], bool]] = {
    "BoolLike": lambda element: element == "i1",
    "FloatLike": is_float,
    "SignlessFixedWidthIntegerLike": is_integer,
    "SignlessIntegerLike": lambda element: is_integer(element) or element == "index",
    "SignlessIntegerOrIndexLike": lambda element: is_integer(element) or element == "index",
    "AnySignlessIntegerOrIndex": lambda element: is_integer(element) or element == "index",
}


# Operations with types of values


def _types(values: Sequence[Value | None]) -> list[str | None]:
    return [value.type if value is not None and is_type_known(value) else None for value in values]


def _are_other(first: str | None, second: str | None) -> bool:
    return first is not None and second is not None and differ(first, second)


def _pairs(
    operation: Operation, given: Sequence[str | None], wanted: Sequence[str | None], what: str
) -> Iterator[Problem]:
    """Compare the types of operands with those that another place says, in number and one by one."""
    if len(given) != len(wanted):
        message = f"`{operation.name}` has {counted(len(given), 'operand')}, but {what} has {len(wanted)}"
        yield Problem(message, operation.location)
        return
    for number, (first, second) in enumerate(zip(given, wanted, strict=True)):
        if _are_other(first, second):
            message = f"operand #{number} of `{operation.name}` is a `{first}`, but {what} has `{second}`"
            yield Problem(message, operation.location)
            return


def _operand_types(payload: Surroundings, operation: Operation) -> list[str | None]:
    """Return the types of operands: those of the values, or else as spelled."""
    found = _types(operation.operands)
    spelled = operation.syntax.operand_types or ()
    pairs = zip_longest(found, spelled[: len(found)])
    return [known or (_whole(payload, each) if each is not None else None) for known, each in pairs]


def _results_of(payload: Surroundings, operation: Operation) -> list[str | None] | None:
    types = operation.syntax.result_types
    return [_whole(payload, each) for each in types] if types is not None else None


def _whole(payload: Surroundings, type_: TypeUse) -> str | None:
    """Return the canonical text of a type; None if the text has only its parameters."""
    return payload.canonical(type_.text) if not type_.text.startswith("<") else None


def _returned(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    around = operation.parent
    if around is None or around.name != "func.func" or around.syntax.signature is None or around.syntax.broken:
        return
    wanted = [payload.canonical(each.text) for each in around.syntax.signature.results]
    yield from _pairs(operation, _operand_types(payload, operation), wanted, f"`@{around.syntax.symbol_name}`")


def _yielded(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    around = operation.parent
    if around is None or around.syntax.broken or around.syntax.form is Form.STRUCTURAL or around.name not in _YIELDING:
        return
    if around.name == "scf.while":
        values = around.group("inits") if operation.block is not None and operation.block.region.index else None
        wanted = _types(values) if values is not None else None
    else:
        wanted = _results_of(payload, around)
    if wanted is not None:
        yield from _pairs(operation, _operand_types(payload, operation), wanted, f"`{around.name}`")


_YIELDING = ("scf.for", "scf.if", "scf.while", "scf.execute_region", "affine.for", "affine.if")


def _ends_with_values(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that each block of an operation with results yields: MLIR adds only a terminator without operands."""
    if not _results_of(payload, operation):
        return
    regions = [region for region in operation.regions if region.blocks]
    if operation.name in ("scf.if", "affine.if") and len(regions) < 2:
        yield Problem(f"`{operation.name}` has results, so it needs an `else` region", operation.location)
    for block in (region.blocks[-1] for region in regions):
        last = block.terminator
        if last is None or (last.definition is not None and not last.has_trait("IsTerminator")):
            place = last.location if last is not None else operation.location
            yield Problem(f"this region of `{operation.name}` does not end with the values that it yields", place)


def _called(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    use = next(iter(operation.syntax.symbols), None)
    callee = payload.lookup(use.path, operation) if use is not None else None
    if callee is None or callee.name != "func.func" or callee.syntax.signature is None or callee.syntax.broken:
        return
    signature, name = callee.syntax.signature, f"`@{callee.syntax.symbol_name}`"
    wanted = [payload.canonical(each.type.text) if each.type is not None else None for each in signature.arguments]
    found = list(_pairs(operation, _operand_types(payload, operation), wanted, name))
    yield from found
    results = _results_of(payload, operation)
    returned = [payload.canonical(each.text) for each in signature.results]
    if results is not None and not found and len(results) != len(returned):
        message = f"`{operation.name}` has {counted(len(results), 'result')}, but {name} has {len(returned)}"
        yield Problem(message, operation.location)
    elif results is not None and not found:
        pairs = (pair for pair in zip(results, returned, strict=True) if _are_other(*pair))
        for first, second in pairs:
            yield Problem(
                f"a result of `{operation.name}` is a `{first}`, but {name} has `{second}`", operation.location
            )


def _branches(*groups: str) -> Check:
    """Return the check that the operands of each group fit the arguments of the successor of the same number."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        del payload
        if operation.syntax.operand_groups is None or operation.block is None:
            return
        labels = {block.syntax.label: block for block in operation.block.region.blocks}
        for successor, group in zip(operation.syntax.successors, groups, strict=False):
            target: Block | None = labels.get(successor.label)
            if target is None or any(argument.type is None for argument in target.arguments):
                continue
            given = _types(operation.group(group))
            yield from _pairs(operation, given, _types(target.arguments), f"`{successor.label}`")

    return check


def _indexed(group: str, shape: str) -> Check:
    """Return the check that an operation has as many indices as its shaped operand has dimensions."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        groups = operation.syntax.operand_groups or {}
        begin, end = groups.get(shape, (0, 0))
        if end != begin + 1 or group not in groups:
            return
        type_ = _operand_types(payload, operation)[begin]
        found = shaped(type_) if type_ is not None else None
        if found is None or found.dimensions is None:
            return
        count = groups[group][1] - groups[group][0]
        if count != len(found.dimensions):
            wanted = counted(len(found.dimensions), "dimension")
            given = "1 index" if count == 1 else f"{count} indices"
            yield Problem(f"`{operation.name}` has {given}, but `{type_}` has {wanted}", operation.location)

    return check


def _cast(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check a cast of values: same shape; more or fewer bits as its name says."""
    types, results = _operand_types(payload, operation), _results_of(payload, operation)
    if len(types) != 1 or types[0] is None or not results or results[0] is None:
        return
    if operation.syntax.operand_types and operation.syntax.operand_types[0] is not None:
        types = [payload.canonical(operation.syntax.operand_types[0].text)]
    before, after = types[0], results[0]
    assert before is not None
    first, second = shaped(before), shaped(after)
    elements = (elements_of(before), elements_of(after))
    if None in elements:
        return
    name = operation.name.partition(".")[2]
    wrong = False
    if name == "cast":
        wrong = first is None or second is None or not _are_compatible(first, second)
    else:
        wrong = (first is None) != (second is None)
        if first is not None and second is not None:
            wrong = first.kind != second.kind or not _fit(first.dimensions, second.dimensions)
        bits = (width(elements[0] or ""), width(elements[1] or ""))
        if name in _NARROWER and None not in bits:
            wrong |= (bits[0] or 0) <= (bits[1] or 0) if _NARROWER[name] else (bits[0] or 0) >= (bits[1] or 0)
        if name in ("index_cast", "index_castui"):
            wrong |= (elements[0] == "index") == (elements[1] == "index")
    if wrong:
        yield Problem(f"`{operation.name}` cannot make a `{after}` of a `{before}`", operation.location)


_NARROWER = {"extf": False, "extsi": False, "extui": False, "truncf": True, "trunci": True}


def _are_compatible(first: Shaped, second: Shaped) -> bool:
    return first.kind == second.kind and first.element == second.element and _fit(first.dimensions, second.dimensions)


def _fit(first: tuple[str, ...] | None, second: tuple[str, ...] | None) -> bool:
    if first is None or second is None:
        return True
    return len(first) == len(second) and all(map(may_be_equal, first, second))


_GROUP = re.compile(r"\[([\d, ]*)\]")


def _reshaped(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that each group of a reassociation has the size of the dimension that it becomes."""
    types, results = _operand_types(payload, operation), _results_of(payload, operation)
    value = operation.spelled("reassociation")
    if not types or types[0] is None or not results or results[0] is None or value is None:
        return
    sides = shaped(types[0]), shaped(results[0])
    groups = [[int(part) for part in each.split(",") if part.strip()] for each in _GROUP.findall(value)]
    many, few = (sides[1], sides[0]) if "expand" in operation.name else sides
    if many is None or few is None or not many.dimensions or not few.dimensions:
        return
    text = f"`{operation.name}` cannot make a `{results[0]}` of a `{types[0]}`"
    flat = [number for group in groups for number in group]
    if many.element != few.element or len(groups) != len(few.dimensions) or flat != list(range(len(many.dimensions))):
        yield Problem(text, operation.location)
        return
    for group, size in zip(groups, few.dimensions, strict=True):
        parts = [many.dimensions[number] for number in group]
        if all(map(str.isdigit, (size, *parts))) and prod(map(int, parts)) != int(size):
            yield Problem(f"{text}: {' times '.join(parts)} is not {size}", operation.location)
            return


# Structured operations

_ITERATORS = ("parallel", "reduction", "window")


def _maps(value: str) -> list[AffineMap] | None:
    """Return each map in a list; None where one is an alias."""
    spelled = re.findall(r"affine_map<[^<]*?\)\s*>|#[\w.$-]+", value, re.DOTALL)
    known = [own for text in spelled if (own := affine_map(text)) is not None]
    return known if len(known) == len(spelled) else None


def _structured(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check operands, maps, body and results of a structured operation against each other."""
    types = _operand_types(payload, operation)
    groups = list((operation.syntax.operand_groups or {}).values())
    if len(groups) != 2 or any(type_ is None for type_ in types):
        return
    outputs = types[groups[1][0] : groups[1][1]]
    results = _results_of(payload, operation)
    tensors = [type_ for type_ in outputs if type_ is not None and type_.startswith("tensor")]
    if results is not None and len(tensors) == len(outputs):
        if len(results) != len(tensors):
            message = f"`{operation.name}` has {counted(len(tensors), 'output')}, but {len(results)} result types"
            yield Problem(message, operation.location)
            return
        for first, second in zip(results, tensors, strict=True):
            if _are_other(first, second):
                message = f"a result of `{operation.name}` is a `{first}`, but its output is a `{second}`"
                yield Problem(message, operation.location)
                return
    if operation.name == "linalg.generic":
        yield from _generic(operation, types)
    elif operation.syntax.attribute("indexing_maps") is None:
        yield from _named(operation, types)


def _generic(operation: Operation, types: Sequence[str | None]) -> Iterator[Problem]:
    iterators = operation.syntax.attribute("iterator_types")
    kinds = re.findall(r'"([^"]*)"', iterators.value or "") if iterators is not None else []
    if iterators is not None:
        for kind in kinds:
            if kind not in _ITERATORS:
                yield Problem(f'"{kind}" is no kind of iterator: {", ".join(_ITERATORS)} are', iterators.span)
                return
    is_spelled = "#" not in (operation.spelled("iterator_types") or "#")
    maps = _maps(operation.spelled("indexing_maps") or "")
    if maps is not None and operation.syntax.attribute("indexing_maps") is not None:
        yield from _mapped(operation, types, maps, kinds if is_spelled else None)
    block = next(operation.blocks(), None)
    if block is None:
        return
    elements = [found.element if (found := shaped(type_ or "")) is not None else type_ for type_ in types]
    given = _types(block.arguments)
    if len(given) != len(types):
        count = counted(len(types), "operand")
        yield Problem(
            f"the body takes {counted(len(given), 'argument')}, but the operation has {count}", operation.location
        )
    elif any(_are_other(*pair) for pair in zip(given, elements, strict=True)):
        yield Problem("the arguments of the body are not the elements of the operands", operation.location)
    last = block.terminator
    if last is not None and last.name == "linalg.yield":
        wanted = elements[len(types) - _output_count(operation) :]
        yield from _pairs(last, _types(last.operands), wanted, "the list of outputs")


def _output_count(operation: Operation) -> int:
    begin, end = list((operation.syntax.operand_groups or {}).values())[1]
    return end - begin


def _mapped(
    operation: Operation, types: Sequence[str | None], maps: Sequence[AffineMap], kinds: Sequence[str] | None
) -> Iterator[Problem]:
    if len(maps) != len(types):
        message = f"`{operation.name}` has {counted(len(types), 'operand')}, but {counted(len(maps), 'map')}"
        yield Problem(message, operation.location)
        return
    for (dimensions, _, results), type_ in zip(maps, types, strict=True):
        found = shaped(type_ or "")
        rank = len(found.dimensions) if found is not None and found.dimensions is not None else 0
        if kinds is not None and len(dimensions) != len(kinds):
            message = f"a map has {counted(len(dimensions), 'dimension')}, but there are {len(kinds)} iterators"
            yield Problem(message, operation.location)
            return
        if (found is None or found.dimensions is not None) and len(results) != rank:
            yield Problem(
                f"a map has {counted(len(results), 'result')}, but its operand is a `{type_}`", operation.location
            )
            return
    places = [
        [str(own.dimensions.index(part)) if part in own.dimensions else "?" for part in own.results] for own in maps
    ]
    yield from _sizes(operation, types, places)


def _named(operation: Operation, types: Sequence[str | None]) -> Iterator[Problem]:
    """Check the sizes of a named operation whose maps are known, such as `linalg.matmul`."""
    definition = operation.definition
    indexing = definition.indexing if definition is not None else ()
    if not indexing or len(indexing) != len(types) or any(not each.isdigit() for each in indexing if each):
        return
    for letters, type_ in zip(indexing, types, strict=True):
        found = shaped(type_ or "")
        if found is not None and found.dimensions is not None and len(found.dimensions) != len(letters):
            message = f"`{operation.name}` needs {counted(len(letters), 'dimension')} where it has a `{type_}`"
            yield Problem(message, operation.location)
            return
    yield from _sizes(operation, types, [list(letters) for letters in indexing])


def _sizes(operation: Operation, types: Sequence[str | None], places: Sequence[Sequence[str]]) -> Iterator[Problem]:
    """Check that each loop has one size in all operands."""
    sizes: dict[str, tuple[str, str | None]] = {}
    for loops, type_ in zip(places, types, strict=True):
        found = shaped(type_ or "")
        for loop, size in zip(loops, found.dimensions or () if found is not None else (), strict=False):
            if loop == "?" or not size.isdigit():
                continue
            known, other = sizes.setdefault(loop, (size, type_))
            if known != size:
                yield Problem(
                    f"a loop of `{operation.name}` is {known} in `{other}` and {size} in `{type_}`", operation.location
                )
                return


def _sliced(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that offsets, sizes and strides are as many as the dimensions of what is sliced."""
    lists = [operation.spelled(name) for name in ("static_offsets", "static_sizes", "static_strides")]
    tokens = [scanner.scan(text) for text in lists if text is not None and text.startswith("[")]  # without comments
    counts = [each.kinds.count(",") + (each.count > len("[]")) for each in tokens]
    groups = operation.syntax.operand_groups or {}
    begin, end = groups.get("dest") or groups.get("source", (0, 0))
    type_ = _operand_types(payload, operation)[begin] if end == begin + 1 else None
    found = shaped(type_) if type_ is not None else None
    ranks = {len(found.dimensions)} if found is not None and found.dimensions is not None else set()
    if len(ranks.union(counts)) > 1:
        shown = ", ".join(map(str, counts))
        message = f"`{operation.name}` has {shown} offsets, sizes and strides for a `{type_}`"
        yield Problem(message, operation.location)


def _counted(of_rank: bool) -> Check:
    """Return the check that a result has an operand for each dimension, or for each element."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        results = _results_of(payload, operation)
        found = shaped(results[0] or "") if results else None
        if found is None or found.dimensions is None or not all(map(str.isdigit, found.dimensions)):
            return
        wanted = len(found.dimensions) or 1
        if not of_rank:
            wanted = prod(map(int, found.dimensions))
        if wanted != len(operation.operands):
            given = counted(len(operation.operands), "operand")
            yield Problem(f"`{operation.name}` has {given}, but its result needs {wanted}", operation.location)

    return check


def _transferred(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the padding of a transfer is an element of what is read, or of the vector."""
    del payload
    base, padding = operation.group("base") or operation.group("source"), operation.group("padding")
    types = (*_types(base), *_types(padding))
    if len(types) != 2 or types[0] is None or types[1] is None:
        return
    found = shaped(types[0])
    if found is not None and _are_other(types[1], found.element):
        yield Problem(f"the padding is a `{types[1]}`, but the elements are `{found.element}`", operation.location)


def _has(*names: str) -> Check:
    """Return the check that an operation has all of these attributes, unless an alias stands for them."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        del payload
        absent = [name for name in names if operation.syntax.attribute(name) is None]
        if absent and operation.syntax.attribute(ALIAS) is None:
            yield Problem(f"`{operation.name}` requires the attribute `{absent[0]}`", operation.location)

    return check


def _applied(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a map has as many operands as dimensions and symbols, and names no others."""
    del payload
    own = affine_map(operation.spelled("map") or "")
    if own is None:
        return
    names = [*own.dimensions, *own.symbols]
    words = re.findall(r"[A-Za-z_]\w*", ",".join(own.results))
    unknown = next((word for word in words if word not in (*names, *_MAP_WORDS)), None)
    place = operation.syntax.attribute("map")
    if unknown is not None and place is not None:
        yield Problem(f"the map has no dimension or symbol `{unknown}`", place.span)
    elif len(names) != len(operation.operands):
        count = counted(len(operation.operands), "operand")
        yield Problem(f"the map takes {counted(len(names), 'operand')}, but has {count}", operation.location)


_MAP_WORDS = ("mod", "floordiv", "ceildiv")
_RESULTS = (_ends_with_values,)

_CHECKS: dict[str, tuple[Check, ...]] = {
    "affine.apply": (_applied,),
    "affine.for": _RESULTS,
    "affine.if": _RESULTS,
    "affine.max": (_applied,),
    "affine.min": (_applied,),
    "affine.yield": (_yielded,),
    **{f"arith.{name}": (_cast,) for name in ("index_cast", "index_castui", "sitofp", "uitofp", "fptosi", "fptoui")},
    **{f"arith.{name}": (_cast,) for name in _NARROWER},
    "cf.br": (_branches("destOperands"),),
    "cf.cond_br": (_branches("trueDestOperands", "falseDestOperands"),),
    "func.call": (_called,),
    "func.return": (_returned,),
    "linalg.generic": (_has("indexing_maps", "iterator_types"),),
    "memref.load": (_indexed("indices", "memref"),),
    "memref.store": (_indexed("indices", "memref"),),
    "scf.for": _RESULTS,
    "scf.if": _RESULTS,
    "scf.yield": (_yielded,),
    "tensor.cast": (_cast,),
    "tensor.collapse_shape": (_reshaped,),
    "tensor.expand_shape": (_reshaped,),
    "tensor.extract": (_indexed("indices", "tensor"),),
    "tensor.insert": (_indexed("indices", "dest"),),
    "memref.subview": (_sliced,),
    "tensor.extract_slice": (_sliced,),
    "tensor.from_elements": (_counted(of_rank=False),),
    "tensor.insert_slice": (_sliced,),
    "tensor.parallel_insert_slice": (_sliced,),
    "vector.contract": (_has("indexing_maps", "iterator_types"),),
    "vector.create_mask": (_counted(of_rank=True),),
    "vector.from_elements": (_counted(of_rank=False),),
    "vector.load": (_indexed("indices", "base"),),
    "vector.store": (_indexed("indices", "base"),),
    "vector.extract_strided_slice": (_has("offsets", "sizes", "strides"),),
    "vector.insert_strided_slice": (_has("offsets", "strides"),),
    "vector.transfer_read": (_transferred, _indexed("indices", "base"), _indexed("indices", "source")),
    "vector.transfer_write": (_indexed("indices", "base"), _indexed("indices", "source")),
}
"""By the name of the operation."""
