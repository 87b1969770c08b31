"""What of a large payload, as MLIR prints it, is enough to say why nothing was found in it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tdls.catalogue.catalogue import Catalogue

_SMALL = 20_000
"""Characters of payload that are read as a whole."""
_LARGE = 200_000
"""Characters of payload that are read where anything in it may matter."""
_MOST_EXAMPLES = 16
"""How many functions with names that are asked for are read of a larger one."""
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_][\w$]*\.[\w$.]+", re.ASCII)
_PRINTED_OPERATION = re.compile(r'^ *(?:%[^=\n]* = )?"?([A-Za-z_][\w$]*\.[\w$.]+)', re.ASCII | re.MULTILINE)
_BETWEEN_MEMBERS = re.compile(r"\n(?=  [^\s})\]>^])")
"""Where a member of the outermost module begins."""
_RESOURCES = "{-#"


def without_more_of_the_same(payload: str, asked: Collection[str] | None) -> str:
    """Return a payload without functions that have no name which is not in others; of those `asked` some are left."""
    if len(payload) <= _SMALL or _RESOURCES in payload:
        return payload
    head, *members = _BETWEEN_MEMBERS.split(payload)
    seen: Counter[str] = Counter()
    kept = [member for member in members[:-1] if _is_kept(member, asked or (), seen)]
    return "\n".join((head, *kept, *members[-1:]))


def with_members_that_have(payload: str, mark: str) -> str:
    """Return a payload with those functions, or the like, in which `mark` stands somewhere; "" if it may be any."""
    if len(payload) <= _SMALL:
        return payload
    head, *members = _BETWEEN_MEMBERS.split(payload)
    if mark in head or _RESOURCES in payload:
        return payload if len(payload) <= _LARGE else ""
    return "\n".join((head, *(member for member in members[:-1] if mark in member), *members[-1:]))


def _is_kept(member: str, asked: Collection[str], seen: Counter[str]) -> bool:
    names = set(_NAME.findall(member))
    is_kept = any(not seen[name] or (name in asked and seen[name] < _MOST_EXAMPLES) for name in names)
    seen.update(names if is_kept else ())
    return is_kept


def operations_in(payload: str, catalogue: Catalogue) -> Counter[str]:
    """Return how many operations of each name there are; of a large payload by how MLIR prints them, one a line."""
    return Counter(_printed(payload) if len(payload) > _SMALL else _read(payload, catalogue))


def _printed(payload: str) -> Iterator[str]:
    return (found[1] for found in _PRINTED_OPERATION.finditer(payload))


def _read(payload: str, catalogue: Catalogue) -> Iterator[str]:
    file = SourceFile.of(payload, catalogue)
    return (operation.name or "" for context in file.contexts for operation in context.model.walk())
