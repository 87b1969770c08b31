"""The range in which two texts differ, and diffs of them."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.text.difference import ChangedRange, line_edits, single_edit, unified_diff

WORDS = st.text(alphabet="ab\n", max_size=12)
NUMBERS = st.lists(st.integers(0, 2), max_size=12).map(lambda numbers: array("I", numbers))


@given(before=WORDS, after=WORDS)
def test_the_edit_makes_the_new_text_and_is_minimal(before: str, after: str) -> None:
    span, new = single_edit(before, after)
    assert before[: span.start] + new + before[span.end :] == after
    old = before[span.start : span.end]
    assert not (old and new) or (old[0] != new[0] and old[-1] != new[-1])


@given(before=WORDS, after=WORDS)
def test_edits_of_lines_make_the_new_text_and_leave_equal_lines(before: str, after: str) -> None:
    edits = list(line_edits(before, after))
    text = before
    for span, new in reversed(edits):
        text = text[: span.start] + new + text[span.end :]
    assert text == after
    assert all(first.end <= second.start for (first, _), (second, _) in pairwise(edits))
    assert bool(edits) == (before != after)


@given(before=WORDS, after=WORDS)
def test_texts_are_the_same_outside_of_the_range(before: str, after: str) -> None:
    changed = ChangedRange.between(before, after)
    for start in range(len(before)):
        for end in range(start + 1, len(before) + 1):
            moved = changed.moved(start, end)
            assert moved is None or after[slice(*moved)] == before[start:end]
            assert moved is None or moved[0] == changed.begin or changed.offset_before(moved[0]) == start


@given(before=NUMBERS, after=NUMBERS)
def test_numbers_are_the_same_outside_of_the_range(before: array[int], after: array[int]) -> None:
    begin, end_before, end_after = ChangedRange.between(before, after)
    assert before[:begin] + after[begin:end_after] + before[end_before:] == after
    assert (before == after) == (begin == end_before == end_after == len(before) == len(after))


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("", "a", (0, 0, 1)),
        ("a", "", (0, 1, 0)),
        ("abc", "axc", (1, 2, 2)),
        ("aaa", "aa", (2, 3, 2)),
        ("aa", "aaa", (2, 2, 3)),
        ("abcde", "abcxxde", (3, 3, 5)),
    ],
)
def test_smallest_range(before: str, after: str, changed: tuple[int, int, int]) -> None:
    assert ChangedRange.between(before, after) == changed
    assert ChangedRange.between(list(before), list(after)) == changed


def test_edited_text_has_no_counterpart() -> None:
    changed = ChangedRange.between("one two three", "one 2 three")
    assert changed.moved(4, 7) is None
    assert changed.moved(0, 3) == (0, 3)
    assert changed.moved(8, 13) == (6, 11)
    assert changed.offset_before(5) == 7


def test_diff_of_files() -> None:
    found = "".join(unified_diff("a\nb\r\nc", "a\nb\r\nd\n", "Bär.mlir", 'a "b"'))
    assert found == ('--- Bär.mlir\n+++ "a \\"b\\""\n@@ -1,3 +1,3 @@\n a\n b\r\n-c\n\\ No newline at end of file\n+d\n')
    assert not "".join(unified_diff("a\n", "a\n", "a", "b"))
