"""Measure checks of a repository: ``python -m benchmarks.repository``, from the root of a checkout.

A project is generated: 1,500 scripts (15 MB), 500 TableGen files and 2,000 C++ files. It is checked with nothing kept,
as it was, and after one script, one TableGen file or one C++ file has changed. Printed are the seconds that one waits,
those of the processor over all processes, and the most memory of any process. Exits with 1 when a target was missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.check import ACCEPTED, TDLS, write_tree
from benchmarks.projects.samples import write_project

if TYPE_CHECKING:
    from collections.abc import Sequence

SEQUENCES = 1, 4, 12, 26
"""Numbers of named sequences in scripts."""
COLD, CHANGED, MEMORY = 10.0, 1.3, 150.0
UNTOUCHED = 2.5
"""Seconds after which a file of definitions is known by its size and times alone."""


class Check(NamedTuple):
    """Seconds, seconds of the processor, and megabytes."""

    wall: float
    processor: float
    memory: float


def main() -> int:
    """Measure, print a table, and return the exit status."""
    options = _options()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name, "repository")
        write_project(root, tablegen_files=options.tablegen, cpp_files=options.cpp)
        scripts = write_tree(root / "scripts", options.scripts, SEQUENCES)
        size = sum(file.stat().st_size for file in scripts)
        print(f"{len(scripts)} scripts, {size / 1e6:.1f} MB, {os.cpu_count()} cores", flush=True)
        os.environ["TDLS_CACHE_DIR"] = str(Path(name, "cache"))
        time.sleep(UNTOUCHED)
        return measured(root, scripts)


def measured(root: Path, scripts: Sequence[Path]) -> int:
    """Check the repository again and again, and print how long it takes; return 1 if a target was missed."""
    missed = _report("nothing kept", checked(root), COLD)
    missed += _report("as it was", checked(root), CHANGED)
    for what, file in {
        "one script changed": scripts[len(scripts) // 2],
        "one TableGen file changed": sorted(root.rglob("*.td"))[-1],
        "one C++ file changed": sorted(root.rglob("*.cpp"))[-1],
    }.items():
        file.write_text(f"{file.read_text(encoding='utf-8')}// changed\n", encoding="utf-8")
        time.sleep(UNTOUCHED)
        missed += _report(what, checked(root), CHANGED)
    print(f"{missed} targets missed")
    return 1 if missed else 0


def checked(root: Path) -> Check:
    """Check the repository once, in its folder."""
    started = time.perf_counter()
    with subprocess.Popen([*TDLS, "."], cwd=root, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ACCEPTED:
        sys.exit(f"tdls ends with {process.returncode}")
    return Check(time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _report(what: str, check: Check, most: float) -> int:
    is_missed = check.wall > most or check.memory > MEMORY
    print(
        f"{what:32}{check.wall:8.2f} s (at most {most:g}){check.processor:8.2f} s of the processor"
        f"{check.memory:7.0f} MB{'  missed' if is_missed else ''}",
        flush=True,
    )
    return is_missed


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.repository", description=__doc__)
    parser.add_argument("--scripts", type=int, default=1500, help="how many scripts there are")
    parser.add_argument("--tablegen", type=int, default=500, help="how many TableGen files there are")
    parser.add_argument("--cpp", type=int, default=2000, help="how many C++ files there are")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
