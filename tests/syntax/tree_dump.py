"""A tree as nested plain data, so that two trees can be compared field by field."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tdls.syntax.tree import Member, Tree

_SKIPPED = {"member", "definition"}


def dump(tree: Tree) -> list[Any]:
    """Return everything `tree` says, with offsets."""
    return [(offset, dump_member(member)) for offset, member in tree.members]


def dump_member(member: Member) -> Any:
    """Return everything a member says, its children by their own."""
    children = [(offset, dump_member(child)) for offset, child in member.children]
    own = (member.operation, member.alias, member.problems)
    return (member.length, *(_plain(part, member) for part in own), children)


def _plain(value: Any, member: Member) -> Any:
    if is_dataclass(value):
        if getattr(value, "member", member) is not member:
            return "child"
        names = [field.name for field in fields(value) if field.name not in _SKIPPED]
        return (type(value).__name__, *((name, _plain(getattr(value, name), member)) for name in names))
    if isinstance(value, tuple | list):
        return [_plain(item, member) for item in value]
    if isinstance(value, dict):
        return sorted((key, _plain(item, member)) for key, item in value.items())
    return value
