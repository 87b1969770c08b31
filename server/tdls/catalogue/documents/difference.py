"""How two catalogues differ: definitions added, removed, and changed in what matters to scripts."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tdls.catalogue.documents.document import CatalogueDocument
    from tdls.catalogue.model import AnyDefinition

_NOT_COMPARED = frozenset(("name", "summary", "description", "source", "versions", "defined_at", "implemented_at"))
"""What people read, and where definitions come from."""


@dataclass(frozen=True, slots=True)
class DefinitionChange:
    """One difference between two definitions of a name.

    `path` leads to it by field names and names of members: ("operands", "loop", "effect"); ("operands", "loop") is
    a member that was added (`before` is None) or removed (`after` is None). Values are those of the model.
    """

    path: tuple[str, ...]
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class ChangedDefinition:
    """A definition that changed."""

    name: str
    changes: tuple[DefinitionChange, ...]


@dataclass(frozen=True, slots=True)
class CatalogueDifference:
    """How the definitions of one kind differ; all by name."""

    kind: str
    """``operations``, ``types`` or ``attributes``."""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[ChangedDefinition, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    """Names among the removed ones, with those among the added ones that they have now."""

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def difference(before: CatalogueDocument, after: CatalogueDocument) -> tuple[CatalogueDifference, ...]:
    """How `after` differs from `before`, for each kind of definitions. Of variants, the first ones are compared."""
    renames = {rename.former: rename.name for rename in (*before.renames, *after.renames) if rename.name is not None}
    renames |= {former: operation.name for operation in after.operations for former in operation.former_names}
    return (
        _difference("operations", before.operations, after.operations, renames),
        _difference("types", before.types, after.types),
        _difference("attributes", before.attributes, after.attributes),
    )


def _difference(
    kind: str,
    before: Iterable[AnyDefinition],
    after: Iterable[AnyDefinition],
    renames: Mapping[str, str] | None = None,
) -> CatalogueDifference:
    old, new = _first_variants(before), _first_variants(after)
    added, removed = sorted(new.keys() - old.keys()), sorted(old.keys() - new.keys())
    compared = (
        ChangedDefinition(name, tuple(_changes((), old[name], new[name]))) for name in sorted(old.keys() & new.keys())
    )
    known = renames or {}
    renamed = tuple((name, known[name]) for name in removed if known.get(name) in new)
    return CatalogueDifference(
        kind, tuple(added), tuple(removed), tuple(comparison for comparison in compared if comparison.changes), renamed
    )


def _first_variants(definitions: Iterable[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for definition in definitions:
        found.setdefault(definition.name, definition)
    return found


def _changes(path: tuple[str, ...], before: Any, after: Any) -> Iterator[DefinitionChange]:
    for field in fields(before):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if field.name in _NOT_COMPARED or old == new:
            continue
        if _are_members(old) and _are_members(new):
            yield from _member_changes((*path, field.name), _by_name(old), _by_name(new))
        else:
            yield DefinitionChange((*path, field.name), old, new)


def _are_members(value: Any) -> bool:
    return isinstance(value, tuple) and all(is_dataclass(member) and hasattr(member, "name") for member in value)


def _by_name(members: tuple[Any, ...]) -> dict[str, Any]:
    """Members by name; those without one, or with that of another, by their number."""
    found: dict[str, Any] = {}
    for number, member in enumerate(members):
        found[member.name if member.name and member.name not in found else f"#{number}"] = member
    return found


def _member_changes(path: tuple[str, ...], before: dict[str, Any], after: dict[str, Any]) -> Iterator[DefinitionChange]:
    for name in before:
        if name not in after:
            yield DefinitionChange((*path, name), before[name], None)
    for name in after:
        if name not in before:
            yield DefinitionChange((*path, name), None, after[name])
    common = [name for name in before if name in after]
    for name in common:
        yield from _changes((*path, name), before[name], after[name])
    order = [name for name in after if name in before]
    if common != order:
        yield DefinitionChange(path, tuple(common), tuple(order))
