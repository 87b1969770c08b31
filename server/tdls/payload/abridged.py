"""Shortens the weights of models before a text is analysed: literals of megabytes, which no rule looks into.

A literal is replaced only if every MLIR reads it: data by its first element, a list by its first element, which both
stand for a tensor of equal elements, and a blob by its head. So the short text has the findings of the long one;
`Abridged.restored` gives a finding its place in the long one. Anything else, such as a list with a wrong element, is
left as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple, replace
from tdls.syntax.literals import SHAPED_TYPE, data_sizes
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.text.diagnostic import Diagnostic, Fix

_SHORTEST = 4_000
"""Minimum length of a literal to replace, in code points."""
_DENSE, _DATA, _LIST = "dense<", '"0x', "dense<["
_HEAD_OF_BLOB = len(_DATA) + 16
_BEFORE = 300
"""Number of code points before a literal without a type behind it in which its type is looked for."""
_TYPE_BEFORE = re.compile(r": memref(<[0-9x]{0,200}[a-z][a-z0-9]{0,9}>) = dense<$", re.ASCII)
_KEY_BEFORE = re.compile(r'[\w$.\-"]: $', re.ASCII)
_NO_DIGITS = b"0123456789abcdefABCDEF"
_FLOAT = re.compile(r"-?[0-9]{1,40}\.[0-9]{0,40}(?:[eE][-+]?[0-9]{1,5})?|0x[0-9a-fA-F]{1,32}", re.ASCII)
_DIGITS_OF_BIT = 0.30103


class Cut(NamedTuple):
    """A part of a literal that was left out, at the offset `at` of the short text.

    `stand_in` is what is left of the literal, behind what introduces it.
    """

    at: int
    removed: int
    stand_in: str


class Abridged:
    """A text with its large literals shortened."""

    def __init__(self, text: str, cuts: tuple[Cut, ...] = ()) -> None:
        self.text = text
        self._cuts = cuts
        self._places = [cut.at for cut in cuts]
        self._removed = list(accumulate((cut.removed for cut in cuts), initial=0))

    def offset(self, offset: int) -> int:
        """Return the offset in the long text of an offset in the short one."""
        return offset + self._removed[bisect_right(self._places, offset)]

    def restored(self, finding: Diagnostic) -> Diagnostic:
        """Return a finding in the short text as one in the long text, without fixes that would write a short literal.

        Notes in other files stay as they are.
        """
        if not self._cuts:
            return finding
        return replace(
            finding,
            span=self._span(finding.span),
            notes=tuple(
                replace(note, span=self._span(note.span)) if note.path is None else note for note in finding.notes
            ),
            fixes=tuple(
                replace(fix, edits=tuple(replace(edit, span=self._span(edit.span)) for edit in fix.edits))
                for fix in finding.fixes
                if not self._copies(fix)
            ),
        )

    def _span(self, span: FileSpan) -> FileSpan:
        return FileSpan(self.offset(span.start), self.offset(span.end))

    def _copies(self, fix: Fix) -> bool:
        """Whether a fix replaces or repeats a shortened literal."""
        return any(
            self.offset(edit.span.end) - self.offset(edit.span.start) != edit.span.end - edit.span.start
            or any(cut.stand_in in edit.new_text for cut in self._cuts)
            for edit in fix.edits
        )


def abridge(text: str) -> Abridged:
    """Shorten the large literals of `text`. Takes linear time."""
    pieces: list[str] = []
    cuts: list[Cut] = []
    length = at = 0
    for start, end, stand_in, tail in _right_literals(text) if len(text) > _SHORTEST else ():
        short = stand_in + tail
        length += start - at + len(stand_in)
        pieces += [text[at:start], short]
        cuts.append(Cut(length, end - start - len(short), text[start - len(_DENSE) : start] + short))
        length += len(tail)
        at = end
    return Abridged("".join([*pieces, text[at:]]), tuple(cuts)) if cuts else Abridged(text)


def _right_literals(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield the start and end of each large literal that is right, and the two parts of what stands in its place."""
    data, listed = text.find(_DATA), text.find(_LIST)
    while data >= 0 or listed >= 0:
        is_data = listed < 0 or 0 <= data < listed
        start = data if is_data else listed + len(_DENSE)
        end = text.find('"', start + 1) + 1 if is_data else text.find(">", start)
        short = None
        if end - start >= _SHORTEST:
            short = _short_data(text, start, end) if is_data else _short_list(text, start, end)
        if short is not None:
            yield start, end, short[: len(short) - is_data], '"' * is_data
        behind = end if short is not None else start + 1
        data = text.find(_DATA, behind) if 0 <= data < behind else data
        listed = text.find(_LIST, behind) if 0 <= listed < behind else listed


def _short_data(text: str, start: int, end: int) -> str | None:
    """Return the string for hexadecimal data between two offsets, None if the data may be wrong."""
    if (end - start) % 2 or text[start + len(_DATA) : end - 1].encode("utf-8").translate(None, _NO_DIGITS):
        return None
    if _KEY_BEFORE.search(text, max(start - _BEFORE, 0), start) is not None:
        return text[start : start + _HEAD_OF_BLOB] + '"'
    kind = _kind(text, start, end)
    sizes = data_sizes(kind) if kind is not None else ()
    if (end - start - len(_DATA) - 1) // 2 not in sizes:
        return None
    return text[start : start + len(_DATA) + 2 * min(sizes)] + '"'


def _short_list(text: str, start: int, end: int) -> str | None:
    """Return the first number of the list between two offsets, None if an element or the shape may be wrong."""
    kind = _kind(text, start, end)
    if kind is None or kind["complex"] is not None:
        return None
    shape = [int(size) for size in kind["shape"].split("x")[:-1]]
    number = _number(kind["integer"])
    if number is None or not 0 < 2 * prod(shape) <= end - start:
        return None
    outline = "n"
    for size in reversed(shape):
        outline = f"[{','.join([outline] * size)}]"
    found = number.sub("n", text[start:end])
    first = number.search(text, start, end)
    return first[0] if first is not None and "".join(found.split()) == outline else None


def _number(integer: str | None) -> re.Pattern[str] | None:
    """Return the pattern of numbers that fit into a type for certain; `integer` is None for floating point numbers."""
    if integer is None:
        return _FLOAT
    width = 64 if integer == "index" else int(integer.lstrip("sui"))
    digits = int((width - 1) * _DIGITS_OF_BIT)
    sign = "" if integer.startswith("ui") else "-?"
    return re.compile(rf"{sign}[0-9]{{1,{digits}}}", re.ASCII) if digits else None


def _kind(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the shaped type of the literal between two offsets, which is alone in its ``dense<...>``."""
    if not text.startswith(_DENSE, start - len(_DENSE)) or not text.startswith(">", end):
        return None
    kind = SHAPED_TYPE.match(text, end + 2)
    if kind is not None:
        return kind
    before = _TYPE_BEFORE.search(text, max(start - _BEFORE, 0), start)
    return SHAPED_TYPE.match(f": tensor{before[1]}") if before is not None else None
