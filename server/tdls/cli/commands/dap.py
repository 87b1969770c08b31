"""``tdls dap``: serves the Debug Adapter Protocol, and records the runs that clients launch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.commands.server import reserved_output
from tdls.cli.console import console
from tdls.cli.console.options import trust_option
from tdls.cli.run_request import CommandRun, RunArguments
from tdls.dap.adapter import Adapter, has_no_steps
from tdls.dap.messages import Channel, RequestRefusedError
from tdls.dap.recorded_run import RecordedRun
from tdls.interpreter.errors import BackendError
from tdls.interpreter.model import Emit
from tdls.interpreter.plan import PlanError
from tdls.interpreter.recording.recording import for_looking_at, recorded
from tdls.text.jsonrpc import BrokenFramingError

if TYPE_CHECKING:
    from tdls.settings.consent import Trust


@click.command("dap")
@trust_option
def command(trust: Trust) -> int:
    """Speak the Debug Adapter Protocol on standard input and output: a script is run, recorded, and stepped through.

    See docs/editors.md for how editors are set up to start it.

    Exit status: 0 after the client disconnected, 1 if the connection broke.
    """
    channel = Channel(sys.stdin.fileno(), reserved_output())
    try:
        Adapter(channel, lambda arguments: _launched(arguments, trust)).serve()
    except BrokenFramingError as error:
        console.complain(f"the connection is given up: {error}")
        return console.EXIT_FINDINGS
    except BrokenPipeError:
        return console.EXIT_FINDINGS
    return console.EXIT_CLEAN


def _launched(launch: dict[str, Any], trust: Trust) -> RecordedRun:
    """Record the run of a launch request. Raises RequestRefusedError."""
    script = launch.get("script") or launch.get("program")
    if not isinstance(script, str):
        raise RequestRefusedError("a launch has to name a `script`")
    arguments = _arguments(launch)
    try:
        run = CommandRun.of(str(Path(script).resolve()), arguments, trust)
        request = next(iter(run.requests(frozenset({Emit.PAYLOAD}))))
        backend = run.opened()
        recording = RecordedRun(recorded(backend, request, for_looking_at(request)), backend)
    except (PlanError, BackendError, console.InputError) as error:
        raise RequestRefusedError(str(error)) from error
    except (OSError, ValueError) as error:  # a path with a NUL or a lone surrogate
        raise RequestRefusedError(f"the launch names something that is no file: {error}") from error
    problem = has_no_steps(recording)
    if problem:
        recording.close()
        raise RequestRefusedError(problem)
    return recording


def _arguments(launch: dict[str, Any]) -> RunArguments:
    def text(name: str) -> str | None:
        value = launch.get(name)
        if value is not None and not isinstance(value, str):
            raise RequestRefusedError(f"`{name}` is a text")
        return value or None

    payload, libraries = text("payload"), launch.get("libraries") or []
    if not (isinstance(libraries, list) and all(isinstance(library, str) for library in libraries)):
        raise RequestRefusedError("`libraries` is a list of paths")
    return RunArguments(
        payload=Path(payload) if payload is not None else None,
        entry_point=text("entryPoint"),
        libraries=tuple(map(Path, libraries)),
        part=None,
        backend=text("backend"),
        python=text("python"),
        timeout=None,
        memory=None,
    )
