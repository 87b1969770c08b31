"""Shortens the weights of models before a text is analysed: literals of megabytes, which no rule looks into.

A literal is replaced only if every MLIR reads it: data by its first element, a list by its first element, which both
stand for a tensor of equal elements, and a blob by its head. So the short text has the findings of the long one;
`Cuts.restored` gives a finding its place in the long one. Anything else, such as a list with a wrong element, is
left as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from math import prod
from operator import add
from typing import TYPE_CHECKING, TypeVar

from tdls.structs import NamedTuple, replace
from tdls.syntax.literals import SHAPED_TYPE, data_sizes
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.text.diagnostic import Diagnostic, Note, TextEdit

    _Placed = TypeVar("_Placed", Diagnostic, Note, TextEdit)

SHORTEST = 4_000
"""Minimum length of a literal to replace, in code points."""
_DENSE, _DATA, _LIST = "dense<", '"0x', "dense<["
_HEAD_OF_BLOB = len(_DATA) + 16
_BEFORE = 300
"""Number of code points before a literal without a type behind it in which its type is looked for."""
_TYPE_BEFORE = re.compile(r": memref(<[0-9x]{0,200}[a-z][a-z0-9]{0,9}>) = dense<$", re.ASCII)
_KEY_BEFORE = re.compile(r'[\w$.\-"]: $', re.ASCII)
_NO_DIGITS = b"0123456789abcdefABCDEF"
_LINE_BREAK = re.compile(r"[\r\n]")
_FLOAT = re.compile(r"-?[0-9]{1,40}\.[0-9]{0,40}(?:[eE][-+]?[0-9]{1,5})?|0x[0-9a-fA-F]{1,32}", re.ASCII)
_DIGITS_OF_BIT = 0.30103


class Cut(NamedTuple):
    """A literal of the long text, and what stands for it in the short one, which ends at the offset `at`.

    `shown` is what stands there with what is around it. The literal is "" where it is not put back: it may have 200 MB.
    """

    at: int
    removed: int
    literal: str
    short: str
    shown: str


class Cuts:
    """The parts that a short text lacks, in its order: relates its offsets to those of the long one."""

    def __init__(self, cuts: Sequence[Cut] = ()) -> None:
        self._cuts = cuts
        self._places = [cut.at for cut in cuts]
        self._removed = list(accumulate((cut.removed for cut in cuts), initial=0))
        self._begins = list(map(add, self._places, self._removed))
        """Where the short forms end, in offsets of the long text."""

    def __bool__(self) -> bool:
        return bool(self._cuts)

    def offset(self, offset: int) -> int:
        """Return the offset in the long text of an offset in the short one."""
        return offset + self._removed[bisect_right(self._places, offset)]

    def short_offset(self, offset: int) -> int:
        """Return the offset in the short text of an offset in the long one: that of the cut, inside of one."""
        number = bisect_right(self._begins, offset)
        return max(offset - self._removed[number], self._places[number - 1]) if number else offset

    def are_in(self, start: int, end: int) -> bool:
        """Whether something was left out between two offsets of the short text."""
        return bisect_right(self._places, start) < bisect_right(self._places, end)

    def put_back(self, text: str, start: int) -> str:
        """Return the long form of a text that begins at the offset `start` of the short one."""
        pieces, at = [], 0
        for cut in self._cuts[bisect_right(self._places, start) : bisect_right(self._places, start + len(text))]:
            pieces += [text[at : cut.at - len(cut.short) - start], cut.literal]
            at = cut.at - start
        return "".join([*pieces, text[at:]]) if pieces else text

    def replaced(self, start: int, end: int, length: int, cuts: Cuts) -> Cuts:
        """Return the cuts after `length` code points with `cuts` took the place of a part of the short text."""
        first, last = bisect_right(self._places, start), bisect_right(self._places, end)
        growth = start + length - end
        inside = [cut._replace(at=cut.at + start) for cut in cuts._cuts]
        return Cuts([*self._cuts[:first], *inside, *(cut._replace(at=cut.at + growth) for cut in self._cuts[last:])])

    def restored(self, finding: Diagnostic) -> Diagnostic:
        """Return a finding in the short text as one in the long text, without fixes that would write a short literal.

        Notes in other files stay as they are.
        """
        if not self._cuts:
            return finding

        def placed(item: _Placed) -> _Placed:
            return replace(item, span=FileSpan(*map(self.offset, item.span)))

        fixes = (replace(fix, edits=tuple(map(placed, fix.edits))) for fix in finding.fixes)
        return replace(
            placed(finding),
            notes=tuple(placed(note) if note.path is None else note for note in finding.notes),
            fixes=tuple(fix for fix in fixes if not self.are_copied(fix.edits)),
        )

    def are_copied(self, edits: Iterable[TextEdit]) -> bool:
        """Whether edits of the long text replace or repeat a shortened literal."""
        return any(
            bisect_left(self._begins, edit.span.start) < bisect_left(self._begins, edit.span.end)
            or any(cut.shown in edit.new_text for cut in self._cuts)
            for edit in edits
        )


def abridge(text: str, shortest: int = SHORTEST, *, in_line: bool = False) -> tuple[str, Cuts]:
    """Return `text` with its literals of at least `shortest` code points shortened, and the cuts. Takes linear time.

    With `in_line`, only literals that are in one line are, and they can be put back.
    """
    pieces: list[str] = []
    cuts: list[Cut] = []
    length = at = 0
    for start, end, stand_in, tail in _right_literals(text, shortest) if len(text) > shortest else ():
        if in_line and _LINE_BREAK.search(text, start, end) is not None:
            continue
        short, length = stand_in + tail, length + start - at + len(stand_in)
        pieces += [text[at:start], short]
        shown = text[start - len(_DENSE) : start] + short
        literal = text[start : end - len(tail)] if in_line else ""
        cuts.append(Cut(length, end - start - len(short), literal, stand_in, shown))
        length, at = length + len(tail), end
    return "".join([*pieces, text[at:]]) if cuts else text, Cuts(cuts)


def _right_literals(text: str, shortest: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield the start and end of each large literal that is right, and the two parts of what stands in its place."""
    data, listed = text.find(_DATA), text.find(_LIST)
    while data >= 0 or listed >= 0:
        is_data = listed < 0 or 0 <= data < listed
        start = data if is_data else listed + len(_DENSE)
        end = text.find('"', start + 1) + 1 if is_data else text.find(">", start)
        short = None
        if end - start >= shortest:
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
    number, integer = _FLOAT, kind["integer"]
    if integer is not None:
        width = 64 if integer == "index" else int(integer.lstrip("sui"))
        digits = int((width - 1) * _DIGITS_OF_BIT)  # all numbers with so many fit
        number = re.compile(rf"{'' if integer.startswith('ui') else '-?'}[0-9]{{1,{max(digits, 1)}}}", re.ASCII)
        if not digits:
            return None
    if not 0 < 2 * prod(shape) <= end - start:
        return None
    outline = "n"
    for size in reversed(shape):
        outline = f"[{','.join([outline] * size)}]"
    found = number.sub("n", text[start:end])
    first = number.search(text, start, end)
    return first[0] if first is not None and "".join(found.split()) == outline else None


def _kind(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the shaped type of the literal between two offsets, which is alone in its ``dense<...>``."""
    if not text.startswith(_DENSE, start - len(_DENSE)) or not text.startswith(">", end):
        return None
    kind = SHAPED_TYPE.match(text, end + 2)
    if kind is not None:
        return kind
    before = _TYPE_BEFORE.search(text, max(start - _BEFORE, 0), start)
    return SHAPED_TYPE.match(f": tensor{before[1]}") if before is not None else None
