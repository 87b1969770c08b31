"""The numbers of semantic tokens, without a server: exhaustive where a process would be too slow."""

from __future__ import annotations

import random
import re
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.document.semantic_tokens import TokenKind, TokenModifier, semantic_tokens, style
from tdls.ide.snapshot import Snapshot
from tdls.lsp.protocol.conversions import to_position
from tdls.lsp.requests.semantic_tokens import (
    LARGE,
    TOKEN_MODIFIERS,
    TOKEN_TYPES,
    encode_file,
    encode_span,
    encoded_style,
)
from tdls.text.difference import ChangedRange
from tdls.text.positions import PositionEncoding
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

CATALOGUE = Catalogue.shipped()
URI = "file:///a.mlir"
TEXT = """\
// 𝄞 a comment, ünd more
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @"𝄞"(%root: !op {transform.readonly}) { // ü
    transform.annotate %root "𝄞ü" : !op transform.print %root : !op
    transform.yield
  }

  func.func @f() { "my.op"() {"𝄞" = 1, other} : () -> () }
  // in the frame
}
// -----
func.func @g() {
  return
}"""

every_encoding = pytest.mark.parametrize("encoding", list(PositionEncoding), ids=lambda it: it.value)


def result_of(work: Generator[None, None, array[int]]) -> list[int]:
    results: list[array[int]] = []

    def run() -> Iterator[None]:
        results.append((yield from work))

    assert len(list(run())) > 0
    return list(results[0])


def encoded(file: SourceFile, encoding: PositionEncoding) -> list[int]:
    return result_of(encode_file(file, encoding))


def absolute(data: list[int]) -> Iterator[tuple[int, ...]]:
    line = column = 0
    for at in range(0, len(data), 5):
        lines, columns, length, kind, modifiers = data[at : at + 5]
        column = columns if lines else column + columns
        line += lines
        yield line, column, length, kind, modifiers


def expected(file: SourceFile, encoding: PositionEncoding, span: FileSpan | None = None) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for token in semantic_tokens(Snapshot({URI: file}, CATALOGUE), URI, span):
        start, end = (to_position(file, offset, encoding) for offset in token.span)
        kind = encoded_style(style(token.kind, token.modifiers))
        found.append((start.line, start.character, end.character - start.character, *kind))
    return found


@every_encoding
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_numbers_lead_to_the_places(encoding: PositionEncoding, line_end: str) -> None:
    file = SourceFile.of(TEXT.replace("\n", line_end), CATALOGUE)
    wanted = expected(file, encoding)
    assert len(wanted) > 30
    assert list(absolute(encoded(file, encoding))) == wanted


@every_encoding
def test_ranges(encoding: PositionEncoding) -> None:
    file = SourceFile.of(TEXT, CATALOGUE)
    for start in range(0, len(TEXT), 7):
        span = FileSpan(start, min(start + 60, len(TEXT)))
        assert list(absolute(result_of(encode_span(file, span, encoding)))) == expected(file, encoding, span)


def test_large_files_have_colours_where_their_scripts_are() -> None:
    payload = "func.func @f() {\n" + '  "my.op"() {name = "some text"} : () -> ()\n' * 10_000 + "}\n"
    file = SourceFile.of(payload * 5 + TEXT, CATALOGUE)
    assert file.length > LARGE
    wanted = expected(file, PositionEncoding.UTF16, FileSpan(file.length - len(TEXT), file.length))
    assert set(absolute(encoded(file, PositionEncoding.UTF16))) < set(wanted)
    assert len(result_of(encode_span(file, FileSpan(0, 500), PositionEncoding.UTF16))) > 100


def test_random_edits() -> None:
    """Numbers that are kept with sections stay right, and deltas lead from one answer to the next."""
    chance = random.Random(7)
    file = SourceFile.of(TEXT, CATALOGUE)
    before = array("I", encoded(file, PositionEncoding.UTF16))
    for _ in range(150):
        start = chance.randrange(file.length + 1)
        span = FileSpan(start, min(file.length, start + chance.choice((0, 0, 1, 5))))
        file = file.edited(span, chance.choice(("", "\n", "x", "%root ", "// -----\n", "}", "{", '"', "𝄞", "  // c\n")))
        after = array("I", encoded(file, PositionEncoding.UTF16))
        fresh = SourceFile.of(file.text, CATALOGUE)
        assert list(after) == encoded(fresh, PositionEncoding.UTF16)
        begin, end_before, end_after = ChangedRange.between(before, after)
        assert before[:begin] + after[begin:end_after] + before[end_before:] == after
        before = after


def test_documentation_names_all_types_and_modifiers() -> None:
    page = Path(__file__).parents[3] / "docs" / "language-server.md"
    section = page.read_text(encoding="utf-8").split("## Colours\n")[1].split("\n## ")[0]
    named = {
        name
        for line in section.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.replace("`!transform.param<i64>`", ""))
    }
    assert named == {*TOKEN_TYPES, *TOKEN_MODIFIERS}


def test_every_kind_and_modifier_has_a_place_in_the_legend() -> None:
    assert len(set(TOKEN_TYPES)) == len(TOKEN_TYPES)
    assert len(set(TOKEN_MODIFIERS)) == len(TOKEN_MODIFIERS)
    seen = set()
    for kind in TokenKind:
        for modifier in (TokenModifier(0), *TokenModifier):
            index, bits = encoded_style(style(kind, modifier))
            assert index < len(TOKEN_TYPES)
            assert bits < 1 << len(TOKEN_MODIFIERS)
            seen.add((index, bits))
    assert len(seen) == len(TokenKind) * (len(TokenModifier) + 1)
