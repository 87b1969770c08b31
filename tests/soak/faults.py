"""Runs scripts that MLIR does not survive, one after the other, from a server that gets edits meanwhile.

Usage, from the folder `tests`: ``python -m soak.faults --runs 100``. Prints how runs ended, how long hovers took, and
which processes are left; exits with 1 where a run ended otherwise than expected, or where something is left.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil

from interpreter.mlir.worker.faults import faults
from lsp.workbench import SERVER, Workbench
from rpc.answers import eventually
from tdls.interpreter.runs.model import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.mlir.worker.faults import Fault
    from rpc.client import Json
    from rpc.document import Document
    from tdls.interpreter.runs.model import Limits

CAPABILITIES = {"workspace": {"textDocumentContent": {}, "configuration": True}}
SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %found = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""
PATIENCE = 60


@dataclass
class Report:
    """Results of the faults: counts of the runs' ends, runs with another end than expected, and seconds of hovers."""

    endings: Counter[str] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)
    hovers: list[float] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Command lines of processes that outlived the server, or of workers that outlived their runs."""


def runnable() -> list[Fault]:
    """The faults that have an entry point, which editors run, within limits that editors can set.

    They cannot set the limit of a run's output, so that faults that end by this limit are left out.
    """
    prints = {Status.TOO_MUCH_OUTPUT}, {Status.TOO_MUCH_OUTPUT, Status.TIMEOUT}
    return [fault for fault in faults() if "@__transform_main" in fault.script and fault.expected not in prints]


def provoke(several: Sequence[Fault]) -> Report:
    """Run `several` in one server that gets edits and requests of a document meanwhile."""
    report = Report()
    before = set(psutil.Process().children(recursive=True))
    with Workbench(more=CAPABILITIES, command=SERVER) as bench:
        document = bench.open(SCRIPT)
        done = threading.Event()
        typist = threading.Thread(target=_type, args=(bench, document, done, report))
        typist.start()
        try:
            for fault in several:
                _run(bench, fault, report)
        finally:
            done.set()
            typist.join()
        server = psutil.Process(bench.client.process.pid)
        report.left += _left_behind(lambda: _workers_of(server)[1:])
    report.left += _left_behind(lambda: list(set(psutil.Process().children(recursive=True)) - before))
    return report


def _left_behind(processes: Callable[[], list[psutil.Process]]) -> list[str]:
    """Return the command lines of processes that do not end by themselves soon."""
    eventually(lambda: not processes())
    return [_command_of(process) for process in processes()]


def _workers_of(server: psutil.Process) -> list[psutil.Process]:
    """Return the processes that run scripts, without those of `multiprocessing`, which read the project."""
    return [process for process in server.children(recursive=True) if "multiprocessing" not in _command_of(process)]


def _command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return f"process {process.pid}, which has ended meanwhile"


def _run(bench: Workbench, fault: Fault, report: Report) -> None:
    _limit(bench, fault.limits)
    script = bench.open(fault.script)
    arguments = [{"uri": script.uri}]
    outcome: Json = bench.client.call(
        "workspace/executeCommand", {"command": "tdls.run", "arguments": arguments}, timeout=PATIENCE
    )
    report.endings[outcome["status"]] += 1
    if outcome["status"] not in {status.value for status in fault.expected}:
        report.unexpected.append(f"{fault.name}: {outcome['status']} ({outcome['detail']})")
    script.close()


def _limit(bench: Workbench, limits: Limits) -> None:
    """Set the limits of runs, and wait until the server has requested the settings."""
    bench.client.settings = {"run": {"timeout": limits.seconds, "memory": limits.memory >> 20}}
    asked = len(bench.client.asked)
    bench.client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert eventually(lambda: len(bench.client.asked) > asked)
    bench.client.call("tdls/status", {})


def _type(bench: Workbench, document: Document, done: threading.Event, report: Report) -> None:
    """Edit, and request hovers at the cursor, until everything is done."""
    place = SCRIPT.index("linalg.matmul")
    number = 0
    while not done.is_set():
        number += 1
        document.replace(place, place, "x") if number % 2 else document.replace(place, place + 1, "")
        began = time.perf_counter()
        bench.client.call("textDocument/hover", document.at(SCRIPT.index("transform.structured.match") + 3))
        report.hovers.append(time.perf_counter() - began)
        time.sleep(0.02)


def main() -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(prog="python -m soak.faults", description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    known = runnable()
    several = [known[number % len(known)] for number in range(parser.parse_args().runs)]
    began = time.perf_counter()
    report = provoke(several)
    milliseconds = sorted(1000 * seconds for seconds in report.hovers)
    print(f"{len(several)} runs in {time.perf_counter() - began:.0f} s: {dict(report.endings)}")
    print(
        f"{len(milliseconds)} hovers meanwhile: median {statistics.median(milliseconds):.1f} ms, "
        f"99 of 100 within {milliseconds[len(milliseconds) * 99 // 100]:.1f} ms, longest {milliseconds[-1]:.1f} ms"
    )
    for line in report.unexpected:
        print(f"unexpected: {line}")
    print(f"processes left behind: {', '.join(report.left) or 'none'}")
    return 1 if report.unexpected or report.left else 0


if __name__ == "__main__":
    sys.exit(main())
