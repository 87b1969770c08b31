"""Everything the TableGen files of one LLVM version say: operations, types and attributes by name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from facts import records
from tdls.catalogue.sources.ods import attributes, operations
from tdls.catalogue.sources.ods.definitions import RecordIndex

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from facts.records import Records
    from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, TypeDefinition

_T = TypeVar("_T")


@dataclass
class Installation:
    """The definitions of one LLVM major version."""

    version: int
    operations: dict[str, OperationDefinition] = field(default_factory=dict)
    types: dict[str, TypeDefinition] = field(default_factory=dict)
    attributes: dict[str, AttributeKindDefinition] = field(default_factory=dict)
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


def _add(installation: Installation, file: Records) -> None:
    version = (installation.version,)
    definitions = RecordIndex(file)
    for record in file.instances("Op"):
        name = operations.operation_name(definitions, record)
        if name is not None and name not in installation.operations:
            installation.operations[name] = replace(operations.operation(definitions, record), versions=version)
    for definition in _named(attributes.dialect_type(definitions, record) for record in file.instances("TypeDef")):
        installation.types.setdefault(definition.name, replace(definition, versions=version))
    for kind in _named(attributes.attribute_kind(definitions, record) for record in file.instances("AttrDef")):
        installation.attributes.setdefault(kind.name, replace(kind, versions=version))


def _named(definitions: Iterable[_T | None]) -> Iterable[_T]:
    return (definition for definition in definitions if definition is not None)
