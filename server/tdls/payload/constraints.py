"""What traits and constraints of definitions say of payload operations, where all versions have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.payload.checking import Problem, are_other, known_type, spelled_type
from tdls.payload.kinds import STRUCTURED
from tdls.syntax import scanner
from tdls.syntax.literals import type_of_literal
from tdls.syntax.parser.assembly.format_reader import assembly_of
from tdls.syntax.tree import Form
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.catalogue.model import OperationDefinition
    from tdls.payload.checking import Surroundings
    from tdls.semantic.model import Operation
    from tdls.syntax.types import Type


def contradictions(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Yield what contradicts the definition of an upstream operation."""
    yield from _structure(operation)
    yield from _parent(payload, operation)
    if operation.syntax.form is Form.GENERIC:
        yield from missing_attributes(payload, operation)
        yield from _agreement(payload, operation)
    yield from _constraints(payload, operation)


def _structure(operation: Operation) -> Iterator[Problem]:
    """Check the parent, the names of blocks and their ends."""
    definition = operation.definition
    assert definition is not None
    for region in operation.regions if operation.syntax.form is Form.EXACT else ():
        first = region.blocks[0].syntax if len(region.blocks) > 1 else None
        if first is not None and first.label is None and first.arguments and first.end == first.start:
            message = f"the block of `{operation.name}` has its arguments already, and takes no label"
            yield Problem(message, region.blocks[1].syntax.label_span)
    if not definition.regions:
        return
    implied = () if definition.written_body else ("SingleBlockImplicit",)
    if any(trait.startswith(("NoTerminator", "GraphRegion", *implied)) for trait in definition.traits):
        return
    for block in operation.blocks():
        last = block.terminator
        if last is None:
            if block.syntax.label is not None and block.syntax.end == block.syntax.label_span.end + len(":"):
                message = f"this block of `{operation.name}` is empty, and needs a terminator"
                yield Problem(message, block.syntax.label_span)
            continue
        if last.syntax.broken or block.syntax.end > last.syntax.end:  # text that is not read follows
            continue
        if last.definition is not None and last.definition.versions and not last.has_trait("IsTerminator"):
            message = f"`{last.name}` ends this block of `{operation.name}`, which needs a terminator"
            yield Problem(message, last.location)


def _parent(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that an operation is in one of the operations that all versions allow around it."""
    around = operation.parent
    if around is None or around.definition is None or not around.definition.versions:
        return
    variants = payload.catalogue.counting(operation.name)
    dialect = variants[0].dialect if variants else ""
    if operation.name == "linalg.yield":
        if around.definition.dialect != dialect and not around.has_trait(STRUCTURED):
            yield Problem(f"`linalg.yield` cannot be in `{around.name}`", operation.location)
        return
    takers = [_parents(variant) for variant in variants]
    name = _class_name(around.name.partition(".")[2])
    if not all(takers) or (around.definition.dialect == dialect and any(name in each for each in takers)):
        return
    known = [each for each in payload.catalogue.operation_names(dialect) if _class_name(each) in takers[0]]
    shown = [f"`{dialect}.{each.removeprefix(dialect + '.')}`" for each in sorted(known)]
    only = f", only in {enumerated(shown, 'or')}" if known else ""
    yield Problem(f"`{operation.name}` cannot be in `{around.name}`{only}", operation.location)


def _parents(definition: OperationDefinition) -> frozenset[str]:
    """Return the classes of operations that an operation may be in, as `_class_name`; empty for any."""
    listed = _PARENTS.get(definition.name)
    if listed is not None:
        return frozenset(f"{name}op" for name in listed)
    found = next((trait for trait in definition.traits if trait.startswith(_HAS_PARENT)), "")
    return frozenset(filter(None, found[len(_HAS_PARENT) : -1].lower().split(",")))


def _class_name(name: str) -> str:
    return f"{name.rpartition('.')[2].replace('_', '').lower()}op"


_HAS_PARENT = "HasParent<"
_PARENTS = {
    "affine.yield": ("for", "if", "parallel"),
    "scf.yield": ("executeregion", "for", "if", "indexswitch", "while", "parallel"),
}
"""Where C++ says so, and no trait, or where versions before those of the facts allow more."""


def missing_attributes(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that the generic form has the attributes that every version that counts requires."""
    needed = [
        {each.name for each in variant.attributes if not each.optional and each.default is None}
        for variant in payload.catalogue.counting(operation.name)
    ]
    spelled = {attribute.name for attribute in operation.syntax.attributes}
    for name in sorted(set.intersection(*needed) - spelled if needed else ()):
        yield Problem(f"`{operation.name}` requires the attribute `{name}`", operation.location)


def _agreement(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check types that all versions tie to each other, which only the generic form can spell apart."""
    implied = [assembly_of(variant).implied for variant in payload.catalogue.counting(operation.name)]
    for names in set.intersection(*(set(each.tied) for each in implied)):
        tied = [type_ for name in names for type_ in _types_of(payload, operation, name)]
        other = next((type_ for type_ in tied if are_other(type_, tied[0])), None)
        if other is not None and tied[0] is not None:
            message = f"`{operation.name}` needs one type here, found `{tied[0].text}` and `{other.text}`"
            yield Problem(message, operation.location)
            return
    for source, target, function in set.intersection(*(set(each.derived) for each in implied)):
        types, others = _types_of(payload, operation, source), _types_of(payload, operation, target)
        texts = function(types[0]) if len(types) == 1 and types[0] is not None else None
        for text, type_ in zip(texts or (), others, strict=False):
            if type_ is not None and are_other(known_type(text), type_):
                message = f"`{operation.name}` needs the type `{text}` for `{target}`, found `{type_.text}`"
                yield Problem(message, operation.location)
                return


def _types_of(payload: Surroundings, operation: Operation, name: str) -> Sequence[Type | None]:
    """Return the types of the operands, the results or the typed attribute with a name."""
    sides = (
        (operation.syntax.operand_groups, operation.syntax.operand_types),
        (operation.syntax.result_groups, operation.syntax.result_types),
    )
    for groups, types in sides:
        if groups is not None and types is not None and name in groups:
            begin, end = groups[name]
            return [spelled_type(payload, each) for each in types[begin:end]]
    value = payload.attribute(operation, name)
    tokens = scanner.scan(value) if value is not None else None
    found = type_of_literal(tokens, 0, tokens.count) if tokens is not None and tokens.count else None
    return [known_type(payload.canonical(found[1]))] if found is not None else []


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
            if wrong is None:
                continue
            variants = payload.catalogue.counting(operation.name)
            sides_of_all = (each.operands if kind == "operand" else each.results for each in variants)
            same = [each.constraint for side in sides_of_all for each in side if each.name == group.name]
            if all(_is_against(constraint, wrong) for constraint in same):
                message = f"`{operation.name}` cannot have the type `{wrong.text}` for its {kind} `{group.name}`"
                yield Problem(message, operation.location)
                return


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
