"""Canonical texts of types, with aliases expanded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.limits import TYPE_LENGTH
from tdls.syntax.scanner import TYPE, scan
from tdls.syntax.spellings import canonical_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ALIAS = re.compile(r'(?<!\\)"[^"\\]*(?:\\.[^"\\]*)*"|(![A-Za-z_$\-][\w$\-]*)(?![\w$.\-<])', re.ASCII)

DIALECT_NAME = re.compile(r"[!#][A-Za-z_][\w$]*\.[\w$.\-]*", re.ASCII)
"""A name of a type or attribute of a dialect, with its sigil; nothing follows the dot while it is typed."""
_WITH_BODY = re.compile(r"!([\w$]+\.[\w$.]+)<", re.ASCII)


class TypeTexts:
    """Makes spelled types comparable: types with equal canonical texts are equal.

    Equal types can have several texts, so a difference of texts is not proof (`tdls.syntax.types.differ`). Aliases stay
    as they are in types that would be longer than `TYPE_LENGTH` without them. Of several definitions of an alias the
    first one counts: MLIR rejects the others.
    """

    def __init__(
        self, aliases: Iterable[tuple[str, str]], has_no_parameters: Callable[[str], bool] = lambda _: False
    ) -> None:
        """`has_no_parameters` decides whether the ``<...>`` of a type ``dialect.type`` is meaningless."""
        self.made_of = tuple(aliases)
        """Names and values of the aliases as written."""
        self.aliases: dict[str, str] = {}
        self._known: dict[str, str] = {}
        self._is_parameterless = has_no_parameters
        self._without_parameters: dict[str, bool] = {}
        """Answers of `has_no_parameters` so far, by the name of the type."""
        self.too_long: set[str] = set()
        """The names of aliases whose types are longer than the limit."""
        for name, value in self.made_of:
            if name not in self.aliases and name not in self.too_long:
                self._define(name, self.canonical(value))

    def canonical(self, text: str) -> str:
        """Return the canonical text of a type as written."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._expand(self._without_idle_bodies(canonical_type(text)))
        return known

    def rest_on(self, has_no_parameters: Callable[[str], bool]) -> bool:
        """Replace the predicate by `has_no_parameters` if it agrees with all answers so far; else return False."""
        is_same = all(has_no_parameters(name) is answer for name, answer in list(self._without_parameters.items()))
        if is_same:
            self._is_parameterless = has_no_parameters
        return is_same

    def _has_no_parameters(self, name: str) -> bool:
        known = self._without_parameters.get(name)
        if known is None:
            known = self._without_parameters[name] = self._is_parameterless(name)
        return known

    def _without_idle_bodies(self, text: str) -> str:
        """Drop bodies that MLIR parses and ignores: ``!transform.any_op<"linalg.reduce">`` is ``!transform.any_op``."""
        if "!" not in text or "<" not in text or not any(map(self._has_no_parameters, _WITH_BODY.findall(text))):
            return text
        tokens = scan(text)
        pieces: list[str] = []
        end = 0
        for index, kind in enumerate(tokens.kinds):
            closer = tokens.partners.get(index + 1, -1) if kind == TYPE and tokens.kinds[index + 1] == "<" else -1
            name = text[tokens.starts[index] + 1 : tokens.ends[index]]
            if closer > 0 and tokens.starts[index] >= end and self._has_no_parameters(name):
                pieces.append(text[end : tokens.ends[index]])
                end = tokens.ends[closer]
        return "".join([*pieces, text[end:]])

    def _define(self, name: str, value: str) -> None:
        is_left = any(alias in self.aliases or alias in self.too_long for alias in _aliases(value))
        if is_left or len(value) > TYPE_LENGTH.most:
            self.too_long.add(name)
        else:
            self.aliases[name] = value

    def _expand(self, text: str) -> str:
        if "!" not in text or not self.aliases:
            return text
        length = len(text) + sum(len(self.aliases.get(alias, "")) for alias in _aliases(text))
        if length > max(len(text), TYPE_LENGTH.most):
            return text
        return _ALIAS.sub(lambda match: self.aliases.get(match[1], match[0]) if match[1] else match[0], text)


def _aliases(text: str) -> Iterator[str]:
    return (match[1] for match in _ALIAS.finditer(text) if match[1]) if "!" in text else iter(())
