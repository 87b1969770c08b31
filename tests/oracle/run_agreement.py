"""What differs between a run by tdls and one by ``mlir-opt`` on the command line."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from oracle.mlir_opt_runs import (
    ERASE_SCRIPTS,
    PAYLOAD,
    SCRIPT,
    Said,
    as_printed,
    files_of,
    library_name,
    mlir_opt,
    without_mark,
)
from tdls.interpreter.model import Emit, Limits, RunRequest, Status, TextFile

if TYPE_CHECKING:
    from interpreter.corpus.scripts import Script
    from tdls.interpreter.backends import Backend
    from tdls.interpreter.model import RunResult

LIMITS = Limits(seconds=60.0, memory=2 << 30, output=64 << 20)


class Expected(NamedTuple):
    """What ``mlir-opt`` made of a script, and the payload that is left without the script."""

    said: Said
    payload: str


class Pair(NamedTuple):
    """The same thing of tdls and of ``mlir-opt``."""

    ours: str
    theirs: str


def expected(script: Script) -> Expected:
    """Run `script` with ``mlir-opt``, and once more to get the payload alone if it succeeds."""
    with tempfile.TemporaryDirectory() as folder:
        said = mlir_opt(script, Path(folder))
        payload = mlir_opt(script, Path(folder), ERASE_SCRIPTS).module if said.code == 0 else ""
    return Expected(said, without_mark(payload))


def request_of(script: Script) -> RunRequest:
    """Return the request that does what `oracle.mlir_opt_runs.mlir_opt` does."""
    return RunRequest(
        script=TextFile(SCRIPT, script.text),
        payload=None if script.payload is None else TextFile(PAYLOAD, script.payload),
        entry_point=script.entry_point,
        libraries=tuple(TextFile(library_name(number), text) for number, text in enumerate(script.libraries)),
        options=script.options,
        emits=frozenset({Emit.MODULE, Emit.PAYLOAD}),
        limits=LIMITS,
    )


def differences(script: Script, backend: Backend, wanted: Expected) -> dict[str, Pair]:
    """Run `script` with `backend` and return, by name, what came out otherwise than wanted."""
    result = backend.run(request_of(script))
    said = wanted.said
    pairs = {
        "status": Pair(_verdict(result), "success" if said.code == 0 else "failure"),
        "module": Pair(_text(result, Emit.MODULE), said.module.rstrip("\n")),
        "payload": Pair(_text(result, Emit.PAYLOAD), wanted.payload.rstrip("\n")),
        "printed": Pair(result.printed, said.printed),
        "diagnostics": Pair(
            _without_blank_ends(as_printed(result.diagnostics, files_of(script))), _without_blank_ends(said.diagnostics)
        ),
    }
    return {name: pair for name, pair in pairs.items() if pair.ours != pair.theirs}


def _verdict(result: RunResult) -> str:
    return "failure" if result.status is Status.INVALID else result.status.value


def _text(result: RunResult, emit: Emit) -> str:
    return result.texts.get(emit, "").rstrip("\n")


def _without_blank_ends(text: str) -> str:
    """Leave out the blanks that some messages end with; tdls does not show them."""
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())
