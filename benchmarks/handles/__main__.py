"""Measure the analysis of handles next to ``mlir-opt``: ``python -m benchmarks.handles``, from the root of a checkout.

Needs a Python with tdls, and ``mlir-opt-22``. Of a script that is read already, the processor time is taken that the
analysis of handles needs (uses after free, and all other invalidations), and next to it the time of one
process ``mlir-opt-22 --transform-dialect-check-uses`` on the same file, in turns. The last row of a shape adds reading,
and all other rules. Growth is the time for an operation of the largest script over that of the smallest one. Exits with
1 when a target was missed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.handles.measures import of_analysis, of_everything
from benchmarks.handles.samples import SHAPES
from benchmarks.lsp.table import Table, Target, median

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.handles.samples import Shape

REFERENCE = "mlir-opt-22"
SIZES = (1_000, 2_000, 5_000, 10_000, 20_000)
LIMIT = Target(50, "ms")
"""Maximum time for 1,000 operations."""
GROWTH = Target(2, "times")


def main() -> int:
    """Run the benchmarks and return the exit status."""
    options = _options()
    program = shutil.which(options.reference)
    if program is None:
        sys.exit(f"{options.reference} is not installed")
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        for shape in (shape for shape in SHAPES if options.shape in shape.name):
            print(shape.name)
            _measure(table, shape, program, Path(folder), options.runs)
    print(f"{table.missed} targets missed")
    return 1 if table.missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.handles", description=__doc__)
    parser.add_argument("--reference", metavar="PROGRAM", default=REFERENCE, help="the tool to compare with")
    parser.add_argument("--runs", type=int, default=7, help="how often each script is looked at")
    parser.add_argument("--shape", default="", help="a part of the names of the shapes to look at")
    return parser.parse_args()


def _measure(table: Table, shape: Shape, program: str, folder: Path, runs: int) -> None:
    costs: list[float] = []
    for size in SIZES:
        text = shape.write(size)
        measures = (of_analysis(text), _of_process(program, folder / "script.mlir", text))
        times = [[measure() for measure in measures] for _ in range(runs)]
        ours, theirs = (median(column) for column in zip(*times, strict=True))
        costs.append(ours / size)
        table.seconds(f"  {size:,} operations", ours, theirs, *([LIMIT] if size == SIZES[0] else []))
    table.row("  growth", costs[-1] / costs[0], None, "x", GROWTH)
    table.seconds(f"  {SIZES[-1]:,} operations, with everything else", of_everything(text), theirs)


def _of_process(program: str, file: Path, text: str) -> Callable[[], float]:
    """Return a function that checks `text` with a tool's process, and returns its wall time."""
    file.write_text(text, encoding="utf-8")
    command = [program, str(file), "--transform-dialect-check-uses", "-o", str(file.with_suffix(".out"))]

    def measure() -> float:
        began = time.perf_counter()
        subprocess.run(command, stderr=subprocess.DEVNULL, check=True)
        return time.perf_counter() - began

    return measure


if __name__ == "__main__":
    sys.exit(main())
