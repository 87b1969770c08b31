"""How many terminal columns text takes, and what to print for characters that would disturb the terminal."""

from __future__ import annotations

import unicodedata

TAB_WIDTH = 4
_DELETE = 0x7F
_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "\u2421"
_REPLACEMENT = "\ufffd"
_NO_WIDTH_CATEGORIES = {"Mn", "Me"}


def visible(character: str) -> str:
    """Return what to print for one code point: tabs become spaces, control characters pictures of themselves.

    Format characters (Cf) could reorder or hide code on the terminal, so they show as replacement characters,
    as in rustc's output; the joiners inside emoji are among them.
    """
    if character == "\t":
        return " " * TAB_WIDTH
    if character.isprintable():
        return character
    code = ord(character)
    if code < ord(" "):
        return chr(_CONTROL_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    return " " if unicodedata.category(character) == "Zs" else _REPLACEMENT


def width(printed: str) -> int:
    """Return the number of terminal columns of a text made of `visible` results."""
    if printed.isascii():
        return len(printed)
    return sum(_character_width(character) for character in printed)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH_CATEGORIES:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
