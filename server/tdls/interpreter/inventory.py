"""Lists the backends on this machine, and tests the one that would be used."""

from __future__ import annotations

import os
import time
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.errors import BackendError, ConsentError
from tdls.interpreter.mlir.choice import SET_ASIDE, TOOL, choose, versioned_tools
from tdls.interpreter.mlir.tool import Tool
from tdls.interpreter.mlir.worker import isolation
from tdls.interpreter.mlir.worker.packages import installed_bindings, place_of, version_of
from tdls.interpreter.runs.model import Emit, Limits, RunRequest, Status
from tdls.interpreter.runs.script import Script
from tdls.system import find_program

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.mlir.choice import Chosen
    from tdls.interpreter.runs.model import RunResult
    from tdls.settings.model import BackendChoice

_TOOLS = (TOOL, "iree-opt", "air-opt", "aie-opt", "triton-opt")
"""Tools of well-known projects."""
_MARK = "tdls.was_here"
_SCRIPT = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    transform.annotate %root "{_MARK}" : !transform.any_op
    transform.yield
  }}
}}
"""
"""Uses operations of the dialect itself only: not every project has its extensions."""
_TEST_LIMITS = Limits(seconds=20.0)
_MEBIBYTE = 1 << 20


class BackendKind(Enum):
    """The kind of a backend."""

    BINDINGS = "bindings"
    TOOL = "tool"


class Available(NamedTuple):
    """An available backend; `version` is "" if it reports none."""

    kind: BackendKind
    name: str
    version: str
    place: str


class Trial(NamedTuple):
    """Result of running a small script twice; `problem` is one line for users if that failed.

    `first` and `again` are the seconds of the two runs; the first includes one-time initialisation.
    """

    problem: str
    backend: str = ""
    mlir: str = ""
    first: float = 0.0
    again: float = 0.0
    is_refused: bool = False
    """Whether nothing was started, since the user has not allowed the settings."""


def available(choice: BackendChoice) -> list[Available]:
    """Return the installed bindings, well-known tools on the search path, and the chosen tool."""
    versions = ((name, SET_ASIDE.get(name) or version_of(name)) for name in installed_bindings())
    bindings = [Available(BackendKind.BINDINGS, name, version, str(place_of(name))) for name, version in versions]
    return [*bindings, *_tools(choice)]


def chosen_backend(choice: BackendChoice) -> Chosen | None:
    """Return the backend for `choice`, None without one."""
    try:
        return choose(choice)
    except BackendError:
        return None


def trial(choice: BackendChoice) -> Trial:
    """Run a script that annotates its payload, with the backend for `choice`."""
    try:
        backend = open_backend(choice)
        try:
            return _tried(backend)
        finally:
            backend.close()
    except BackendError as error:
        return Trial(str(error), is_refused=isinstance(error, ConsentError))


def limits_memory() -> bool:
    """Whether runs that exceed their memory limit are ended on this system, by trying it; False without fork."""
    if not isolation.is_available():
        return False
    reader, writer = os.pipe()
    try:
        ending = isolation.carry_out(
            lambda: bytes(64 * _MEBIBYTE)[:1], 10.0, 16 * _MEBIBYTE, _MEBIBYTE, abandon=reader, closed=[writer]
        )
    finally:
        os.close(reader)
        os.close(writer)
    return ending.code != 0


def _tools(choice: BackendChoice) -> list[Available]:
    commands = {path: (path,) for name in (*versioned_tools(), *_TOOLS) if (path := find_program(name)) is not None}
    chosen = chosen_backend(choice)
    if chosen is not None and chosen.command:
        commands[chosen.command[0]] = (chosen.command[0],)
    versions = [(Path(path), Tool(command).version) for path, command in commands.items()]
    return [Available(BackendKind.TOOL, path.name, version, str(path)) for path, version in versions]


def _tried(backend: Backend) -> Trial:
    request = RunRequest(Script("trial.mlir", _SCRIPT, Catalogue.shipped()), limits=_TEST_LIMITS)
    times: list[float] = []
    for _ in range(2):
        started = time.perf_counter()
        result = backend.run(request)
        times.append(time.perf_counter() - started)
        problem = _problem(result)
        if problem:
            break
    return Trial(problem, result.backend, result.mlir, times[0], times[-1])


def _problem(result: RunResult) -> str:
    if result.status is Status.SUCCESS:
        return "" if _MARK in result.texts[Emit.PAYLOAD] else "the script succeeded without being run"
    messages = [diagnostic.message.partition("\n")[0] for diagnostic in result.diagnostics]
    messages += [line.strip() for line in result.console.splitlines() if line.strip()]
    return ": ".join([result.status.value, *filter(None, (result.detail, *messages[:1]))])
