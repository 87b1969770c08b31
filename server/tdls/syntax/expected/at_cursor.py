"""What may stand at a place in a text, as the parser sees it.

The text is read up to the word at the cursor by the same code that parses files; what that code asks for where the text
ends is the answer. What stands behind the cursor has no say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax.expected.model import Expected, Word
from tdls.syntax.expected.parser import ExpectingParser
from tdls.syntax.expected.word import word_at
from tdls.syntax.lexing import scanner
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue


def expected_at(
    text: str,
    offset: int,
    catalogue: Catalogue,
    *,
    start: int = 0,
    default_dialect: str = "builtin",
    nested: bool = False,
) -> Expected:
    """Return what may stand at `offset`, in code points, of `text`. Never raises.

    Only what stands from `start` on is read: it should be the beginning of the operation or block that the cursor is in
    or right behind, as it may stand in a file or, if `nested`, in a region. `default_dialect` is that of the enclosing
    operation.
    """
    word = word_at(text, offset)
    if word is None:
        return Expected(Word("", Span(offset, offset)), ())
    line_start = text.rfind("\n", 0, start) + 1
    before = " " * (start - line_start) + text[start : word.span.start]
    parser = ExpectingParser(scanner.scan(before), catalogue, default_dialect, nested=nested)
    parser.shift = line_start
    parser.read_to_cursor()
    line = before[before.rfind("\n") + 1 :]
    return Expected(word, tuple(parser.found), parser.operation, not line.strip())
