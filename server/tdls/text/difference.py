"""The difference of two texts as one changed range and as a unified diff."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tdls.structs import NamedTuple
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PLAIN = range(0x20, 0x7F)
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"}
_NO_LINE_BREAK = "\\ No newline at end of file\n"


class ChangedRange(NamedTuple):
    """The range in which two sequences differ: ``[begin, end_before)`` in one, ``[begin, end_after)`` in the other."""

    begin: int
    end_before: int
    end_after: int

    @classmethod
    def between(cls, before: Sequence[Any], after: Sequence[Any]) -> ChangedRange:
        """Return the smallest such range; for equal sequences it is empty and at their end."""
        begin = common_start(before, after)
        end = _common(before, after, min(len(before), len(after)) - begin, is_end=True)
        return cls(begin, len(before) - end, len(after) - end)

    def moved(self, start: int, end: int) -> tuple[int, int] | None:
        """Map the range ``[start, end)`` of the first sequence to the second, or None if the change overlaps it."""
        if end <= self.begin:
            return start, end
        further = self.end_after - self.end_before
        return (start + further, end + further) if start >= self.end_before else None

    def offset_before(self, offset: int) -> int:
        """Map `offset` of the second sequence to the first; offsets inside the change map to its begin."""
        if offset <= self.begin:
            return offset
        return offset - self.end_after + self.end_before if offset >= self.end_after else self.begin


def common_start(before: Sequence[Any], after: Sequence[Any]) -> int:
    """Return the length of the common prefix of two sequences of one type."""
    return _common(before, after, min(len(before), len(after)))


def _common(before: Sequence[Any], after: Sequence[Any], most: int, *, is_end: bool = False) -> int:
    """Return the length of the common prefix or suffix, at most `most`, by binary search over slices."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if is_end:
            is_same = before[len(before) - middle : len(before) - low] == after[len(after) - middle : len(after) - low]
        else:
            is_same = before[low:middle] == after[low:middle]
        low, high = (middle, high) if is_same else (low, middle - 1)
    return low


def single_edit(before: str, after: str) -> tuple[FileSpan, str]:
    """Return the shortest replacement that turns `before` into `after`: the range to replace and its new text."""
    changed = ChangedRange.between(before, after)
    return FileSpan(changed.begin, changed.end_before), after[changed.begin : changed.end_after]


def line_edits(before: str, after: str) -> Iterator[tuple[FileSpan, str]]:
    """Yield replacements that turn `before` into `after`, in order: for each run of changed lines the shortest one."""
    from difflib import SequenceMatcher

    lines, new_lines = _lines(before), _lines(after)
    start = line = 0
    for kind, first, end, new_first, new_end in SequenceMatcher(None, lines, new_lines).get_opcodes():
        start += sum(map(len, lines[line:first]))
        line = first
        if kind != "equal":
            span, new = single_edit("".join(lines[first:end]), "".join(new_lines[new_first:new_end]))
            yield FileSpan(start + span.start, start + span.end), new


def changed_lines(before: str, after: str) -> int:
    """Return the number of lines of `before` that `after` has otherwise."""
    return sum(before[slice(*span)].count("\n") + 1 for span, _ in line_edits(before, after))


def unified_diff(before: str, after: str, name_before: str, name_after: str) -> Iterator[str]:
    """Yield the lines of a diff that ``patch`` and ``git apply -p0`` accept; none for equal texts.

    Line ends stay as they are in the texts. File names are quoted as git does.
    """
    import difflib

    for line in difflib.unified_diff(_lines(before), _lines(after), _quoted(name_before), _quoted(name_after)):
        yield line
        if not line.endswith("\n"):
            yield "\n" + _NO_LINE_BREAK


def _quoted(name: str) -> str:
    """Quote and escape a file name with unusual characters, as git does."""
    if name.isprintable() and not set(name) & set('"\\'):
        return name
    pieces = (_ESCAPES.get(byte) or (chr(byte) if byte in _PLAIN else f"\\{byte:03o}") for byte in os.fsencode(name))
    return f'"{"".join(pieces)}"'


def _lines(text: str) -> list[str]:
    r"""Split at ``\n`` alone, as ``patch`` and git do."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
