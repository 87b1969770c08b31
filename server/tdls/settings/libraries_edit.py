"""Naming libraries in a file with settings, as one insertion that leaves the rest of the text as it is."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

from tdls.settings.toml_places import line_of_key
from tdls.text.blanks import after_blanks

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEY = "libraries"
_LIST_BEGINS = re.compile(r"=[ \t]*\[[ \t]*")


def with_libraries(text: str, table: tuple[str, ...], entries: Sequence[str]) -> str | None:
    """Return the TOML `text` with `entries` put before the ``libraries`` of its `table`; () is the text's own.

    None where that would not say what it should: the text is no TOML, or spells the list in a way that is not known.
    """
    written = ", ".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    known = _libraries(text, table)
    if known is None:
        return None
    line = line_of_key(text, (*table, _KEY))
    is_listed = line is not None and _KEY in text.splitlines()[line]
    edited = _in_list(text, line or 0, written) if is_listed else _as_new_key(text, table, line, written)
    return edited if edited is not None and _libraries(edited, table) == [*entries, *known] else None


def _in_list(text: str, line: int, written: str) -> str | None:
    lines = text.splitlines(keepends=True)
    begins = _LIST_BEGINS.search(lines[line])
    if begins is None:
        return None
    place = sum(map(len, lines[:line])) + begins.end()
    separator = "" if text.startswith("]", after_blanks(text, place)) else ", "
    return f"{text[:place]}{written}{separator}{text[place:]}"


def _as_new_key(text: str, table: tuple[str, ...], header: int | None, written: str) -> str | None:
    if table and header is None:
        return None
    lines = text.splitlines(keepends=True)
    place = sum(map(len, lines[: header + 1])) if table and header is not None else 0
    return f"{text[:place]}{_KEY} = [{written}]\n{text[place:]}"


def _libraries(text: str, table: tuple[str, ...]) -> list[object] | None:
    """Return the list as it is now, [] if there is none; None if the text does not say."""
    try:
        found: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    for name in table:
        found = found.get(name) if isinstance(found, dict) else None
    known = found.get(_KEY, []) if isinstance(found, dict) else None
    return known if isinstance(known, list) else None
