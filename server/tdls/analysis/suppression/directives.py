"""How comments spell that they silence rules.

// tdls: ignore[rule, other-rule]: reason     behind code: in this line; alone: in the next line of code
// tdls: ignore-begin[rule] ... // tdls: ignore-end[rule]     in all lines from the one to the other
// tdls: ignore-file[rule]                    in the whole file
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.rules import find_rule
from tdls.structs import NamedTuple, Struct
from tdls.syntax.layout import comments
from tdls.syntax.sections.facts import Fact
from tdls.text.similarity import most_similar
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.sections.sections import Section

MARK = "tdls:"
_DIRECTIVE = re.compile(r"(?:(?<=//)|(?<=\s))tdls:\s*(?P<word>[A-Za-z][\w-]*)(?:\s*\[(?P<list>[^\]]*)(?P<close>\])?)?")
_NAME = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_FAMILY = "ignore"


class SuppressionScope(Enum):
    """Scope of a silencing comment; the values are its keywords."""

    LINE = "ignore"
    BEGIN = "ignore-begin"
    END = "ignore-end"
    FILE = "ignore-file"


_SCOPES = {scope.value: scope for scope in SuppressionScope}
_OTHER_WORDS = {
    "disable": SuppressionScope.LINE,
    "disable-file": SuppressionScope.FILE,
    "disable-line": SuppressionScope.LINE,
    "disable-next-line": SuppressionScope.LINE,
    "enable": SuppressionScope.END,
    "noqa": SuppressionScope.LINE,
    "off": SuppressionScope.BEGIN,
    "on": SuppressionScope.END,
    "suppress": SuppressionScope.LINE,
}
"""Keywords of other tools."""
_LEAST_SIMILARITY = 0.75


class ListedName(NamedTuple):
    """The name or code of a rule as written in a comment; the span counts from the section."""

    text: str
    span: Span


class Directive(Struct, frozen=True):
    """One directive in a comment; all spans count from the section."""

    scope: SuppressionScope | None
    """None if its keyword is unknown."""
    word: str
    word_span: Span
    names: tuple[ListedName, ...]
    list_span: Span | None
    """The text between the brackets, or None where there are none."""
    is_closed: bool
    """False where the closing bracket is missing."""
    span: Span
    """From ``tdls:`` to the closing bracket."""
    extent: Span
    """The same with the reason that may follow."""
    comment: Span


@Fact
def directives_of(section: Section) -> tuple[Directive, ...]:
    """Return the directives in the comments of `section`, in order."""
    return tuple(_read(section.text)) if MARK in section.text else ()


def _read(text: str) -> Iterator[Directive]:
    for comment in comments(text):
        if MARK in comment.text:
            matches = [match for match in _DIRECTIVE.finditer(comment.text) if _is_meant(match)]
            for number, match in enumerate(matches, start=1):
                end = matches[number].start() if number < len(matches) else len(comment.text)
                base = comment.span.start
                tail = comment.text[match.end() : end]
                yield Directive(
                    scope=_SCOPES.get(match["word"]),
                    word=match["word"],
                    word_span=Span(*match.span("word")).shifted(base),
                    names=tuple(_names(match, base)),
                    list_span=Span(*match.span("list")).shifted(base) if match["list"] is not None else None,
                    is_closed=match["close"] is not None,
                    span=Span(match.start(), match.end()).shifted(base),
                    extent=Span(match.start(), match.end() + len(tail.rstrip())).shifted(base),
                    comment=comment.span,
                )


def similar_scope(word: str) -> SuppressionScope | None:
    """Return the scope that an unknown keyword may mean, as a misspelling or in other tools."""
    return _OTHER_WORDS.get(word.casefold()) or _slip(word)


def _slip(word: str) -> SuppressionScope | None:
    close = most_similar(word.casefold(), _SCOPES, _LEAST_SIMILARITY)
    return _SCOPES[close] if close is not None else None


def _is_meant(match: re.Match[str]) -> bool:
    """Distinguish directives, valid or not, from other comments such as ``tdls: payload=...``, and from prose."""
    if match["word"].startswith(_FAMILY):
        return True
    names = [name[0] for name in _NAME.finditer(match["list"] or "")]
    return any(map(find_rule, names)) or (bool(names) and _slip(match["word"]) is not None)


def _names(match: re.Match[str], base: int) -> Iterator[ListedName]:
    if match["list"] is not None:
        for name in _NAME.finditer(match["list"]):
            yield ListedName(name[0], Span(*name.span()).shifted(base + match.start("list")))
