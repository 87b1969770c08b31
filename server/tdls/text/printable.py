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
CLEARED = "\x1b[2J\x1b[1;1H"
"""Clears a terminal."""
_COLOUR = r"(\x1b\[(?:0|1|3[0-7])m)"
_COMMAND = r"(?m)^[^\S\n]*:(?=:)|#(?=#(?:\[|vso\[))"
"""The beginning of a command, as of GitHub and Azure."""
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


def printable_output(text: str) -> str:
    """Escape the output of a script like `printable_lines`, and in it commands to services that read a job's output."""
    return re.sub(_COMMAND, lambda found: found[0][:-1] + _escape(found[0][-1]), printable_lines(text))


def printable_for_people(text: str) -> str:
    """Escape `text` like `printable_output`, except for colours of tdls, and returns around a line of progress."""
    if text == CLEARED:
        return text
    line = text.strip("\r")
    begin, end = text[: len(text) - len(text.lstrip("\r"))], text[len(text.rstrip("\r")) :] if line else ""
    pieces = re.split(_COLOUR, line)
    return "".join(
        [begin, *(piece if index % 2 else printable_output(piece) for index, piece in enumerate(pieces)), end]
    )


def well_formed(text: str) -> str:
    r"""Return `text` as valid Unicode: lone surrogates are escaped as in `printable`."""
    return re.sub(r"[\ud800-\udfff]", lambda found: _escape(found[0]), text)


def _shown(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return _SHORT.get(character) or _escape(character)


def _escape(character: str) -> str:
    code = ord(character)
    if code in _UNDECODED:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= _LARGEST_OF_FOUR_DIGITS else f"\\U{code:08x}"
