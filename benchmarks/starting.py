"""Measure how soon tdls answers: ``python -m benchmarks.starting [--rounds N]``, from the root of a checkout.

Processes are started in turn: Python that does nothing, ``tdls --version``, a check of one small script that is new,
``mlir-opt-22 --transform-dialect-check-uses`` of the same script, and the server until it has answered ``initialize``.
The least of many rounds counts, and for the targets processor time, which does not depend on other processes. Exits
with 1 when a target was missed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.run import script

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PYTHON, VERSION, NEW, TOOL, SERVER = (
    "python -c pass",
    "tdls --version",
    "tdls --check, a new script",
    "mlir-opt-22",
    "tdls server, until `initialize` is answered",
)
MLIR_OPT = "mlir-opt-22"
MOST_OVER_PYTHON, MOST_OF_NEW, MOST_OF_SERVER = 25.0, 150.0, 1_000.0
ACCEPTED = {0, 1}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}}


class Times(NamedTuple):
    """Milliseconds of wall time and of processor time."""

    wall: float
    processor: float


def main() -> int:
    """Measure, print a table, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.starting", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each is started (default: %(default)s)")
    rounds = parser.parse_args().rounds
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as name:
        os.environ["TDLS_CACHE_DIR"] = str(Path(name, "cache"))
        best = least(commands(Path(name)), rounds)
    for what, times in best.items():
        print(f"{what:45}{times.wall:8.1f} ms{times.processor:8.1f} ms of the processor", flush=True)
    return verdict(best)


def commands(folder: Path) -> dict[str, Callable[[], Times]]:
    """Return the measurements by name; scripts are written below `folder`."""
    new = folder / "new.mlir"
    tdls = [shutil.which("tdls", path=str(Path(sys.executable).parent)) or "tdls"]
    numbers = iter(range(1_000_000))

    def check_new() -> Times:
        new.write_text(f"// {next(numbers)}\n{script(1)}", encoding="utf-8")
        return started([*tdls, "--check", str(new)])

    check_new()
    found: dict[str, Callable[[], Times]] = {
        PYTHON: lambda: started([sys.executable, "-c", "pass"]),
        VERSION: lambda: started([*tdls, "--version"]),
        NEW: check_new,
        SERVER: lambda: until_initialized([*tdls, "server"], folder),
    }
    if shutil.which(MLIR_OPT):
        found[TOOL] = lambda: started([MLIR_OPT, "--transform-dialect-check-uses", str(new), "-o", os.devnull])
    return found


def least(measured: Mapping[str, Callable[[], Times]], rounds: int) -> dict[str, Times]:
    """Measure all in turn, `rounds` times, and return the least times of each."""
    best = {name: Times(float("inf"), float("inf")) for name in measured}
    for _ in range(rounds):
        for name, measure in measured.items():
            best[name] = Times(*map(min, best[name], measure()))
    return best


def started(command: list[str]) -> Times:
    """Start a program, and return how long it takes until it has ended."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ACCEPTED:
        sys.exit(f"{command} ends with {process.returncode}")
    return Times((time.perf_counter() - began) * 1000, (used.ru_utime + used.ru_stime) * 1000)


def until_initialized(command: list[str], folder: Path) -> Times:
    """Start a server, and return how long it takes until it has answered ``initialize``."""
    message = {**INITIALIZE, "params": {"capabilities": {}, "processId": None, "rootUri": folder.as_uri()}}
    body = json.dumps(message).encode()
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        process.stdin.flush()
        process.stdout.readline()
        wall = (time.perf_counter() - began) * 1000
        process.kill()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return Times(wall, (used.ru_utime + used.ru_stime) * 1000)


def verdict(best: Mapping[str, Times]) -> int:
    """Print how the times relate to the targets; return 1 if one was missed."""
    over = best[VERSION].processor - best[PYTHON].processor
    missed = [
        _misses(f"{VERSION}, more than Python", over, MOST_OVER_PYTHON),
        _misses(SERVER, best[SERVER].processor, MOST_OF_SERVER),
        _misses(NEW, best[NEW].processor, MOST_OF_NEW),
    ]
    if TOOL in best:
        print(f"{NEW}: {best[NEW].processor / best[TOOL].processor:.2f} times {MLIR_OPT}")
    print(f"{sum(missed)} targets missed")
    return 1 if any(missed) else 0


def _misses(name: str, milliseconds: float, most: float) -> bool:
    """Print a time with its target, and tell whether it misses that."""
    is_missed = milliseconds > most
    print(f"{name}: {milliseconds:.1f} ms (at most {most:g} ms){': missed' if is_missed else ''}")
    return is_missed


if __name__ == "__main__":
    sys.exit(main())
