"""Places in a text with insertions, and where they come from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tdls.interpreter.runs.placed_edits import Insertion, PlacedEdits

LETTERS = "aé𝄞\n"


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, list[Insertion]]:
    text = draw(st.text(LETTERS, max_size=20))
    places = st.integers(0, len(text))
    insertion = st.builds(Insertion, places, st.text("xü", max_size=4))
    return text, draw(st.lists(insertion, max_size=5))


def place(text: str, offset: int) -> tuple[int, int]:
    """The line and the column in bytes, from 1, of an offset."""
    before = text[:offset]
    return before.count("\n") + 1, len(before[before.rfind("\n") + 1 :].encode()) + 1


@given(edits())
def test_places_of_the_original_come_back(case: tuple[str, list[Insertion]]) -> None:
    text, insertions = case
    placed = PlacedEdits(text, insertions)
    for offset, letter in enumerate(text):
        edited = placed.edited_offset(offset)
        assert placed.text[edited] == letter
        assert placed.original_offset(edited) == offset
        line, column = place(placed.text, edited)
        assert (line, placed.original_column(line, column)) == place(text, offset)


@given(edits(), st.data())
def test_edits_compose(case: tuple[str, list[Insertion]], data: st.DataObject) -> None:
    text, insertions = case
    first = PlacedEdits(text, insertions)
    more = data.draw(st.lists(st.builds(Insertion, st.integers(0, len(first.text)), st.text("yö", max_size=3))))
    second, both = PlacedEdits(first.text, more), first.inserting(more)
    assert (both.original, both.text) == (text, second.text)
    for offset in range(len(both.text) + 1):
        assert both.original_offset(offset) == first.original_offset(second.original_offset(offset))
        line, column = place(both.text, offset)
        assert both.original_column(line, column) == first.original_column(line, second.original_column(line, column))


@given(edits())
def test_taking_insertions_out_gives_the_original(case: tuple[str, list[Insertion]]) -> None:
    text, insertions = case
    placed = PlacedEdits(text, insertions)
    kept = [placed.text[placed.edited_offset(offset)] for offset in range(len(text))]
    assert "".join(kept) == text
    assert len(placed.text) == len(text) + sum(len(insertion.text) for insertion in insertions)


def test_places_inside_of_insertions() -> None:
    placed = PlacedEdits("ab\ncé d", [Insertion(5, "<ü>"), Insertion(1, "<>")])
    assert placed.text == "a<>b\ncé<ü> d"
    assert [placed.original_offset(offset) for offset in range(6)] == [0, 1, 1, 1, 2, 3]
    assert [placed.original_column(2, column) for column in range(4, 10)] == [4, 4, 4, 4, 4, 5]
    assert placed.original_column(1, 0) == 0
    assert placed.original_column(7, 3) == 3
