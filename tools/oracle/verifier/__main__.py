"""Counts which rejections of MLIR's verifier tdls reports.

Usage, from the folder `tools`: ``python -m oracle.verifier --count 5000``; with ``--accepted 20000`` that it reports no
error of modules which MLIR accepts, with ``--upstream DIR`` which parts of the files in a folder are rejected, with
``--constraints`` each constraint that the definitions of transform operations state.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.verifier.accepted import accepted_modules, false_errors
from oracle.verifier.comparison import BINDINGS, Judged, generated, judged, shape_of, share, valid_modules
from oracle.verifier.constraints.measuring import measured, print_measured
from oracle.verifier.upstream import rejected_parts
from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.verifier.constraints.measuring import Measured


def main() -> int:
    """Print the tables; return 0 where enough is found and nothing false is said, else 1."""
    parser = argparse.ArgumentParser(prog="python -m oracle.verifier", description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="modules with a mistake")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--llvm", type=int, choices=(19, 22, BINDINGS), default=22)
    parser.add_argument("--show", type=int, default=40, help="how many kinds of misses to show")
    parser.add_argument("--kind", default="", help="only mistakes of kinds with this word")
    parser.add_argument("--example", default="", help="show the modules that MLIR rejects with this in the message")
    parser.add_argument("--messages", action="store_true", help="print each message of MLIR with how often it occurred")
    parser.add_argument("--accepted", type=int, metavar="N", help="look at N modules that MLIR accepts instead")
    parser.add_argument("--upstream", type=Path, metavar="DIR", help="look at the parts of the files in DIR instead")
    parser.add_argument("--constraints", action="store_true", help="violate each constraint of the catalogue instead")
    parser.add_argument("--only", default="", help="only constraints with this in their operation or kind")
    arguments = parser.parse_args()
    if arguments.accepted is not None:
        return _accepted(arguments.accepted, arguments.llvm, arguments.seed)
    catalogue = Catalogue.shipped().at(arguments.llvm)
    if arguments.upstream is not None:
        return _upstream(rejected_parts(arguments.upstream, catalogue, arguments.llvm))
    if arguments.constraints:
        return _constraints(measured(catalogue, arguments.llvm, arguments.only))
    modules = valid_modules(arguments.llvm)
    made = generated(modules, arguments.count, arguments.seed, catalogue, arguments.kind)
    found = judged(made, catalogue, arguments.llvm)
    if arguments.example:
        _print_examples(found, arguments.example)
        return 0
    if arguments.messages:
        _print_messages(found)
        return 0
    _print_kinds(found)
    _print_misses(found, arguments.show)
    return 0 if share(found) >= 0.97 and not any(each.is_false for each in found) else 1


def _accepted(count: int, major: int, seed: int) -> int:
    found: Counter[tuple[str, str]] = Counter()
    looked_at = 0
    for modules in accepted_modules(count, major, seed):
        found += Counter((each.error.rule, each.error.message) for each in false_errors(modules, major))
        looked_at += len(modules)
        print(f"{looked_at} modules that LLVM {major} accepts, false errors: {found.total()}", flush=True)
    for (rule, message), number in found.most_common():
        print(f"{number:>6} {rule}: {message[:150]}")
    return 1 if found else 0


def _constraints(found: Sequence[Measured]) -> int:
    print_measured(found)
    cases = [case for each in found for case in each.cases]
    return 0 if share(cases) >= 0.97 and not any(case.is_false for case in cases) else 1


def _upstream(rejected: Sequence[Judged]) -> int:
    missed = [each for each in rejected if not each.is_found]
    print(f"{len(rejected)} parts that MLIR rejects, {len(rejected) - len(missed)} reported in the operation")
    for each in missed:
        rules = ", ".join(sorted({error.rule for error in each.errors})) or "nothing"
        print(f"  {each.mistake.kind}: {each.message[:120]}   [{each.operation}; {rules} reported at other operations]")
    return 0 if share(rejected) >= 0.85 else 1


def _print_messages(found: Sequence[Judged]) -> None:
    shapes: defaultdict[str, list[Judged]] = defaultdict(list)
    for each in found:
        if each.is_rejected:
            shapes[shape_of(each.message)].append(each)
    print(f"{'reported':>9}{'of':>7}  message")
    for shape, group in sorted(shapes.items()):
        print(f"{sum(each.is_found for each in group):>9}{len(group):>7}  {shape[:150]}")


def _print_kinds(found: Sequence[Judged]) -> None:
    kinds: defaultdict[str, list[Judged]] = defaultdict(list)
    for each in found:
        for key in (each.mistake.kind, "all"):
            kinds[key].append(each)
    print(f"{'':<28}{'modules':>9}{'accepted':>10}{'false':>7}{'rejected':>10}{'found':>9}")
    for kind, group in sorted(kinds.items(), key=lambda item: (item[0] == "all", item[0])):
        rejected = sum(each.is_rejected for each in group)
        shown = f"{share(group):>9.1%}" if rejected else ""
        false = sum(each.is_false for each in group)
        print(f"{kind:<28}{len(group):>9}{len(group) - rejected:>10}{false:>7}{rejected:>10}{shown}")


def _print_misses(found: Sequence[Judged], show: int) -> None:
    missed = [each for each in found if each.is_rejected and not each.is_found]
    counted = Counter((shape_of(each.message)) for each in missed)
    print(f"\nmissed: {len(missed)}")
    for shape, count in counted.most_common(show):
        operations = Counter(each.operation for each in missed if shape_of(each.message) == shape)
        print(f"{count:>6} {shape[:150]}   [{', '.join(name for name, _ in operations.most_common(3))}]")
    false = [each for each in found if each.is_false]
    print(f"\nfalse: {len(false)}")
    for entry in false[:show]:
        print(f"  {entry.mistake.kind}: {entry.mistake.operation}: {entry.errors[0].rule}: {entry.errors[0].message}")


def _print_examples(found: Sequence[Judged], wanted: str) -> None:
    for each in found:
        said = each.message if each.is_rejected else (each.errors[0].message if each.errors else "")
        if wanted in said and not each.is_found:
            print(f"--- {each.mistake.kind}: {each.message}\n{[error.message for error in each.errors]}")
            print(each.mistake.text)


if __name__ == "__main__":
    sys.exit(main())
