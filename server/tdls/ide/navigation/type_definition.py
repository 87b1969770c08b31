"""Where the type of the thing at the cursor is defined: types are, where they have a name of the file's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.cursor.aliases import alias_definition
from tdls.ide.cursor.target import AliasTarget, ValueTarget, placed_entity_at, target_of
from tdls.syntax.details import type_aliases_in

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.ide.snapshot import Location, Snapshot
    from tdls.semantic.model import Value


def type_definition(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the definitions of the aliases that spell the type of the value at `offset`, or of the type alias there.

    Empty for values whose type is spelled without aliases.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if isinstance(target, AliasTarget):
        return _definitions(snapshot, target.context, (target.name,)) if target.name.startswith("!") else []
    if isinstance(target, ValueTarget):
        spelled = (spelled_type(value) or "" for value in target.values)
        names = [f"!{reference.path[0]}" for text in spelled for reference in type_aliases_in(text)]
        return _definitions(snapshot, target.context, tuple(dict.fromkeys(names)))
    return []


def spelled_type(value: Value) -> str | None:
    """Return the type of `value` as it is written; None where it is not."""
    if value.operation is not None:
        node = value.operation.syntax
        types = node.result_types if node.result_types and len(node.result_types) == node.result_count else None
        return types[value.index].text if types is not None else None
    arguments = value.block.syntax.arguments if value.block is not None else ()
    spelled = arguments[value.index].type if value.index < len(arguments) else None
    return spelled.text if spelled is not None else None


def _definitions(snapshot: Snapshot, context: Context, names: tuple[str, ...]) -> list[Location]:
    found = (alias_definition(context, name) for name in names)
    locations = (snapshot.locate(alias.place) for alias in found if alias is not None)
    return [location for location in locations if location is not None]
