"""What traits and constraints of definitions say of payload operations, as far as all versions have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.payload.checking import Problem, spelled_type
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.payload.checking import Surroundings
    from tdls.semantic.model import Operation
    from tdls.syntax.types import Type


def contradictions(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Yield what contradicts the definition of an upstream operation."""
    yield from _structure(operation)
    if operation.syntax.form is Form.GENERIC:
        yield from _required(payload, operation)
    yield from _constraints(payload, operation)


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
        if last is None or last.syntax.broken or block.syntax.end > last.syntax.end:  # text that is not read follows
            continue
        if last.definition is not None and last.definition.versions and not last.has_trait("IsTerminator"):
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
    if definition is None or operation.name in _WIDENED:
        return
    sides = (
        (definition.operands, syntax.operand_groups, syntax.operand_types, "operand"),
        (definition.results, syntax.result_groups, syntax.result_types, "result"),
    )
    for groups, places, spelled, kind in sides:
        for group in groups if places is not None and spelled is not None else ():
            if group.constraint not in _KINDS and group.constraint not in _ELEMENTS:
                continue
            begin, end = (places or {}).get(group.name, (0, 0))
            types = [spelled_type(payload, each) for each in (spelled or ())[begin:end]]
            wrong = next((each for each in types if each is not None and _is_against(group.constraint, each)), None)
            if wrong is not None and all(
                _is_against(each, wrong) for each in _same(payload, operation, kind, group.name)
            ):
                message = f"`{operation.name}` cannot have the type `{wrong.text}` for its {kind} `{group.name}`"
                yield Problem(message, operation.location)
                return


def _same(payload: Surroundings, operation: Operation, kind: str, name: str) -> list[str]:
    """Return the constraints of a group of operands or results in all versions."""
    variants = payload.catalogue.variants(operation.name)
    sides = (variant.operands if kind == "operand" else variant.results for variant in variants)
    return [group.constraint for side in sides for group in side if group.name == name]


def _is_against(constraint: str, type_: Type) -> bool:
    """Whether a type certainly violates a constraint, by its name."""
    if not type_.is_builtin:
        return False
    kinds = _KINDS.get(constraint)
    if kinds is not None:
        return type_.kind not in kinds
    wanted = _ELEMENTS.get(constraint)
    if wanted is None or type_.scalar.kind.startswith("!") or not type_.scalar.kind:
        return False
    return type_.kind == "memref" or not wanted(type_.scalar)


_KINDS: dict[str, tuple[str, ...]] = {
    "AnyMemRef": ("memref",),
    "AnyNon0RankedMemRef": ("memref",),
    "AnyRankedOrUnrankedMemRef": ("memref",),
    "AnyRankedTensor": ("tensor",),
    "AnyTensor": ("tensor",),
    "AnyVectorOfAnyRank": ("vector",),
    "AnyVectorOfNonZeroRank": ("vector",),
    "I1": ("i1",),
    "Index": ("index",),
    "TensorOrMemref": ("tensor", "memref"),
}
_ELEMENTS: dict[str, Callable[[Type], bool]] = {
    "BoolLike": lambda scalar: scalar.kind == "i1",
    "FloatLike": lambda scalar: scalar.is_float,
    "SignlessFixedWidthIntegerLike": lambda scalar: scalar.is_integer,
    "SignlessIntegerLike": lambda scalar: scalar.is_integer or scalar.kind == "index",
    "SignlessIntegerOrIndexLike": lambda scalar: scalar.is_integer or scalar.kind == "index",
    "AnySignlessIntegerOrIndex": lambda scalar: scalar.is_integer or scalar.kind == "index",
}
_WIDENED = frozenset({"linalg.pack", "linalg.unpack"})
"""Operations that take other types in LLVM's main branch than in its releases."""
