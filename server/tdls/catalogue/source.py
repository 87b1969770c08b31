"""Interfaces of the sources of a catalogue and of their tables, and their implementations in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import (
        AttributeKindDefinition,
        OperationDefinition,
        ParameterDefinition,
        PassDefinition,
        TypeDefinition,
    )


def assembly_format_of(parameters: Sequence[ParameterDefinition]) -> str | None:
    """Return MLIR's default format: all parameters in angle brackets. None without parameters."""
    written = " `,` ".join(f"${parameter.name}" for parameter in parameters)
    return f"`<` {written} `>`" if written else None


class NamedDefinition(Protocol):
    """Any definition of the model."""

    @property
    def name(self) -> str:
        """Full name with the dialect's prefix."""
        ...


class VersionedDefinition(NamedDefinition, Protocol):
    """Any definition of the model that may depend on the version of LLVM."""

    @property
    def versions(self) -> tuple[int, ...]:
        """The LLVM versions that have it; empty if it does not depend on them."""
        ...


D_co = TypeVar("D_co", bound=NamedDefinition, covariant=True)
_D = TypeVar("_D", bound=NamedDefinition)


class Table(Protocol[D_co]):
    """Definitions of one kind by name. Variants of a name are ordered from the newest to the oldest LLVM version."""

    def variants(self, name: str) -> tuple[D_co, ...]:
        """Return all definitions of a full name; empty if the table has none."""
        ...

    def names(self, dialect: str) -> tuple[str, ...]:
        """Return the sorted full names of a dialect."""
        ...

    def dialects(self) -> frozenset[str]:
        """Return the dialects that may have an entry."""
        ...


class CatalogueSource(Protocol):
    """A source of definitions, such as the shipped facts or a user's file."""

    @property
    def name(self) -> str:
        """The name for people: ``LLVM``, ``my_catalogue.json``."""
        ...

    @property
    def looked_in(self) -> tuple[str, ...]:
        """The places that were searched for definitions, each with its kind of content, for people."""
        ...

    @property
    def operations(self) -> Table[OperationDefinition]:
        """Operations by full name."""
        ...

    @property
    def types(self) -> Table[TypeDefinition]:
        """Dialect types by full name, without the ``!``."""
        ...

    @property
    def attribute_kinds(self) -> Table[AttributeKindDefinition]:
        """Dialect attributes by full name, without the ``#``."""
        ...

    @property
    def passes(self) -> Table[PassDefinition]:
        """Passes and pipelines by their registered names; a name without a dot is its own dialect."""
        ...

    def renamed(self, former: str) -> Rename | None:
        """Return the rename or removal of an operation name in LLVM, or None for other names."""
        ...

    def uses(self, name: str) -> int:
        """Return the counted uses of the operation in public scripts; 0 for none or unknown."""
        ...


class MemoryTable(Table[_D]):
    """A table of definitions held in memory, variants in the order given."""

    def __init__(self, definitions: Iterable[_D]) -> None:
        variants: dict[str, list[_D]] = {}
        for definition in definitions:
            variants.setdefault(definition.name, []).append(definition)
        self._variants = {name: tuple(found) for name, found in variants.items()}
        self._names: dict[str, list[str]] = {}
        for name in sorted(variants):
            self._names.setdefault(name.partition(".")[0], []).append(name)

    def variants(self, name: str) -> tuple[_D, ...]:
        return self._variants.get(name, ())

    def names(self, dialect: str) -> tuple[str, ...]:
        return tuple(self._names.get(dialect, ()))

    def dialects(self) -> frozenset[str]:
        """Return the dialects of all definitions."""
        return frozenset(self._names)


def all_definitions(table: Table[_D]) -> Iterator[_D]:
    """Yield every definition of a table, by name."""
    for dialect in sorted(table.dialects()):
        for name in table.names(dialect):
            yield from table.variants(name)


class MemorySource:
    """A source whose definitions are all in memory, such as the contents of a user's JSON file."""

    def __init__(
        self,
        name: str,
        operations: Iterable[OperationDefinition] = (),
        types: Iterable[TypeDefinition] = (),
        attribute_kinds: Iterable[AttributeKindDefinition] = (),
        renames: Iterable[Rename] = (),
        passes: Iterable[PassDefinition] = (),
        *,
        fingerprint: str | None = None,
        is_stated: bool = False,
    ) -> None:
        """`fingerprint` is a hash of the content of the source, or None if it is not computed.

        `is_stated` says that installed bindings stated the effects of its operations.
        """
        self.name = name
        self.is_stated = is_stated
        self.fingerprint = fingerprint
        self.looked_in = (name,)
        self.operations = MemoryTable(operations)
        self.types = MemoryTable(types)
        self.attribute_kinds = MemoryTable(attribute_kinds)
        self.passes = MemoryTable(passes)
        self.renames = tuple(renames)
        self._renames = {rename.former: rename for rename in self.renames}

    def renamed(self, former: str) -> Rename | None:
        """Return the rename or removal of an operation name."""
        return self._renames.get(former)

    def uses(self, name: str) -> int:  # noqa: ARG002 - uses are not counted
        """Return 0: uses of the operations of such a source are not counted."""
        return 0
