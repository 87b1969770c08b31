"""What documentation of an operation says of one of its attributes or operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.markdown.foreign import foreign

if TYPE_CHECKING:
    from collections.abc import Iterator

_BULLETS = ("- ", "* ", "+ ")
_NO_WORDS = ("```", "~~~", "#", "|")
_MOST_SENTENCES = 3
_QUOTES = "`$\"'*"


def meaning(name: str, documentation: str) -> str:
    """Return Markdown with what `documentation` says of `name`: its item of a list, or else sentences with its name."""
    said = list(_blocks(documentation))
    own = next((block for block in said if _is_about(name, block)), None)
    if own is not None:
        return foreign(own[2:])
    sentences = [sentence for block in said for sentence in _sentences(block) if _mentions(name, sentence)]
    return foreign(" ".join(sentences[:_MOST_SENTENCES]))


def _blocks(documentation: str) -> Iterator[str]:
    """Yield paragraphs and items of lists, each in one line, without code and titles."""
    lines: list[str] = []
    is_code = False
    for line in [*documentation.split("\n"), ""]:
        text = line.strip()
        is_fence = text.startswith(_NO_WORDS[:2])
        is_code ^= is_fence
        is_other = is_code or is_fence or text.startswith(_NO_WORDS)
        if (not text or is_other or text.startswith(_BULLETS)) and lines:
            yield " ".join(lines)
            lines = []
        if text and not is_other:
            lines.append(text)


def _is_about(name: str, block: str) -> bool:
    """Tell whether a block is an item of a list that begins with `name`."""
    if not block.startswith(_BULLETS):
        return False
    word = block[2:].lstrip(_QUOTES)
    return word.startswith(name) and not (word[len(name) :][:1].isalnum() or word[len(name) :][:1] == "_")


def _sentences(block: str) -> Iterator[str]:
    text = block[2:] if block.startswith(_BULLETS) else block
    parts = text.split(". ")
    for number, part in enumerate(parts, 1):
        yield part if number == len(parts) else f"{part}."


def _mentions(name: str, sentence: str) -> bool:
    return any(f"{quote}{name}{quote}" in sentence for quote in ("`", '"')) or f"`${name}`" in sentence
