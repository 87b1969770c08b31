"""How a file changes, as a unified diff that ``patch`` and ``git apply -p0`` take."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_LINE_BREAK = "\\ No newline at end of file\n"


def render(name: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of the diff; none for equal texts. Line ends stay as they are in the file."""
    for line in difflib.unified_diff(_lines(before), _lines(after), name, name):
        yield line
        if not line.endswith("\n"):
            yield "\n" + _NO_LINE_BREAK


def _lines(text: str) -> list[str]:
    r"""Split at ``\n`` alone, as such tools do."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
