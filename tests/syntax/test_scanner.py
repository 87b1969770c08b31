"""Splitting a text in steps gives the tokens of the whole text."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from tdls.syntax.scanner import pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECES = [
    "\n",
    "\r\n",
    " ",
    "\t",
    '"',
    "\\",
    "//",
    "/",
    "-",
    ">",
    "{-#",
    "#-}",
    "{",
    "}",
    "%a",
    "@b",
    "é",
    "0x1",
    ".",
    "x",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.integers(1, 9))
def test_steps_do_not_count(text: str, step: int) -> None:
    at_once = tokens(pieces_of(text))
    assert tokens(pieces_of(text, step=step)) == at_once
    assert tokens(pieces_of(text, step=step, long=0)) == at_once


@given(st.text())
def test_pieces_make_up_the_text(text: str) -> None:
    assert "".join(chain(*pieces_of(text, step=1))) == text


def tokens(pieces: Iterator[list[str]]) -> list[str]:
    return [token for piece in chain(*pieces) if (token := piece.strip())]
