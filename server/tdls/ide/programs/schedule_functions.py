"""Finds the functions of a Python program that build a schedule, statically: from the `ast`, without running it.

The names are those of MLIR's Python bindings: `mlir.ir`, `mlir.dialects.transform` and the modules below it, in any
package.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.settings.model import Schedule, Settings

_SIGNS = ("dialects", "transform")
"""Words that occur in every program that builds a schedule; a cheap test before parsing."""
_DIALECT = "dialects.transform"
_NO_OPERATIONS = re.compile(r"(?:get|.*(?:Type|Attr|Enum|_t))")
"""Names of the dialect that make no operation."""
_OPERATIONS = re.compile(r"\w+Op|named_sequence|sequence")
"""Names that certainly make one, where they may come from other modules, too."""
_EVERYTHING = "*"


class ScheduleFunction(NamedTuple):
    """A function or static method that can be called without arguments; `span` is that of its name.

    The `name` of the program as a whole is "", and its `span` the begin of the text.
    """

    name: str
    span: FileSpan


def schedule_functions(file: SourceFile, named: Collection[str] = ()) -> list[ScheduleFunction]:
    """Return the functions of the program `file` that make operations of the dialect, in textual order.

    Calls are followed through functions, classes and methods of the same program. The first one is the program as a
    whole, if its statements do so. Functions in `named` are included unconditionally. Empty for a text that does not
    parse as Python.
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
    is_program = "" in named or program.makes_operations(program.statements(tree))
    functions = [ScheduleFunction("", FileSpan(0, 0))] if is_program else []
    for name, function in _callable_functions(tree):
        if name in named or (not _needs_arguments(function) and program.makes_operations([function])):
            functions.append(ScheduleFunction(name, _place_of_name(file, function)))
    return functions


def schedule_of(settings: Settings, program: Path, function: str) -> Schedule | None:
    """Return the settings' schedule for a function of a program ("" for the whole program), or None."""
    known = (schedule for schedule in settings.python.schedules if _function_in(schedule, program) == function)
    return next(known, None)


def functions_in(settings: Settings, program: Path) -> set[str]:
    """Return the functions of a program that the settings list as schedules."""
    return {name for schedule in settings.python.schedules if (name := _function_in(schedule, program))}


def _function_in(schedule: Schedule, program: Path) -> str | None:
    """Return the function that a schedule names in a program, "" for the whole program, or None for another program."""
    module, separator, function = schedule.entry.partition(":")
    if not separator:
        return "" if schedule.base / schedule.entry == program else None
    place = schedule.base.joinpath(*module.split("."))
    return function if program in (place.with_suffix(".py"), place / "__init__.py") else None


_Defining = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _callable_functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions, and the methods that need no object, by the names under which they are called."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = (each for each in node.body if isinstance(each, ast.FunctionDef))
            free = (each for each in methods if _decorators(each) & {"staticmethod", "classmethod"})
            yield from ((f"{node.name}.{method.name}", method) for method in free)


class _Program:
    """The functions, classes and methods of a program, and the full names of its imports."""

    def __init__(self, tree: ast.Module) -> None:
        self._definitions: dict[str, list[ast.AST]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self._definitions.setdefault(node.name, []).append(node)
        self._imported = dict(_imported(tree))
        self._has_all_of_dialect = any(map(_is_of_dialect, _taken_whole(tree)))

    def statements(self, tree: ast.Module) -> Iterator[ast.stmt]:
        """Yield the statements with which a program does something: no definitions, and no values from elsewhere."""
        for node in tree.body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    continue
                case ast.Assign(value=value) if not (
                    isinstance(value, ast.Call) and any(name in self._definitions for name in _dotted(value.func))
                ):
                    continue
            yield node

    def makes_operations(self, nodes: Iterable[ast.AST]) -> bool:
        """Return whether code or, transitively, the program's code that it calls, makes operations of the dialect."""
        reached, waiting = set[str](), list(nodes)
        while waiting:
            for callee in _callees(waiting.pop()):
                if self._makes_operation(callee):
                    return True
                name = callee.rpartition(".")[2]
                if name not in reached:
                    reached.add(name)
                    waiting += self._definitions.get(name, ())
        return False

    def _makes_operation(self, callee: str) -> bool:
        first, dot, rest = callee.partition(".")
        path, _, last = f"{self._imported.get(first, first)}{dot}{rest}".rpartition(".")
        if not path:
            return self._has_all_of_dialect and _OPERATIONS.fullmatch(last) is not None
        return _is_of_dialect(path) and _NO_OPERATIONS.fullmatch(last) is None


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
    """Return whether a call needs arguments, or gives a generator, such as that of a context manager."""
    arguments = function.args
    positional = len(arguments.posonlyargs) + len(arguments.args) - ("classmethod" in _decorators(function))
    has_yield = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _own_nodes(function))
    passes_on = arguments.vararg is not None and not positional
    return has_yield or passes_on or positional > len(arguments.defaults) or None in arguments.kw_defaults


def _own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of the functions in it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _Defining | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _decorators(function: ast.FunctionDef) -> set[str]:
    return {name for decorator in function.decorator_list for name in _dotted(decorator)}


def _callees(code: ast.AST) -> Iterator[str]:
    """Yield the dotted names of all callees and decorators in some code."""
    for node in ast.walk(code):
        if isinstance(node, ast.Call):
            yield from _dotted(node.func)
        elif isinstance(node, ast.FunctionDef):
            yield from _decorators(node)


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
