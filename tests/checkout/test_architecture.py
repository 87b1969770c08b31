"""The page on the architecture names what there is."""

from __future__ import annotations

import re

import pytest

from checkout.places import ROOT, is_there, named_in

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALK = re.compile(r"^\| ((?:hover|the (?:lens|rule|key)) .*?) \| (.*) \|$", re.MULTILINE)
STEP = re.compile(r"\[`([^`]+)`\]\(\.\./(server/tdls/[^)]+)\), `(\w+)`: [^|]+")


@pytest.mark.parametrize("name", named_in(PAGE))
def test_every_file_and_folder_that_is_named_is_there(name: str) -> None:
    assert is_there(name)


def test_walks_lead_to_code_in_three_steps() -> None:
    walks = dict(WALK.findall(PAGE))
    assert list(walks) == ["hover on a handle", "the lens *Run*", "the rule TD302", "the key of the cache"]
    for walk in walks.values():
        steps = walk.split(" | ")
        assert 1 <= len(steps) <= 3
        for step in steps:
            named = STEP.fullmatch(step)
            assert named is not None, step
            shown, path, name = named.groups()
            assert path == f"server/tdls/{shown}"
            assert re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8")), step


def test_the_map_has_every_floor() -> None:
    picture = PAGE[PAGE.index("## The map") : PAGE.index("### Where to begin")]
    floors = [path.name for path in (ROOT / "server" / "tdls").iterdir() if (path / "__init__.py").is_file()]
    assert {floor for floor in floors if not re.search(rf"\|  {floor}\b", picture)} == set()
    assert {floor for floor in floors if f"`server/tdls/{floor}/`" not in PAGE} == set()


def test_records_that_are_named_in_the_words_are_there() -> None:
    words = PAGE[PAGE.index("## Words") : PAGE.index("## A file in sections")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "server" / "tdls").rglob("*.py"))
    names = set(re.findall(r"`([A-Z][a-z]\w+)`", words))
    assert names
    assert {name for name in names if not re.search(rf"^(?:class )?{name}\b", code, re.MULTILINE)} == set()
