"""Markdown that somebody else wrote: descriptions in a project's sources, docstrings, comments, names of files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.markdown.pieces import code, fenced
from tdls.text.printable import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(
    r" {0,3}(?P<fence>`{3,}|~{3,})[ \t]*"
    r"(?:(?P<language>[\w+-]+)(?:[^\w+\-`~][^`~]*)?|[^\w+\-`~ \t][^`~]*)?"
)
_RUN = re.compile("`+")
_ACTIVE = re.compile(r"[\\`<\[\]]")


class _ForeignBlock(NamedTuple):
    """Lines of text, where `language` is None, or of code."""

    lines: list[str]
    language: str | None = None

    @property
    def harmless(self) -> str:
        """The block as Markdown that does nothing."""
        text = "\n".join(self.lines)
        return _defused(text) if self.language is None else fenced(text, self.language)


def foreign(text: str) -> str:
    """Return Markdown of others with its paragraphs, lists, emphasis and code, and nothing that acts.

    Links and images are shown as they are written, and so is HTML.
    """
    blocks = _blocks(printable_lines(text).split("\n"))
    return "\n".join(block.harmless for block in blocks if block.lines)


def _blocks(lines: list[str]) -> Iterator[_ForeignBlock]:
    block, fence = _ForeignBlock([]), ""
    for line in lines:
        opening = _FENCE.fullmatch(line) if not fence else None
        if opening is not None:
            yield block
            block, fence = _ForeignBlock([], opening["language"] or ""), opening["fence"]
        elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            yield block
            block, fence = _ForeignBlock([]), ""
        else:
            block.lines.append(line)
    yield block


def _defused(text: str) -> str:
    """Return Markdown outside of blocks of code without what acts; code in sentences stays."""
    return "\n\n".join(map(_defused_paragraph, text.split("\n\n")))


def _defused_paragraph(text: str) -> str:
    """Pair the sequences of backticks as Markdown does, each with the next one of its length."""
    runs = [(match.start(), match.end()) for match in _RUN.finditer(text)]
    closing: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        closing.setdefault(runs[index][1] - runs[index][0], []).append(index)
    pieces: list[str] = []
    done = 0
    for index, (start, end) in enumerate(runs):
        later = closing[end - start]
        while later and later[-1] <= index:
            later.pop()
        if start < done or not later:
            continue
        inner_end, last = runs[later[-1]]
        pieces += [_escaped(text[done:start]), code(text[end:inner_end])]
        done = last
    return "".join([*pieces, _escaped(text[done:])])


def _escaped(text: str) -> str:
    return _ACTIVE.sub(lambda match: "\\" + match[0], text)
