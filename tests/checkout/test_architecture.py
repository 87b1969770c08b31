"""The page on the architecture names existing files."""

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
    server = ROOT / "server" / "tdls"
    floors = [path for path in server.iterdir() if (path / "__init__.py").is_file() or path.suffix == ".py"]
    named = {path.name + "/" * path.is_dir() for path in floors if not path.name.startswith("__")}
    assert {name for name in named if f"`server/tdls/{name}`" not in PAGE} == set()


def test_records_that_are_named_are_there() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "server" / "tdls").rglob("*.py"))
    names = set(re.findall(r"`([A-Z][a-z]\w+)`", PAGE))
    assert names
    assert {name for name in names if not re.search(rf"^(?:class )?{name}\b", code, re.MULTILINE)} == set()
