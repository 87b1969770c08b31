"""Names that a section mentions, taken from its text without parsing it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.syntax.embedded.templates import Template, template_of
from tdls.syntax.sections.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.sections.sections import Section

_MARK = "transform."
_PRIVATE = "private"
_MOST_BETWEEN = 300
"""Number of code points after the name of the operation in which its symbol is searched."""
_SYMBOL = re.compile(r"@([A-Za-z_][\w$.]*)", re.ASCII)


def has_scripts(text: str) -> bool:
    """Whether a file with this text seems to have operations of the transform dialect."""
    return _MARK in text


@Fact
def mentions_transform(section: Section) -> bool:
    """Whether an operation, type or attribute of the transform dialect seems to occur in a section."""
    return has_scripts(section.text)


@Fact
def mentioned_symbols(section: Section) -> frozenset[str]:
    """Return the symbols that a section defines or names, and possibly more, each as its `key_of_mentioned`."""
    return frozenset((*_SYMBOL.findall(section.text), *_quoted(section.text)))


@Fact
def counted_mentions(section: Section) -> Counter[str]:
    """Return an upper bound of how often a section names each symbol, definitions of named sequences left out."""
    mentions = Counter((*_SYMBOL.findall(section.text), *_quoted(section.text)))
    for part in section.text.split(NAMED_SEQUENCE)[1:]:
        symbol = part[:_MOST_BETWEEN].lstrip().removeprefix(_PRIVATE).lstrip()
        name = _SYMBOL.match(symbol)
        mentions.subtract((name[1],) if name is not None else _quoted(symbol.partition("(")[0]))
    return mentions


def key_of_mentioned(symbol: str) -> str:
    """Return the longest part of a symbol without a quote: an escaped quote does not end the symbol's string."""
    return max(symbol.split('"'), key=len)


def _quoted(text: str) -> Iterator[str]:
    """Yield the text between each two neighbouring quotes of a line, inside and outside of strings."""
    for line in text.split("\n") if '"' in text else ():
        yield from line.split('"')[1:-1]


@Fact
def template_in(section: Section) -> Template | None:
    """Return the placeholders of a section, which another program replaces, or None if it has none."""
    return template_of(section.text, section.catalogue.placeholders)
