"""Measure the cost of programs without scripts: ``python -m benchmarks.programs``, from the root of a checkout.

The programs are modules of Python's own library. Compared is processor time with that of reading the file. Exits with 1
when a target was missed, or when anything was found in one of them.
"""

from __future__ import annotations

import argparse
import gc
import sys
import sysconfig
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from benchmarks.lsp.table import Table, Target, percentile_95
from benchmarks.stopwatch import processor_seconds

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.programs.schedule_functions import schedule_functions
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST = Target(2.0, "ms")


def main() -> int:
    """Run the benchmark and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.programs", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many modules are looked at")
    options = parser.parse_args()
    library = Path(sysconfig.get_paths()["stdlib"])
    paths = sorted(path for path in library.rglob("*.py") if "site-packages" not in path.parts)
    chosen = paths[:: max(1, len(paths) // options.programs)][: options.programs]
    table, catalogue, found = Table(), Catalogue.shipped(), 0
    opening, reading = [], []
    gc.disable()
    for path in chosen:
        reading.append(processor_seconds(partial(_text, path)))
        text = _text(path)
        opening.append(processor_seconds(partial(_looked_at, text, catalogue)))
        found += len(_looked_at(text, catalogue))
    _tell(table, opening, reading)
    print(f"{len(chosen)} programs, {found} findings and schedules, {table.missed} targets missed")
    return 1 if table.missed or found else 0


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def _looked_at(text: str, catalogue: Catalogue) -> list[object]:
    """Do the server's work for an opened program, and return the findings."""
    file = SourceFile.of(text, catalogue, split=SplitMode.PYTHON)
    return [*findings_in_file(file), *schedule_functions(file)]


def _tell(table: Table, opening: Sequence[float], reading: Sequence[float]) -> None:
    table.seconds("a program without scripts", sum(opening) / len(opening), sum(reading) / len(reading), _LEAST)
    table.seconds("one in twenty takes longer", percentile_95(opening), percentile_95(reading))


if __name__ == "__main__":
    sys.exit(main())
