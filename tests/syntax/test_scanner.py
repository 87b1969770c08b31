"""Splitting a text in steps gives the tokens of the whole text."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.syntax.scanner import BAD, IDENTIFIER, pieces_of, scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import SupportsIndex

PIECES = [*'\n \t"\\/->{}é.x', "\r\n", "//", "{-#", "#-}", "%a", "@b", "0x1"]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.integers(1, 9))
def test_steps_do_not_count(text: str, step: int) -> None:
    at_once = tokens(pieces_of(text))
    assert tokens(pieces_of(text, step=step)) == at_once
    assert tokens(pieces_of(text, step=step, long=0)) == at_once


@given(st.text())
def test_pieces_make_up_the_text(text: str) -> None:
    assert "".join(chain(*pieces_of(text, step=1))) == text


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a {\n  b {\n    c\n}\n", ["a {\n  b {\n    c\n}"]),
        ("a {\n  b\n  c }\n}\n", ["a {\n  b\n  c }\n}"]),
        ("  a {\nb {\n  }\n", []),
    ],
    ids=["one is missing", "one is too much", "another one is less indented"],
)
def test_braces_are_paired_by_their_lines(text: str, pairs: list[str]) -> None:
    found = scan(text)
    openers = [index for index, partner in found.partners.items() if index < partner]
    assert [text[: found.ends[found.partners[index]]] for index in openers] == pairs


@pytest.mark.parametrize(
    ("text", "kinds"), [("a\0\0\0;;b", [IDENTIFIER, BAD, IDENTIFIER]), ('"a\\"b\\"c', [BAD, IDENTIFIER] * 3)]
)
def test_unknown_characters_and_quotes_that_begin_no_string_are_tokens(text: str, kinds: list[str]) -> None:
    found = scan(text)
    assert found.kinds[: found.count] == kinds


def tokens(pieces: Iterator[list[str]]) -> list[str]:
    return [token for piece in chain(*pieces) if (token := piece.strip())]


class CountingText(str):
    """A text that counts the characters that are copied from it."""

    __slots__ = ("copied",)
    copied: int

    def __new__(cls, text: str) -> CountingText:
        counting = super().__new__(cls, text)
        counting.copied = 0
        return counting

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        piece = super().__getitem__(key)
        self.copied += len(piece)
        return piece


@pytest.mark.parametrize("sign", [*"%^@#!\"'`~;\\$&\0\u00e9:([{<>}])-=*+?|.,", "%%^", "%!#@^", "->", "{-#", "{-#%"])
def test_repeated_characters_are_copied_a_bounded_number_of_times(sign: str) -> None:
    text = CountingText(sign * 2_000)
    assert "".join(scan(text).spellings) == text
    assert text.copied <= 4 * len(text)
