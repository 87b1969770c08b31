"""Whether a C++ condition holds for an operation with given attributes and operands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.effects.atoms import Atom, atom_of, is_small_count, without_parentheses
from tdls.catalogue.sources.cpp.tokens import top_level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.sources.cpp.effects.shape import OperationShape
    from tdls.catalogue.sources.cpp.effects.statements import Words


@dataclass(slots=True)
class Conditions:
    """Decides conditions by `answers`. `asked` collects what was asked for, answered or not."""

    shape: OperationShape
    answers: Mapping[Atom, bool]
    asked: set[Atom] = field(default_factory=set)

    def holds(self, words: Words) -> bool | None:
        """Whether a condition without variables holds; None where that is not known."""
        words = without_parentheses(words)
        for operator, deciding in (("||", True), ("&&", False)):
            parts = _split(words, operator)
            if len(parts) > 1:
                return _joined([self.holds(part) for part in parts], deciding=deciding)
        if words[:1] == ("!",):
            inner = self.holds(words[1:])
            return None if inner is None else not inner
        if words in (("true",), ("false",)):
            return words == ("true",)
        if is_small_count(words, self.shape):
            return False
        return self._answer(words)

    def _answer(self, words: Words) -> bool | None:
        asked = atom_of(words, self.shape)
        if asked is None:
            return None
        atom, wanted = asked
        self.asked.add(atom)
        answer = self.answers.get(atom)
        return None if answer is None else answer == wanted


def _joined(parts: list[bool | None], *, deciding: bool) -> bool | None:
    if deciding in parts:
        return deciding
    return None if None in parts else not deciding


def _split(words: Words, operator: str) -> list[Words]:
    cuts = [index for index, word in top_level(words) if word == operator]
    starts = [0, *(cut + 1 for cut in cuts)]
    return [words[start:end] for start, end in zip(starts, [*cuts, len(words)], strict=True)]
