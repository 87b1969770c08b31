"""Runs a program, or a function of a module, in this process."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import re
import sys
import traceback
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tdls.files.reading import read_bytes
from tdls.python_builders.worker.asking import Asking
from tdls.python_builders.worker.collected import (
    diagnostic_fields,
    first_line,
    is_printed_operation,
    stack_of_traceback,
)
from tdls.text.similarity import most_similar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.python_builders.worker.collected import Collected
    from tdls.python_builders.worker.watching import Watching

_MAIN = "__main__"


class NoEntryError(Exception):
    """The entry does not exist or is not a function; the message is one line for people."""


class Program:
    """The program to run: `entry` with `arguments`, as a `BuildRequest` has them."""

    def __init__(
        self,
        entry: str,
        arguments: Sequence[str],
        *,
        is_function: bool,
        returns_payload: bool = False,
        only_asks: bool = False,
    ) -> None:
        self.first: list[Any] | None = None
        """The first line of the program or function, as the fields of a `Frame`, once it is known."""
        self.payload: str | None = None
        """The text or operation that the function returned, as text that MLIR reads, if it `returns_payload`."""
        self._returns_payload = returns_payload
        self._entry = entry
        self._arguments = list(arguments)
        self._is_function = is_function
        self._only_asks = only_asks

    def run(self, watching: Watching, collected: Collected) -> None:
        """Run it, and keep its return value. Raises NoEntryError, and any exception of the program."""
        if self._only_asks:
            collected.operations = Asking(self._arguments, watching, collected.registered).answers()
            return
        if not self._is_function:
            self._run_file()
            return
        function = self._function()
        self.first = first_line(function)
        positional, named = _values(self._arguments)
        with _ambience(watching.ir):
            returned = function(*positional, **named)
            for made in _made(returned):
                collected.hold(made)
            if self._returns_payload:
                self.payload = _text(returned)

    def _run_file(self) -> None:
        """Run a file as Python does: its folder is the first one to be searched for modules."""
        path = Path(self._entry)
        sys.argv = [self._entry, *self._arguments]
        sys.path.insert(0, str(path.resolve().parent))
        self.first = [str(path.resolve()), "<module>", 1, 0, 0, 0]
        try:
            source = read_bytes(path)
        except OSError as error:
            raise NoEntryError(f"cannot be read: {error.strerror or error}") from error
        module = ModuleType(_MAIN)
        module.__dict__.update(__file__=str(path.absolute()), __builtins__=__builtins__)
        sys.modules[_MAIN] = module
        # Without this module's own `annotations` of `__future__`, which would make strings of those of the program.
        exec(compile(source, str(path.resolve()), "exec", dont_inherit=True), module.__dict__)

    def _function(self) -> Any:
        name, _, attribute = self._entry.partition(":")
        sys.path.insert(0, "")
        sys.argv = [self._entry, *self._arguments]
        try:
            function: Any = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
                raise NoEntryError(f"there is no module {error.name}") from error
            raise
        for part in attribute.split("."):
            if not hasattr(function, part):
                similar = most_similar(part, [other for other in dir(function) if not other.startswith("_")])
                meant = f"; did you mean {similar}?" if similar is not None else ""
                raise NoEntryError(f"the module {name} has no {attribute}{meant}")
            function = getattr(function, part)
        if not callable(function):
            raise NoEntryError(f"{attribute} of the module {name} is not a function")
        return function


def _values(arguments: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a function: by position, and by name."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for argument in arguments:
        name, separator, text = argument.partition("=")
        if separator and name.isidentifier():
            named[name] = _value(text)
        else:
            positional.append(_value(argument))
    return positional, named


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


@contextlib.contextmanager
def _ambience(ir: Any) -> Iterator[None]:
    """Make a context and a location current, which a function may expect from its caller."""
    if ir is None:
        yield
        return
    with ir.Context() as context, ir.Location.unknown(context):
        yield


def _text(returned: Any) -> str | None:
    """Return a returned payload as text that MLIR reads, or None if it is neither a text nor has an operation."""
    if isinstance(returned, str):
        return returned
    return next((str(made.get_asm(assume_verified=True)) for made in _made(returned)), None)


def _made(returned: Any) -> Iterator[Any]:
    """Yield the operations in a return value: modules, operations, and lists or generators of them."""
    if isinstance(returned, dict):
        returned = list(returned.values())
    if isinstance(returned, list | tuple) or inspect.isgenerator(returned):
        for each in returned:
            yield from _made(each)
    elif (operation := getattr(returned, "operation", None)) is not None and hasattr(operation, "get_asm"):
        yield operation


_LONGEST = 4_000
"""Maximum number of characters of a message."""
_MOST_CAUSES = 3
_MOST_DIAGNOSTICS = 20


def problem_of(error: BaseException) -> dict[str, Any] | None:
    """Return the problem that `error` is, in the fields of a report, None for an exit with success."""
    if isinstance(error, NoEntryError):
        return {"kind": "no-entry", "message": str(error), "stack": [], "notes": []}
    stack = stack_of_traceback(error.__traceback__)
    if isinstance(error, SystemExit):
        return exit_problem(error.code, stack)
    kind = "out-of-memory" if isinstance(error, MemoryError) else "exception"
    notes = [{"message": f"{how}: {_words(cause)}", "stack": _stack(cause)} for how, cause in _causes(error)]
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    problem = {"kind": kind, "message": _words(error), "stack": _stack(error), "notes": notes, "missing": missing}
    given = _diagnostics(error)[:_MOST_DIAGNOSTICS]
    return {**problem, "message": _first_line(error), "diagnostics": given} if given else problem


def _diagnostics(error: BaseException) -> list[dict[str, Any]]:
    """Return the diagnostics of MLIR in an exception, whose text repeats them with whole call stacks.

    The interpreter's exceptions have only the text, in which each begins with its location.
    """
    given = [diagnostic_fields(diagnostic) for diagnostic in getattr(error, "error_diagnostics", ())]
    if given:
        return given
    text = str(error)
    begins = list(_AT_LOCATION.finditer(text))
    for begin, following in zip_longest(begins, begins[1:]):
        end = _end_of_location(text, begin.end())
        message = text[end : following.start() if following is not None else None].removeprefix(":").strip()
        diagnostic = {"message": message, "location": text[begin.end() - len(_LOCATION) : end], "notes": []}
        if begin["kind"]:
            given.append(diagnostic)
        elif given and not is_printed_operation(message):
            given[-1]["notes"].append(diagnostic)
    return given


_LOCATION = "loc("
_AT_LOCATION = re.compile(r"^(?P<kind>Diagnostic message |error: )?at loc\(", re.MULTILINE)
"""Beginning of a diagnostic or, without a kind, of a note, in the text of an exception."""
_PARENTHESIS = re.compile(r'[()]|"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)


def _end_of_location(text: str, start: int) -> int:
    """Return the offset behind the closing parenthesis of a location that was opened before `start`."""
    depth = 1
    for match in _PARENTHESIS.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def exit_problem(code: Any, stack: list[list[Any]]) -> dict[str, Any] | None:
    """Return the problem of an exit with `code`, as `sys.exit` takes it, or None if it means success."""
    if code is None or code == 0:
        return None
    how = f"with exit status {code}" if isinstance(code, int) else f"with the words: {_cut(str(code))}"
    return {"kind": "exit", "message": f"the program ended {how}", "stack": stack, "notes": []}


def _stack(error: BaseException) -> list[list[Any]]:
    """Return the calls that led to an exception; for a syntax error, its place comes first."""
    stack = stack_of_traceback(error.__traceback__)
    if not isinstance(error, SyntaxError) or error.filename is None:
        return stack
    line, text = error.lineno or 1, error.text or ""
    column = len(text[: max((error.offset or 1) - 1, 0)].encode())
    end_line, end_offset = getattr(error, "end_lineno", None), getattr(error, "end_offset", None)
    if end_line != line or not end_offset or end_offset <= (error.offset or 1):
        return [[error.filename, "<module>", line, column, line, column + 1], *stack]
    end_column = len(text[: end_offset - 1].encode())
    return [[error.filename, "<module>", line, column, line, end_column], *stack]


def _words(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}"
    diagnostics = _diagnostics(error)
    if diagnostics:
        return _cut(f"{_first_line(error)}: {diagnostics[0]['message']}")
    return _cut("".join(traceback.format_exception_only(type(error), error)).strip())


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", 1)[0].rstrip(":.")


def _causes(error: BaseException) -> Iterator[tuple[str, BaseException]]:
    """Yield the causes and contexts of an exception, each with the words for the relation."""
    for _ in range(_MOST_CAUSES):
        cause, context = error.__cause__, error.__context__
        if cause is not None:
            error = cause
            yield "caused by", error
        elif context is not None and not error.__suppress_context__:
            error = context
            yield "raised while this was handled", error
        else:
            return


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
