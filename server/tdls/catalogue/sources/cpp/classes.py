"""Heads of C++ classes: their names, and the classes that they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.tokens import arguments, top_level

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEYWORDS = ("class", "struct", "union")
_PARENTHESES_BEFORE_NAME = frozenset(("alignas", "__attribute__", "__declspec"))


@dataclass(frozen=True, slots=True)
class Class:
    """A class as its head is written: ``class A::B : public C::D<E>`` has the names (A, B) and the base ``D``."""

    names: tuple[str, ...]
    bases: tuple[str, ...] = ()


def class_of(words: Sequence[str]) -> Class | None:
    """The class whose head these words before a brace are; None where they are something else."""
    outside = outside_templates(words)
    keyword = next((index for index in outside if words[index] in _KEYWORDS), None)
    if keyword is None or (keyword and words[keyword - 1] == "enum"):
        return None
    names: tuple[str, ...] = ()
    for index in (index for index in outside if index > keyword):
        word, before = words[index], words[index - 1]
        if word == ":":
            return Class(names, _bases(words[index + 1 :]))
        if word == "=" or (word == "(" and before not in _PARENTHESES_BEFORE_NAME and not before.isupper()):
            return None
        if word.isidentifier() and word != "final":
            names = (*names, word) if before == "::" else (word,)
    return Class(names)


def outside_templates(words: Sequence[str]) -> list[int]:
    """Indices of the words that stand in no brackets, with ``<`` and ``>`` as brackets."""
    found: list[int] = []
    angles = 0
    for index, word in top_level(words):
        if word == "<":
            angles += 1
        elif word == ">":
            angles = max(0, angles - 1)
        elif not angles:
            found.append(index)
    return found


def _bases(words: Sequence[str]) -> tuple[str, ...]:
    """Names of the classes behind the colon, without namespaces and template arguments."""
    found: list[str] = []
    for base in arguments(words):
        path = base[: base.index("<")] if "<" in base else base
        if path and path[-1].isidentifier():
            found.append(path[-1])
    return tuple(found)
