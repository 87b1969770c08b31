"""What MLIR verifies of upstream's payload operations in every version: one table by name."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from tdls.payload import vectors
from tdls.payload.attributes import affine_map, split
from tdls.payload.checking import (
    Problem,
    are_other,
    group_types,
    known_type,
    only_type,
    operand_types,
    pairs,
    result_types,
    types_of,
)
from tdls.payload.constraints import contradictions, missing_attributes
from tdls.payload.kinds import STRUCTURED
from tdls.payload.structured import structured_problems
from tdls.syntax import scanner
from tdls.syntax.parser.assembly.custom_payload_operations import ALIAS
from tdls.syntax.parser.assembly.implied_types import is_settled
from tdls.syntax.tree import Form
from tdls.syntax.types import same_type
from tdls.text.scanning import integer
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.payload.checking import Check, Surroundings
    from tdls.semantic.model import Operation


def problems(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Yield what every MLIR rejects in an upstream operation, or that of the target version."""
    definition = operation.definition
    if definition is None or operation.syntax.broken:
        return
    for check in _IN_ANY_FORM.get(operation.name, ()) if definition.versions else ():
        yield from check(payload, operation)
    if operation.syntax.form is Form.STRUCTURAL:
        return
    if not is_settled(definition):
        is_of_target = payload.catalogue.target is not None and payload.catalogue.is_at_target(definition)
        is_upstream = bool(definition.versions) and not definition.is_patched
        if is_of_target and is_upstream and operation.syntax.form is Form.GENERIC:
            yield from missing_attributes(payload, operation)
        return
    yield from contradictions(payload, operation)
    if STRUCTURED in definition.traits:
        yield from structured_problems(payload, operation)
    for check in _CHECKS.get(operation.name, ()):
        yield from check(payload, operation)


# Functions, calls, branches


def _returned(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    around = operation.parent
    if around is None or around.name != "func.func" or around.syntax.signature is None or around.syntax.broken:
        return
    wanted = [known_type(payload.canonical(each.text)) for each in around.syntax.signature.results]
    yield from pairs(operation, operand_types(payload, operation), wanted, f"`@{around.syntax.symbol_name}`")


def _called(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    yield from _referred(payload, operation, "function")
    callee = next((payload.lookup(use.path, operation) for use in operation.syntax.symbols[:1]), None)
    if callee is None or callee.name != "func.func" or callee.syntax.signature is None or callee.syntax.broken:
        return
    signature, name = callee.syntax.signature, f"`@{callee.syntax.symbol_name}`"
    wanted = [
        known_type(payload.canonical(each.type.text)) if each.type is not None else None for each in signature.arguments
    ]
    found = list(pairs(operation, operand_types(payload, operation), wanted, name))
    yield from found
    results = result_types(payload, operation)
    if results is None or found:
        return
    returned = [known_type(payload.canonical(each.text)) for each in signature.results]
    if len(results) != len(returned):
        message = f"`{operation.name}` has {counted(len(results), 'result')}, but {name} has {len(returned)}"
        yield Problem(message, operation.location)
        return
    for first, second in zip(results, returned, strict=True):
        if first is not None and second is not None and are_other(first, second):
            message = f"a result of `{operation.name}` is a `{first.text}`, but {name} has `{second.text}`"
            yield Problem(message, operation.location)


def _branches(*groups: str) -> Check:
    """Return the check that the operands of each group fit the arguments of the successor of the same number."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        del payload
        if operation.syntax.operand_groups is None or operation.block is None:
            return
        for successor, group in zip(operation.syntax.successors, groups, strict=False):
            target = operation.block.region.labels.get(successor.label)
            if target is None or any(argument.type is None for argument in target.arguments):
                continue
            given = types_of(operation.group(group))
            yield from pairs(operation, given, types_of(target.arguments), f"`{successor.label}`")

    return check


def _declared(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that a function without a body is not public."""
    del payload
    visibility = operation.spelled("sym_visibility")
    if operation.syntax.form is Form.EXACT and not operation.regions and visibility in (None, '"public"'):
        name = operation.syntax.symbol_name
        message = f"a function without a body cannot be public: write `func.func private @{name}`"
        yield Problem(message, operation.syntax.symbol_span or operation.location)


def _referred(payload: Surroundings, operation: Operation, kind: str = "symbol") -> Iterator[Problem]:
    """Check that the symbol exists."""
    use = next(iter(operation.syntax.symbols), None)
    parts = (use.path[: number + 1] for number in range(len(use.path))) if use is not None else ()
    missing = next((part for part in parts if payload.lookup(part, operation) is None), None)
    if use is not None and missing is not None and not payload.may_define(missing[-1]):
        yield Problem(f"no {kind} `@{'::@'.join(missing)}` is in reach", use.span)


def _launched(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the kernel exists; that of a module which is compiled already is not in the text."""
    module = next((payload.lookup(use.path[:1], operation) for use in operation.syntax.symbols[:1]), None)
    if module is None or module.name == "gpu.module":
        yield from _referred(payload, operation)


# Loops and conditions


def _yielded(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    around = operation.parent
    if around is None or around.syntax.broken or around.syntax.form is Form.STRUCTURAL or around.name not in _YIELDING:
        return
    if around.name == "scf.while":
        values = around.group("inits") if operation.block is not None and operation.block.region.index else None
        wanted = types_of(values) if values is not None else None
    else:
        wanted = result_types(payload, around)
    if wanted is not None:
        yield from pairs(operation, operand_types(payload, operation), wanted, f"`{around.name}`")


_YIELDING = ("scf.for", "scf.if", "scf.while", "scf.execute_region", "affine.for", "affine.if")


def _ends_with_values(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that each block of an operation with results yields: MLIR adds only a terminator without operands."""
    if not result_types(payload, operation):
        return
    regions = [region for region in operation.regions if region.blocks]
    if operation.name in ("scf.if", "affine.if") and len(regions) < 2:
        yield Problem(f"`{operation.name}` has results, so it needs an `else` region", operation.location)
    for block in (region.blocks[-1] for region in regions):
        last = block.terminator
        if last is None or (last.definition is not None and not last.has_trait("IsTerminator")):
            place = last.location if last is not None else operation.location
            yield Problem(f"this region of `{operation.name}` does not end with the values that it yields", place)


# Shapes and indices


def _indexed(group: str, *shapes: str) -> Check:
    """Return the check that an operation has as many indices as its shaped operand has dimensions."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        groups = operation.syntax.operand_groups or {}
        type_ = only_type(group_types(payload, operation, *shapes))
        if type_ is None or type_.dimensions is None or group not in groups:
            return
        count = groups[group][1] - groups[group][0]
        if count != len(type_.dimensions):
            wanted = counted(len(type_.dimensions), "dimension")
            given = "1 index" if count == 1 else f"{count} indices"
            yield Problem(f"`{operation.name}` has {given}, but `{type_.text}` has {wanted}", operation.location)

    return check


def _sized(group: str) -> Check:
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


def _sliced(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that offsets, sizes and strides are as many as the dimensions of what is sliced."""
    lists = [operation.spelled(name) for name in ("static_offsets", "static_sizes", "static_strides")]
    tokens = [scanner.scan(text) for text in lists if text is not None and text.startswith("[")]  # without comments
    counts = [each.kinds.count(",") + (each.count > len("[]")) for each in tokens]
    type_ = only_type(group_types(payload, operation, "dest", "source"))
    ranks = {len(type_.dimensions)} if type_ is not None and type_.dimensions is not None else set()
    if type_ is not None and len(ranks.union(counts)) > 1:
        shown = ", ".join(map(str, counts))
        message = f"`{operation.name}` has {shown} offsets, sizes and strides for a `{type_.text}`"
        yield Problem(message, operation.location)


def _counted(of_rank: bool) -> Check:
    """Return the check that a result has an operand for each dimension, or for each element."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        type_ = only_type(result_types(payload, operation))
        if type_ is None or type_.dimensions is None or type_.count is None:
            return
        wanted = (len(type_.dimensions) or 1) if of_rank else type_.count
        if wanted != len(operation.operands):
            given = counted(len(operation.operands), "operand")
            yield Problem(f"`{operation.name}` has {given}, but its result needs {wanted}", operation.location)

    return check


_GROUP = re.compile(r"\[([\d, ]*)\]")


def _reshaped(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
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
    sizes = iter(many.dimensions)
    for group, size in zip(groups, few.dimensions, strict=True):
        parts = [next(sizes) for _ in group]
        if all(map(str.isdigit, (size, *parts))) and prod(map(int, parts)) != int(size):
            yield Problem(f"{text}: {' times '.join(parts)} is not {size}", operation.location)
            return


def _transferred(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the padding of a transfer is an element of what is read, or of the vector."""
    base = only_type(group_types(payload, operation, "base", "source"))
    padding = only_type(types_of(operation.group("padding")))
    if base is not None and padding is not None and base.is_shaped and are_other(padding, base.element):
        message = f"the padding is a `{padding.text}`, but the elements are `{base.element.text}`"
        yield Problem(message, operation.location)


# Casts


def _cast(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check a cast of values: same shape; more or fewer bits as its name says."""
    spelled = operation.syntax.operand_types
    types = operand_types(payload, operation)
    if spelled and spelled[0] is not None:
        types = [known_type(payload.canonical(spelled[0].text))]
    before, after = only_type(types), only_type(result_types(payload, operation))
    if before is None or after is None or not (before.scalar.is_scalar and after.scalar.is_scalar):
        return
    name = operation.name.partition(".")[2]
    is_wrong = before.is_shaped != after.is_shaped
    if before.is_shaped and after.is_shaped:
        is_wrong = before.kind != after.kind or not _fit(before.dimensions, after.dimensions)
    if name == "cast":
        is_wrong |= not before.is_shaped or same_type(before.element, after.element) is False
    elif name in ("index_cast", "index_castui"):
        is_wrong |= (before.scalar.kind == "index") == (after.scalar.kind == "index")
    elif name in _NARROWER:
        bits = before.scalar.width, after.scalar.width
        if bits[0] is not None and bits[1] is not None:
            is_wrong |= bits[0] <= bits[1] if _NARROWER[name] else bits[0] >= bits[1]
    if is_wrong:
        yield Problem(f"`{operation.name}` cannot make a `{after.text}` of a `{before.text}`", operation.location)


_NARROWER = {"extf": False, "extsi": False, "extui": False, "truncf": True, "trunci": True}


def _fit(first: tuple[str, ...] | None, second: tuple[str, ...] | None) -> bool:
    """Whether two shapes may be equal: dynamic sizes fit any."""
    if first is None or second is None:
        return True
    return len(first) == len(second) and all(
        one == other or not (one.isdigit() and other.isdigit()) for one, other in zip(first, second, strict=True)
    )


# Attributes


def _has(*names: str) -> Check:
    """Return the check that an operation has all of these attributes, unless an alias stands for them."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        del payload
        absent = [name for name in names if operation.syntax.attribute(name) is None]
        if absent and operation.syntax.attribute(ALIAS) is None:
            yield Problem(f"`{operation.name}` requires the attribute `{absent[0]}`", operation.location)

    return check


def _applied(attribute: str) -> Check:
    """Return the check that a map or set has as many operands as dimensions and symbols."""

    def check(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
        own = affine_map(payload.attribute(operation, attribute) or "")
        if own is None:
            return
        count = len(own.dimensions) + len(own.symbols)
        if count != len(operation.operands):
            given = counted(len(operation.operands), "operand")
            yield Problem(f"the {attribute} takes {counted(count, 'operand')}, but has {given}", operation.location)
        elif operation.name == "affine.apply" and len(own.results) != 1:
            message = f"`affine.apply` computes one value, but its map has {counted(len(own.results), 'result')}"
            yield Problem(message, operation.location)

    return check


def _subscripted(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that an affine access has an expression for each dimension of its buffer."""
    spelled, type_ = operation.spelled("map"), only_type(group_types(payload, operation, "memref"))
    if spelled is None or not spelled.startswith("[") or type_ is None or type_.dimensions is None:
        return
    count = len(split(spelled[1:-1]))
    if count != len(type_.dimensions):
        wanted = counted(len(type_.dimensions), "dimension")
        given = "1 index" if count == 1 else f"{count} indices"
        yield Problem(f"`{operation.name}` has {given}, but `{type_.text}` has {wanted}", operation.location)


_RESULTS = (_ends_with_values,)

_IN_ANY_FORM: dict[str, tuple[Check, ...]] = {
    "gpu.launch_func": (_launched,),
    "llvm.call": (_referred,),
    "llvm.mlir.addressof": (_referred,),
}
"""Checks of what every version has in common, however it spells the rest."""

_CHECKS: dict[str, tuple[Check, ...]] = {
    "affine.apply": (_applied("map"),),
    "affine.for": _RESULTS,
    "affine.if": (_applied("condition"), *_RESULTS),
    "affine.load": (_subscripted,),
    "affine.max": (_applied("map"),),
    "affine.min": (_applied("map"),),
    "affine.store": (_subscripted,),
    "affine.yield": (_yielded,),
    **{f"arith.{name}": (_cast,) for name in ("index_cast", "index_castui", "sitofp", "uitofp", "fptosi", "fptoui")},
    **{f"arith.{name}": (_cast,) for name in _NARROWER},
    "bufferization.alloc_tensor": (_sized("dynamic_sizes"),),
    "cf.br": (_branches("destOperands"),),
    "cf.cond_br": (_branches("trueDestOperands", "falseDestOperands"),),
    "func.func": (_declared,),
    "func.call": (_called,),
    "func.return": (_returned,),
    "linalg.generic": (_has("indexing_maps", "iterator_types"),),
    "memref.alloc": (_sized("dynamicSizes"),),
    "memref.alloca": (_sized("dynamicSizes"),),
    "memref.get_global": (_referred,),
    "memref.load": (_indexed("indices", "memref"),),
    "memref.store": (_indexed("indices", "memref"),),
    "scf.for": _RESULTS,
    "scf.if": _RESULTS,
    "scf.yield": (_yielded,),
    "tensor.cast": (_cast,),
    "tensor.collapse_shape": (_reshaped,),
    "tensor.expand_shape": (_reshaped,),
    "tensor.empty": (_sized("dynamicSizes"),),
    "tensor.generate": (_sized("dynamicExtents"),),
    "tensor.extract": (_indexed("indices", "tensor"),),
    "tensor.insert": (_indexed("indices", "dest"),),
    "memref.subview": (_sliced,),
    "tensor.extract_slice": (_sliced,),
    "tensor.from_elements": (_counted(of_rank=False),),
    "tensor.insert_slice": (_sliced,),
    "tensor.parallel_insert_slice": (_sliced,),
    "vector.bitcast": (vectors.reshaped,),
    "vector.broadcast": (vectors.broadcast,),
    "vector.constant_mask": (vectors.masked,),
    "vector.contract": (_has("indexing_maps", "iterator_types"),),
    "vector.create_mask": (_counted(of_rank=True),),
    "vector.extract": (vectors.extracted,),
    "vector.extract_strided_slice": (_has("offsets", "sizes", "strides"), vectors.strided),
    "vector.from_elements": (_counted(of_rank=False),),
    "vector.insert": (vectors.inserted,),
    "vector.insert_strided_slice": (_has("offsets", "strides"),),
    "vector.load": (_indexed("indices", "base"),),
    "vector.multi_reduction": (vectors.reduced,),
    "vector.reduction": (vectors.flat,),
    "vector.shape_cast": (vectors.reshaped,),
    "vector.shuffle": (vectors.shuffled,),
    "vector.store": (_indexed("indices", "base"),),
    "vector.transfer_read": (_transferred, _indexed("indices", "base", "source"), vectors.transfer),
    "vector.transfer_write": (_indexed("indices", "base", "source"), vectors.transfer),
    "vector.transpose": (vectors.transposed,),
}
"""By the name of the operation."""
