"""Macros that define functions: ``#define MY_EFFECTS(OP) void OP::getEffects(...) {...}`` and ``MY_EFFECTS(XOp)``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)\((?P<parameters>[\w\s,\\]*)\)(?P<body>(?:[^\n\\]|\\\r?\n|\\.)*)",
    re.MULTILINE,
)
_CONTINUATION = re.compile(r"\\\r?\n")
_PASTE = re.compile(r"\s*##\s*")
_MOST_USES = 1_000


def expansions(text: str, code: str) -> Iterator[tuple[int, str]]:
    """What uses of macros stand for that define functions with effects: pairs of the use's offset and of text.

    `code` is `text` without what is no code (see `blanked`). Macros that other files define are not known.
    """
    macros = {match["name"]: match for match in _DEFINITION.finditer(text) if "EffectInstance" in match["body"]}
    if not macros:
        return
    names = "|".join(map(re.escape, macros))
    for number, use in enumerate(re.finditer(rf"\b(?P<name>{names})\s*\((?P<arguments>[^()]*)\)", code)):
        if number == _MOST_USES:
            return
        yield use.start(), _expanded(macros[use["name"]], use["arguments"])


def _expanded(macro: re.Match[str], arguments: str) -> str:
    parameters = _CONTINUATION.sub(" ", macro["parameters"]).replace(" ", "").split(",")
    values = [value.strip() for value in arguments.split(",")]
    given = dict(zip(parameters, values, strict=False))
    body = _CONTINUATION.sub("\n", macro["body"])
    return _PASTE.sub("", re.sub(r"\b[A-Za-z_]\w*\b", lambda match: given.get(match[0], match[0]), body))
