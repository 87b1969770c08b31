"""What can run scripts: MLIR's Python bindings, and tools like ``mlir-opt``; how they are found and named."""

from __future__ import annotations

import shlex
import shutil
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tdls.interpreter.model import RunRequest, RunResult

BINDINGS = "bindings"
PACKAGES = ("mlir", "torch_mlir", "iree.compiler")
"""Packages that offer the bindings, in the order in which they are looked for."""
NO_BINDINGS = (
    "running scripts takes MLIR's Python bindings, which are not installed: "
    "pip install 'tdls[mlir]', or name a tool like mlir-opt with --backend"
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


def open_backend(choice: str | None = None) -> Backend:
    """Return the backend called `choice`; None takes the installed bindings.

    ``bindings`` are those of the first of `PACKAGES` that is installed, ``bindings:PACKAGE`` those of a package; all
    else is a tool, by its name on the search path or its path, with arguments if it needs some. Raises
    BackendError if there is none.
    """
    from tdls.interpreter.wrapping import WrappingBackend

    if choice is None or choice == BINDINGS or choice.startswith(f"{BINDINGS}:"):
        from tdls.interpreter.bindings_backend import BindingsBackend

        return WrappingBackend(BindingsBackend(_package((choice or "").partition(":")[2])))
    from tdls.interpreter.command_backend import CommandBackend

    return WrappingBackend(CommandBackend(_tool(choice)))


def installed_bindings() -> list[str]:
    """Return the packages with bindings that Python would find; none of them is imported."""
    return [package for package in PACKAGES if is_bindings(package)]


def is_bindings(package: str) -> bool:
    """Tell whether `package` holds MLIR's bindings, by its files alone."""
    places: list[str] | None = None
    for name in package.split("."):
        spec = PathFinder.find_spec(name, places)
        if spec is None or spec.submodule_search_locations is None:
            return False
        places = list(spec.submodule_search_locations)
    return any((Path(place) / "ir.py").is_file() and (Path(place) / "_mlir_libs").is_dir() for place in places or ())


def _package(named: str) -> str:
    if named:
        if not is_bindings(named):
            raise BackendError(f"the Python package {named} is not installed, or has no bindings of MLIR")
        return named
    found = installed_bindings()
    if not found:
        raise BackendError(NO_BINDINGS)
    return found[0]


def _tool(named: str) -> tuple[str, ...]:
    words = (named,) if shutil.which(named) else tuple(shlex.split(named))
    found = shutil.which(words[0]) if words else None
    if found is None:
        raise BackendError(f"{named}: no such program; --backend takes '{BINDINGS}' or a tool like mlir-opt")
    return (found, *words[1:])
