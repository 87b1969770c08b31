"""Measurements that import tdls into their own process: ``python -m benchmarks.compare.worker NAME SCALE``.

Prints names, values and units as JSON. Times are processor time. PYTHONPATH selects the tdls.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from benchmarks.run import payload, script
from benchmarks.stopwatch import processor_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

SEQUENCES, FUNCTIONS = 400, 800
"""Numbers of named sequences and of functions in half a megabyte."""
OPERATIONS = 1000
RUNS = 3


def main(name: str, scale: float) -> None:
    """Measure as tdls works, which collects garbage rarely, and print."""
    from tdls.system import collect_garbage_rarely

    collect_garbage_rarely()
    print(json.dumps(_MEASURES[name](scale)))


def _reading(scale: float) -> list[tuple[str, float, str]]:
    """Measure the parser, in megabytes per second."""
    from tdls.catalogue.catalogue import Catalogue
    from tdls.syntax.parser.parser import parse

    catalogue = Catalogue.shipped()
    return _rates("parse", scale, lambda text: parse(text, catalogue))


def _findings(scale: float) -> list[tuple[str, float, str]]:
    """Measure parsing and all rules together, in megabytes per second."""
    from tdls.analysis.checking.file_findings import findings_in_file
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue

    catalogue = Catalogue.shipped()
    return _rates("all findings", scale, lambda text: findings_in_file(SourceFile.of(text, catalogue)))


def _rates(what: str, scale: float, action: Callable[[str], object]) -> list[tuple[str, float, str]]:
    texts = {"script": script(int(SEQUENCES * scale) + 1), "payload": payload(int(FUNCTIONS * scale) + 1)}
    return [(f"{what}, {kind}", len(text) / 1e6 / _fastest(action, text), "MB/s") for kind, text in texts.items()]


def _fastest(action: Callable[[str], object], text: str) -> float:
    return min(processor_seconds(lambda: action(text)) for _ in range(RUNS))


def _handles(scale: float) -> list[tuple[str, float, str]]:
    """Measure the analysis of handles in scripts of each shape, in milliseconds."""
    from benchmarks.handles.measures import of_analysis
    from benchmarks.handles.samples import SHAPES

    size = int(OPERATIONS * scale) + 1
    measures = {shape.name: of_analysis(shape.write(size)) for shape in SHAPES}
    return [
        (f"handles, {name}", 1000 * min(measure() for _ in range(RUNS)), "ms") for name, measure in measures.items()
    ]


_MEASURES = {"reading": _reading, "findings": _findings, "handles": _handles}

if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
