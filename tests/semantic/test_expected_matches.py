"""Comments that say how much is matched."""

from __future__ import annotations

import pytest

from tdls.semantic.expected_matches import count_in, expected_matches


@pytest.mark.parametrize(
    ("spelled", "least", "most"),
    [("3", 3, 3), ("1..", 1, None), ("..4", 0, 4), ("2..4", 2, 4), (">=1", 1, None), ("<=4", 0, 4), ("0", 0, 0)],
)
def test_counts(spelled: str, least: int, most: int | None) -> None:
    assert count_in(spelled) == (least, most)


@pytest.mark.parametrize(
    "spelled", ["", "..", "some", "-1", ">1", "3 4", "9" * 30, "1...2", "\N{ARABIC-INDIC DIGIT ONE}"]
)
def test_texts_that_are_no_count(spelled: str) -> None:
    assert count_in(spelled) is None


def test_the_lines_that_comments_are_about() -> None:
    text = (
        "%a = transform.first  // tdls: expect-matches=1\n"
        "// tdls: expect-matches=2..3\n\n  // why\n%b = transform.second\n"
        '%c = transform.third {s = "// tdls: expect-matches=4"}\n'
        "// tdls: expect-matches=none"
    )
    found = [(each.line, each.spelled, each.wanted) for each in expected_matches(text)]
    assert found == [(0, "1", (1, 1)), (4, "2..3", (2, 3)), (6, "none", None)]


def test_counts_in_words() -> None:
    words = [str(count_in(spelled)) for spelled in ("3", "1..", "..4", "2..4")]
    assert words == ["3", "at least 1", "at most 4", "2 to 4"]
