"""The places of files in this checkout."""

from __future__ import annotations

import ast

from checkout.places import ROOT

TOOLS = ROOT / "tools"
TESTS = ROOT / "tests"


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
