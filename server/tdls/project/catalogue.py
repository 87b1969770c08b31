"""A project's definitions as a source of the operation catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tdls.caching.plain_data import dumps, loads
from tdls.catalogue.source import NamedDefinition, Table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, PassDefinition, TypeDefinition
    from tdls.project.definitions import KeptDefinitions, ProjectDefinitions, SearchedPlace

_D = TypeVar("_D", bound=NamedDefinition)


class KeptTable(Table[_D]):
    """A table that decodes the definitions of a name at its first lookup."""

    def __init__(self, kept: KeptDefinitions) -> None:
        """`kept` is the result of `packed`."""
        self._kept = kept
        self._variants: dict[str, tuple[_D, ...]] = {}

    def variants(self, name: str) -> tuple[_D, ...]:
        """All definitions of a full name; empty if the table has none."""
        if name not in self._variants:
            content = self._kept.get(name.partition(".")[0], {}).get(name)
            self._variants[name] = loads(content) or ()
        return self._variants[name]

    def names(self, dialect: str) -> tuple[str, ...]:
        """Sorted full names of a dialect."""
        return tuple(sorted(self._kept.get(dialect, ())))

    def dialects(self) -> frozenset[str]:
        return frozenset(self._kept)


def packed(variants: Mapping[str, tuple[_D, ...]]) -> KeptDefinitions:
    """Return the variants of each name as bytes, by dialect, for `KeptTable`."""
    by_dialect: dict[str, dict[str, bytes]] = {}
    for name, definitions in variants.items():
        if (content := dumps(definitions)) is not None:
            by_dialect.setdefault(name.partition(".")[0], {})[name] = content
    return by_dialect


class ProjectCatalogue:
    """The operations, types, attributes and passes of one project. Immutable: each scan makes a new one."""

    def __init__(self, root: Path | None, definitions: ProjectDefinitions) -> None:
        """`root` is the project's folder, None for scripts outside of any project."""
        self.root = root
        self.definitions = definitions
        self.operations: Table[OperationDefinition] = KeptTable(definitions.operations)
        self.types: Table[TypeDefinition] = KeptTable(definitions.types)
        self.attribute_kinds: Table[AttributeKindDefinition] = KeptTable(definitions.attributes)
        self.passes: Table[PassDefinition] = KeptTable(definitions.passes)
        self._renames = {rename.former: rename for rename in definitions.renames}

    def __reduce__(self) -> tuple[object, ...]:
        return ProjectCatalogue, (self.root, self.definitions)

    @property
    def name(self) -> str:
        """Display name: the project's folder."""
        return str(self.root) if self.root is not None else "installed packages"

    @property
    def fingerprint(self) -> str:
        """A hash of all inputs of the definitions."""
        return self.definitions.fingerprint

    @property
    def looked_in(self) -> tuple[str, ...]:
        """Display names of the searched places, the same in every clone of the project."""
        return tuple(
            _described(searched, "the project" if searched.place == self.root else str(searched.place))
            for searched in self.definitions.searched_places
        )

    @property
    def places(self) -> tuple[str, ...]:
        """Display names of the searched places, with the number of files with definitions in each."""
        return tuple(_described(searched, str(searched.place)) for searched in self.definitions.searched_places)

    def renamed(self, former: str) -> Rename | None:
        """The rename of an operation name that the project no longer defines, or None."""
        return self._renames.get(former)

    def uses(self, name: str) -> int:  # noqa: ARG002 - same for all
        """Usage count of an operation: always 0, since there is no count for projects."""
        return 0


def _described(searched: SearchedPlace, name: str) -> str:
    words = [f"{count} {kind.value} file{'s' * (count != 1)}" for kind, count in searched.counts]
    return f"{name} ({', '.join(words) or 'no sources'})"
