"""What a section mentions, as far as its text tells without being read."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.syntax.layout import first_placeholder
from tdls.syntax.sections.section_facts import SectionFact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.sections.sections import Section

_MARK = "transform."
_PRIVATE = "private"
_MOST_BETWEEN = 300
"""Code points behind the name of the operation in which its symbol is looked for."""
_SYMBOL = re.compile(r"@([A-Za-z_][\w$.]*)", re.ASCII)


def has_scripts(text: str) -> bool:
    """Tell whether a file with this text seems to have operations of the transform dialect."""
    return _MARK in text


@SectionFact
def mentions_transform(section: Section) -> bool:
    """Tell whether an operation, type or attribute of the transform dialect seems to occur in a section."""
    return has_scripts(section.text)


@SectionFact
def mentioned_symbols(section: Section) -> frozenset[str]:
    """Return at least the symbols that a section defines or names, each as `key_of_mentioned` says."""
    return frozenset((*_SYMBOL.findall(section.text), *_quoted(section.text)))


@SectionFact
def counted_mentions(section: Section) -> Counter[str]:
    """Return how often, at most, a section names each symbol, definitions of named sequences left out."""
    found = Counter((*_SYMBOL.findall(section.text), *_quoted(section.text)))
    found.subtract(_defined_sequences(section.text))
    return found


def _defined_sequences(text: str) -> Iterator[str]:
    """Yield the symbols that stand where named sequences are defined, or declared."""
    for part in text.split(NAMED_SEQUENCE)[1:]:
        symbol = part[:_MOST_BETWEEN].lstrip().removeprefix(_PRIVATE).lstrip()
        name = _SYMBOL.match(symbol)
        yield from (name[1],) if name is not None else _quoted(symbol.partition("(")[0])


def key_of_mentioned(symbol: str) -> str:
    """Return the longest part of a symbol without a quote, which is not the end of a string where a backslash is."""
    return max(symbol.split('"'), key=len)


def _quoted(text: str) -> Iterator[str]:
    """Yield what stands between two quotes of one line, whichever of them begin strings."""
    for line in text.split("\n") if '"' in text else ():
        yield from line.split('"')[1:-1]


@SectionFact
def has_placeholder(section: Section) -> bool:
    """Tell whether something else fills in a part of a section's text."""
    return first_placeholder(section.text) is not None
