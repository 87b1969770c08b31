"""Edits of whole lines, for clients that apply edits by their text and not by offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST_EDIT = 2_000
"""Characters of lines to edit as a whole."""
_CONTEXT = 40
"""Characters around what an edit changes within longer lines."""


def line_edits(text: str, edits: Iterable[tuple[int, int, str]]) -> list[dict[str, Any]]:
    """Return sorted edits as edits of whole lines: the number of the first, the `old` lines, and the `new` ones.

    Of long lines, an edit has what changes with a little around it, from a `column` on.
    """
    groups: list[tuple[int, list[tuple[int, int, str]]]] = []
    stop = -1
    for start, end, new in edits:
        begin = text.rfind("\n", 0, start) + 1
        if begin > stop:
            groups.append((begin, []))
        groups[-1][1].append((start, end, new))
        stop = _line_end(text, end)
    whole_lines = []
    line, counted = 1, 0
    for begin, inside in groups:
        pieces, at = [], begin
        for start, end, new in inside:
            pieces += [text[at:start], new]
            at = end
        stop = _line_end(text, at)
        line, counted = line + text.count("\n", counted, begin), begin
        old, new = text[begin:stop], "".join([*pieces, text[at:stop]])
        if len(old) <= _LONGEST_EDIT:
            whole_lines.append({"line": line, "old": old, "new": new})
            continue
        changed = ChangedRange.between(old, new)
        head, tail = max(changed.begin - _CONTEXT, 0), max(len(old) - changed.end_before - _CONTEXT, 0)
        place = {"line": line + old.count("\n", 0, head), "column": head - old.rfind("\n", 0, head)}
        whole_lines.append({**place, "old": old[head : len(old) - tail], "new": new[head : len(new) - tail]})
    return whole_lines


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
