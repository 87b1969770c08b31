"""Command lines are split as Python's `shlex` splits them, and every character keeps its place."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.text.shell_words import Placed, split_words


def placed(text: str) -> Placed:
    return Placed(text, tuple(range(100, 100 + len(text))))


def texts(line: str) -> list[str]:
    return [word.text for word in split_words(placed(line))]


@given(st.text(alphabet="ab%{}=,-'\"\\ \t", max_size=30))
def test_as_shlex_does(line: str) -> None:
    try:
        expected = shlex.split(line)
    except ValueError:  # a quote or backslash without end
        return
    if "\\$" not in line and "\\`" not in line:
        assert texts(line) == expected


@given(st.text(alphabet="ab%{}=,-'\"\\ |&;<>()1#\n", max_size=30))
def test_every_character_keeps_its_place(line: str) -> None:
    for word in split_words(placed(line)):
        assert "".join(line[place - 100] for place in word.value.places) == word.text


@pytest.mark.parametrize(
    ("line", "words", "operators"),
    [
        ("a|b", ["a", "|", "b"], [1]),
        ("a 2>&1 | b", ["a", "2>&1", "|", "b"], [1, 2]),
        ("a >b && c", ["a", ">", "b", "&&", "c"], [1, 3]),
        ("a 'b|c' \"d;e\"", ["a", "b|c", "d;e"], []),
        ("a # a comment", ["a"], []),
        ("a 'open", ["a", "open"], []),
        ("", [], []),
    ],
)
def test_operators(line: str, words: list[str], operators: list[int]) -> None:
    found = split_words(placed(line))
    assert [word.text for word in found] == words
    assert [number for number, word in enumerate(found) if word.is_operator] == operators
