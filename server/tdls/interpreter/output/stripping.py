"""Removes the scripts from a printed module.

MLIR's output has a strict layout: an operation begins a line, and all its other lines with the same indentation begin
with a closing bracket or a label.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SCRIPT_DIALECT = "transform."
_SCRIPT = re.compile(r' *(?:%[^=]*= )?"?transform\.')
_MODULE = re.compile(r" *module\b")
_SCRIPT_MARK = "transform.with_named_sequence"
_MARK_ALONE = re.compile(r"\battributes[ ]\{transform\.with_named_sequence\}[ ]?")
_MARK_AMONG_OTHERS = re.compile(
    r"(?<=[{ ])transform\.with_named_sequence,[ ]|,[ ]transform\.with_named_sequence(?=[,}])"
)
_INDENTATION = 2
_NO_BEGIN = frozenset(["", *" ^}])>\n"])
_FRAME = 2
"""Number of lines of an empty module."""


def without_scripts(text: str) -> str:
    """Return the printed module `text` without transform operations and without modules that contain nothing else.

    Only children of the outermost module are examined, and those of nested modules that are marked as having scripts.
    Aliases remain, even unused ones.
    """
    if _SCRIPT_DIALECT not in text:
        return text
    lines = text.splitlines(keepends=True)
    begin = next((row for row, line in enumerate(lines) if line.startswith("module")), len(lines))
    end = next((row for row in range(begin + 1, len(lines)) if lines[row].startswith("}")), None)
    if end is None:
        return text
    return "".join([*lines[:begin], *_stripped(lines[begin : end + 1], 0), *lines[end + 1 :]])


def _stripped(module: Sequence[str], indentation: int) -> list[str]:
    kept = [_MARK_AMONG_OTHERS.sub("", _MARK_ALONE.sub("", module[0], count=1), count=1)]
    for member in _members(module[1:-1], indentation + _INDENTATION):
        if _SCRIPT.match(member[0]) is not None:
            continue
        if _MODULE.match(member[0]) is None or _SCRIPT_MARK not in member[0]:
            kept += member
            continue
        inner = _stripped(member, indentation + _INDENTATION)
        kept += inner if len(inner) > _FRAME else []
    return [*kept, module[-1]]


def _members(lines: Sequence[str], indentation: int) -> Iterator[list[str]]:
    """Yield the lines of each operation that begins at `indentation`; lines before the first one form a group."""
    member: list[str] = []
    for line in lines:
        is_begin = line[indentation : indentation + 1] not in _NO_BEGIN and not line[:indentation].strip()
        if is_begin and member:
            yield member
            member = []
        member.append(line)
    if member:
        yield member
