"""The catalogue: answers all queries of other packages for operations, types, attributes and passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from tdls.catalogue.model import HandleEffect, PayloadEffect
from tdls.catalogue.shipped import shipped_source
from tdls.catalogue.source import NamedDefinition, VersionedDefinition
from tdls.settings.llvm_versions import older_versions
from tdls.text.similarity import similar_names

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, PassDefinition, TypeDefinition
    from tdls.catalogue.source import CatalogueSource, Table

TOP_LEVEL_DIALECT: Final = "builtin"
"""The dialect whose prefix operations at the top level of a file may omit: ``module`` is ``builtin.module``."""

_MOST_KEPT: Final = 10_000
"""Maximum number of cached answers; then the cache is emptied."""

_D = TypeVar("_D", bound=VersionedDefinition)
_T = TypeVar("_T")


class Catalogue:
    """An immutable stack of sources. Where several define a name, only the one added last is used."""

    __slots__ = ("__weakref__", "_found", "_sources", "is_complete", "placeholders", "target")

    def __init__(
        self,
        sources: Iterable[CatalogueSource] = (),
        *,
        is_complete: bool = True,
        target: int | None = None,
        placeholders: tuple[str, ...] = (),
    ) -> None:
        """`sources` are in ascending precedence."""
        self._sources = tuple(sources)
        self.is_complete = is_complete
        """False while sources are still being read: an unknown name may become known."""
        self.target = target
        """The LLVM version that scripts are for, or None if they may be for any."""
        self.placeholders = placeholders
        """The shapes of further tokens that stand for something else in the project's scripts, see `template_of`."""
        self._found: dict[tuple[Callable[..., object], tuple[Hashable, ...]], object] = {}

    @classmethod
    def shipped(cls) -> Catalogue:
        """Return the catalogue of upstream LLVM that is shipped. Cheap, since each file is read at its first query."""
        return cls((shipped_source(),))

    def with_source(self, source: CatalogueSource) -> Catalogue:
        """Return a catalogue in which `source` takes precedence over the sources of this one."""
        return self._with(sources=(*self._sources, source))

    def incomplete(self) -> Catalogue:
        """Return this catalogue with `is_complete` False."""
        return self._with(is_complete=False)

    def at(self, target: int | None) -> Catalogue:
        """Return this catalogue for scripts that are for the LLVM version `target`, or None for any.

        Definitions that the version lacks are not listed, but still found by name, after those that it has: so a
        script for another version is understood, and `is_at_target` finds the definitions that do not fit.
        """
        return self if target == self.target else self._with(target=target)

    def with_placeholders(self, placeholders: tuple[str, ...]) -> Catalogue:
        """Return this catalogue for scripts in which tokens of the shapes `placeholders` stand for something else."""
        return self if placeholders == self.placeholders else self._with(placeholders=placeholders)

    def _with(self, **changed: Any) -> Catalogue:
        inputs = {
            "sources": self._sources,
            "is_complete": self.is_complete,
            "target": self.target,
            "placeholders": self.placeholders,
        }
        return Catalogue(**{**inputs, **changed})

    def is_at_target(self, definition: VersionedDefinition) -> bool:
        """Whether the target has `definition`; True for definitions that do not depend on the version of LLVM."""
        return self.target is None or not definition.versions or self.target in definition.versions

    @property
    def sources(self) -> tuple[CatalogueSource, ...]:
        """All sources, in ascending precedence."""
        return self._sources

    @property
    def looked_in(self) -> tuple[str, ...]:
        """All places that were searched for definitions, for people."""
        return tuple(place for source in self._sources for place in source.looked_in)

    def ask(self, question: Callable[..., _T], *arguments: Hashable) -> _T:
        """Return the result of `question` for this catalogue; for queries that consist of several look-ups.

        Results are cached, up to a limit, since texts may query any number of names. Empty results are not cached.
        """
        query = (question, arguments)
        known = self._found.get(query)
        if known is not None:
            return known  # type: ignore[return-value]
        found = question(self, *arguments)
        if found:
            if len(self._found) >= _MOST_KEPT:
                self._found.clear()
            self._found[query] = found
        return found

    def operation(self, name: str) -> OperationDefinition | None:
        """Return an operation's newest definition of known format, else the newest, or None for an unknown name."""
        variants = self.counting(name)
        return next((variant for variant in variants if variant.format_known), variants[0] if variants else None)

    def counting(self, name: str) -> tuple[OperationDefinition, ...]:
        """Return the definitions that a script may refer to, newest first: the target's, or all if it has none."""
        variants = self.variants(name)
        return tuple(variant for variant in variants if self.is_at_target(variant)) or variants

    def variants(self, name: str) -> tuple[OperationDefinition, ...]:
        """Return all definitions of an operation, the target's first, then newest first; empty if it is unknown."""
        variants = self._first((source.operations for source in self._sources), name)
        if self.target not in older_versions():
            return variants
        former = (each for each in self._former(name, variants) if self.target in each.versions)
        return (*former, *variants)

    def older(self, name: str) -> tuple[OperationDefinition, ...]:
        """Return the forms of an operation that only versions before the target have, the newest first."""
        variants = self._first((source.operations for source in self._sources), name)
        return tuple(each for each in self._former(name, variants) if self.target not in each.versions)

    def _former(self, name: str, variants: Sequence[OperationDefinition]) -> tuple[OperationDefinition, ...]:
        """Return the forms of an operation in the oldest versions, none if the project defines it."""
        is_own = bool(variants) and not any(variant.versions for variant in variants)
        return () if is_own else shipped_source().older.operations.get(name, ())

    def is_older(self, definition: OperationDefinition) -> bool:
        """Whether only versions before the shipped facts and before the target have a definition."""
        return definition.is_older and self.target not in definition.versions

    def former_attributes(self, name: str) -> tuple[str, ...]:
        """Return the names of attributes that an operation has in the oldest versions only."""
        return shipped_source().older.former_attributes.get(name, ())

    def type_definition(self, name: str) -> TypeDefinition | None:
        """The newest definition of the dialect type ``!name``."""
        variants = self.type_variants(name)
        return variants[0] if variants else None

    def type_variants(self, name: str) -> tuple[TypeDefinition, ...]:
        """All definitions of the dialect type ``!name``, newest first."""
        return self._first((source.types for source in self._sources), name)

    def has_no_parameters(self, name: str) -> bool:
        """Whether the type ``!name`` has no parameters: MLIR accepts and drops any ``<...>`` behind it."""
        known = self.type_definition(name)
        return known is not None and not (known.parameters or known.assembly_format or known.custom_assembly)

    def attribute_kind(self, name: str) -> AttributeKindDefinition | None:
        """The newest definition of the dialect attribute ``#name``."""
        variants = self.attribute_kind_variants(name)
        return variants[0] if variants else None

    def attribute_kind_variants(self, name: str) -> tuple[AttributeKindDefinition, ...]:
        """All definitions of the dialect attribute ``#name``, newest first."""
        return self._first((source.attribute_kinds for source in self._sources), name)

    def lacks(self, spelled: str) -> bool:
        """Whether a dialect has types (``!dialect.type``), or attributes (``#``), but none of this name."""
        name = spelled[1:]
        is_type = spelled.startswith("!")
        if self.type_variants(name) if is_type else self.attribute_kind_variants(name):
            return False
        dialect = name.partition(".")[0]
        return bool(self.type_names(dialect) if is_type else self.attribute_kind_names(dialect))

    def pass_definition(self, name: str) -> PassDefinition | None:
        """The newest definition of the pass, or pipeline, that is registered as `name`."""
        variants = self.pass_variants(name)
        return variants[0] if variants else None

    def pass_variants(self, name: str) -> tuple[PassDefinition, ...]:
        """All definitions of the pass that is registered as `name`, newest first."""
        return self._first((source.passes for source in self._sources), name)

    def operation_names(self, dialect: str | None = None) -> tuple[str, ...]:
        """Return sorted full names of the operations of one dialect, or of all (which reads every file)."""
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
        return frozenset().union(
            *(
                table.dialects()
                for source in self._sources
                for table in (source.operations, source.types, source.attribute_kinds)
            )
        )

    def renamed(self, name: str) -> Rename | None:
        """Return the rename or removal of an operation name in LLVM, or None for names that still or never existed."""
        renames = (source.renamed(name) for source in reversed(self._sources))
        return next((rename for rename in renames if rename is not None), None)

    def uses(self, name: str) -> int:
        """Return the number of uses in public scripts, counted by tools/facts/uses.py; 0 for none or unknown."""
        return max((source.uses(name) for source in self._sources), default=0)

    def similar(self, name: str) -> tuple[str, ...]:
        """Return known operation names similar to `name`, the best first; at most three, often none."""
        return tuple(similar_names(name, self.dialects(), self.operation_names))

    def default_dialect(self, operation_name: str) -> str | None:
        """Return the dialect whose prefix may be omitted directly in the regions of this operation; None without one.

        It applies where the operation is written in its custom form; in the regions of a generic operation the
        dialect around it stays in force. See `getDefaultDialect` of OpAsmInterface.td. At the top level it is
        `TOP_LEVEL_DIALECT`.
        """
        definition = self.operation(operation_name)
        return definition.default_dialect if definition else None

    def _first(self, tables: Iterable[Table[_D]], name: str) -> tuple[_D, ...]:
        variants = next((found for table in reversed(tuple(tables)) if (found := table.variants(name))), ())
        if self.target is None:
            return variants
        return tuple(sorted(variants, key=lambda definition: not self.is_at_target(definition)))

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


_GENERATED: Final = "_gen.py"
"""The end of the names of modules that mlir-tblgen generates for Python."""


def without_effects(catalogue: Catalogue) -> tuple[OperationDefinition, ...]:
    """Return the transform operations of installed bindings whose effects no source knows."""
    names = {name for source in catalogue.sources[1:] for name in source.operations.names("transform")}
    definitions = (catalogue.variants(name)[0] for name in sorted(names))
    return tuple(filter(_lacks_effects, definitions))


def _lacks_effects(definition: OperationDefinition) -> bool:
    place = definition.defined_at
    if definition.versions or place is None or not place.path.name.endswith(_GENERATED):
        return False
    effects = {group.effect for group in definition.operands} | {group.effect for group in definition.results}
    return effects <= {HandleEffect.UNKNOWN} and definition.payload_effect is PayloadEffect.UNKNOWN
