"""``python -m oracle.builders``: compares lines of operations and mistakes in tdls with those in the programs."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from oracle.builders.comparison import compared
from oracle.builders.programs import programs

_BATCH = 20
_ENOUGH = 0.99


def main() -> int:
    """Generate programs, compare, print a table; return 1 if less than 99 % of the operations agree."""
    parser = argparse.ArgumentParser(prog="python -m oracle.builders", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many programs are generated")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--package", default="torch_mlir", help="the Python package with MLIR's bindings")
    options = parser.parse_args()
    generated = programs(options.count, options.seed, options.package)
    operations, same, kinds, right = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    reported_differently = 0
    for start in range(0, len(generated), _BATCH):
        with tempfile.TemporaryDirectory() as folder:
            found = compared(generated[start : start + _BATCH], Path(folder).resolve(), options.package)
        operations += found.operations
        same += found.same
        kinds += found.programs
        right += found.found
        reported_differently += found.reported_differently
        sys.stdout.writelines(f"{difference}\n" for difference in found.differences)
    for style, count in operations.items():
        sys.stdout.write(f"{style:20} {same[style]:6} of {count:6} operations at the line that Python says\n")
    total, agreed = sum(operations.values()), sum(same.values())
    sys.stdout.write(f"{'all':20} {agreed:6} of {total:6}\n")
    for kind, count in kinds.items():
        sys.stdout.write(
            f"{kind:25} {right[kind]:6} of {count:6} programs have findings at the mistake, and no others\n"
        )
    sys.stdout.write(f"{reported_differently} findings are not those of the printed script at the lines of Python\n")
    return int(agreed < _ENOUGH * total or right != kinds or reported_differently > 0)


if __name__ == "__main__":
    sys.exit(main())
