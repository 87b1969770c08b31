"""Which backend is used: what somebody chose, or else what is found."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.backends import BackendError
from tdls.interpreter.packages import installed_bindings, is_bindings
from tdls.settings.paths import FIRST_WORD

if TYPE_CHECKING:
    from tdls.settings.model import BackendChoice

BINDINGS = "bindings"
TOOL = "mlir-opt"
_VERSIONED = re.compile(rf"{TOOL}-(\d+)(?:\.exe)?")
_INSTALL = "pip install 'tdls[mlir]'"


class Chosen(NamedTuple):
    """A backend that is to be used: the bindings in `package`, or the tool that `command` starts.

    `python` has the bindings, None is the Python of this process; `package` is None where that Python is to tell.
    """

    why: str
    """For people."""
    package: str | None = None
    python: str | None = None
    command: tuple[str, ...] = ()
    advice: str = ""
    """What to tell people who may not expect this backend, "" if they chose it."""


def choose(choice: BackendChoice) -> Chosen:
    """Return the backend that `choice` names, or else the first that is found of: the bindings that are installed, and
    a tool called ``mlir-opt`` on the search path.

    ``bindings`` are those of the first of `PACKAGES` that is installed, ``bindings:PACKAGE`` those of a package; all
    else is a tool, by its name on the search path or its path, with arguments if it needs some. Raises
    BackendError if there is none.
    """
    if choice.backend is None and choice.python is None:
        return _found()
    named = choice.backend or BINDINGS
    if named != BINDINGS and not named.startswith(f"{BINDINGS}:"):
        return Chosen("it was chosen", command=_command(named))
    package = named.partition(":")[2] or None
    if choice.python is not None:
        return Chosen("its Python was chosen", package, _python(choice.python))
    if package is None:
        return Chosen("it comes first of the bindings that are installed", _first_package())
    if not is_bindings(package):
        raise BackendError(f"the Python package {package} is not installed, or has no bindings of MLIR")
    return Chosen("it was chosen", package)


def versioned_tools() -> list[str]:
    """Return the names of tools like ``mlir-opt-22`` on the search path, the newest first."""
    folders = filter(None, os.environ.get("PATH", "").split(os.pathsep))
    files = (file for folder in folders for file in Path(folder).glob(f"{TOOL}-*"))
    numbers = {int(found[1]) for file in files if (found := _VERSIONED.fullmatch(file.name)) is not None}
    return [name for number in sorted(numbers, reverse=True) if shutil.which(name := f"{TOOL}-{number}")]


def _found() -> Chosen:
    tool = shutil.which(TOOL)
    if installed_bindings() or tool is None:
        return Chosen("it comes first of the bindings that are installed", _first_package())
    missing = "MLIR's Python bindings, which tell more, are not installed"
    return Chosen(f"it is on the search path, and {missing}", command=(tool,), advice=f"{missing}: {_INSTALL}")


def _first_package() -> str:
    package = next(iter(installed_bindings()), None)
    if package is not None:
        return package
    tool = next(iter(versioned_tools()), f"a tool like {TOOL}")
    raise BackendError(
        "running scripts takes MLIR's Python bindings, which are not installed: "
        f"{_INSTALL}, or use {tool} with --backend"
    )


def _python(named: str) -> str:
    found = shutil.which(named)
    if found is None:
        raise BackendError(f"{named}: no such program; a Python interpreter with MLIR's bindings is needed")
    return str(Path(found).absolute())  # not resolved: an environment's Python is a link


def _command(named: str) -> tuple[str, ...]:
    whole = shutil.which(named)
    if whole is not None:
        return (whole,)
    first = FIRST_WORD.match(named)
    program = shutil.which(first[1] or first[0]) if first is not None else None
    if program is None or first is None:
        raise BackendError(f"{named}: no such program; --backend takes '{BINDINGS}' or a tool like {TOOL}")
    try:
        return (program, *shlex.split(named[first.end() :]))
    except ValueError as error:
        raise BackendError(f"{named}: {error}") from error
