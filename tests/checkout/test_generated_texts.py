"""Generated texts are made under one profile of hypothesis, that of ``tests/conftest.py``."""

from __future__ import annotations

import ast
from pathlib import Path

import hypothesis

TESTS = Path(__file__).parents[1]


def options(path: Path) -> set[str]:
    """Return the options that a file of tests calls `settings` of hypothesis with."""
    code = path.read_text(encoding="utf-8")
    if "settings" not in code:
        return set()
    module = ast.parse(code)
    imported = {name.name for node in module.body if isinstance(node, ast.ImportFrom) for name in node.names}
    if "settings" not in imported:
        return set()
    calls = (node for node in ast.walk(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    return {str(option.arg) for call in calls if ast.unparse(call.func) == "settings" for option in call.keywords}


def test_tests_say_only_how_many_texts_they_try() -> None:
    found = {path.name: options(path) for path in TESTS.rglob("test_*.py")}
    assert set().union(*found.values()) == {"max_examples"}
    assert {name for name, named in found.items() if named - {"max_examples"}} == set()


def test_generated_texts_are_the_same_by_default() -> None:
    same, others = map(hypothesis.settings.get_profile, ("the-same", "others"))
    assert (same.derandomize, others.derandomize) == (True, False)
    assert same.deadline is others.deadline is None
