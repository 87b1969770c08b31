"""Finds the uses of regular expressions in the source of tdls."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parents[2] / "server" / "tdls"
FUNCTIONS: Final = frozenset(
    ("compile", "match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "template")
)
"""The functions of `re` that take a pattern."""
ANCHORED: Final = frozenset(("match", "fullmatch"))
"""Methods that match at the start of the text only, unless they get a place."""
ANYWHERE: Final = "anywhere"
"""A use that is not known: the pattern is handed on."""


@dataclass(slots=True)
class Site:
    """A call that names a pattern."""

    file: Path
    first_line: int
    last_line: int
    function: str
    name: str | None = None
    """The name of the module's that the compiled pattern gets."""
    literal: str | bytes | None = None
    flags: int = 0
    """Those that are spelled in the call."""
    uses: set[str] = field(default_factory=set)
    """The methods that are called on it; ``match at`` where the place is given."""

    @property
    def place(self) -> str:
        """The file in the package, with the line."""
        return f"{self.file.relative_to(PACKAGE).as_posix()}:{self.first_line}"

    @property
    def is_anchored(self) -> bool:
        """True if it is looked for at the start of a text only."""
        return self.uses <= ANCHORED

    @property
    def is_repeated(self) -> bool:
        """True if it is matched repeatedly in the same text, as a scanner does."""
        return not self.uses <= {*ANCHORED, "search"}


@lru_cache(maxsize=1)
def sites() -> tuple[Site, ...]:
    """Return every call in the package that names a pattern."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    found = [site for path, tree in trees.items() for site in _sites(path, tree)]
    named: dict[str, list[Site]] = {}
    for site in found:
        if site.name is not None:
            named.setdefault(site.name, []).append(site)
        elif site.function == "compile":
            site.uses.add(ANYWHERE)
        else:
            site.uses.add(site.function)
    for path, tree in trees.items():
        _note_uses(path, tree, named)
    return tuple(found)


def _sites(path: Path, tree: ast.Module) -> list[Site]:
    names = {
        statement.value: statement.targets[0].id
        for statement in ast.walk(tree)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }
    return [
        Site(
            path,
            node.lineno,
            node.end_lineno or node.lineno,
            node.func.attr,
            names.get(node),
            _literal(node),
            _flags(node),
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in FUNCTIONS
    ]


def _literal(call: ast.Call) -> str | bytes | None:
    first = call.args[0]
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, (str, bytes)) else None


def _flags(call: ast.Call) -> int:
    spelled = (node for argument in (*call.args[1:], *call.keywords) for node in ast.walk(argument))
    names = {node.attr for node in spelled if isinstance(node, ast.Attribute) and node.attr.isupper()}
    return sum(getattr(re, name) for name in names if hasattr(re, name))


def _note_uses(path: Path, tree: ast.Module, named: dict[str, list[Site]]) -> None:
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    calls = {node.func: node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    methods = {
        node.value: (node.attr, calls[node])
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node in calls
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        for site in named.get(node.id, ()):
            if site.file == path or node.id in imported:
                site.uses.add(_use(*methods[node]) if node in methods else ANYWHERE)


def _use(method: str, call: ast.Call) -> str:
    is_placed = len(call.args) > 1 and method in {*ANCHORED, "search"}
    return f"{method} at" if is_placed else method
