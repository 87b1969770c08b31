"""What stands where in this checkout."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from checkout.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = ROOT / "tools"
TESTS = ROOT / "tests"
FLOORS = sorted(path.parent for path in (ROOT / "server" / "tdls").glob("*/__init__.py"))


def imported_by(code: str) -> set[str]:
    """The outermost packages and modules that a module imports, wherever it does so."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_tools_work_without_the_tests() -> None:
    of_tests = {path.stem for path in TESTS.iterdir()} - {path.stem for path in TOOLS.iterdir()}
    imported = {path: imported_by(path.read_text(encoding="utf-8")) for path in TOOLS.rglob("*.py")}
    assert {path: names & of_tests for path, names in imported.items() if names & of_tests} == {}


def misplaced(floor: Path) -> dict[str, set[str]]:
    """The tests that are named like modules or rooms of a floor and stand elsewhere, and where they belong."""
    tests = TESTS / floor.name
    places: dict[str, set[str]] = {}
    for path in floor.rglob("*.py"):
        room = path.parent.relative_to(floor).as_posix()
        places.setdefault(path.parent.name if path.stem == "__init__" else path.stem, set()).add(room)
    named = {path: places.get(path.stem.removeprefix("test_")) for path in tests.rglob("test_*.py")}
    return {
        path.relative_to(TESTS).as_posix(): rooms
        for path, rooms in named.items()
        if rooms and path.parent.relative_to(tests).as_posix() not in rooms
    }


@pytest.mark.parametrize("floor", FLOORS, ids=lambda floor: floor.name)
def test_tests_stand_where_what_they_are_named_after_stands(floor: Path) -> None:
    assert misplaced(floor) == {}
