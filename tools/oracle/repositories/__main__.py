"""Checks trees as their maintainers would, and asks MLIR which of the errors are false.

Usage, from the folder `tools`: ``python -m oracle.repositories DIR... [--option=--payload] [--show 3]``. Errors and
warnings are grouped by rule and shape of message. Exits with 1 where a version of MLIR accepts a text with an error.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.repositories.checked import CheckedTree, check_tree
from oracle.repositories.judged import Judged, Verdict, judged

if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> int:
    """Print groups and figures; return 1 where an error is false."""
    parser = argparse.ArgumentParser(prog="python -m oracle.repositories", description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--option", action="append", default=[], help="an option of tdls, as --option=--payload")
    parser.add_argument("--show", type=int, default=2, help="how many examples of each group to show")
    parser.add_argument("--groups", type=int, default=60, help="how many groups to show")
    parser.add_argument("--limit", type=float, default=1800, help="the seconds that a tree may take")
    parser.add_argument("--no-bindings", action="store_true", help="do not ask MLIR's Python bindings")
    arguments = parser.parse_args()
    trees = [_checked(root, arguments.option, arguments.limit) for root in arguments.trees]
    verdicts = judged(
        [finding for tree in trees if tree for finding in tree.findings], with_bindings=not arguments.no_bindings
    )
    _print_groups(verdicts, arguments.groups, arguments.show)
    for root, tree in zip(arguments.trees, trees, strict=True):
        _print_figures(root, tree, verdicts)
    return 1 if None in trees or any(verdict.verdict is Verdict.FALSE for verdict in verdicts) else 0


def _checked(root: Path, options: Sequence[str], limit: float) -> CheckedTree | None:
    """Return the findings in a tree, None if the check took too long."""
    try:
        return check_tree(root.resolve(), options, limit)
    except subprocess.TimeoutExpired:
        return None


def _print_groups(verdicts: Sequence[Judged], most: int, examples: int) -> None:
    groups: defaultdict[str, list[Judged]] = defaultdict(list)
    for verdict in verdicts:
        groups[verdict.finding.shape].append(verdict)
    ordered = sorted(groups.items(), key=lambda item: (-_false(item[1]), -len(item[1]), item[0]))
    for shape, group in ordered[:most]:
        print(f"{len(group):>6} {_false(group):>6} false  {shape}")
        shown = sorted(group, key=lambda verdict: verdict.verdict is not Verdict.FALSE)[:examples]
        for verdict in shown:
            where = f"{verdict.finding.path}:{verdict.finding.line}"
            print(
                f"{'':22}{where}: {verdict.finding.message} {f'[{verdict.accepted_by}]' if verdict.accepted_by else ''}"
            )
    if len(ordered) > most:
        print(f"{'':8}and {len(ordered) - most} groups more")


def _print_figures(root: Path, tree: CheckedTree | None, verdicts: Sequence[Judged]) -> None:
    if tree is None:
        print(f"{root}: not done in time")
        return
    inside = [verdict for verdict in verdicts if verdict.finding.path.is_relative_to(tree.root)]
    errors = sum(verdict.finding.level == "error" for verdict in inside)
    false = _false(inside)
    print(
        f"{root}: {tree.files} files, {errors} errors, {len(inside) - errors} warnings, {false} false, "
        f"{len(inside) - false} undecided, {tree.seconds:.0f} s"
    )
    if tree.complaints:
        print("\n".join(f"    {line}" for line in tree.complaints.splitlines()[-5:]))


def _false(group: Sequence[Judged]) -> int:
    return sum(verdict.verdict is Verdict.FALSE for verdict in group)


if __name__ == "__main__":
    sys.exit(main())
