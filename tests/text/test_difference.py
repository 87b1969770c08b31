"""One edit between two versions of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tdls.text.difference import difference

WORDS = st.text(alphabet="ab\n", max_size=12)


@given(before=WORDS, after=WORDS)
def test_the_edit_makes_the_new_text_and_is_minimal(before: str, after: str) -> None:
    span, new = difference(before, after)
    assert before[: span.start] + new + before[span.end :] == after
    old = before[span.start : span.end]
    assert not (old and new) or (old[0] != new[0] and old[-1] != new[-1])
