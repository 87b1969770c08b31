"""Compares the findings of tdls about handles in long schedules with the interpreter's diagnostics.

Usage, from the folder `tools`: ``python -m oracle.handles.schedules --seed 1 --scripts 2000``; ``--show 1:17`` prints
schedule 17 of seed 1 with the results of both, ``--reduce 1:17`` deletes from it first all that a mismatch does not
need. Exits with 1 where something certain is said of a schedule that runs.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter

from oracle.handles.comparison import REJECTED, Judged, Kind, judged
from oracle.handles.reduction import reduced
from oracle.handles.report import print_failures, print_script
from oracle.handles.runs import Use, WorkEnd
from oracle.handles.schedules.schedules import judged_schedules, schedules

_RUNNING = (WorkEnd.SUCCESS, WorkEnd.STALE_YIELD)
_OPERATION = re.compile(
    r"transform\.(?!any_|op<|param<|type|readonly|consumed|with_named|named_sequence|yield)([a-z_0-9.]+)"
)


def main() -> int:
    """Print the counts, and each mismatch by its kind; return 1 where something is said wrongly."""
    parser = argparse.ArgumentParser(prog="python -m oracle.handles.schedules", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scripts", type=int, default=2000)
    parser.add_argument("--show", metavar="SEED:NUMBER")
    parser.add_argument("--reduce", metavar="SEED:NUMBER")
    arguments = parser.parse_args()
    if arguments.show or arguments.reduce:
        seed, _, number = (arguments.show or arguments.reduce).partition(":")
        script = next(each for each in schedules(int(seed), int(number) + 1) if each.name == f"{seed}:{number}")
        print_script(judged([script])[0] if arguments.show else reduced(script))
        return 0
    results = judged_schedules(arguments.seed, arguments.scripts)
    _print_outcomes(results)
    _print_rejected(results)
    return 1 if _print_running(results) else 0


def operations_of(each: Judged) -> list[str]:
    """Return the names of the operations of a schedule, bodies and callees included."""
    return _OPERATION.findall(each.script.text)


def _print_outcomes(results: list[Judged]) -> None:
    endings = Counter(each.run.ending.value for each in results)
    operations = Counter(name for each in results for name in operations_of(each))
    depth = sum(operations.values()) / max(len(results), 1)
    print(f"{len(results)} schedules: {', '.join(f'{name} {count}' for name, count in endings.most_common())}")
    print(f"operations in one, on average: {depth:.1f}; different ones: {len(operations)}")
    print_failures(results, 10)


def _print_rejected(results: list[Judged]) -> None:
    flagged = [each for each in results if each.run.ending in REJECTED]
    print("\n" + " " * 28 + "rejected   certain  possible    missed  certain or possible")
    for ending in REJECTED:
        _print_row(ending.value, [each for each in flagged if each.run.ending is ending])
    _print_row("all", flagged)
    _print_kinds("missed", [(each.kind_of_miss(), each) for each in flagged if each.is_missed])
    _print_kinds("only held possible", [(each.kind_of_miss(), each) for each in flagged if each.is_possible])


def _print_row(title: str, results: list[Judged]) -> None:
    certain = sum(each.is_certain for each in results)
    possible = sum(each.is_possible for each in results)
    counts = f"{len(results):>8} {_share(certain, results)} {possible:>9} {len(results) - certain - possible:>9}"
    print(f"{title:<28}{counts} {_share(certain + possible, results):>20}")


def _print_running(results: list[Judged]) -> bool:
    """Print the findings in schedules that run; return whether a certain one is false."""
    fine = [each for each in results if each.run.ending in _RUNNING]
    lies = lies_about_running(results)
    lied_about = [each for each in fine if any(each is other for other, _ in lies)]
    doubted = [each for each in fine if each.findings.possible]
    print(f"\nschedules that run: {len(fine)}")
    print(f"something certain: {len(lied_about)} ({_share(len(lied_about), fine).strip()})")
    print(f"something possible: {len(doubted)} ({_share(len(doubted), fine).strip()})")
    _print_kinds("certain", [(each.kind_of_false(use), each) for each, use in lies])
    other = [
        (each.kind_of_false(use), each) for each in results if each.run.ending not in _RUNNING for use in each.false()
    ]
    _print_kinds("certain, and executed where something else fails", other)
    _print_kinds("possible", [(each.kind_of_false(use), each) for each in doubted for use in each.findings.possible])
    rules = Counter(found.rule for each in results for found in each.false_others())
    print(f"\nerrors and warnings of other rules about operations that were executed: {dict(rules)}")
    return bool(lied_about or other)


def _is_also_warned_of(each: Judged, use: Use) -> bool:
    """Whether it is a stale handle that is yielded, and MLIR's own pass warns of it as well."""
    return use in each.flagged and each.run.ending is WorkEnd.STALE_YIELD and use in each.run.warnings


def lies_about_running(results: list[Judged]) -> list[tuple[Judged, Use]]:
    """Return the uses that something certain is said about in schedules that run."""
    fine = (each for each in results if each.run.ending in _RUNNING)
    return [(each, use) for each in fine for use in each.findings.certain if not _is_also_warned_of(each, use)]


def _print_kinds(title: str, found: list[tuple[Kind, Judged]]) -> None:
    kinds: dict[Kind, list[Judged]] = {}
    for kind, each in found:
        kinds.setdefault(kind, []).append(each)
    if kinds:
        print(f"\n{title} (what made the handle | what made the one that was consumed | what consumed that):")
    for kind, several in sorted(kinds.items(), key=lambda entry: -len(entry[1]))[:25]:
        print(f"{len(several):>6}  {kind}  ({', '.join(each.script.name for each in several[:3])})")


def _share(part: int, whole: list[Judged]) -> str:
    return f"{100 * part / len(whole):7.1f} %" if whole else "      -"


if __name__ == "__main__":
    sys.exit(main())
