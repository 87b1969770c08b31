"""What a text of TOML may ask of the standard library's parser, whose time and depth have no limits of their own."""

from __future__ import annotations

import re

_DEEPEST = 100
_LONGEST_NUMBER = re.compile(r"(?<![\d_])[\d_]{1000}")
_TEXT_IN_QUOTES = re.compile(r'"[^"\n]*"' + r"|'[^'\n]*'")
_BRACKET = re.compile(r"[\[\]{}]")
_BARE_KEY = re.compile(r"[\w-]+")


def excess_of(text: str) -> str | None:
    """Return what `text` has too much of, as it is said of a file; None if it can be parsed."""
    if _LONGEST_NUMBER.search(text) is not None:
        return "has a number of more than 1,000 digits"
    plain = _TEXT_IN_QUOTES.sub("k", text)
    if any(_longest_key(line) > _DEEPEST for line in plain.splitlines()):
        return f"has a key of more than {_DEEPEST} parts"
    if _deepest_bracket(plain) > _DEEPEST:
        return f"has more than {_DEEPEST} brackets inside of each other"
    return None


def _longest_key(line: str) -> int:
    """Count the parts of the longest dotted key, which may also be something else with dots."""
    longest = parts = 0
    for part in line.split("."):
        parts = parts + 1 if _BARE_KEY.search(part) is not None else 0
        longest = max(longest, parts)
        if " " in part.strip():
            parts = 1
    return longest


def _deepest_bracket(text: str) -> int:
    deepest = depth = 0
    for match in _BRACKET.finditer(text):
        depth = depth + 1 if match[0] in "[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest
