"""Measure runs of scripts next to ``mlir-opt``: ``python -m benchmarks.runs``, from the root of a checkout.

Needs a Python with the development tools of tdls and MLIR's bindings, and ``mlir-opt-22``. Compared are warm runs with
the wall time of one process ``mlir-opt-22 --transform-interpreter`` in the same minute. Exits with 1 when a target was
missed.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from benchmarks.lsp.table import Table, Target, median
from benchmarks.runs.measures import alternately, of_backend, of_process, of_server
from benchmarks.runs.samples import large, small

from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from benchmarks.runs.samples import Sample

REFERENCE = "mlir-opt-22"
BINDINGS = "bindings"


class Case(NamedTuple):
    """A module, how often it is run, and how many times as long as tdls the reference has to need."""

    sample: Sample
    runs: int
    target: Target


def main() -> int:
    """Run the benchmarks and return the exit status."""
    options = _options()
    program = shutil.which(options.reference)
    if program is None:
        sys.exit(f"{options.reference} is not installed")
    table = Table()
    for case in (
        Case(small(), options.runs, Target(1, "x")),
        Case(large(), max(options.runs // 3, 3), Target(1 / 1.5, "x")),
    ):
        _measure(table, case, program)
    print(f"{table.missed} targets missed")
    return 1 if table.missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.runs", description=__doc__)
    parser.add_argument("--reference", metavar="PROGRAM", default=REFERENCE, help="the tool to compare with")
    parser.add_argument("--runs", type=int, default=60, help="how often the small script is run")
    return parser.parse_args()


def _measure(table: Table, case: Case, program: str) -> None:
    print(f"{case.sample.name} ({len(case.sample.text) / 1e6:.3f} MB)")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bindings = stack.enter_context(contextlib.closing(open_backend(BackendChoice(BINDINGS))))
        tool = stack.enter_context(contextlib.closing(open_backend(BackendChoice(program))))
        measures = {
            "  bindings": (of_backend(bindings, case.sample), (case.target,)),
            "  bindings, observed": (of_backend(bindings, case.sample, observe=True), ()),
            "  tool": (of_backend(tool, case.sample), ()),
            "  tool, observed": (of_backend(tool, case.sample, observe=True), ()),
            "  editor, from command to payload": (stack.enter_context(of_server(case.sample)), (case.target,)),
        }
        times = alternately(case.runs, of_process(program, folder, case.sample), *(run for run, _ in measures.values()))
    reference, *ours = map(median, times)
    for (what, (_, targets)), seconds in zip(measures.items(), ours, strict=True):
        table.seconds(f"{what}, median", seconds, reference, *targets)


if __name__ == "__main__":
    sys.exit(main())
