"""Several definitions of one name: which one counts, and what is said about the others.

What a project says of itself comes first, in the order of `PRECEDENCE`; the facts that tdls ships come last. Where they
describe the same operation they count nevertheless, since they know more of it, together with what only the project
knows: where it is written and what its documentation says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, PassDefinition, TypeDefinition
from tdls.project.definitions import Claim, Conflict
from tdls.project.kinds import SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.project.definitions import FileDefinitions

PRECEDENCE = (
    SourceKind.TABLEGEN,
    SourceKind.IRDL,
    SourceKind.PYTHON,
    SourceKind.CATALOGUE,
    SourceKind.BINDINGS,
)
"""The kinds of files with definitions, the one that wins first. Among files of a kind the first by path wins."""

_D = TypeVar("_D", bound=OperationDefinition | TypeDefinition | AttributeKindDefinition | PassDefinition)
_Claims: TypeAlias = list[tuple[tuple[_D, ...], SourceKind]]
"""The definitions of one name, a tuple of variants for each file."""
_SHIPPED = "LLVM"


@dataclass(frozen=True, slots=True)
class Merged:
    """The variants of each name, and the operations that sources do not agree about."""

    operations: dict[str, tuple[OperationDefinition, ...]]
    types: dict[str, tuple[TypeDefinition, ...]]
    attributes: dict[str, tuple[AttributeKindDefinition, ...]]
    passes: dict[str, tuple[PassDefinition, ...]]
    conflicts: tuple[Conflict, ...]


def merged(files: Iterable[FileDefinitions], shipped: Catalogue) -> Merged:
    """Decide for each name in `files` which definitions count; `shipped` is what is known without them."""
    ordered = sorted(files, key=lambda file: (PRECEDENCE.index(file.kind), file.path))
    operations = _claims((file.operations, file.kind) for file in ordered)
    counting = {
        name: _with_order(_with_shipped(found, shipped.variants(name), _same_form), found)
        for name, found in operations.items()
    }
    conflicts = (_conflict(name, found, shipped) for name, found in sorted(operations.items()))
    return Merged(
        {name: found for name, found in counting.items() if found},
        _counting(((file.types, file.kind) for file in ordered), shipped.type_variants),
        _counting(((file.attributes, file.kind) for file in ordered), shipped.attribute_kind_variants),
        _counting(((file.passes, file.kind) for file in ordered), shipped.pass_variants),
        tuple(conflict for conflict in conflicts if conflict is not None),
    )


def shape(definition: OperationDefinition) -> tuple[object, ...]:
    """Return what definitions of one operation must agree about, whoever writes them."""
    operands = tuple((operand.name, operand.arity) for operand in definition.operands)
    return operands, tuple(result.arity for result in definition.results)


def _claims(tables: Iterable[tuple[Sequence[_D], SourceKind]]) -> dict[str, _Claims[_D]]:
    claims: dict[str, _Claims[_D]] = {}
    for definitions, kind in tables:
        variants: dict[str, list[_D]] = {}
        for definition in definitions:
            variants.setdefault(definition.name, []).append(definition)
        for name, found in variants.items():
            claims.setdefault(name, []).append((tuple(found), kind))
    return claims


def _counting(
    tables: Iterable[tuple[Sequence[_D], SourceKind]], shipped: Callable[[str], tuple[_D, ...]]
) -> dict[str, tuple[_D, ...]]:
    claims = _claims(tables)
    found = {name: _with_shipped(claim, shipped(name), lambda *_: True) for name, claim in claims.items()}
    return {name: variants for name, variants in found.items() if variants}


def _with_shipped(claims: _Claims[_D], shipped: tuple[_D, ...], is_same: Callable[[_D, _D], bool]) -> tuple[_D, ...]:
    """Return the variants that count; none where bindings only repeat what is shipped."""
    variants, kind = claims[0]
    if not shipped:
        return variants
    if kind is SourceKind.BINDINGS:
        return ()
    own = variants[0]
    same = next((variant for variant in shipped if is_same(own, variant)), None)
    if same is None:
        return (*variants, *shipped)
    return (_placed(same, own), *(variant for variant in shipped if variant is not same))


def _with_order(
    variants: tuple[OperationDefinition, ...], claims: _Claims[OperationDefinition]
) -> tuple[OperationDefinition, ...]:
    """Return `variants` with the order of operands that a catalogue file says of a form that C++ parses."""
    said = [found[0].operand_order for found, kind in claims if kind is SourceKind.CATALOGUE and found[0].operand_order]
    if not said:
        return variants
    return tuple(
        replace(variant, operand_order=said[0]) if variant.custom_assembly and not variant.operand_order else variant
        for variant in variants
    )


def _placed(definition: _D, own: _D) -> _D:
    """Return the shipped `definition` with what only the project's `own` one has."""
    if isinstance(own, PassDefinition):
        return replace(own, versions=definition.versions)
    found = replace(definition, description=own.description, defined_at=own.defined_at)
    if isinstance(found, OperationDefinition) and isinstance(own, OperationDefinition):
        return replace(found, implemented_at=own.implemented_at)
    return found


def _same_form(own: OperationDefinition, shipped: OperationDefinition) -> bool:
    """Tell whether two definitions describe operations that are written and used in the same way."""
    same_attributes = {attribute.name for attribute in own.attributes} == {
        attribute.name for attribute in shipped.attributes
    }
    return shape(own) == shape(shipped) and same_attributes and _words(own) == _words(shipped)


def _words(definition: OperationDefinition) -> list[str]:
    return (definition.assembly_format or "").split()


def _conflict(name: str, claims: _Claims[OperationDefinition], shipped: Catalogue) -> Conflict | None:
    """Return what sources do not agree about; repetitions of the same definition are none."""
    own = claims[0][0][0]
    others = [found[0] for found, _ in claims[1:]]
    differing = [other for other in others if shape(other) != shape(own) and not _says_order_only(other)]
    known = shipped.variants(name)
    is_bindings = claims[0][1] is SourceKind.BINDINGS
    if known and not is_bindings and all(shape(variant) != shape(own) for variant in known):
        differing.append(known[0])
    if not differing:
        return None
    return Conflict(name, tuple(map(_claim, (own, *differing))))


def _says_order_only(definition: OperationDefinition) -> bool:
    return bool(definition.operand_order) and not definition.operands and not definition.results


def _claim(definition: OperationDefinition) -> Claim:
    return Claim(definition.source or _SHIPPED, definition.defined_at)
