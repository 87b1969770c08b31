"""How a file changes, as a unified diff that ``patch`` and ``git apply -p0`` take."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLAIN = range(0x20, 0x7F)
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"}
_NO_LINE_BREAK = "\\ No newline at end of file\n"


def render(name: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of the diff; none for equal texts. Line ends stay as they are in the file."""
    import difflib

    name = quoted(name)
    for line in difflib.unified_diff(_lines(before), _lines(after), name, name):
        yield line
        if not line.endswith("\n"):
            yield "\n" + _NO_LINE_BREAK


def quoted(name: str) -> str:
    """Return the name of a file as git writes it in a diff: in quotes, with escapes, if it has unusual characters."""
    if name.isprintable() and not set(name) & set('"\\'):
        return name
    pieces = (_ESCAPES.get(byte) or (chr(byte) if byte in _PLAIN else f"\\{byte:03o}") for byte in os.fsencode(name))
    return f'"{"".join(pieces)}"'


def _lines(text: str) -> list[str]:
    r"""Split at ``\n`` alone, as such tools do."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
