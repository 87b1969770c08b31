"""Everything the TableGen files of one LLVM version say: operations, types and attributes by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from facts import records
from tdls.catalogue.source import NamedDefinition
from tdls.catalogue.sources.ods import operations
from tdls.catalogue.sources.ods.definitions import RecordIndex
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from facts.records import Records
    from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, TypeDefinition
    from tdls.catalogue.shipped import ShippedSource
    from tdls.catalogue.source import Table

_T = TypeVar("_T")
_D = TypeVar("_D", bound=NamedDefinition)


@dataclass
class Installation:
    """The definitions of one LLVM major version."""

    version: int
    operations: dict[str, OperationDefinition] = field(default_factory=dict)
    types: dict[str, TypeDefinition] = field(default_factory=dict)
    attributes: dict[str, AttributeKindDefinition] = field(default_factory=dict)
    others: dict[str, OperationDefinition] = field(default_factory=dict)
    """Second definitions of operations of which it is not known whether they are as in `operations`, or as here."""
    extra_dialects: set[str] = field(default_factory=set)

    def dialects(self) -> set[str]:
        """Names of the dialects that have an operation, a type or an attribute."""
        names = {name.partition(".")[0] for table in (self.operations, self.types, self.attributes) for name in table}
        return names | self.extra_dialects


def from_tablegen(version: int, include: Path, tblgen: str) -> Installation:
    """Read all ``.td`` files of dialects below the `include` folder of LLVM `version`."""
    installation = Installation(version)
    for file in records.dump(include, tblgen):
        _add(installation, file)
    return installation


def from_facts(source: ShippedSource) -> list[Installation]:
    """Return the installations that shipped facts were made of, newest first, with all that was added by hand."""
    found = {version: Installation(version) for version in source.llvm_versions}
    for installation in found.values():
        installation.extra_dialects |= source.operations.dialects()
    for definition in _all_of(source.operations):
        for version in definition.versions:
            found[version].operations[definition.name] = replace(definition, versions=(version,), source="")
    for kind in _all_of(source.types):
        for version in kind.versions:
            found[version].types[kind.name] = replace(kind, versions=(version,), source="")
    for attribute in _all_of(source.attribute_kinds):
        for version in attribute.versions:
            found[version].attributes[attribute.name] = replace(attribute, versions=(version,), source="")
    return [found[version] for version in reversed(source.llvm_versions)]


def _all_of(table: Table[_D]) -> Iterable[_D]:
    names = (name for dialect in sorted(table.dialects()) for name in table.names(dialect))
    return (definition for name in names for definition in table.variants(name))


def _add(installation: Installation, file: Records) -> None:
    version = (installation.version,)
    definitions = RecordIndex(file)
    for record in file.instances("Op"):
        name = operations.operation_name(definitions, record)
        if name is not None and name not in installation.operations:
            installation.operations[name] = replace(operations.operation(definitions, record), versions=version)
    for definition in _named(operations.dialect_type(definitions, record) for record in file.instances("TypeDef")):
        installation.types.setdefault(definition.name, replace(definition, versions=version))
    for kind in _named(operations.attribute_kind(definitions, record) for record in file.instances("AttrDef")):
        installation.attributes.setdefault(kind.name, replace(kind, versions=version))


def _named(definitions: Iterable[_T | None]) -> Iterable[_T]:
    return (definition for definition in definitions if definition is not None)
