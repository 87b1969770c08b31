"""Slips of the keyboard: operations that are one edit away from a form that is known.

What merely does not fit a known form may be the form of another version of MLIR, or of a project. A separator that is
missing, doubled or misplaced, a word of the form with one wrong letter, or a value without its percent sign is neither.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.similarity import is_typing_error
from tdls.syntax import scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.cursor import Mismatch

LONGEST = 2_000
"""Longer operations, in code points, are not looked at."""
LONGEST_IN_ALL = 3 * LONGEST
"""How many code points are looked at in one section: each is read again for every edit that is tried."""
_SEPARATORS = (",", ":", "->", "=")
_STRUCTURE = frozenset({*_SEPARATORS, "(", ")", "[", "]", scanner.VALUE, scanner.END})
"""Tokens with which no piece of the generic form can begin that a newer version may have."""
_ANGLES = frozenset("<>")
"""Brackets that hold what nobody looks at: there a token out of place would fit."""
_LITERAL = re.compile(r"`([A-Za-z_]{3,})`")
_SHORTEST_CASE = 5
_CORE_WORDS = ("tensor", "memref", "vector", "complex", "tuple", "index", "dense", "array", "attributes", "affine_map")


def breaks_generic_form(parser: AsmParser, failure: Mismatch) -> bool:
    """Tell whether the generic form is broken in what all versions of MLIR have in common."""
    return failure.offset is None and parser.kinds[failure.index] in _STRUCTURE


def single_edits(parser: AsmParser, name: str, start: int, end: int, failure: Mismatch) -> Iterator[str]:
    """Yield what the operation `name` from token `start` up to `end` (exclusive) may have been before one slip.

    `failure` is where the form that came furthest ends. Inside of types and attributes nothing is looked for.
    """
    if failure.offset is not None:
        return
    if not start < failure.index < end:
        return
    yield from _edited(parser, name, start, end, failure.index)


def _edited(parser: AsmParser, name: str, start: int, end: int, index: int) -> Iterator[str]:
    """Yield the texts that one edit at token `index` or right before it makes."""

    def replaced(first: int, last: int, new: str) -> str:
        """Return the text with `new` in place of the tokens from `first` up to `last` (exclusive)."""
        before = parser.text[parser.starts[start] : parser.starts[first]]
        return f"{before} {new} {parser.text[parser.ends[last - 1] : parser.ends[end - 1]]}"

    words = _words(parser, name)
    for separator in _SEPARATORS:
        yield replaced(index, index + 1, f"{separator} {parser.spelling(index)}")
    for place in (index, index - 1):
        if place > start and _is_surplus(parser, place):
            yield replaced(place, place + 1, "")
        if parser.kinds[place] == scanner.IDENTIFIER and place > start:
            yield from (replaced(place, place + 1, word) for word in _meant(parser, place, words))
        if start < place < end - 1 and not _ANGLES.intersection(parser.kinds[place : place + 2]):
            yield replaced(place, place + 2, f"{parser.spelling(place + 1)} {parser.spelling(place)}")


def _is_surplus(parser: AsmParser, index: int) -> bool:
    spelled = parser.spelling(index)
    return parser.kinds[index] in _SEPARATORS or spelled in (parser.spelling(index - 1), parser.spelling(index + 1))


def _meant(parser: AsmParser, index: int, words: set[str]) -> Iterator[str]:
    spelled = parser.spelling(index)
    if parser.is_visible(f"%{spelled}"):
        yield f"%{spelled}"
    yield from (word for word in sorted(words) if is_typing_error(spelled, word) and not _is_variant(spelled, word))


def _is_variant(spelled: str, word: str) -> bool:
    """Tell whether one is the other with something behind it, as words of other versions are: `packed`, `packedA`."""
    return word not in _CORE_WORDS and (word.startswith(spelled) or spelled.startswith(word))


def _words(parser: AsmParser, name: str) -> set[str]:
    """Return the words that the known forms of an operation have; numbers in names are no slips but variants."""
    words = set(_CORE_WORDS)
    for definition in parser.known.variants(name):
        words.update(_LITERAL.findall(definition.assembly_format or ""))
        cases = (case for attribute in definition.attributes for case in attribute.cases)
        words.update(case for case in cases if len(case) >= _SHORTEST_CASE and not re.search(r"\d", case))
    return words
