"""The signature of a function-like operation, read from its first lines alone, so that no body has to be parsed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.syntax.scanner import scan
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.scanner import Tokens

_SIZES = (250, 1_000, 4_000)
"""Code points that are looked at, until the signature fits: a longer one is of no use to anybody."""
_SHORT = {CONSUMED: "consumed", READONLY: "readonly"}
_MARK = re.compile(rf"\b(?:{re.escape(CONSUMED)}|{re.escape(READONLY)})\b")
_BLANKS = re.compile(r"\s+")


class SignatureArgument(NamedTuple):
    """An argument as written, with what its marks say becomes of it: ``consumed``, ``readonly`` or ``""``."""

    text: str
    effect: str


class SignatureText(NamedTuple):
    """Arguments and results; `results` is as written, ``""`` for none."""

    arguments: tuple[SignatureArgument, ...]
    results: str

    @property
    def shown(self) -> str:
        """The signature in one line, effects in front of the arguments."""
        arguments = ", ".join(f"{argument.effect} {argument.text}".lstrip() for argument in self.arguments)
        return f"({arguments})" + (f" -> {self.results}" if self.results else "")


def signature_text(text: str, offset: int) -> SignatureText | None:
    """Return the signature that begins at `offset`, behind the symbol; None if there is none or it is not closed."""
    for size in _SIZES:
        head = text[offset : offset + size]
        tokens = scan(head)
        closer = tokens.partners.get(0)
        if tokens.kinds[0] != "(":
            return None
        if closer is None:
            continue
        results = _results(tokens, closer + 1)
        if results.end < tokens.count or len(head) < size:
            items = _items(tokens, 1, closer)
            arguments = tuple(_argument(head[span.start : span.end]) for span in items)
            return SignatureText(arguments, _one_line(_text(tokens, results)))
    return None


def _argument(text: str) -> SignatureArgument:
    mark = _MARK.search(text)
    bare = text[: text.index("{")] if "{" in text else text
    return SignatureArgument(_one_line(bare), _SHORT[mark[0]] if mark else "")


def _results(tokens: Tokens, arrow: int) -> Span:
    """Return the indices of the tokens behind the arrow at index `arrow`; an empty range if there is no arrow."""
    if tokens.kinds[arrow] != "->":
        return Span(arrow, arrow)
    first = last = arrow + 1
    if tokens.kinds[first] != "(" and tokens.kinds[first + 1] == "<":
        last = first + 1
    return Span(first, tokens.partners.get(last, last) + 1)


def _text(tokens: Tokens, indices: Span) -> str:
    if indices.start == indices.end:
        return ""
    return tokens.text[tokens.starts[indices.start] : tokens.ends[indices.end - 1]]


def _items(tokens: Tokens, first: int, last: int) -> Iterator[Span]:
    """Yield the places of what commas separate between two tokens."""
    begin = index = first
    while index < last:
        if tokens.kinds[index] == ",":
            yield Span(tokens.starts[begin], tokens.ends[index - 1])
            begin = index + 1
        index = max(tokens.partners.get(index, index), index) + 1
    if begin < last:
        yield Span(tokens.starts[begin], tokens.ends[last - 1])


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()
