"""How settings and the command line name rules: by name, by code, by the beginning of a code, or ``all``."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ALL = "all"
_CODE = re.compile(r"[a-z]{1,2}\d{0,3}\Z")
_OF_ONE_RULE = 100


def specificity(selector: str, name: str, code: str) -> int:
    """Return how closely `selector` names the rule, 0 if it does not: the rule itself, its code's beginning, all."""
    wanted = selector.strip().casefold()
    if wanted in {name, code.casefold()}:
        return _OF_ONE_RULE
    if wanted == ALL:
        return 1
    is_prefix = _CODE.match(wanted) is not None and code.casefold().startswith(wanted)
    return 1 + len(wanted) if is_prefix else 0


def closest(selectors: Iterable[str], name: str, code: str) -> int:
    """Return the `specificity` of the selector that names the rule most closely, 0 if none does."""
    return max((specificity(selector, name, code) for selector in selectors), default=0)


def unknown_selector(selector: str, rules: Mapping[str, str]) -> tuple[str, str] | None:
    """Return what is wrong with a selector that names none of `rules` (codes by name), and what to do."""
    if any(specificity(selector, name, code) for name, code in rules.items()):
        return None
    close = get_close_matches(selector, [*rules, *rules.values()], 1)
    advice = f"did you mean `{close[0]}`?" if close else "`tdls explain` lists all rules, and `all` stands for them"
    return f"there is no rule `{selector}`", advice
