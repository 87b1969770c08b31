"""What lines and brackets say of a text without reading it: where code begins, and what has no partner."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

Counts: TypeAlias = tuple[int, ...]
FIRST_CODE = re.compile(r"(?:[ \t]*(?://[^\r\n]*)?[\r\n])*([ \t]*)(?=[^\s/])")
"""Matches blank lines and comments up to the first line of code; its group is the indentation."""
_LABEL_OR_ENTRY = re.compile(r'\^|(?:[\w$.]+|"[^"\n]*")(?:\s|//[^\n]*)*[=,}]', re.ASCII)
_OPAQUE = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\r\n]*')


def indent_of(text: str, start: int = 0, end: int | None = None) -> int:
    """Return the indentation of the first line of code, in characters; 0 where there is none."""
    first = FIRST_CODE.match(text, start, len(text) if end is None else end)
    return len(first[1]) if first else 0


def has_line_indented_up_to(indent: int, text: str) -> bool:
    """Tell whether a line of `text` but its first may begin a section of a level with this indentation."""
    return start_pattern(indent, (r"[A-Za-z_]\w*",)).search(text) is not None


def holds_operations(text: str, start: int = 0, end: int | None = None) -> bool:
    """Tell whether code that follows a brace may be operations: it is no label, and no entry of a dictionary."""
    stop = len(text) if end is None else end
    first = FIRST_CODE.match(text, start, stop)
    return first is not None and _LABEL_OR_ENTRY.match(text, first.end(), stop) is None


def without_opaque(text: str) -> str:
    """Return `text` without comments and with empty strings."""
    if '"' not in text and "//" not in text:
        return text
    return _OPAQUE.sub(lambda match: "" if match[0].startswith("//") else '""', text)


def line_breaks(text: str) -> int:
    """Return the number of line breaks, as LSP counts them."""
    return text.count("\n") if "\r" not in text else text.count("\n") + text.count("\r") - text.count("\r\n")


def unpaired(text: str) -> tuple[Counts, Counts]:
    """Count the closing and the opening brackets of `text` without a partner in it, each kind on its own."""
    code = text.encode("utf-8", "surrogatepass")
    left = [_reduced(code.translate(None, others), pair) for pair, others in PAIRS.items()]
    return (
        tuple(brackets.count(pair[1:]) for brackets, pair in zip(left, PAIRS, strict=True)),
        tuple(brackets.count(pair[:1]) for brackets, pair in zip(left, PAIRS, strict=True)),
    )


def _reduced(brackets: bytes, pair: bytes) -> bytes:
    """Drop the pairs among brackets of one kind."""
    for _ in range(_MOST_ROUNDS):
        if pair not in brackets:
            return brackets
        brackets = brackets.replace(pair, b"")
    depth = closing = 0
    for bracket in brackets:
        if bracket == pair[0]:
            depth += 1
        elif depth:
            depth -= 1
        else:
            closing += 1
    return pair[1:] * closing + pair[:1] * depth


PAIRS = {pair: bytes(set(range(256)) - set(pair)) for pair in (b"{}", b"[]", b"()")}
"""Each kind of bracket with all bytes that are no such bracket."""
_MOST_ROUNDS = 30
"""Deeper nesting is counted byte by byte, so that time stays linear."""


@lru_cache(maxsize=256)
def start_pattern(indent: int, bare_names: tuple[str, ...]) -> re.Pattern[str]:
    """Match the line break before a place where a section may begin in a level that is indented by `indent`."""
    names = "|".join(bare_names) or "(?!)"
    return re.compile(
        rf'\n[ \t]{{0,{indent}}}(?:[A-Za-z_][\w$]*\.|%|"[^"\n]*"\s*\(|[!#][A-Za-z_][\w$.\-]*[ \t]*='
        rf"|(?:{names})(?![\w$.])|\{{-#)",
        re.ASCII,
    )
