"""What MLIR verifies of upstream's payload operations in every version: one table by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.payload import shapes
from tdls.payload.attributes import affine_map
from tdls.payload.checking import (
    Problem,
    are_of_other_shape,
    are_other,
    known_type,
    only_type,
    operand_types,
    pairs,
    result_types,
    types_of,
)
from tdls.payload.constraints import contradictions, missing_attributes
from tdls.payload.kinds import STRUCTURED
from tdls.payload.structured import contracted, structured_problems
from tdls.syntax.parser.assembly.custom_payload_operations import ALIAS
from tdls.syntax.parser.assembly.implied_types import is_settled
from tdls.syntax.tree import Form
from tdls.syntax.types import same_type
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.payload.checking import Check, Surroundings
    from tdls.semantic.model import Operation


def problems(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Yield what every MLIR rejects in an upstream operation, or that of the target version; the first one counts."""
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
    yield from pairs(operation, operand_types(payload, operation), wanted, name)
    results = result_types(payload, operation)
    if results is not None:
        returned = [known_type(payload.canonical(each.text)) for each in signature.results]
        yield from pairs(operation, results, returned, name, "result")


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


def _read_global(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the result has the type of the global."""
    owner = next((payload.lookup(use.path, operation) for use in operation.syntax.symbols[:1]), None)
    spelled = owner.spelled("type") if owner is not None and owner.name == "memref.global" else None
    type_ = known_type(payload.canonical(spelled)) if spelled is not None else None
    result = only_type(result_types(payload, operation))
    if owner is not None and type_ is not None and result is not None and are_other(type_, result):
        message = f"`@{owner.syntax.symbol_name}` is a `{type_.text}`, not a `{result.text}`"
        yield Problem(message, operation.location)


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
    given, wanted = operand_types(payload, operation), result_types(payload, around)
    if operation.name == "scf.condition":
        given = given[1:]
    elif around.name == "scf.while":
        values = around.group("inits") if operation.block is not None and operation.block.region.index else None
        wanted = types_of(values) if values is not None else None
    if wanted is not None:
        yield from pairs(operation, given, wanted, f"`{around.name}`")


_YIELDING = frozenset(
    {"scf.for", "scf.if", "scf.while", "scf.execute_region", "scf.index_switch", "affine.for", "affine.if"}
)


def _ends_with_values(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that each block of an operation with results yields: MLIR adds only a terminator without operands."""
    if not result_types(payload, operation):
        return
    regions = [region for region in operation.regions if region.blocks]
    if operation.name in ("scf.if", "affine.if") and len(regions) < 2:
        yield Problem(f"`{operation.name}` has results, so it needs an `else` region", operation.location)
    for block in (region.blocks[-1] for region in regions):
        last = block.terminator
        is_read = block.syntax.end == (last.syntax.end if last is not None else block.syntax.start)
        if is_read and (last is None or (last.definition is not None and not last.has_trait("IsTerminator"))):
            message = f"this region of `{operation.name}` does not end with the values that it yields"
            yield Problem(message, (last or operation).location)


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
    is_wrong = are_of_other_shape(before, after) or (before.is_shaped and before.kind != after.kind)
    if name == "cast":
        is_wrong |= not before.is_shaped or same_type(before.element, after.element) is False
    elif name in ("index_cast", "index_castui"):
        is_wrong |= (before.scalar.kind == "index") == (after.scalar.kind == "index")
    elif name in _NARROWER:
        bits = before.scalar.width, after.scalar.width
        if bits[0] is not None and bits[1] is not None:
            is_wrong |= bits[0] <= bits[1] if _NARROWER[name] else bits[0] >= bits[1]
    elif name == "bitcast":
        is_wrong |= None not in (before.scalar.width, after.scalar.width) and before.scalar.width != after.scalar.width
    if is_wrong:
        yield Problem(f"`{operation.name}` cannot make a `{after.text}` of a `{before.text}`", operation.location)


_NARROWER = {"extf": False, "extsi": False, "extui": False, "truncf": True, "trunci": True}


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


_RESULTS = (_ends_with_values,)

_IN_ANY_FORM: dict[str, tuple[Check, ...]] = {
    "gpu.launch_func": (_launched,),
    **{f"{dialect}.{name}": (shapes.packed,) for dialect in ("linalg", "tensor") for name in ("pack", "unpack")},
    "llvm.call": (_referred,),
    "llvm.mlir.addressof": (_referred,),
}
"""Checks of what every version has in common, however it spells the rest."""

_CHECKS: dict[str, tuple[Check, ...]] = {
    "affine.apply": (_applied("map"),),
    "affine.for": _RESULTS,
    "affine.if": (_applied("condition"), *_RESULTS),
    "affine.load": (shapes.subscripted,),
    "affine.max": (_applied("map"),),
    "affine.min": (_applied("map"),),
    "affine.store": (shapes.subscripted,),
    "affine.yield": (_yielded,),
    **{f"arith.{name}": (_cast,) for name in ("index_cast", "index_castui", "sitofp", "uitofp", "fptosi", "fptoui")},
    **{f"arith.{name}": (_cast,) for name in _NARROWER},
    "arith.bitcast": (_cast,),
    "bufferization.alloc_tensor": (shapes.sized("dynamic_sizes"),),
    "cf.br": (_branches("destOperands"),),
    "cf.cond_br": (_branches("trueDestOperands", "falseDestOperands"),),
    "func.func": (_declared,),
    "func.call": (_called,),
    "func.return": (_returned,),
    "linalg.generic": (_has("indexing_maps", "iterator_types"),),
    "memref.alloc": (shapes.sized("dynamicSizes"),),
    "memref.alloca": (shapes.sized("dynamicSizes"),),
    "memref.get_global": (_referred, _read_global),
    "memref.collapse_shape": (shapes.reshaped,),
    "memref.expand_shape": (shapes.reshaped,),
    "memref.load": (shapes.indexed("indices", "memref"),),
    "memref.reinterpret_cast": (shapes.reinterpreted,),
    "memref.store": (shapes.indexed("indices", "memref"),),
    "scf.condition": (_yielded,),
    "scf.for": _RESULTS,
    "scf.if": _RESULTS,
    "scf.index_switch": _RESULTS,
    "scf.yield": (_yielded,),
    "tensor.cast": (_cast,),
    "tensor.collapse_shape": (shapes.reshaped,),
    "tensor.expand_shape": (shapes.reshaped,),
    "tensor.empty": (shapes.sized("dynamicSizes"),),
    "tensor.generate": (shapes.sized("dynamicExtents"), shapes.computed),
    "tensor.extract": (shapes.indexed("indices", "tensor"),),
    "tensor.insert": (shapes.indexed("indices", "dest"),),
    "memref.subview": (shapes.sliced,),
    "tensor.extract_slice": (shapes.sliced,),
    "tensor.from_elements": (shapes.counted_elements,),
    "tensor.insert_slice": (shapes.sliced,),
    "tensor.pad": (shapes.computed, shapes.extended),
    "tensor.parallel_insert_slice": (shapes.sliced,),
    "vector.broadcast": (shapes.broadcast,),
    "vector.contract": (_has("indexing_maps", "iterator_types"), contracted),
    "vector.extract": (shapes.extracted,),
    "vector.extract_strided_slice": (_has("offsets", "sizes", "strides"),),
    "vector.from_elements": (shapes.counted_elements,),
    "vector.insert": (shapes.inserted,),
    "vector.insert_strided_slice": (_has("offsets", "strides"),),
    "vector.load": (shapes.indexed("indices", "base"),),
    "vector.shape_cast": (shapes.reshaped_vector,),
    "vector.store": (shapes.indexed("indices", "base"),),
    "vector.transfer_read": (shapes.padded, shapes.indexed("indices", "base", "source"), shapes.transfer),
    "vector.transfer_write": (shapes.indexed("indices", "base", "source"), shapes.transfer),
    "vector.transpose": (shapes.transposed,),
}
"""By the name of the operation."""
