"""Runs scripts with MLIR's Python bindings as programs written in Python do, many in a process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.mlir_opt_runs import PAYLOAD, SCRIPT, files_of
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.run_corpus.scripts import Script

_TOOLS = Path(__file__).resolve().parent.parent
_TIME_LIMIT = 600.0


@dataclass(frozen=True)
class Ran:
    """The result of a script; `module` is "" if it failed."""

    module: str
    diagnostics: tuple[RunDiagnostic, ...]


def run_in_python(scripts: Sequence[Script]) -> list[Ran | None]:
    """Run `scripts`; None stands for those that MLIR died of."""
    found: list[Ran | None] = []
    while len(found) < len(scripts):
        found += _answers(scripts[len(found) :])
        if len(found) < len(scripts):
            found.append(None)
    return found


def _answers(scripts: Sequence[Script]) -> list[Ran]:
    """Run one worker; it answers for as many scripts as it survives."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = [_job(script, Path(folder) / str(number)) for number, script in enumerate(scripts)]
        done = subprocess.run(
            [sys.executable, "-m", "oracle.bindings_runs_worker"],
            input=json.dumps(jobs).encode(),
            capture_output=True,
            check=False,
            cwd=_TOOLS,
            timeout=_TIME_LIMIT,
        )
    lines = [line for line in done.stdout.decode().split("\n") if line.startswith("{")]
    if not lines and done.returncode == 1:
        raise RuntimeError(f"the bindings cannot be used: {done.stderr.decode()[-500:]}")
    return [_ran(json.loads(line)) for line in lines]


def _job(script: Script, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    files = files_of(script)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    root = PAYLOAD if script.payload is not None else SCRIPT
    libraries = ",".join(name for name in files if name != root)
    preload = f"transform-preload-library{{transform-library-paths={libraries}}}," if libraries else ""
    options = " ".join([f"entry-point={script.entry_point}", *(f"{name}={value}" for name, value in script.options)])
    return {
        "folder": str(folder),
        "root": root,
        "pipeline": f"builtin.module({preload}transform-interpreter{{{options}}})",
    }


def _ran(stored: dict[str, Any]) -> Ran:
    return Ran(stored["module"], tuple(map(_diagnostic, stored["diagnostics"])))


def _diagnostic(stored: dict[str, Any]) -> RunDiagnostic:
    return RunDiagnostic(
        level=RunLevel(stored["severity"]),
        message=stored["message"],
        file=stored["file"],
        line=stored["line"],
        column=stored["column"],
        notes=tuple(map(_diagnostic, stored["notes"])),
    )
