"""Finds the functions of a Python program that build a schedule, statically: from the `ast`, without running it.

The names are those of MLIR's Python bindings: `mlir.ir`, `mlir.dialects.transform` and the modules below it, in any
package.
"""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.settings.model import Schedule, Settings

_SIGNS = ("dialects", "transform")
"""Words that occur in every program that builds a schedule; a cheap test before parsing."""
_SCRIPT_ROOTS = frozenset({"NamedSequenceOp", "named_sequence", "SequenceOp", "sequence"})
"""Classes and functions that create an operation that the interpreter can run as a script."""
_MODULE_MAKERS = frozenset({"Module.create", "Module.parse", "Module.parseFile", "ModuleOp"})
_DIALECT = "dialects.transform"
_EVERYTHING = "*"


class ScheduleFunction(NamedTuple):
    """A top-level function that can be called without arguments; `span` is that of its name."""

    name: str
    span: FileSpan


def schedule_functions(file: SourceFile, named: Collection[str] = ()) -> list[ScheduleFunction]:
    """Return the functions of the program `file` that create a module with a script, in textual order.

    Calls are followed through functions of the same program. Functions in `named` are included unconditionally.
    Empty for a text that does not parse as Python.
    """
    text = file.text
    if not named and any(sign not in text for sign in _SIGNS):
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invalid escapes
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    program = _Program(tree)
    found = (
        function
        for function in program.functions.values()
        if function.name in named or program.builds_schedule(function)
    )
    return [ScheduleFunction(function.name, _place_of_name(file, function)) for function in found]


def schedule_of(settings: Settings, program: Path, function: str) -> Schedule | None:
    """Return the settings' schedule for a function of a program ("" for the whole program); None if there is none."""
    known = (schedule for schedule in settings.python.schedules if _function_in(schedule, program) == function)
    return next(known, None)


def functions_in(settings: Settings, program: Path) -> set[str]:
    """Return the functions of a program that the settings list as schedules."""
    return {name for schedule in settings.python.schedules if (name := _function_in(schedule, program))}


def _function_in(schedule: Schedule, program: Path) -> str | None:
    """Return the function that a schedule names in a program, "" for the whole program; None for another program."""
    module, separator, function = schedule.entry.partition(":")
    if not separator:
        return "" if schedule.base / schedule.entry == program else None
    place = schedule.base.joinpath(*module.split("."))
    return function if program in (place.with_suffix(".py"), place / "__init__.py") else None


class _Program:
    """The functions of a program, and the full names of its imports."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._imported = dict(_imported(tree))
        self._has_all_of_dialect = any(map(_is_of_dialect, _taken_whole(tree)))

    def builds_schedule(self, function: ast.FunctionDef) -> bool:
        """Return whether a call without arguments creates a module and an operation that is run as a script."""
        if _needs_arguments(function):
            return False
        called = self._called(function.name)
        return any(map(self._makes_module, called)) and any(map(self._makes_script, called))

    def _called(self, name: str) -> frozenset[str]:
        """Return the full names of all callees of a function and, transitively, of the program's functions it calls."""
        reached, waiting, called = {name}, [name], set[str]()
        while waiting:
            for callee in _callees(self.functions[waiting.pop()]):
                called.add(self._full_name(callee))
                if callee in self.functions and callee not in reached:
                    reached.add(callee)
                    waiting.append(callee)
        return frozenset(called)

    def _full_name(self, dotted: str) -> str:
        first, dot, rest = dotted.partition(".")
        return f"{self._imported.get(first, first)}{dot}{rest}"

    def _makes_module(self, called: str) -> bool:
        return any(called == maker or called.endswith(f".{maker}") for maker in _MODULE_MAKERS)

    def _makes_script(self, called: str) -> bool:
        path, _, last = called.rpartition(".")
        if last not in _SCRIPT_ROOTS:
            return False
        return _is_of_dialect(path) if path else self._has_all_of_dialect


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that imports bind, in any scope, with their full names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module or ''}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2


def _taken_whole(tree: ast.Module) -> Iterator[str]:
    """Yield the modules of ``from module import *``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == _EVERYTHING for alias in node.names):
            yield node.module or ""


def _is_of_dialect(path: str) -> bool:
    return path.endswith(_DIALECT) or f"{_DIALECT}." in path


def _needs_arguments(function: ast.FunctionDef) -> bool:
    arguments = function.args
    positional = len(arguments.posonlyargs) + len(arguments.args)
    return positional > len(arguments.defaults) or None in arguments.kw_defaults


def _callees(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the dotted names of all callees and decorators in a function."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield from _dotted(node.func)
        elif isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                yield from _dotted(decorator)


def _dotted(node: ast.expr) -> Iterator[str]:
    """Yield the dotted name ``a.b.c`` if the expression is one."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        yield ".".join([node.id, *reversed(parts)])


def _place_of_name(file: SourceFile, function: ast.FunctionDef) -> FileSpan:
    """Return the span of the name of a function; `ast` counts lines from 1."""
    start = file.offset(Position(function.lineno - 1, function.col_offset))
    name = file.text.index(function.name, start + len("def"))
    return FileSpan(name, name + len(function.name))
