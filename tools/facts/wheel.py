"""The definitions of an LLVM version that is known by its Python bindings only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from facts.bindings import read_bindings, same_signature, signature
from facts.installation import Installation
from facts.records import FactsError
from tdls.catalogue.documents import decode
from tdls.catalogue.model import STRICT_PROPERTIES, OperationDefinition, TypeDefinition
from tdls.settings.llvm_versions import newest_version
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from facts.bindings_oracle import Bindings

_SUPPLEMENT = Path(__file__).with_name("llvm23.json")
"""Operations that are new or changed, with formats found by printing instances with the bindings."""

MAIN_SUPPLEMENT = Path(__file__).with_name("main.json")
"""Differences of main from the version before, as `snapshot.py` found them."""

VERSIONS = Path(__file__).with_name("versions.json")
"""The versions, as `tdls.settings.llvm_versions` reads them."""

RELEASES = Path(__file__).with_name("releases")
"""Releases that differ little from the versions beside them, as `release.py` found them."""

_V = TypeVar("_V")


def from_bindings(version: int, bindings: Bindings, older: Installation) -> Installation:
    """Return the operations of the bindings, completed from an older version.

    Where the signature is that of the older version, so is the definition. A changed one keeps the older version's
    facts about operands, results and attributes of the same name. Operations of dialects without generated modules are
    copied from the older version if the bindings know their names.
    """
    bound = read_bindings(bindings.dialects_folder)
    supplement = _supplement()
    installation = Installation(version)
    for name, definition in bound.items():
        old = older.operations.get(name)
        found = _supplemented(supplement[name], old) if name in supplement else completed(definition, old)
        _check(name, found, definition)
        installation.operations[name] = replace(found, versions=(version,))
    unbound = [name for name in older.operations if name not in bound]
    for name in sorted(bindings.registered(unbound)):
        installation.operations[name] = replace(older.operations[name], versions=(version,))
    _take_kinds(installation, older)
    with_supplement(installation)
    return installation


def with_supplement(installation: Installation) -> None:
    """Add types, and formats of operations that were found by printing, with attributes like others of their kinds."""
    alike = {
        attribute.constraint: attribute
        for definition in installation.operations.values()
        for attribute in definition.attributes
        if attribute.type or attribute.cases
    }
    document = json.loads(_SUPPLEMENT.read_text(encoding="utf-8"))
    for item in document["types"]:
        installation.types[item["name"]] = replace(decode(TypeDefinition, item), versions=(installation.version,))
    for item in document["formats"]:
        known = installation.operations[item["name"]]
        attributes = tuple(
            replace(alike.get(each.constraint, each), name=each.name, optional=each.optional, default=each.default)
            for each in known.attributes
        )
        installation.operations[item["name"]] = replace(
            known, attributes=attributes, assembly_format=item["format"], format_known=True
        )


def of_releases(described: Sequence[Installation]) -> list[Installation]:
    """Return the releases of `RELEASES`, each made of the versions beside it, which `described` has."""
    versions = {installation.version: installation for installation in described}
    found = []
    for path in sorted(RELEASES.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        older, newer = (versions[version] for version in document["between"])
        found.append(_of_release(int(path.stem), document, older, newer))
    return found


def _of_release(version: int, document: Mapping[str, Any], older: Installation, newer: Installation) -> Installation:
    """Return a release by its differences. What the older version does not have alike is as in the newer one."""
    versions = (version,)
    absent, as_older, both = (set(document[key]) for key in ("absent", "older", "both"))
    installation = Installation(version, extra_dialects=older.extra_dialects | newer.extra_dialects)
    for name in (older.operations.keys() | newer.operations.keys()) - absent:
        is_older = name in as_older or name not in newer.operations
        definition = older.operations[name] if is_older else newer.operations[name]
        installation.operations[name] = replace(definition, versions=versions)
        if name in both:
            installation.others[name] = replace(older.operations[name], versions=versions)
    for item in (*document["operations"], *document["by_hand"]):
        installation.operations[item["name"]] = replace(decode(OperationDefinition, item), versions=versions)
    for table, own in ((installation.types, "types"), (installation.attributes, "attributes")):
        for neighbour in (older, newer):
            table.update({name: replace(kind, versions=versions) for name, kind in getattr(neighbour, own).items()})
    return installation


def of_main(older: Installation) -> Installation:
    """The definitions of LLVM's main branch: those of the version before, with the differences in `main.json`."""
    document = json.loads(MAIN_SUPPLEMENT.read_text(encoding="utf-8"))
    absent = set(document["absent"])
    installation = Installation(newest_version(), extra_dialects=set(older.extra_dialects))
    for name, definition in older.operations.items():
        if name not in absent:
            installation.operations[name] = replace(definition, versions=(newest_version(),))
    for item in document["formats"]:
        definition = installation.operations[item["name"]]
        installation.operations[item["name"]] = _strict(definition, item["format"])
    for item in (*document["operations"], *document["by_hand"]):
        own = decode(OperationDefinition, item)
        known = older.operations.get(own.name)
        if known is not None and not (own.operands or own.traits):
            own = _strict(known, own.assembly_format)
        elif known is not None:
            own = _with_effects_of(own, known)
        installation.operations[own.name] = replace(own, versions=(newest_version(),))
    _take_kinds(installation, older)
    for key, form in (("in_brackets", "`<` $value `>`"), ("in_brackets_or_not", "(`<` $value^ `>`) : ($value)?")):
        for name in document[key]:
            installation.attributes[name] = replace(installation.attributes[name], assembly_format=form)
    return installation


def _with_effects_of(definition: OperationDefinition, older: OperationDefinition) -> OperationDefinition:
    """Values of the same name have the effects that they had; those written in the supplement count for new ones."""
    return replace(
        definition,
        operands=_known(definition.operands, {operand.name: operand for operand in older.operands}),
        results=_known(definition.results, {result.name: result for result in older.results}),
        attributes=_known(definition.attributes, {attribute.name: attribute for attribute in older.attributes}),
        traits=older.traits | {STRICT_PROPERTIES},
        payload_effect=older.payload_effect,
    )


def _strict(definition: OperationDefinition, assembly_format: str | None) -> OperationDefinition:
    """The definition with a format whose dictionary no longer takes the attributes that the definition has."""
    return replace(definition, assembly_format=assembly_format, traits=definition.traits | {STRICT_PROPERTIES})


def _supplement() -> dict[str, OperationDefinition]:
    document = json.loads(_SUPPLEMENT.read_text(encoding="utf-8"))
    return {item["name"]: decode(OperationDefinition, item) for item in document["operations"]}


def _supplemented(definition: OperationDefinition, older: OperationDefinition | None) -> OperationDefinition:
    """The bindings cannot tell the effect on the payload of an operation that consumes: it is the older version's."""
    return replace(definition, payload_effect=older.payload_effect) if older else definition


def completed(definition: OperationDefinition, older: OperationDefinition | None) -> OperationDefinition:
    """Results without a name have no accessor in bindings, so they are the older version's."""
    if older is None:
        return definition
    if same_signature(signature(definition), signature(older)):
        return older
    named = {result.name: result for result in older.results}
    return replace(
        definition,
        operands=_known(definition.operands, {operand.name: operand for operand in older.operands}),
        results=_known(definition.results, named) or tuple(each for each in older.results if not each.name),
        attributes=_known(definition.attributes, {attribute.name: attribute for attribute in older.attributes}),
        traits=older.traits,
        default_dialect=older.default_dialect,
        custom_assembly=older.custom_assembly,
    )


def _known(items: tuple[_V, ...], older: Mapping[str, _V]) -> tuple[_V, ...]:
    return tuple(older.get(item.name, item) for item in items)  # type: ignore[attr-defined]


def _check(name: str, found: OperationDefinition, bound: OperationDefinition) -> None:
    if found.format_known and not same_signature(signature(found), signature(bound)):
        raise FactsError(f"{_SUPPLEMENT.name}: '{name}' has another signature in the bindings; correct it there")


def _take_kinds(installation: Installation, older: Installation) -> None:
    """Types and attributes of dialects that the version has; the bindings say nothing of them."""
    dialects = {name.partition(".")[0] for name in installation.operations}
    versions = (installation.version,)
    for name, kind in older.types.items():
        if name.partition(".")[0] in dialects:
            installation.types[name] = replace(kind, versions=versions)
    for name, attribute in older.attributes.items():
        if name.partition(".")[0] in dialects:
            installation.attributes[name] = replace(attribute, versions=versions)
