"""Where keys stand in a TOML text: the standard library's parser does not tell."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEADER = re.compile(r"\s*\[\[?([^\[\]]*)\]\]?\s*(?:#.*)?$")
_KEY = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_ASSIGNMENT = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_PART = re.compile(_KEY)


def line_of_key(text: str, key: tuple[str, ...]) -> int | None:
    """Return the 0-based line that sets `key`, or else the one that begins the innermost table around it.

    The text is not parsed: a line inside of a text of several lines may pass for a key.
    """
    lines = _lines_of_keys(text)
    prefixes = (key[:depth] for depth in range(len(key), 0, -1))
    return next((lines[prefix] for prefix in prefixes if prefix in lines), None)


@lru_cache(maxsize=4)
def _lines_of_keys(text: str) -> Mapping[tuple[str, ...], int]:
    """The first line of each key and table."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines()):
        header, assignment = _HEADER.match(line), _ASSIGNMENT.match(line)
        if header:
            table = _parts(header[1])
            found.setdefault(table, number)
        elif assignment:
            found.setdefault((*table, *_parts(assignment[1])), number)
    return MappingProxyType(found)


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))
