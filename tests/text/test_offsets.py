"""Offsets that are edited equal those computed anew."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from tdls.syntax.sections.sectioned_text import Offsets

LENGTHS = st.lists(st.integers(0, 9), min_size=1, max_size=12)


@given(LENGTHS, st.lists(st.tuples(st.integers(0, 11), st.integers(1, 2), st.lists(st.integers(0, 9), max_size=2))))
def test_edited_offsets_are_those_of_the_new_lengths(
    lengths: list[int], edits: list[tuple[int, int, list[int]]]
) -> None:
    offsets = Offsets.of(lengths)
    for place, count, new in edits:
        first = min(place, len(lengths) - 1)
        old = lengths[first : first + count]
        after = new or [3]
        offsets = offsets.replaced(first, old, after)
        lengths = lengths[:first] + after + lengths[first + count :]
        starts = list(accumulate(lengths, initial=0))
        assert [offsets[index] for index in range(len(starts))] == starts
        assert offsets.total == starts[-1]
        for offset in range(-1, starts[-1] + 2):
            assert offsets.index_at(offset) == max((i for i, s in enumerate(starts) if s <= offset), default=-1)
