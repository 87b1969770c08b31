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
