"""Chooses the backend: the user's choice, or else the first one that is installed."""

from __future__ import annotations

import glob
import re
import shlex
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.interpreter.errors import BackendError, ConsentError, NoMlirError
from tdls.interpreter.mlir.worker.packages import installed_bindings, is_bindings
from tdls.settings.paths import first_word
from tdls.structs import NamedTuple
from tdls.system import find_program, search_folders
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from tdls.settings.model import BackendChoice

BINDINGS = "bindings"
TOOL = "mlir-opt"
_VERSIONED = re.compile(rf"{TOOL}-(\d+)(?:\.exe)?")
_BACKEND = "run.backend"
"""The setting whose refusal always matters: for tools the other settings are irrelevant."""
_INSTALL = "pip install torch-mlir"
SET_ASIDE: dict[str, str] = {}
"""Packages whose bindings did not start in this process, with the reason in one line: only who names them gets them."""


class Chosen(NamedTuple):
    """The backend to use: the bindings in `package`, or the tool that `command` starts.

    `python` is the interpreter that has the bindings, None for this process's own; `package` is None if that
    interpreter is to decide.
    """

    why: str
    """The reason, for users."""
    package: str | None = None
    python: str | None = None
    command: tuple[str, ...] = ()
    advice: str = ""
    """Advice for users who may not expect this backend, "" if they chose it."""


def choose(choice: BackendChoice) -> Chosen:
    """Return the backend of `choice`, or else the installed bindings, or else ``mlir-opt`` on the search path.

    ``bindings`` are those of the first of `PACKAGES` that is installed, ``bindings:PACKAGE`` those of a package; any
    other value is a tool, by its name on the search path or its path, with optional arguments. Raises BackendError if
    there is no backend, and ConsentError if the choice depends on settings that the user has not allowed.
    """
    named = choice.backend or BINDINGS
    is_tool = named != BINDINGS and not named.startswith(f"{BINDINGS}:")
    refused = [question for question in choice.refused if question.consent.key == _BACKEND or not is_tool]
    if refused:
        raise ConsentError(refused)
    if choice.backend is None and choice.python is None:
        broken = "; ".join(SET_ASIDE.values())
        tool = find_program(TOOL) or (find_program(next(iter(versioned_tools()), "")) if broken else None)
        if tool is None or not set(installed_bindings()) <= set(SET_ASIDE):
            return Chosen("it comes first of the bindings that are installed", _first_package(), advice=broken)
        missing = broken or "MLIR's Python bindings, which tell more, are not installed"
        advice = broken or f"{missing}: {_INSTALL}"
        return Chosen(f"it is on the search path, and {missing}", command=(tool,), advice=advice)
    if is_tool:
        return Chosen("it was chosen", command=_command(named))
    package = named.partition(":")[2] or None
    if choice.python is not None:
        program = find_program(choice.python)
        if program is None:
            raise BackendError(f"{choice.python}: no such program; a Python interpreter with MLIR's bindings is needed")
        # not resolved: an environment's Python is a link
        return Chosen("its Python was chosen", package, str(Path(program).absolute()))
    if package is None:
        return Chosen("it comes first of the bindings that are installed", _first_package())
    if not is_bindings(package):
        raise BackendError(f"the Python package {package} is not installed, or has no bindings of MLIR")
    return Chosen("it was chosen", package)


def versioned_tools() -> list[str]:
    """Return the names of tools like ``mlir-opt-22`` on the search path, the newest first."""
    files = chain.from_iterable(glob.glob(f"{TOOL}-*", root_dir=folder) for folder in search_folders())
    numbers = {integer(match[1]) or 0 for file in files if (match := _VERSIONED.fullmatch(file)) is not None}
    return [name for number in sorted(numbers, reverse=True) if find_program(name := f"{TOOL}-{number}")]


def other_backends(used: str, version: str) -> list[str]:
    """Return the values of `run.backend` at hand besides the one that is `used`, or the tool of a version of LLVM."""
    bindings = {package: f"{BINDINGS}:{package}" for package in installed_bindings() if package not in SET_ASIDE}
    others = [value for name, value in (bindings | {tool: tool for tool in versioned_tools()}).items() if name != used]
    return [each for each in others if each == f"{TOOL}-{version}"] or others


def _first_package() -> str:
    package = next((each for each in installed_bindings() if each not in SET_ASIDE), None)
    if package is not None:
        return package
    if SET_ASIDE:
        raise BackendError("; ".join(SET_ASIDE.values()))
    tool = next(iter(versioned_tools()), None)
    message = (
        "running MLIR takes its Python bindings, which are not installed: "
        f"{_INSTALL}, or set `run.backend` to {tool or f'a tool like {TOOL}'}"
    )
    raise NoMlirError(message, tool)


def _command(named: str) -> tuple[str, ...]:
    whole = find_program(named)
    if whole is not None:
        return (whole,)
    first = first_word(named)
    program = find_program(first[1] or first[0]) if first is not None else None
    if program is None or first is None:
        raise BackendError(f"{named}: no such program; `run.backend` takes '{BINDINGS}' or a tool like {TOOL}")
    try:
        return (program, *shlex.split(named[first.end() :]))
    except ValueError as error:
        raise BackendError(f"{named}: {error}") from error
