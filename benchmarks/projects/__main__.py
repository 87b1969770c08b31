"""Measure how long it takes to read a project's own definitions: ``python -m benchmarks.projects``, from the root of a
checkout.

A project is generated: 500 TableGen files (2 MB) and 2,000 C++ files. Measured are a scan without a cache, one with it
where nothing has changed, one after an edit of a leaf and one after an edit of a file that all files include; and a
running server: until it knows the operations, and how long a request waits meanwhile. Exits with 1 when a target was
missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from benchmarks.lsp.table import Table, Target
from benchmarks.projects.measures import of_scans, of_server
from benchmarks.projects.samples import write_project

COLD = Target(5000, "ms")
WARM = Target(300, "ms")
ANSWER = Target(100, "ms")


def main() -> int:
    """Run the benchmarks and return the exit status."""
    options = _options()
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        write_project(root, tablegen_files=options.tablegen, cpp_files=options.cpp)
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        scans = of_scans(root)
        print(f"{options.tablegen} TableGen files, {options.cpp} C++ files, {scans.operations} operations")
        table.seconds("  scan, nothing is kept", scans.cold, None, COLD)
        table.seconds("  scan, nothing changed", scans.warm, None, WARM)
        table.seconds("  scan after an edit of one file", scans.leaf, None)
        table.seconds("  scan after an edit of what all include", scans.base, None)
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "another cache")
        for what, targets in (("  server, nothing is kept", COLD), ("  server, nothing changed", WARM)):
            start = of_server(root)
            table.seconds(f"{what}: until operations are known", start.known, None, targets)
            table.seconds(f"{what}: longest answer meanwhile", start.longest_answer, None, ANSWER)
    print(f"{table.missed} targets missed")
    return 1 if table.missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.projects", description=__doc__)
    parser.add_argument("--tablegen", type=int, default=500, help="how many TableGen files there are")
    parser.add_argument("--cpp", type=int, default=2000, help="how many C++ files there are")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
