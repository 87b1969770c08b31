"""The catalogue: what every floor above asks about operations, types, attributes and passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from tdls.catalogue.shipped import shipped_source
from tdls.catalogue.similarity import similar_names
from tdls.catalogue.source import NamedDefinition, VersionedDefinition

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from tdls.catalogue.model import (
        AttributeKindDefinition,
        OperationDefinition,
        PassDefinition,
        Rename,
        TypeDefinition,
    )
    from tdls.catalogue.source import CatalogueSource, Table

TOP_LEVEL_DIALECT: Final = "builtin"
"""The dialect whose prefix operations at the top level of a file may omit: ``module`` is
``builtin.module``."""

_MOST_KEPT: Final = 10_000
"""How many answers are kept, before one begins anew."""

_D = TypeVar("_D", bound=VersionedDefinition)
_T = TypeVar("_T")


class Catalogue:
    """An immutable stack of sources. Where two know the same name, the one added later is the only one
    asked."""

    __slots__ = ("__weakref__", "_found", "_sources", "is_complete", "target")

    def __init__(
        self, sources: Iterable[CatalogueSource] = (), *, is_complete: bool = True, target: int | None = None
    ) -> None:
        """`sources` stand in the order they were added: the last one wins."""
        self._sources = tuple(sources)
        self.is_complete = is_complete
        """False while sources are still being read: what is unknown may be known soon."""
        self.target = target
        """The LLVM version that scripts are for, None if they may be for any."""
        self._found: dict[tuple[Callable[..., object], tuple[Hashable, ...]], object] = {}

    @classmethod
    def shipped(cls) -> Catalogue:
        """What this version of tdls knows of upstream LLVM. Cheap: files are read at the first question about
        them."""
        return cls((shipped_source(),))

    def with_source(self, source: CatalogueSource) -> Catalogue:
        """A catalogue that asks `source` first and this one's sources then."""
        return Catalogue((*self._sources, source), is_complete=self.is_complete, target=self.target)

    def incomplete(self) -> Catalogue:
        """This catalogue as long as there is more to come."""
        return Catalogue(self._sources, is_complete=False, target=self.target)

    def at(self, target: int | None) -> Catalogue:
        """This catalogue for scripts that are for the LLVM version `target`; None for any.

        What that version does not have is listed nowhere, but still found by its name, behind what it has: so a
        script for another version is understood, and `is_at_target` tells what does not fit.
        """
        return self if target == self.target else Catalogue(self._sources, is_complete=self.is_complete, target=target)

    def is_at_target(self, definition: VersionedDefinition) -> bool:
        """Tell whether the target has `definition`, which need not depend on the version of LLVM."""
        return self.target is None or not definition.versions or self.target in definition.versions

    @property
    def sources(self) -> tuple[CatalogueSource, ...]:
        """All sources, the one that wins last."""
        return self._sources

    @property
    def looked_in(self) -> tuple[str, ...]:
        """For people: all places that were searched for definitions."""
        return tuple(place for source in self._sources for place in source.looked_in)

    def ask(self, question: Callable[..., _T], *arguments: Hashable) -> _T:
        """What `question` makes of this catalogue; for what is found out with more than one look at it.

        What was found is kept, for a while: texts may ask about any number of names. Finding nothing is not kept.
        """
        asked = (question, arguments)
        known = self._found.get(asked)
        if known is not None:
            return known  # type: ignore[return-value]
        found = question(self, *arguments)
        if found:
            if len(self._found) >= _MOST_KEPT:
                self._found.clear()
            self._found[asked] = found
        return found

    def operation(self, name: str) -> OperationDefinition | None:
        """The newest definition of an operation whose format is known, else the newest; by its full name."""
        variants = self.counting(name)
        return next((variant for variant in variants if variant.format_known), variants[0] if variants else None)

    def counting(self, name: str) -> tuple[OperationDefinition, ...]:
        """The definitions that a script may mean, newest first: those of the target, or all if it has none."""
        variants = self.variants(name)
        return tuple(variant for variant in variants if self.is_at_target(variant)) or variants

    def variants(self, name: str) -> tuple[OperationDefinition, ...]:
        """All definitions of an operation, those of the target first, then newest first; empty if it is unknown."""
        return self._first((source.operations for source in self._sources), name)

    def type_definition(self, name: str) -> TypeDefinition | None:
        """The newest definition of the dialect type ``!name``."""
        variants = self.type_variants(name)
        return variants[0] if variants else None

    def type_variants(self, name: str) -> tuple[TypeDefinition, ...]:
        """All definitions of the dialect type ``!name``, newest first."""
        return self._first((source.types for source in self._sources), name)

    def has_no_parameters(self, name: str) -> bool:
        """Tell whether MLIR reads whatever ``<...>`` follows the dialect type ``!name``, and forgets it."""
        known = self.type_definition(name)
        return known is not None and not (known.parameters or known.assembly_format or known.custom_assembly)

    def attribute_kind(self, name: str) -> AttributeKindDefinition | None:
        """The newest definition of the dialect attribute ``#name``."""
        variants = self.attribute_kind_variants(name)
        return variants[0] if variants else None

    def attribute_kind_variants(self, name: str) -> tuple[AttributeKindDefinition, ...]:
        """All definitions of the dialect attribute ``#name``, newest first."""
        return self._first((source.attribute_kinds for source in self._sources), name)

    def pass_definition(self, name: str) -> PassDefinition | None:
        """The newest definition of the pass, or pipeline, that is registered as `name`."""
        variants = self.pass_variants(name)
        return variants[0] if variants else None

    def pass_variants(self, name: str) -> tuple[PassDefinition, ...]:
        """All definitions of the pass that is registered as `name`, newest first."""
        return self._first((source.passes for source in self._sources), name)

    def operation_names(self, dialect: str | None = None) -> tuple[str, ...]:
        """Sorted full names of the operations of one dialect, or of all (which reads every file)."""
        return self._names([source.operations for source in self._sources], dialect, self.variants)

    def type_names(self, dialect: str | None = None) -> tuple[str, ...]:
        """Sorted full names of the types of one dialect, or of all."""
        return self._names([source.types for source in self._sources], dialect, self.type_variants)

    def attribute_kind_names(self, dialect: str | None = None) -> tuple[str, ...]:
        """Sorted full names of the attributes of one dialect, or of all."""
        return self._names([source.attribute_kinds for source in self._sources], dialect, self.attribute_kind_variants)

    def pass_names(self) -> tuple[str, ...]:
        """Sorted names of all passes and pipelines."""
        return self._names([source.passes for source in self._sources], None, self.pass_variants)

    def dialects(self) -> frozenset[str]:
        """Every dialect that some source knows."""
        return frozenset().union(
            *(
                table.dialects()
                for source in self._sources
                for table in (source.operations, source.types, source.attribute_kinds)
            )
        )

    def renamed(self, name: str) -> Rename | None:
        """What became of an operation name that LLVM gave up; None for names that still exist or never
        did."""
        for source in reversed(self._sources):
            rename = source.renamed(name)
            if rename is not None:
                return rename
        return None

    def uses(self, name: str) -> int:
        """How often public scripts use an operation, as tools/facts/uses.py counts; 0 for never or unknown."""
        return max((source.uses(name) for source in self._sources), default=0)

    def similar(self, name: str) -> tuple[str, ...]:
        """Known operation names the writer of `name` may have meant, the best first; at most three, often
        none."""
        return tuple(similar_names(name, self.dialects(), self.operation_names))

    def default_dialect(self, operation_name: str) -> str | None:
        """The dialect whose prefix may be omitted directly in the regions of this operation; None if there is
        none.

        It holds where the operation is written in its custom form: around a generic operation nothing
        changes. See `getDefaultDialect` of OpAsmInterface.td. At the top level it is `TOP_LEVEL_DIALECT`.
        """
        definition = self.operation(operation_name)
        return definition.default_dialect if definition else None

    def _first(self, tables: Iterable[Table[_D]], name: str) -> tuple[_D, ...]:
        variants = next((found for table in reversed(tuple(tables)) if (found := table.variants(name))), ())
        return variants if self.target is None else tuple(sorted(variants, key=self._is_elsewhere))

    def _is_elsewhere(self, definition: VersionedDefinition) -> bool:
        return not self.is_at_target(definition)

    def _names(
        self,
        tables: Iterable[Table[NamedDefinition]],
        dialect: str | None,
        variants: Callable[[str], Sequence[VersionedDefinition]],
    ) -> tuple[str, ...]:
        names: set[str] = set()
        for table in tables:
            for listed in [dialect] if dialect is not None else table.dialects():
                names.update(table.names(listed))
        if self.target is not None:
            names = {name for name in names if any(map(self.is_at_target, variants(name)))}
        return tuple(sorted(names))
