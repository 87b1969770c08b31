"""Compares the modules that tdls parses with those that MLIR parses, over the whole corpus or a part of it.

Usage, from the folder `tools`: ``python -m oracle.parse --modules 2000``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle.bindings import shapes
from oracle.compare import Difference, compare
from oracle.corpus import corpus
from oracle.from_tree import from_tree
from oracle.generic_form import PRINT_OPTIONS, mark_elidable, read_generic
from oracle.tools import run
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.corpus import CorpusModule
    from oracle.structure import OperationShape


@dataclass
class Verdict:
    """The result for one module: differences, syntax problems (message and place), and the accepted differences.

    `inexact` are upstream's transform operations in custom form that tdls did not read by their format.
    """

    module: CorpusModule
    operations: int = 0
    differences: list[Difference] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    inexact: list[str] = field(default_factory=list)
    allowed: Counter[str] = field(default_factory=Counter)

    @property
    def clean(self) -> bool:
        """Say whether tdls and MLIR agree."""
        return not self.findings()

    def findings(self) -> list[str]:
        """Return everything that is wrong, as text."""
        inexact = (f"{name} is not read by its format" for name in self.inexact)
        return [*self.problems, *map(str, self.differences), *inexact]


def verdicts(modules: Sequence[CorpusModule], *, bindings: bool = False) -> list[Verdict]:
    """Parse `modules` with both; modules that MLIR does not read back are left out.

    With `bindings` MLIR is that of the Python bindings, else `mlir-opt`.
    """
    catalogue = Catalogue.shipped()
    texts = [module.text for module in modules]
    found = []
    for module, expected in zip(modules, shapes(texts) if bindings else printed_shapes(texts), strict=True):
        if expected is not None:
            mark_elidable(expected, explicit_locations=module.explicit_locations)
            found.append(_verdict(module, expected, catalogue))
    return found


def printed_shapes(texts: Sequence[str]) -> list[OperationShape | None]:
    """Return the output of `mlir-opt` for each module, None where it rejects it."""
    outcomes = run(texts, "--allow-unregistered-dialect", *PRINT_OPTIONS)
    return [
        read_generic(outcome.text, outcome.first_line) if outcome.text is not None else None for outcome in outcomes
    ]


def _verdict(module: CorpusModule, expected: OperationShape, catalogue: Catalogue) -> Verdict:
    tree = parse(module.text, catalogue)
    comparison = compare(expected, from_tree(tree))
    problems = []
    for problem in tree.problems():
        start = problem.start
        line = module.text.count("\n", 0, start) + 1
        problems.append(f"{line}: {problem.message}")
    inexact = [
        operation.name
        for operation in tree.walk()
        if operation.form is Form.STRUCTURAL and operation.name.startswith("transform.")
    ]
    counts = (comparison.operations, comparison.differences, problems, inexact, comparison.allowed)
    return Verdict(module, *counts)


def main() -> int:
    """Print the counts; return 0 where there is no difference, else 1."""
    parser = argparse.ArgumentParser(prog="python -m oracle.parse", description=__doc__)
    parser.add_argument("--modules", type=int, help="how many modules, all by default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=10, help="how many modules with differences to show")
    parser.add_argument("--bindings", action="store_true", help="compare with MLIR's Python bindings")
    arguments = parser.parse_args()
    found = verdicts(corpus(arguments.seed)[: arguments.modules], bindings=arguments.bindings)
    _print_table(found)
    _print_categories(found)
    bad = [verdict for verdict in found if not verdict.clean]
    for verdict in bad[: arguments.show]:
        print(f"\n--- {verdict.module.title} ({verdict.module.kind})")
        for line in verdict.findings()[:3]:
            print(f"    {line}")
    return 1 if bad else 0


def _print_table(found: Sequence[Verdict]) -> None:
    rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for verdict in found:
        for kind in (verdict.module.kind, "all"):
            rows[kind].update(
                modules=1,
                operations=verdict.operations,
                differing=bool(verdict.differences),
                problems=bool(verdict.problems),
                inexact=len(verdict.inexact),
            )
    columns = ("modules", "operations", "differing", "problems", "inexact")
    print("".join(f"{column:>12}" for column in columns) + "  kind")
    for kind, row in sorted(rows.items()):
        print(f"{row['modules']:>8} {row['operations']:>10} {row['differing']:>9} {row['problems']:>20}  {kind}")


def _print_categories(found: Sequence[Verdict]) -> None:
    differences = Counter(difference.kind for verdict in found for difference in verdict.differences[:1])
    print("\nfirst differences by kind:", dict(differences) or "none")
    allowed: Counter[str] = Counter()
    for verdict in found:
        allowed.update(verdict.allowed)
    print("not written in the text, or not compared in order:")
    for reason, count in allowed.most_common():
        print(f"{count:>8}  {reason}")


if __name__ == "__main__":
    sys.exit(main())
