"""Measure a revision and the working tree in turn: ``python -m benchmarks.compare REV``, from the root of a checkout.

Needs a Python with the development tools of tdls. Both are measured by the benchmarks of the working tree, with the
same Python and the same dependencies, one after the other in every round, so that other load on the machine slows
both. Printed are the medians, and by how much the working tree is better: the median of all rounds, with the least and
the greatest. A message names measures that one of them cannot run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from benchmarks.compare.measures import MEASURES
from benchmarks.compare.rounds import HEADER, compare
from benchmarks.compare.sides import RevisionError, installed, of_revision, of_working_tree


def main() -> int:
    """Measure both sides as the command line says and return the exit status."""
    options = _options()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        try:
            before = of_revision(options.revision, folder / "before")
        except RevisionError as error:
            print(error, file=sys.stderr)
            return 2
        after = folder / "after"
        other = installed(options.installed, after) if options.installed else of_working_tree(after)
        print(HEADER.format("what", before.name, other.name, "better by"))
        for measure in MEASURES:
            if not options.only or measure.name in options.only:
                rows = compare(measure, (before, other), folder / measure.name, options.scale, options.rounds)
                print(*rows, sep="\n", flush=True)
    return 0


def _options() -> argparse.Namespace:
    names = [measure.name for measure in MEASURES]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    parser.add_argument("revision", metavar="REV", help="the commit, branch or tag to compare with")
    parser.add_argument("--only", metavar="NAME", action="append", choices=names, help=f"one of {', '.join(names)}")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default: %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="the part of the size of all samples that is taken")
    parser.add_argument(
        "--installed", metavar="PYTHON", help="compare with the tdls that is installed for this Python, such as a wheel"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
