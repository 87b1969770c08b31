"""Where places are in an edited text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tdls.text.edited_offset import EditedStretch

TEXTS = st.text("ab", max_size=12)


@given(TEXTS, TEXTS)
def test_texts_are_the_same_outside_of_the_stretch(before: str, after: str) -> None:
    stretch = EditedStretch.between(before, after)
    assert before[: stretch.begin] == after[: stretch.begin]
    assert before[stretch.end_before :] == after[stretch.end_after :]
    for start in range(len(before)):
        for end in range(start + 1, len(before) + 1):
            moved = stretch.moved(start, end)
            assert moved is None or after[slice(*moved)] == before[start:end]


def test_what_was_edited_is_nowhere() -> None:
    stretch = EditedStretch.between("one two three", "one 2 three")
    assert stretch.moved(4, 7) is None
    assert stretch.moved(0, 3) == (0, 3)
    assert stretch.moved(8, 13) == (6, 11)
