"""Canonical texts of types, with aliases expanded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.syntax.details import canonical_type

if TYPE_CHECKING:
    from collections.abc import Iterable

_ALIAS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(![A-Za-z_$\-][\w$\-]*)(?![\w$.\-]*[.<])', re.ASCII)


class TypeTexts:
    """Makes spelled types comparable: two types are equal if and only if their canonical texts are.

    That holds up to attribute aliases and dialects' own freedom of spelling; where either may matter texts can differ
    for equal types, so a difference is proof only between types without parameters of such kind (`comparable`).
    """

    def __init__(self, aliases: Iterable[tuple[str, str]]) -> None:
        self.made_of = tuple(aliases)
        """Names and values of the aliases as written."""
        self.aliases: dict[str, str] = {}
        self._known: dict[str, str] = {}
        for name, value in self.made_of:
            self.aliases[name] = self.canonical(value)

    def canonical(self, text: str) -> str:
        """Return the canonical text of a type as written."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._expand(canonical_type(text))
        return known

    def _expand(self, text: str) -> str:
        if "!" not in text or not self.aliases:
            return text
        return _ALIAS.sub(lambda match: self.aliases.get(match[1], match[0]) if match[1] else match[0], text)


_FREELY_SPELLED = re.compile(r"#|affine_map|affine_set|loc\(|dense")


def comparable(text: str) -> bool:
    """Tell whether a canonical text is the only one of its type: no attribute in it that could be spelled otherwise."""
    return _FREELY_SPELLED.search(text) is None and _ALIAS.fullmatch(text) is None
