"""Takes the scripts out of a module that MLIR has printed.

What MLIR prints is laid out strictly: an operation begins a line, and all other lines of it that are indented as much
as its first one begin with what closes a bracket, or with a label.
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
"""How many lines a module has without what is in it."""


def without_scripts(text: str) -> str:
    """Return the printed module `text` without transform operations and without modules that hold nothing else.

    Looked at are the children of the outermost module, and of modules in it that are marked as holding scripts. Aliases
    stay, also if nothing uses them any more.
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
    """Return the lines of a `module` without the scripts in it."""
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
    """Yield the lines of each operation that begins with `indentation`; those before the first one stay alone."""
    member: list[str] = []
    for line in lines:
        is_begin = line[indentation : indentation + 1] not in _NO_BEGIN and not line[:indentation].strip()
        if is_begin and member:
            yield member
            member = []
        member.append(line)
    if member:
        yield member
