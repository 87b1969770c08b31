"""Holes of strings: what only the running program knows, and what may stand there for reading."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.embedded.python_literals import StringFilling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.text.span import Span

_LINE_BREAK = re.compile(r"[\r\n]")
_NO_WORD = re.compile(r"\W", re.ASCII)
_FORMAT_FIELD = re.compile(r"\{\{|\}\}|(\{[\w.\[\]]*(?:![rsa])?(?::[^{}\n]*)?\})", re.ASCII)
_PERCENT_FIELD = re.compile(
    r"%%|(%(?:\(\w{1,60}\))?[#0 +-]{0,4}[\d*]{0,4}(?:\.[\d*]{1,4})?[diouxXeEfFgGcrsa])", re.ASCII
)
_NUMBER_BEFORE = frozenset("=[<")
_BRACES = re.compile(rf"{_FORMAT_FIELD.pattern}|([{{}}])", re.ASCII)
_SIGILS = frozenset("%@!#^$.-")


def filling_by_content(text: str) -> StringFilling:
    """Return what seems to fill in a string that is kept for later: MLIR has nothing that these double."""
    if "%%" in text:
        return StringFilling.PERCENT
    braces = [(match[0], match[2]) for match in _BRACES.finditer(text)] if "{{" in text else []
    is_format = bool(braces) and not any(alone for _, alone in braces)
    return StringFilling.FORMAT if is_format else StringFilling.NOTHING


class HoleKind(Enum):
    """What a hole seems to stand for, by what is around it."""

    NAME = "name"
    """A part of a word, of a name, or of what is in quotes."""
    NUMBER = "number"
    TYPE = "type"
    VALUE = "value"
    OPERATIONS = "operations"
    """Anything: it has lines of its own."""


class Around(NamedTuple):
    """What a hole stands in: the text before it, up to its line's beginning, and the text behind it, to its end."""

    before: str
    after: str
    is_quoted: bool


def holes_in(text: str, span: Span, filling: StringFilling) -> Iterator[tuple[int, int, bool]]:
    """Yield the start and end of each hole and each doubled sign between two offsets, and whether it is a hole.

    Nothing for strings in which no sign is special.
    """
    pattern = {StringFilling.FORMAT: _FORMAT_FIELD, StringFilling.PERCENT: _PERCENT_FIELD}.get(filling)
    for match in pattern.finditer(text, span.start, span.end) if pattern is not None else ():
        yield match.start(), match.end(), match[1] is not None


def kind_of_hole(around: Around) -> HoleKind:
    """Return what seems to fill in a hole."""
    before, after = around.before, around.after
    if around.is_quoted:
        return HoleKind.NAME
    if not before.strip() and not after.strip():
        return HoleKind.OPERATIONS
    if _is_part_of_word(before[-1:]) or _is_part_of_word(after[:1]):
        return HoleKind.NAME
    last = before.rstrip()[-1:]
    if last in (":", ">") or (last in ("(", ",") and " : " in before.rpartition("=")[2]):
        return HoleKind.TYPE
    if last in _NUMBER_BEFORE or (last == "," and before.rfind("[") > max(before.rfind("]"), before.rfind("("))):
        return HoleKind.NUMBER
    return HoleKind.VALUE if last in ("(", ",") else HoleKind.NAME


def _is_part_of_word(sign: str) -> bool:
    return sign != "" and (sign.isalnum() or sign == "_" or sign in _SIGILS)


def filler(written: str, kind: HoleKind) -> str:
    """Return what is read in place of a hole, as long as it is `written` and with its line breaks.

    Equal holes read alike.
    """
    if kind is HoleKind.OPERATIONS:
        read = " " * len(written)
    elif kind is HoleKind.NUMBER:
        read = "1".ljust(len(written))
    else:
        sign = {HoleKind.TYPE: "!", HoleKind.VALUE: "%"}.get(kind, "")
        read = sign + "_" + _NO_WORD.sub("_", written)[len(sign) + 1 :]
    if _LINE_BREAK.search(written) is None:
        return read
    return "".join(old if old in "\r\n" else new for old, new in zip(written, read, strict=True))
