"""Measure checks of many files: ``python -m benchmarks.check [--count N]``, with a Python that has tdls installed.

A tree of scripts is checked by tdls as whole processes, with nothing kept and with everything kept, and by
``mlir-opt-22 --transform-dialect-check-uses``, which takes one file, as many at a time as there are cores.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.run import script

if TYPE_CHECKING:
    from collections.abc import Sequence

TDLS = [sys.executable, "-m", "tdls", "--check"]
MLIR_OPT = "mlir-opt-22"
FOLDERS = 40
ACCEPTED = {0, 1}
"""Exit statuses of a check that went through."""


def main() -> None:
    """Write the tree, measure, and print a table with ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="how many scripts to write (default: %(default)s)")
    count = parser.parse_args().count
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = write_tree(folder / "scripts", count)
        size = sum(file.stat().st_size for file in files)
        print(f"{count} scripts, {size / 1e6:.1f} MB, {os.cpu_count()} cores")
        cold = measure_tdls(folder)
        if shutil.which(MLIR_OPT):
            theirs = measure_mlir_opt(files)
            print(f"tdls takes {cold / theirs:.2f} of the time of {MLIR_OPT}, with nothing kept")


def measure_tdls(folder: Path) -> float:
    """Check the tree with one process, with all cores, and with kept results; return the time of all cores."""
    single = timed_check(folder, "--jobs", "1", "--no-cache")
    report("tdls --jobs 1, nothing kept", single)
    cold = timed_check(folder)
    report("tdls, nothing kept yet", cold)
    warm = min(timed_check(folder) for _ in range(3))
    report("tdls, everything kept", warm, f"{cold / warm:.0f} times as fast, {single / warm:.0f} times as one process")
    return cold


def measure_mlir_opt(files: list[Path]) -> float:
    """Check every file in a process of its own, on all cores; return the time."""
    started = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for file, status in zip(files, threads.map(check_by_mlir_opt, files), strict=True):
            if status not in ACCEPTED:
                sys.exit(f"{MLIR_OPT} fails for {file}")
    seconds = time.perf_counter() - started
    report(f"{MLIR_OPT}, a process for each file", seconds)
    return seconds


def check_by_mlir_opt(file: Path) -> int:
    """Return the exit status for one file."""
    command = [MLIR_OPT, "--transform-dialect-check-uses", str(file), "-o", os.devnull]
    return subprocess.run(command, capture_output=True, check=False).returncode


def write_tree(folder: Path, count: int, sizes: Sequence[int] = range(1, 6)) -> list[Path]:
    """Write `count` scripts with each number of named sequences of `sizes` in turn, no two alike, and return them."""
    files: list[Path] = []
    for number in range(count):
        file = folder / f"part{number % FOLDERS}" / f"script{number}.mlir"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"// script {number}\n{script(sizes[number % len(sizes)])}", encoding="utf-8")
        files.append(file)
    return files


def timed_check(folder: Path, *options: str) -> float:
    """Return the seconds that a check of the tree takes, with a cache of its own."""
    environment = {**os.environ, "TDLS_CACHE_DIR": str(folder / "cache")}
    started = time.perf_counter()
    command = [*TDLS, str(folder / "scripts"), *options]
    done = subprocess.run(command, capture_output=True, check=False, text=True, env=environment)
    seconds = time.perf_counter() - started
    if done.returncode not in ACCEPTED:
        sys.exit(f"tdls fails: {done.stderr}")
    return seconds


def report(what: str, seconds: float, remark: str = "") -> None:
    """Print one row of the table."""
    print(f"{what:45}{seconds:8.2f} s  {remark}", flush=True)


if __name__ == "__main__":
    main()
