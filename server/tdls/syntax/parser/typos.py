"""Finds operations that are one typing error away from a known form.

Text that merely does not fit a known form may be the form of another version of MLIR, or of a project. A separator that
is missing, doubled or misplaced, a word of the form with one wrong letter, or a value without its percent sign is
neither, so it is certainly an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.text.similarity import is_typing_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.cursor import Mismatch

_SEPARATORS = (",", ":", "->", "=")
_STRUCTURE = frozenset({*_SEPARATORS, "(", ")", "[", "]", scanner.VALUE, scanner.END})
"""Tokens that cannot begin a part that a newer version may add to the generic form."""
_ANGLES = frozenset("<>")
"""Brackets whose content is not parsed: a misplaced token would fit there."""
_LITERAL = re.compile(r"`([A-Za-z_]{3,})`")
_SHORTEST_CASE = 5
_CORE_WORDS = ("tensor", "memref", "vector", "complex", "tuple", "index", "dense", "array", "attributes", "affine_map")


def breaks_generic_form(parser: AsmParser, failure: Mismatch) -> bool:
    """Whether an error in the generic form concerns syntax that all versions of MLIR share."""
    return failure.offset is None and parser.kinds[failure.index] in _STRUCTURE


def single_edits(parser: AsmParser, name: str, start: int, end: int, failure: Mismatch) -> Iterator[str]:
    """Yield texts one edit away from the operation `name` from token `start` up to `end` (exclusive).

    `failure` is the mismatch of the form that was read furthest. The inside of types and attributes is not edited.
    """
    if failure.offset is not None:
        return
    if not start < failure.index < end:
        return
    yield from _edited(parser, name, start, end, failure.index)


def _edited(parser: AsmParser, name: str, start: int, end: int, index: int) -> Iterator[str]:
    """Yield the texts after one edit at token `index` or right before it."""

    def replaced(first: int, last: int, new: str) -> str:
        """Return the text with `new` in place of the tokens from `first` up to `last` (exclusive)."""
        before = parser.text[parser.starts[start] : parser.starts[first]]
        return f"{before} {new} {parser.text[parser.ends[last - 1] : parser.ends[end - 1]]}"

    words = _words(parser, name)
    for separator in _SEPARATORS:
        yield replaced(index, index + 1, f"{separator} {parser.spelling(index)}")
    for place in (index, index - 1):
        spelled, beside = parser.spelling(place), (parser.spelling(place - 1), parser.spelling(place + 1))
        if place > start and (parser.kinds[place] in _SEPARATORS or spelled in beside):
            yield replaced(place, place + 1, "")
        if parser.kinds[place] == scanner.IDENTIFIER and place > start:
            yield from (replaced(place, place + 1, word) for word in _corrections(parser, place, words))
        if start < place < end - 1 and not _ANGLES.intersection(parser.kinds[place : place + 2]):
            yield replaced(place, place + 2, f"{parser.spelling(place + 1)} {parser.spelling(place)}")


def _corrections(parser: AsmParser, index: int, words: set[str]) -> Iterator[str]:
    spelled = parser.spelling(index)
    if parser.is_visible(f"%{spelled}"):
        yield f"%{spelled}"
    for word in sorted(words):  # words of other versions may be a prefix of each other: `packed`, `packedA`
        is_variant = word not in _CORE_WORDS and (word.startswith(spelled) or spelled.startswith(word))
        if is_typing_error(spelled, word) and not is_variant:
            yield word


def _words(parser: AsmParser, name: str) -> set[str]:
    """Return the words in the known forms of an operation; numbers in names are variants, not typing errors."""
    words = set(_CORE_WORDS)
    for definition in parser.known.variants(name):
        words.update(_LITERAL.findall(definition.assembly_format or ""))
        cases = (case for attribute in definition.attributes for case in attribute.cases)
        words.update(case for case in cases if len(case) >= _SHORTEST_CASE and not re.search(r"\d", case))
    return words
