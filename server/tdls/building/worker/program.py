"""Runs a program, or a function of a module, in this process."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import sys
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tdls.building.worker.stacks import first_line
from tdls.files.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.building.worker.collected import Collected
    from tdls.building.worker.watching import Watching

_MAIN = "__main__"


class NoEntryError(Exception):
    """There is nothing to run; the message is one line for people."""


class Program:
    """What is to be run: `entry` with `arguments`, as a `BuildRequest` has them."""

    def __init__(
        self, entry: str, arguments: Sequence[str], *, is_function: bool, returns_payload: bool = False
    ) -> None:
        self.first: list[Any] | None = None
        """The line where it begins, as the fields of a `Frame`, once that is known."""
        self.payload: str | None = None
        """What the function returned, as MLIR reads it, if it `returns_payload`: a text or an operation."""
        self._returns_payload = returns_payload
        self._entry = entry
        self._arguments = list(arguments)
        self._is_function = is_function

    def run(self, watching: Watching, collected: Collected) -> None:
        """Run it, and keep what it returns. Raises NoEntryError, and whatever the program raises."""
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
        """Run a file as Python does: the folder that it is in comes first of those in which modules are looked for."""
        path = Path(self._entry)
        sys.argv = [self._entry, *self._arguments]
        sys.path.insert(0, str(path.resolve().parent))
        self.first = [str(path.resolve()), "<module>", 1, 0, 0, 0]
        try:
            source = read_bytes(path)
        except OSError as error:
            raise NoEntryError(f"{self._entry}: {error.strerror or error}") from error
        module = ModuleType(_MAIN)
        module.__dict__.update(__file__=self._entry, __builtins__=__builtins__)
        sys.modules[_MAIN] = module
        exec(compile(source, str(path.resolve()), "exec"), module.__dict__)

    def _function(self) -> Any:
        name, _, attribute = self._entry.partition(":")
        sys.path.insert(0, "")
        sys.argv = [self._entry, *self._arguments]
        try:
            found: Any = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
                raise NoEntryError(f"there is no module {error.name}") from error
            raise
        for part in attribute.split("."):
            if not hasattr(found, part):
                similar = get_close_matches(part, [other for other in dir(found) if not other.startswith("_")], 1)
                meant = f"; did you mean {similar[0]}?" if similar else ""
                raise NoEntryError(f"the module {name} has no {attribute}{meant}")
            found = getattr(found, part)
        if not callable(found):
            raise NoEntryError(f"{attribute} of the module {name} is no function")
        return found


def _values(arguments: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """Return what a function is called with: by position, and by name."""
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
    """Let a context and a location be current, which a function may leave to whoever calls it."""
    if ir is None:
        yield
        return
    with ir.Context() as context, ir.Location.unknown(context):
        yield


def _text(returned: Any) -> str | None:
    """Return what a function returned as MLIR reads it; None if that is neither a text nor one operation."""
    if isinstance(returned, str):
        return returned
    return next((str(made.get_asm(assume_verified=True)) for made in _made(returned)), None)


def _made(returned: Any) -> Iterator[Any]:
    """Yield the operations in what a function returned: modules, operations, and lists or generators of them."""
    if isinstance(returned, dict):
        returned = list(returned.values())
    if isinstance(returned, list | tuple) or inspect.isgenerator(returned):
        for each in returned:
            yield from _made(each)
    elif (operation := getattr(returned, "operation", None)) is not None and hasattr(operation, "get_asm"):
        yield operation
