"""Measure how soon tdls answers: ``python -m benchmarks.starting [--rounds N]``, from the root of a checkout.

All are started in turn, with the same small script: Python that does nothing, ``tdls --version``, a check whose
findings are kept, one of a new script, ``mlir-opt-22 --transform-dialect-check-uses``, the server, and a server of
pygls that does nothing but publish one finding. Medians count. Processor time depends less on other processes than
wall time. Exits with 1 when a target was missed.
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
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import resource
    from collections.abc import Callable

PYTHON, VERSION, KEPT, NEW, TOOL, SERVER, BARE = (
    "python -c pass",
    "tdls --version",
    "tdls --check, findings kept",
    "tdls --check, a new script",
    "mlir-opt-22 --transform-dialect-check-uses",
    "tdls server, until the first finding",
    "bare pygls server, until its finding",
)
SCRIPT = Path(__file__).parents[1] / "examples" / "stale_handle.mlir"
TARGETS = ((KEPT, TOOL, "processor", 1.5), (NEW, TOOL, "processor", 3.5), (SERVER, BARE, "processor", 1.5))
"""What is compared with what, by which time, and how many times that it may take."""
ACCEPTED = {0, 1}
BARE_SERVER = """
from lsprotocol import types
from pygls.lsp.server import LanguageServer
server = LanguageServer("bare", "1")
@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(params):
    place = types.Position(0, 0)
    found = [types.Diagnostic(types.Range(place, place), "wrong")]
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, found))
server.start_io()
"""


class Times(NamedTuple):
    """Milliseconds of wall time and of processor time, and the most memory in MiB."""

    wall: float
    processor: float
    memory: float


def main() -> int:
    """Measure, print a table, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.starting", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each is started (default: %(default)s)")
    rounds = parser.parse_args().rounds
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as name:
        os.environ["TDLS_CACHE_DIR"] = str(Path(name, "cache"))
        measured = commands(Path(name))
        for measure in measured.values():
            measure()
        taken: dict[str, list[Times]] = {what: [] for what in measured}
        for _ in range(rounds):
            for what, measure in measured.items():
                taken[what].append(measure())
    medians = {what: Times(*map(median, zip(*each, strict=True))) for what, each in taken.items()}
    for what, times in medians.items():
        print(f"{what:44}{times.wall:8.1f} ms{times.processor:8.1f} ms of the processor{times.memory:7.0f} MiB")
    missed = [_misses(medians, *target) for target in TARGETS if {*target[:2]} <= medians.keys()]
    print(f"{sum(missed)} targets missed")
    return 1 if any(missed) else 0


def commands(folder: Path) -> dict[str, Callable[[], Times]]:
    """Return the measurements by name; scripts are written below `folder`."""
    kept, new = folder / "kept.mlir", folder / "new.mlir"
    tdls = [shutil.which("tdls", path=str(Path(sys.executable).parent)) or "tdls"]
    numbers = iter(range(1_000_000))
    kept.write_bytes(SCRIPT.read_bytes())

    def check_new() -> Times:
        new.write_text(f"// {next(numbers)}\n{SCRIPT.read_text(encoding='utf-8')}", encoding="utf-8")
        return until_end([*tdls, "--check", str(new)])

    found: dict[str, Callable[[], Times]] = {
        PYTHON: lambda: until_end([sys.executable, "-c", "pass"]),
        VERSION: lambda: until_end([*tdls, "--version"]),
        KEPT: lambda: until_end([*tdls, "--check", str(kept)]),
        NEW: check_new,
        SERVER: lambda: until_finding([*tdls, "server"], kept),
        BARE: lambda: until_finding([sys.executable, "-c", BARE_SERVER], kept),
    }
    if shutil.which("mlir-opt-22"):
        found[TOOL] = lambda: until_end([*TOOL.split(), str(kept), "-o", os.devnull])
    return found


def until_end(command: list[str]) -> Times:
    """Start a program, and return how long it takes until it has ended."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    times = _ended(process, began)
    if process.returncode not in ACCEPTED:
        sys.exit(f"{command} ends with {process.returncode}")
    return times


def until_finding(command: list[str], script: Path) -> Times:
    """Start a server, open `script`, and return how long it takes until a finding is published."""
    opened = {"uri": script.as_uri(), "languageId": "mlir", "version": 1, "text": script.read_text(encoding="utf-8")}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
    ]
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        process.stdin.flush()
        received = b""
        while b'"diagnostics":[{' not in received.replace(b" ", b""):
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                sys.exit(f"{command} ends without a finding")
            received += piece
        wall = time.perf_counter()
        process.kill()
        return _ended(process, began, wall)


def _ended(process: subprocess.Popen[bytes], began: float, end: float | None = None) -> Times:
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = ((end or time.perf_counter()) - began) * 1000
    return Times(wall, (used.ru_utime + used.ru_stime) * 1000, _mebibytes(used))


def _mebibytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))


def _misses(medians: dict[str, Times], what: str, beside: str, kind: str, most: float) -> bool:
    """Print how many times as long one takes as the other, and tell whether that is too much."""
    ratio: float = getattr(medians[what], kind) / getattr(medians[beside], kind)
    is_missed = ratio > most
    print(f"{what}: {ratio:.2f} times {beside} (at most {most:g}){': missed' if is_missed else ''}")
    return is_missed


if __name__ == "__main__":
    sys.exit(main())
