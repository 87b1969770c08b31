"""What traits and constraints of definitions say of payload operations, where all versions have them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.payload.checking import (
    Problem,
    are_of_other_shape,
    are_other,
    known_type,
    operand_types,
    result_types,
    spelled_type,
)
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
    if operation.has_trait(_TERMINATOR) and operation.block is not None:
        for behind in operation.block.operations[operation.index + 1 : operation.index + 2]:
            message = f"`{operation.name}` ends its block, so nothing can stand behind it before a label"
            yield Problem(message, behind.location)
    if operation.name == "func.func" and operation.regions and operation.syntax.form is Form.EXACT:
        is_empty = not any(each.syntax.end > each.syntax.start for each in operation.blocks())
        is_closed = operation.regions[0].syntax.end - operation.regions[0].syntax.start >= len("{}")
        if is_empty and is_closed:
            yield Problem("the body of a function cannot be empty", operation.location)
    yield from _structure(operation)
    yield from _parent(payload, operation)
    yield from _terminator(payload, operation)
    yield from _alike(payload, operation)
    if operation.syntax.form is Form.GENERIC:
        yield from missing_attributes(payload, operation)
        yield from _agreement(payload, operation)
    yield from _constraints(payload, operation)


def _structure(operation: Operation) -> Iterator[Problem]:
    """Check the names of blocks and their ends."""
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
    around, own = operation.parent, operation.definition
    if around is None or around.definition is None or not around.definition.versions or own is None:
        return
    if not (_parents(own) or operation.name in _IN_STRUCTURED) or _may_be_in(payload, operation, around):
        return
    takers = _parents(payload.catalogue.counting(operation.name)[0])
    dialect = operation.name.partition(".")[0]
    known = [each for each in payload.catalogue.operation_names(dialect) if _class_name(each) in takers]
    shown = [f"`{dialect}.{each.removeprefix(dialect + '.')}`" for each in sorted(known)]
    only = f", only in {enumerated(shown, 'or')}" if known else ""
    yield Problem(f"`{operation.name}` cannot be in `{around.name}`{only}", operation.location)


def _may_be_in(payload: Surroundings, operation: Operation, around: Operation) -> bool:
    """Whether a version allows an operation directly in an upstream one."""
    variants, owner = payload.catalogue.counting(operation.name), around.definition
    is_of_dialect = bool(variants) and owner is not None and owner.dialect == variants[0].dialect
    if operation.name in _IN_STRUCTURED:
        return is_of_dialect or around.has_trait(STRUCTURED)
    takers = [_parents(variant) for variant in variants]
    name = _class_name(around.name.partition(".")[2])
    return not all(takers) or (is_of_dialect and any(name in each for each in takers))


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
_IN_STRUCTURED = ("linalg.index", "linalg.yield")
_PARENTS = {
    "affine.yield": ("for", "if", "parallel"),
    "scf.yield": ("executeregion", "for", "if", "indexswitch", "while", "parallel"),
}
"""Where C++ says so, and no trait, or where versions before those of the facts allow more."""


def _terminator(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check that blocks end with the operation that all versions add where none is written."""
    trait = next(_common_traits(payload, operation, (_ENDS_WITH,)), "") if operation.regions else ""
    wanted = trait[len(_ENDS_WITH) : -1].lower()
    dialect = operation.name.partition(".")[0]
    for block in operation.blocks() if wanted else ():
        last = block.terminator
        if last is None or last.definition is None or not last.definition.versions or not last.has_trait(_TERMINATOR):
            continue
        if last.name in _PARENTS or not _may_be_in(payload, last, operation):
            continue  # allowed before the versions of the facts, or said there
        if last.definition.dialect != dialect or not wanted.endswith(_class_name(last.name)):
            known = [each for each in payload.catalogue.operation_names(dialect) if wanted.endswith(_class_name(each))]
            only = f", only with `{known[0]}`" if len(known) == 1 else ""
            yield Problem(f"`{operation.name}` cannot end with `{last.name}`{only}", last.location)


def _common_traits(payload: Surroundings, operation: Operation, beginnings: tuple[str, ...]) -> Iterator[str]:
    """Yield the traits with one of some beginnings that an operation has in all versions."""
    own = operation.definition
    for trait in _with_beginnings(own.traits, beginnings) if own is not None else ():
        if all(trait in variant.traits for variant in payload.catalogue.counting(operation.name)):
            yield trait


@lru_cache(maxsize=4096)
def _with_beginnings(traits: frozenset[str], beginnings: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(trait for trait in traits if trait.startswith(beginnings)))


_ENDS_WITH = "SingleBlockImplicitTerminator<"
_TERMINATOR = "IsTerminator"


def _alike(payload: Surroundings, operation: Operation) -> Iterator[Problem]:
    """Check types of which all versions tie a part to each other: the shape, or the element."""
    for trait in (*_common_traits(payload, operation, _TIES), *_ALIKE.get(operation.name, ())):
        kind, _, names = trait.removesuffix(">").partition("<")
        if names:
            types = [type_ for name in names.split(",") for type_ in _types_of(payload, operation, name)]
        else:
            types = operand_types(payload, operation)
            types += (result_types(payload, operation) or []) if "AndResult" in kind else []
        known = [type_ for type_ in types if type_ is not None and type_.is_builtin]
        if "Shape" in kind:
            others = [type_ for type_ in known if are_of_other_shape(known[0], type_)]
        else:
            others = [type_ for type_ in known if are_other(known[0].scalar, type_.scalar)]
        other = next(iter(others), None)
        if other is not None:
            what = "shape" if "Shape" in kind else "element type"
            message = f"`{operation.name}` needs one {what} here, found `{known[0].text}` and `{other.text}`"
            yield Problem(message, operation.location)
            return


_TIES = (
    "AllElementTypesMatch<",
    "AllShapesMatch<",
    "SameOperandsAndResultElementType",
    "SameOperandsAndResultShape",
    "SameOperandsElementType",
    "SameOperandsShape",
)
_ALIKE: dict[str, tuple[str, ...]] = {
    "bufferization.to_tensor": ("AllElementTypesMatch<buffer,memref,result>", "AllShapesMatch<buffer,memref,result>"),
    "memref.cast": ("AllElementTypesMatch<source,dest>",),
    "memref.reinterpret_cast": ("AllElementTypesMatch<source,result>",),
    "memref.subview": ("AllElementTypesMatch<source,result>",),
    "tensor.extract_slice": ("AllElementTypesMatch<source,result>",),
    "tensor.insert_slice": ("AllElementTypesMatch<source,dest>",),
    "tensor.pad": ("AllElementTypesMatch<source,result>",),
    "tensor.parallel_insert_slice": ("AllElementTypesMatch<source,dest>",),
    "vector.load": ("AllElementTypesMatch<base,result>",),
    "vector.maskedload": ("AllElementTypesMatch<base,result,pass_thru>", "AllShapesMatch<mask,result,pass_thru>"),
    "vector.maskedstore": ("AllElementTypesMatch<base,valueToStore>", "AllShapesMatch<mask,valueToStore>"),
    "vector.reduction": ("AllElementTypesMatch<vector,dest>",),
    "vector.store": ("AllElementTypesMatch<base,valueToStore>",),
}
"""What C++ or a predicate says in place of a trait."""


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
