"""Patterns in settings have the meaning of Python's patterns, and take linear time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.text.given_patterns import GivenPattern, PatternError

_ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "[a-c]", r"\w", r"\d", "1", "^", "$", r"\."])
_SIGNS = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{1,}"])
_PATTERNS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.builds("({})".format, inner),
        st.builds("({}){}".format, inner, _SIGNS),
        st.builds("{}{}".format, inner, inner),
        st.builds("({}|{})".format, inner, inner),
    ),
    max_leaves=8,
)


@given(_PATTERNS, st.text("abc1. ", max_size=8))
def test_patterns_match_as_in_python(pattern: str, text: str) -> None:
    python = re.compile(pattern.replace("$", r"\Z"), re.DOTALL)
    assert GivenPattern.of((pattern, True)).occurs_in(text) == (python.search(text) is not None)


@pytest.mark.parametrize(
    ("pattern", "text", "occurs"),
    [
        ("[[:digit:]]+", "a12", True),
        ("^[[:alpha:]_]+$", "a_b1", False),
        ("[]a]", "]", True),
        (r"\(\)", "f()", True),
        ("a|", "", True),
        ("x{0}y", "y", True),
    ],
)
def test_forms(pattern: str, text: str, occurs: bool) -> None:
    assert GivenPattern.of((pattern, True)).occurs_in(text) is occurs


def test_texts_stand_for_themselves() -> None:
    pattern = GivenPattern.of(("a.b(", False), ("[0-9]+", True), (")", False))
    assert pattern.occurs_in("say a.b(12)")
    assert not pattern.occurs_in("say a-b(12)")


@pytest.mark.parametrize("pattern", ["(", ")", "[", "*", "a{3,2}", "[[:none:]]", "\\", r"(a)\1", "[b-a]", "(" * 1000])
def test_texts_that_are_no_pattern(pattern: str) -> None:
    with pytest.raises(PatternError):
        GivenPattern.of((pattern, True))


@pytest.mark.parametrize("pattern", ["((a{99}){99}){99}", "((()" + "{99}){99}){99}{99}", "a" * 3_000])
def test_patterns_that_are_too_large(pattern: str) -> None:
    with pytest.raises(PatternError, match="larger than"):
        GivenPattern.of((pattern, True))


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a*)*(a*)*b", ".*.*.*.*b"])
def test_nothing_goes_back(pattern: str) -> None:
    """Python's own patterns would take for ever."""
    assert not GivenPattern.of((pattern, True)).occurs_in("a" * 2_000)
