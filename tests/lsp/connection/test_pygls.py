"""pygls is used by its public names, in the versions that it was tried with."""

from __future__ import annotations

import ast
import sys
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import pygls

import tdls.lsp

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TRIED = ((2, 0), (2, 1))
"""The versions of pygls with which all of `tests/lsp` passed, in order. Run it with a new one, then add that here."""
NEXT = "the next one may change what tdls relies on: run tests/lsp with it, then add it to TRIED and to pyproject.toml"
ROOT = Path(__file__).parents[3]
LSP = Path(tdls.lsp.__file__).parent
PYGLS = Path(pygls.__file__).parent
DERIVED = {"Host", "TdlsProtocol", "TdlsServer"}
"""The classes that derive from those of pygls."""


def test_the_installed_pygls_was_tried() -> None:
    installed = tuple(map(int, version("pygls").split(".")[:2]))
    assert installed in TRIED, f"pygls {version('pygls')} was not tried; {NEXT}"


def test_the_package_asks_for_versions_that_were_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [asked] = [requirement for requirement in project["dependencies"] if requirement.startswith("pygls")]
    (first_major, first_minor), (last_major, last_minor) = TRIED[0], TRIED[-1]
    bounds = {f">={first_major}.{first_minor}", f"<{last_major}.{last_minor + 1}"}
    assert set(asked.removeprefix("pygls").split(",")) == bounds, NEXT


def test_none_of_its_private_names_is_used() -> None:
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in PYGLS.rglob("*.py"))
    nodes = chain.from_iterable(map(ast.walk, trees))
    names = {
        node.attr if isinstance(node, ast.Attribute) else node.name
        for node in nodes
        if isinstance(node, (ast.Attribute, ast.FunctionDef, ast.AsyncFunctionDef))
    }
    private = {name for name in names if name.startswith("_") and not name.endswith("__")}
    assert {"_shutdown", "_server", "_send_data", "_features"} <= private
    found = set()
    for file in LSP.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        derived = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name in DERIVED]
        found |= {node.name for node in derived}
        own = {node.name for it in derived for node in it.body if isinstance(node, ast.FunctionDef)}
        own |= {node.attr for it in derived for node in ast.walk(it) if isinstance(node, ast.Attribute)}
        others = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and not is_own(node.value)}
        assert not (own | others) & private, file
    assert found == DERIVED


def is_own(owner: ast.expr) -> bool:
    """Whether it is the object that a method belongs to: it may have private names that are alike by accident."""
    return isinstance(owner, ast.Name) and owner.id in {"self", "cls"}
