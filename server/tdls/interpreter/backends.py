"""What can run scripts: MLIR's Python bindings, and tools like ``mlir-opt``; how they are found and named."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.packages import installed_bindings, is_bindings
from tdls.settings.paths import FIRST_WORD

if TYPE_CHECKING:
    from tdls.interpreter.model import RunRequest, RunResult
    from tdls.settings.model import BackendChoice

BINDINGS = "bindings"
_TOOL = "mlir-opt"
_VERSIONED = re.compile(rf"{_TOOL}-(\d+)(?:\.exe)?")


def no_bindings() -> str:
    """Return in one line how to get something that runs scripts."""
    tool = next(iter(versioned_tools()), f"a tool like {_TOOL}")
    return (
        "running scripts takes MLIR's Python bindings, which are not installed: "
        f"pip install 'tdls[mlir]', or use {tool} with --backend"
    )


class BackendError(Exception):
    """A backend that was asked for is not there or cannot be started; the message is one line for people."""


class Backend(Protocol):
    """Runs scripts one by one."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    def run(self, request: RunRequest) -> RunResult:
        """Carry out `request`. Raises BackendError if the backend itself does not start."""
        ...

    def cancel(self) -> None:
        """End the run that another thread waits for, at once; its status is `CANCELLED`."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...


def open_backend(choice: BackendChoice) -> Backend:
    """Return the backend that `choice` names, or else the first one found of: the bindings that are installed, those of
    the Python that it names, and a tool called ``mlir-opt`` on the search path.

    ``bindings`` are those of the first of `PACKAGES` that is installed, ``bindings:PACKAGE`` those of a package; all
    else is a tool, by its name on the search path or its path, with arguments if it needs some. Raises
    BackendError if there is none.
    """
    from tdls.interpreter.wrapping import WrappingBackend

    return WrappingBackend(_opened(choice))


def _opened(choice: BackendChoice) -> Backend:
    named = choice.backend or (BINDINGS if choice.python or installed_bindings() else _TOOL)
    if named != BINDINGS and not named.startswith(f"{BINDINGS}:"):
        from tdls.interpreter.command_backend import CommandBackend

        return CommandBackend(_command(named, is_chosen=choice.backend is not None))
    from tdls.interpreter.bindings_backend import BindingsBackend

    setup = [(str(step.base), step.name) for step in choice.setup]
    package = named.partition(":")[2] or None
    if choice.python:
        return BindingsBackend(package, _python(choice.python), setup)
    return BindingsBackend(_package(package), setup=setup)


def versioned_tools() -> list[str]:
    """Return the names of tools like ``mlir-opt-22`` on the search path, the newest first."""
    folders = filter(None, os.environ.get("PATH", "").split(os.pathsep))
    files = (file for folder in folders for file in Path(folder).glob(f"{_TOOL}-*"))
    numbers = {int(found[1]) for file in files if (found := _VERSIONED.fullmatch(file.name)) is not None}
    return [name for number in sorted(numbers, reverse=True) if shutil.which(name := f"{_TOOL}-{number}")]


def _package(named: str | None) -> str:
    if named is not None:
        if not is_bindings(named):
            raise BackendError(f"the Python package {named} is not installed, or has no bindings of MLIR")
        return named
    found = installed_bindings()
    if not found:
        raise BackendError(no_bindings())
    return found[0]


def _python(named: str) -> str:
    found = shutil.which(named)
    if found is None:
        raise BackendError(f"{named}: no such program; a Python interpreter with MLIR's bindings is needed")
    return found


def _command(named: str, *, is_chosen: bool) -> tuple[str, ...]:
    first = FIRST_WORD.match(named)
    program = shutil.which(named) or (shutil.which(first[1] or first[0]) if first is not None else None)
    if program is None and is_chosen:
        raise BackendError(f"{named}: no such program; --backend takes '{BINDINGS}' or a tool like mlir-opt")
    if program is None or first is None:
        raise BackendError(no_bindings())
    return (program, *(() if shutil.which(named) else shlex.split(named[first.end() :])))
