"""The functions of a Python program that build a schedule, as they can be seen without running anything.

The names are those of MLIR's Python bindings: `mlir.ir`, `mlir.dialects.transform` and the modules below it, in any
package.
"""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING, NamedTuple

from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.settings.model import Schedule, Settings

_SIGNS = ("dialects", "transform")
"""Words that every program has that builds a schedule."""
_SCRIPT_ROOTS = frozenset({"NamedSequenceOp", "named_sequence", "SequenceOp", "sequence"})
"""What makes an operation that is run as a script."""
_MODULE_MAKERS = frozenset({"Module.create", "Module.parse", "Module.parseFile", "ModuleOp"})
_DIALECT = "dialects.transform"
_EVERYTHING = "*"


class ScheduleFunction(NamedTuple):
    """A function at the top level that can be called without arguments; its name is written at `span`."""

    name: str
    span: FileSpan


def schedule_functions(file: SourceFile, named: Collection[str] = ()) -> list[ScheduleFunction]:
    """Return the functions of the program `file` that make a module with a script, in the order of the text.

    What they do is followed through functions of the same program. Those in `named` count whatever they do, and need.
    Nothing is returned for a text that is no Python.
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
    """Return how the settings have a function of a program run, "" for all of it; None if they do not name it."""
    known = (schedule for schedule in settings.python.schedules if _function_in(schedule, program) == function)
    return next(known, None)


def functions_in(settings: Settings, program: Path) -> set[str]:
    """Return the functions of a program that the settings name."""
    return {name for schedule in settings.python.schedules if (name := _function_in(schedule, program))}


def _function_in(schedule: Schedule, program: Path) -> str | None:
    """Return which function of a program a schedule of the settings is, "" if it is all of it; None for others."""
    module, separator, function = schedule.entry.partition(":")
    if not separator:
        return "" if schedule.base / schedule.entry == program else None
    place = schedule.base.joinpath(*module.split("."))
    return function if program in (place.with_suffix(".py"), place / "__init__.py") else None


class _Program:
    """The functions of a program, and what the names in it stand for."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._imported = dict(_imported(tree))
        self._has_all_of_dialect = any(map(_is_of_dialect, _taken_whole(tree)))

    def builds_schedule(self, function: ast.FunctionDef) -> bool:
        """Tell whether a call without arguments makes a module, and what is run as a script."""
        if _needs_arguments(function):
            return False
        called = self._called(function.name)
        return any(map(self._makes_module, called)) and any(map(self._makes_script, called))

    def _called(self, name: str) -> frozenset[str]:
        """Return the full names of all that is called in a function, and in those of the program that it calls."""
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
    """Yield names that imports bind anywhere, and what they stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module or ''}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2


def _taken_whole(tree: ast.Module) -> Iterator[str]:
    """Yield the modules of which all names are imported."""
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
    """Yield the dotted names of what is called in a function, and of what decorates something in it."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield from _dotted(node.func)
        elif isinstance(node, ast.FunctionDef):
            yield from _all_dotted(node.decorator_list)


def _all_dotted(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        yield from _dotted(node)


def _dotted(node: ast.expr) -> Iterator[str]:
    """Yield the name that an expression is, if it is one."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        yield ".".join([node.id, *reversed(parts)])


def _place_of_name(file: SourceFile, function: ast.FunctionDef) -> FileSpan:
    """Return where the name of a function is written; `ast` counts lines from 1."""
    start = file.offset(Position(function.lineno - 1, function.col_offset))
    name = file.text.index(function.name, start + len("def"))
    return FileSpan(name, name + len(function.name))
