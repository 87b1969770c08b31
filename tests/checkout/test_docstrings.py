"""Docstrings refer to parameters that functions have, and to names that exist."""

from __future__ import annotations

import ast
import builtins
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).parents[2] / "server" / "tdls"
_NAME = re.compile(r"(?<!`)`([a-z_][a-z0-9_]*)`(?!`)")
"""A name in the style of Python; those of C++ have capitals, and other text stands between two backquotes."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def test_docstrings_name_no_parameters_that_are_gone() -> None:
    unknown = [
        f"{file.relative_to(PACKAGE)}: `{name}` in the docstring of {function.name}"
        for file, module in modules().items()
        for function, around in functions(module, ())
        for name in _NAME.findall(ast.get_docstring(function) or "")
        if name not in defined_names()
        and name not in attributes(module)
        and not any(name in words(node) for node in (function, *around))
    ]
    assert unknown == []


@cache
def modules() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(PACKAGE.rglob("*.py"))}


def functions(node: ast.AST, around: tuple[Function, ...]) -> Iterator[tuple[Function, tuple[Function, ...]]]:
    """Yield the functions in a module, each with those around it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield child, around
        yield from functions(child, (*around, child) if isinstance(child, Function) else around)


@cache
def words(function: Function) -> frozenset[str]:
    """Return the names in the code of a function, and the words of its strings."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                found.add(name)
            case ast.Constant(value=str(text)) if text != ast.get_docstring(function, clean=False):
                found.update(re.findall(r"\w+", text))
    return frozenset(found)


@cache
def attributes(module: ast.Module) -> frozenset[str]:
    """Return the names of attributes, fields, keys and keyword arguments in a module, and of what it imports."""
    found: set[str] = set()
    for node in ast.walk(module):
        match node:
            case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.alias(name=name):
                found.add(name)
            case ast.Constant(value=str(text)) if text.isidentifier():
                found.add(text)
            case ast.ClassDef(body=body):
                fields = (each.target for each in body if isinstance(each, ast.AnnAssign))
                found.update(target.id for target in fields if isinstance(target, ast.Name))
    return frozenset(found)


@cache
def defined_names() -> frozenset[str]:
    """Return the names of files, classes, functions and constants of tdls, and those of Python itself."""
    found = {*dir(builtins), *(file.stem for file in PACKAGE.rglob("*")), *(file.name for file in PACKAGE.iterdir())}
    for module in modules().values():
        for node in ast.walk(module):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
    return frozenset(found)
