"""The layout of a text by its lines, strings and comments."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.syntax import layout
from tdls.syntax.layout import strings_and_comments, without_opaque

TEXTS = st.text('"\\\n\r/ a', max_size=60)


@given(TEXTS, st.integers(1, 3))
def test_many_escapes_are_matched_in_steps_with_the_same_outcome(text: str, rounds: int) -> None:
    at_once, without = list(strings_and_comments(text)), without_opaque(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "_FEW_ESCAPES", -1)
        pattern = layout._IN_STRING.pattern.replace("{0,1000}", f"{{0,{rounds}}}")
        patch.setattr(layout, "_IN_STRING", re.compile(pattern))
        assert list(strings_and_comments(text)) == at_once
        assert without_opaque(text) == without


def test_a_string_of_many_escapes_is_one_string() -> None:
    text = '"' + "\\n" * 100_000 + '" // and a comment'
    assert [text[start:end][-1] for start, end in strings_and_comments(text)] == ['"', "t"]
    assert without_opaque(text) == '"" '


@pytest.mark.parametrize(("text", "breaks"), [("a\nb", 1), ("a\r\nb", 1), ("a\rb", 1), ("\n\r\n\r", 3)])
def test_line_breaks_are_those_of_editors(text: str, breaks: int) -> None:
    assert layout.line_breaks(text) == breaks


def test_comments_and_blank_lines_are_no_code() -> None:
    assert layout.first_code("// x\n\n  a\n") == (6, 8)
    assert layout.first_code("\n  // x") is None
