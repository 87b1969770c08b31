"""tdls refuses TOML that its parser would take too long for, or that nests too deep, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import load_settings
from tdls.settings.toml import excess_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a" + ".a" * 10_000 + " = 1", "has a key of more than 100 parts"),
        ("[a" + " . 'b'" * 10_000 + "]", "has a key of more than 100 parts"),
        ("a = " + "[" * 10_000, "has more than 100 brackets inside of each other"),
        ("a = " + "{b = " * 10_000, "has more than 100 brackets inside of each other"),
        ("a = " + "1" * 10_000, "has a number of more than 1,000 digits"),
    ],
)
def test_too_much(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "tdls.toml").write_text(text, encoding="utf-8")
    (problem,) = load_settings(tmp_path, RULE_CODES).problems
    assert problem.message == f"is not TOML: {reason}"


def test_usual_settings_are_in_the_limits() -> None:
    assert (
        excess_of("x = ['" + "a.b.c" * 100 + "']\ny = '''\n" + "." * 200 + "\nSee a. And b. " * 100 + "'''\n") is None
    )
