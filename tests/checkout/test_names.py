"""One name for one thing, as docs/architecture.md has it under "Words"."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from checkout.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVER = ROOT / "server" / "tdls"
WHERE_VARIABLES_ARE_NAMED = ("server/tdls", "tests", "tools", "benchmarks")
ON_TWO_FLOORS = {"Operation", "Region", "Block"}
"""MLIR's own, as they are written and with what names in them mean."""


def modules_with(word: str, folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        code = path.read_text(encoding="utf-8")
        if re.search(rf"\b{word}\b", code):
            yield path.relative_to(folder), ast.parse(code)


def test_no_two_classes_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, module in modules_with("class", SERVER):
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.as_posix())
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if name not in ON_TWO_FLOORS} == {}
    assert shared.keys() == ON_TWO_FLOORS


@pytest.mark.parametrize("folder", WHERE_VARIABLES_ARE_NAMED)
def test_variables_say_what_they_hold(folder: str) -> None:
    nameless = {
        f"{path.as_posix()}:{node.lineno}"
        for path, module in modules_with("one", ROOT / folder)
        for node in ast.walk(module)
        if (isinstance(node, ast.Name) and node.id == "one") or (isinstance(node, ast.arg) and node.arg == "one")
    }
    assert nameless == set()
