"""What a catalogue is made of: sources, each with tables of operations, types, attributes and passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.catalogue.model import (
        AttributeKindDefinition,
        OperationDefinition,
        ParameterDefinition,
        PassDefinition,
        Rename,
        TypeDefinition,
    )


def assembly_format_of(parameters: Sequence[ParameterDefinition]) -> str | None:
    """How MLIR writes them: all parameters in angle brackets. None where there are no parameters."""
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
    """Definitions of one kind by name. Variants of a name are ordered from the newest to the oldest LLVM
    version."""

    def variants(self, name: str) -> tuple[D_co, ...]:
        """All definitions of a full name; empty if the table has none."""
        ...

    def names(self, dialect: str) -> tuple[str, ...]:
        """Sorted full names of a dialect."""
        ...

    def dialects(self) -> frozenset[str]:
        """Dialects that may have an entry."""
        ...


class CatalogueSource(Protocol):
    """Where definitions come from: the shipped facts, or a user's file."""

    @property
    def name(self) -> str:
        """For people: ``LLVM``, ``my_catalogue.json``."""
        ...

    @property
    def looked_in(self) -> tuple[str, ...]:
        """For people: the places that were searched for definitions, each with what was read there."""
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
        """Passes and pipelines by the names they are registered by; most are in a dialect of their own."""
        ...

    def renamed(self, former: str) -> Rename | None:
        """What became of an operation name that LLVM gave up."""
        ...

    def uses(self, name: str) -> int:
        """How often people use the operation, as far as anybody counted: 0 for never or unknown."""
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
        """All definitions of a full name."""
        return self._variants.get(name, ())

    def names(self, dialect: str) -> tuple[str, ...]:
        """Sorted full names of a dialect."""
        return tuple(self._names.get(dialect, ()))

    def dialects(self) -> frozenset[str]:
        """Dialects of all definitions."""
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
    ) -> None:
        """`fingerprint` is a hash of all that the source says, None if nobody has made one."""
        self.name = name
        self.fingerprint = fingerprint
        self.looked_in = (name,)
        self.operations = MemoryTable(operations)
        self.types = MemoryTable(types)
        self.attribute_kinds = MemoryTable(attribute_kinds)
        self.passes = MemoryTable(passes)
        self.renames = tuple(renames)
        self._renames = {rename.former: rename for rename in self.renames}

    def renamed(self, former: str) -> Rename | None:
        """What became of an operation name that LLVM gave up."""
        return self._renames.get(former)

    def uses(self, name: str) -> int:  # noqa: ARG002 - nobody counts
        """How often people use the operation: nobody counted."""
        return 0
