"""Builds Markdown for hovers and other texts.

Untrusted text gets in through `code`, `code_block` and `foreign` only, so that none of it becomes a link, an image or
HTML. Renderers of Markdown disagree on where code and emphasis end: what is written here has one reading.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.text.printable import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.interpreter.runs.model import Place

_FENCE = re.compile(
    r" {0,3}(?P<fence>`{3,}|~{3,})[ \t]*"
    r"(?:(?P<language>[\w+-]+)(?:[^\w+\-`~][^`~]*)?|[^\w+\-`~ \t][^`~]*)?"
)
_RUN = re.compile("`+")
_PLAIN = re.compile(
    r"(?P<harmless>"
    r"(?<![^\s(])(?P<mark>[*]{1,2}|_{1,2})"
    r"[^\W_](?:(?:[^*_\\`~<\[\]|\n]|(?<=[^\W_])_(?=[^\W_])){0,200}[^\W_])?"
    r"(?P=mark)(?![\w*])"
    r"|(?<=[^\W_])_+(?=[^\W_])"
    r"|^[ \t>]*[*](?=[ \t]))"
    r"|[\\`~*_<\[\]|]|:(?=-)|(?<=-):",
    re.MULTILINE,
)
"""Emphasis of words in one line, underscores in names and marks of lists; other characters with a meaning in Markdown.

Renderers differ in what emphasis may cross: in some it ends in code, whose rest is then no code. A tilde joins the
backtick behind it to plain text in some, and a bar ends code in the row of a table.
"""
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.\-]{0,30}:/\S*|(?:www\.|mailto:|xmpp:)\S+|[\w.+\-]{1,64}@[\w.\-/]+", re.IGNORECASE
)
"""Text that becomes a link without any mark."""


class _ForeignBlock(NamedTuple):
    """Lines of text if `language` is None, else of code."""

    lines: list[str]
    language: str | None = None

    @property
    def harmless(self) -> str:
        """The block as Markdown without active content."""
        text = "\n".join(self.lines)
        return (
            "\n\n".join(map(_defused_paragraph, text.split("\n\n")))
            if self.language is None
            else fenced(text, self.language)
        )


def foreign(text: str) -> str:
    """Return untrusted Markdown with its paragraphs, lists, emphasis and code, but without active content.

    Links, images and HTML are shown as their source text.
    """
    pieces: list[str] = []
    for block in _blocks(printable_lines(text).split("\n")):
        if block.lines:
            if block.language is not None and pieces and pieces[-1].rpartition("\n")[2].strip(" \t"):
                pieces.append("")  # some renderers let a paragraph without this blank line run into the code
            pieces.append(block.harmless)
    return "\n".join(pieces)


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


def _defused_paragraph(text: str) -> str:
    """Escape a paragraph except its code spans: as in Markdown, a run of backticks pairs with the next equal one."""
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
        pieces += [*_escaped(text[done:start]), code(text[end:inner_end])]
        done = last
    pieces += _escaped(text[done:])
    return "".join(
        f" {piece}" if "`" == before[-1:] == piece[:1] else piece for before, piece in pairwise(["", *pieces])
    )


def _escaped(text: str) -> Iterator[str]:
    """Yield text without code spans with its active characters escaped, and addresses in it as code spans."""
    done = 0
    for match in (*_ADDRESS.finditer(text), None):
        plain = text[done : match.start() if match is not None else None]
        if plain:
            yield _PLAIN.sub(lambda sign: sign[0] if sign["harmless"] else "\\" + sign[0], plain)
        if match is not None:
            yield code(match[0])
            done = match.end()


_LONGEST = 120
"""Maximum number of characters of code inside a sentence, about."""

_LONGEST_BLOCK = 1_000
_BACKTICK = r"\u0060"
"""A backtick in code: renderers disagree on where code with backticks in it ends."""


def code_block(text: str) -> str:
    """Return `text` as a fenced block of MLIR code, cut if it is very long."""
    if len(text) > _LONGEST_BLOCK:
        text = text[:_LONGEST_BLOCK].rstrip() + " ..."
    return fenced(text, "mlir")


def code(text: str) -> str:
    """Return `text` as an inline code span, in one line and cut if it is long; of nothing, it is a blank."""
    line = printable(" ".join(text.split())) or " "
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 4].rstrip() + " ..."
    line = line.replace("`", _BACKTICK)
    return f"` {line} `" if line.endswith("\\") else f"`{line}`"


def codes(texts: Iterable[str], conjunction: str = ", ") -> str:
    """Return several inline code spans, joined by `conjunction`."""
    return conjunction.join(code(text) for text in texts)


def place_link(place: Place) -> str:
    """Return file and line of a place of a run, linked to it if the file is on disk."""
    path = Path(place.file)
    text = f"{foreign(path.name)}:{place.line}"
    return f"[{text}]({path.as_uri()}#L{place.line})" if path.is_absolute() else text


def section(title: str, items: Iterable[str]) -> str:
    """Return a titled list; "" if there are no items."""
    lines = [f"- {item}" for item in items]
    return "\n".join([f"**{title}**", "", *lines]) if lines else ""


def paragraphs(*texts: str) -> str:
    """Return the non-empty `texts` as paragraphs."""
    return "\n\n".join(text for text in texts if text)


def fenced(text: str, language: str) -> str:
    """Return a fenced code block, which nothing in `text` can end."""
    inner = re.sub("`{3,}", lambda run: _BACKTICK * len(run[0]), printable_lines(text))
    return f"```{language}\n{inner}\n```"
