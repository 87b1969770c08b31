"""Escapes foreign text for display: file names, and excerpts of files that messages quote.

Characters that could control a terminal, reorder the text, start a new line or be rejected by a Unicode decoder are
written as escapes. Every front end passes foreign text through this module before showing it.
"""

from __future__ import annotations

import re
import unicodedata

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNDECODED = range(0xDC80, 0xDD00)
"""Lone surrogates that stand for the bytes from 0x80 on in names that are not UTF-8."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LARGEST_OF_FOUR_DIGITS = 0xFFFF


def printable(text: str) -> str:
    r"""Return `text` as one line that is safe to print anywhere.

    Control and format characters, line separators and unassigned code points are written as ``\u202e``, line
    breaks and tabs as ``\n``, ``\r`` and ``\t``, bytes of names that are not UTF-8 as ``\xff``.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def printable_lines(text: str) -> str:
    """Escape `text` like `printable`, but keep its line breaks and tabs."""
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.replace("\r\n", "\n").split("\n"))


def well_formed(text: str) -> str:
    r"""Return `text` as valid Unicode: lone surrogates are escaped as in `printable`."""
    return _SURROGATE.sub(lambda found: _escape(found[0]), text)


def _shown(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return _SHORT.get(character) or _escape(character)


def _escape(character: str) -> str:
    code = ord(character)
    if code in _UNDECODED:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= _LARGEST_OF_FOUR_DIGITS else f"\\U{code:08x}"
