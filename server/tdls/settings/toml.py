"""Works on the text of TOML files: limits before parsing, lines of keys, and the addition of libraries."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_DEEPEST = 100
_LONGEST_NUMBER = re.compile(r"(?<![\d_])[\d_]{1000}")
_TEXT_IN_QUOTES = re.compile(r'"[^"\n]*"' + r"|'[^'\n]*'")
_BRACKET = re.compile(r"[\[\]{}]")
_BARE_KEY = re.compile(r"[\w-]+")


def parsed(text: str) -> dict[str, Any]:
    """Parse a text of TOML. Raises ValueError, also for a text that would take the parser too long."""
    excess = excess_of(text)
    if excess is not None:
        raise ValueError(excess)
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        document: dict[str, Any] = tomllib.loads(text)
    except ValueError:
        raise
    except Exception as error:  # the parser may raise any error for untrusted text
        raise ValueError(f"the parser of TOML gave up: {type(error).__name__}") from error
    return document


def excess_of(text: str) -> str | None:
    """Return which limit `text` exceeds, as the predicate of a message, or None if it can be parsed."""
    if _LONGEST_NUMBER.search(text) is not None:
        return "has a number of more than 1,000 digits"
    plain = _TEXT_IN_QUOTES.sub("k", text)
    if any(_longest_key(line) > _DEEPEST for line in plain.splitlines()):
        return f"has a key of more than {_DEEPEST} parts"
    if _deepest_bracket(plain) > _DEEPEST:
        return f"has more than {_DEEPEST} brackets inside of each other"
    return None


def _longest_key(line: str) -> int:
    """Count the parts of the longest dotted key; other text with dots may count, too."""
    longest = parts = 0
    for part in line.split("."):
        parts = parts + 1 if _BARE_KEY.search(part) is not None else 0
        longest = max(longest, parts)
        if " " in part.strip():
            parts = 1
    return longest


def _deepest_bracket(text: str) -> int:
    deepest = depth = 0
    for match in _BRACKET.finditer(text):
        depth = depth + 1 if match[0] in "[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


_HEADER = re.compile(r"\s*\[\[?([^\[\]]*)\]\]?\s*(?:#.*)?$")
_KEY = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_ASSIGNMENT = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_PART = re.compile(_KEY)


def line_of_key(text: str, key: tuple[str, ...]) -> int | None:
    """Return the 0-based line that sets `key`, else the line that begins the innermost table around it, else None.

    The text is not parsed: a line of a multi-line string may be taken for a key.
    """
    lines = _lines_of_keys(text)
    prefixes = (key[:depth] for depth in range(len(key), 0, -1))
    return next((lines[prefix] for prefix in prefixes if prefix in lines), None)


@lru_cache(maxsize=4)
def _lines_of_keys(text: str) -> Mapping[tuple[str, ...], int]:
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines()):
        header, assignment = _HEADER.match(line), _ASSIGNMENT.match(line)
        if header:
            table = _parts(header[1])
            lines.setdefault(table, number)
        elif assignment:
            lines.setdefault((*table, *_parts(assignment[1])), number)
    return MappingProxyType(lines)


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))


_LIBRARIES_KEY = "libraries"


def with_libraries(text: str, table: tuple[str, ...], entries: Sequence[str]) -> str | None:
    """Return the TOML `text` with `entries` first in the ``libraries`` of its `table`; () is the top level.

    The rest of the text stays as it is. None if the text is not TOML, or has something else in their place.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    known = _libraries(text, table)
    if known is None:
        return None
    try:
        document: Any = tomlkit.parse(text)
        place = document
        for name in table:
            place = place.setdefault(name, {})
        if _LIBRARIES_KEY not in place:
            place[_LIBRARIES_KEY] = list(entries)
        else:
            for entry in reversed(entries):
                place[_LIBRARIES_KEY].insert(0, entry)
        edited = tomlkit.dumps(document)
    except (TOMLKitError, ValueError, RecursionError):
        return None
    return edited if _libraries(edited, table) == [*entries, *known] else None


def _libraries(text: str, table: tuple[str, ...]) -> list[object] | None:
    """Return the present list, [] without one, or None for an invalid text, and for other values in its place."""
    try:
        value: Any = parsed(text)
    except ValueError:
        return None
    for name in table:
        value = value.get(name, {}) if isinstance(value, dict) else None
    known = value.get(_LIBRARIES_KEY, []) if isinstance(value, dict) else None
    return known if isinstance(known, list) else None
