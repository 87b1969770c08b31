"""Where keys stand in a TOML text: the standard library's parser does not tell."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*\[\[?([^\[\]]*)\]\]?\s*(?:#.*)?$")
_ASSIGNMENT = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*'|\s*\.\s*)+?)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


def line_of_key(text: str, key: tuple[str, ...]) -> int | None:
    """Return the 0-based line that sets `key`, or else the one that begins the innermost table around it.

    The text is not parsed: a line inside of a text of several lines may pass for a key.
    """
    best: int | None = None
    depth = 0
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines()):
        header, assignment = _HEADER.match(line), _ASSIGNMENT.match(line)
        if header:
            table = found = _parts(header[1])
        elif assignment:
            found = (*table, *_parts(assignment[1]))
        else:
            continue
        if depth < len(found) <= len(key) and key[: len(found)] == found:
            best, depth = number, len(found)
    return best


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))
