"""Edits of whole lines, and of what changes in long ones."""

from __future__ import annotations

import random

import pytest

from cli.files import with_line_edits
from tdls.ide.changes.line_edits import line_edits


@pytest.mark.parametrize("width", [10, 3_000])
@pytest.mark.parametrize("seed", range(20))
def test_edits_of_lines_change_the_same(width: int, seed: int) -> None:
    chance = random.Random(seed)
    text = "\n".join("".join(chance.choices("ab ", k=width)) for _ in range(8))
    offsets = sorted(chance.sample(range(len(text)), 6))
    edits = [
        (start, end, chance.choice(("", "x", "y\nz"))) for start, end in zip(offsets[::2], offsets[1::2], strict=True)
    ]
    expected = text
    for start, end, new in reversed(edits):
        expected = expected[:start] + new + expected[end:]
    assert with_line_edits(text, line_edits(text, edits)) == expected


def test_an_edit_of_a_long_line_has_what_changes() -> None:
    text = f"first\n{'x' * 5_000}y{'z' * 5_000}"
    (edit,) = line_edits(text, [(5_006, 5_007, "w")])
    assert edit == {"line": 2, "column": 4961, "old": f"{'x' * 40}y{'z' * 40}", "new": f"{'x' * 40}w{'z' * 40}"}
