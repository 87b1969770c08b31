"""Finds the Python names of handles, and of the one that replaces a consumed one if the source leaves no doubt."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tdls.python_builders.locations import offset_of_column
from tdls.structs import NamedTuple
from tdls.text.positions import LineIndex
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tdls.python_builders.locations import CallPlace
    from tdls.semantic.model import Value

_RESULT, _RESULTS = "result", "results"
_LONGEST = 1_000_000
"""Maximum number of characters of a program that is read."""


class Named(NamedTuple):
    """An expression for a handle, the line of the assignment that binds its name, and the call that can use it.

    `argument` is the place of the consumed handle among the arguments of that call, None if that is not certain.
    """

    expression: str
    line: int
    argument: FileSpan | None
    use: CallPlace


class Successors:
    """Reads the files of a program, each once."""

    def __init__(self) -> None:
        self._files: dict[Path, _Source] = {}

    def named(
        self, successor: Value, consumer: Sequence[CallPlace], use: Sequence[CallPlace], text: str
    ) -> Named | None:
        """Return how the program names `successor` at a use, or None where that is not certain.

        `consumer` and `use` are the calls that made the operations, innermost first; `text` is the text of the file of
        the innermost call of `consumer`, which has to build the operation itself. Both are in one run of a function,
        and the assignment comes before the use in the same block, so that the name is bound there.
        """
        level = len(use) - len(consumer)
        if not consumer or level < 0 or use[level].path != consumer[0].path or [*use[level + 1 :]] != [*consumer[1:]]:
            return None
        if len(text) > _LONGEST:
            return None
        named = self._source(consumer[0].path, text).named(successor, consumer[0], use[level])
        return Named(*named, use[level]) if named is not None else None

    def name(self, value: Value, maker: Sequence[CallPlace], texts: Mapping[Path, str]) -> str | None:
        """Return the expression for `value` that the program assigns, or None without one.

        `maker` are the calls that made its operation, innermost first; one of their functions may return it.
        """
        for place in maker:
            text = texts[place.path]
            source = self._source(place.path, text) if len(text) <= _LONGEST else None
            if source is None or not source.is_returned(place):
                return source.assigned(value, place) if source is not None else None
        return None

    def _source(self, path: Path, text: str) -> _Source:
        if path not in self._files:
            self._files[path] = _Source(text)
        return self._files[path]


class _Source:
    """The syntax tree of a program."""

    def __init__(self, text: str) -> None:
        self._lines = LineIndex(text)
        self._parents: dict[ast.AST, ast.AST] = {}
        self._calls: dict[tuple[int, int], ast.Call] = {}
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # of a file that changed since the program ran
            return
        for node in ast.walk(tree):
            self._parents.update((child, node) for child in ast.iter_child_nodes(node))
            if isinstance(node, ast.Call):
                self._calls[self._span(node)] = node

    def is_returned(self, place: CallPlace) -> bool:
        """Return whether the call at `place` is all that a function returns, or its result is."""
        made = self._calls.get((place.span.start, place.span.end))
        statement = self._statement(made) if made is not None else None
        value = statement.value if isinstance(statement, ast.Return) else None
        if isinstance(value, ast.Attribute) and value.attr == _RESULT:
            value = value.value
        return made is not None and value is made

    def assigned(self, value: Value, place: CallPlace) -> str | None:
        """Return the expression for `value`, which the call at `place` made, that the assignment around it binds."""
        made = self._calls.get((place.span.start, place.span.end))
        assignment = self._statement(made) if made is not None else None
        if made is None or not isinstance(assignment, ast.Assign) or len(assignment.targets) != 1:
            return None
        written = _expression(assignment.targets[0], assignment.value, made, value)
        return written[1] if written is not None else None

    def named(self, successor: Value, consumer: CallPlace, use: CallPlace) -> tuple[str, int, FileSpan | None] | None:
        made, used = (self._calls.get((place.span.start, place.span.end)) for place in (consumer, use))
        if made is None or used is None:
            return None
        assignment, statement = self._statement(made), self._statement(used)
        if not isinstance(assignment, ast.Assign) or len(assignment.targets) != 1:
            return None
        assigned = _expression(assignment.targets[0], assignment.value, made, successor)
        function = self._function(made)
        if assigned is None or function is not self._function(used) or not self._comes_before(assignment, statement):
            return None
        arguments = {name.id for name in _arguments(made)}
        shared = [name for name in _arguments(used) if name.id in arguments]
        consumed = {name.id for name in shared}
        bound = [*_bound(function)]
        is_kept = any(bound.count(name) <= 1 for name in consumed - {assigned[0]})
        if not is_kept or bound.count(assigned[0]) != 1:
            return None
        return assigned[1], assignment.lineno, FileSpan(*self._span(shared[0])) if len(shared) == 1 else None

    def _span(self, node: ast.expr) -> tuple[int, int]:
        ends = (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)
        start, end = (offset_of_column(self._lines, line - 1, column) for line, column in ends)
        return start, end

    def _statement(self, node: ast.AST) -> ast.AST:
        while not isinstance(node, ast.stmt):
            node = self._parents[node]
        return node

    def _function(self, node: ast.AST) -> ast.AST:
        """Return the function, lambda, comprehension, class or module that has the scope of a call."""
        node = self._parents[node]
        while not isinstance(node, _SCOPES):
            node = self._parents[node]
        return node

    def _comes_before(self, assignment: ast.stmt, statement: ast.AST) -> bool:
        """Return whether `statement`, or a statement around it, follows `assignment` in its block."""
        parent = self._parents[assignment]
        block = next((each for _, each in ast.iter_fields(parent) if isinstance(each, list) and assignment in each), [])
        later = block[block.index(assignment) + 1 :]
        while statement in self._parents:
            if statement in later:
                return True
            statement = self._parents[statement]
        return False


_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.ClassDef,
    ast.Module,
)


def _expression(target: ast.expr, value: ast.expr, call: ast.Call, successor: Value) -> tuple[str, str] | None:
    """Return the name that an assignment binds, and the expression of it that is the handle."""
    count = len(successor.operation.results) if successor.operation is not None else 0
    index = successor.index
    if isinstance(target, ast.Tuple) and value in (call, _results_of(call, value)):
        names = [each.id for each in target.elts if isinstance(each, ast.Name)]
        is_whole = len(names) == len(target.elts) == count > 1
        is_list = value is not call or not _is_class(call)
        return (names[index], names[index]) if is_whole and is_list else None
    if not isinstance(target, ast.Name):
        return None
    name = target.id
    if isinstance(value, ast.Subscript) and value.value is _results_of(call, value.value):
        is_it = isinstance(value.slice, ast.Constant) and value.slice.value == index
        return (name, name) if is_it else None
    if isinstance(value, ast.Attribute) and value.value is call and value.attr == _RESULT:
        return (name, name) if count == 1 else None
    if value is _results_of(call, value):
        return name, f"{name}[{index}]"
    if value is not call:
        return None
    if count == 1:
        return name, name
    return (name, f"{name}.{_RESULTS}[{index}]") if _is_class(call) else None


def _results_of(call: ast.Call, value: ast.expr) -> ast.expr | None:
    is_results = isinstance(value, ast.Attribute) and value.value is call and value.attr == _RESULTS
    return value if is_results else None


def _is_class(call: ast.Call) -> bool:
    """Return whether the bindings give the operation itself: classes do, functions give its results."""
    called = call.func
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name[:1].isupper()


def _arguments(call: ast.Call) -> list[ast.Name]:
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [argument for argument in arguments if isinstance(argument, ast.Name)]


def _bound(function: ast.AST) -> Iterator[str]:
    """Yield the names that are bound in a function, or in one in it, once for each place."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node is not function:
            yield node.name
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names * 2
        elif isinstance(node, ast.alias):
            yield node.asname or node.name
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
