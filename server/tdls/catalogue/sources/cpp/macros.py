"""Macros that define functions: ``#define MY_EFFECTS(OP) void OP::getEffects(...) {...}`` and ``MY_EFFECTS(XOp)``."""

from __future__ import annotations

import re
from typing import NamedTuple

from tdls.bounds.budget import Budget, OverBudget
from tdls.bounds.limits import EXPANDED_TEXT, MACRO_USES

_DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)\((?P<parameters>[\w\s,\\]*)\)(?P<body>(?:[^\n\\]|\\\r?\n|\\.)*)",
    re.MULTILINE,
)
_CONTINUATION = re.compile(r"\\\r?\n")
_PASTE = "##"


class Expansions(NamedTuple):
    """What uses of macros stand for, in pairs of the use's offset and of text, and where that was given up."""

    texts: tuple[tuple[int, str], ...] = ()
    given_up: tuple[int, OverBudget] | None = None
    """The offset of the first use that is left out, and why."""


def expansions(text: str, code: str) -> Expansions:
    """What uses of macros stand for that define functions with effects.

    `code` is `text` without what is no code (see `blanked`). Macros that other files define are not known.
    """
    macros = {match["name"]: match for match in _DEFINITION.finditer(text) if "EffectInstance" in match["body"]}
    if not macros:
        return Expansions()
    names = "|".join(map(re.escape, macros))
    budget, uses = Budget(EXPANDED_TEXT), Budget(MACRO_USES)
    found: list[tuple[int, str]] = []
    place = 0
    try:
        for use in re.finditer(rf"\b(?P<name>{names})\s*\((?P<arguments>[^()]*)\)", code):
            place = use.start()
            uses.spend()
            found.append((place, _expanded(macros[use["name"]], use["arguments"], budget)))
    except OverBudget as over:
        return Expansions(tuple(found), (place, over))
    return Expansions(tuple(found))


def _expanded(macro: re.Match[str], arguments: str, budget: Budget) -> str:
    """Return what a use of a macro stands for. Raises OverBudget."""
    parameters = _CONTINUATION.sub(" ", macro["parameters"]).replace(" ", "").split(",")
    values = [value.strip() for value in arguments.split(",")]
    given = dict(zip(parameters, values, strict=False))
    body = _CONTINUATION.sub("\n", macro["body"])
    budget.spend(len(body))

    def argument(match: re.Match[str]) -> str:
        value = given.get(match[0], match[0])
        budget.spend(len(value))
        return value

    filled = re.sub(r"\b[A-Za-z_]\w*\b", argument, body)
    first, *pasted = filled.split(_PASTE)
    return "".join(
        [
            first.rstrip() if pasted else first,
            *(piece.strip() for piece in pasted[:-1]),
            *(piece.lstrip() for piece in pasted[-1:]),
        ]
    )
