"""Compares the findings of tdls about handles with the interpreter's diagnostics, over random scripts.

Usage, from the folder `tools`: ``python -m oracle.handles --seed 1 --scripts 5000``; ``--show 1:17`` prints script 17
of seed 1 with the results of both, ``--reduce 1:17`` deletes from it first all that a mismatch does not need.
``1:17/2`` is the same script on the third of its other payloads. Exits with 1 where a mismatch is none of the known
cases.
"""

from __future__ import annotations

import argparse
import sys

from oracle.handles.comparison import judged
from oracle.handles.corpus import corpus
from oracle.handles.doubts import doubts
from oracle.handles.reduction import reduced
from oracle.handles.report import (
    print_cases,
    print_failures,
    print_mismatches,
    print_other_payloads,
    print_script,
    print_table,
)
from oracle.handles.scripts import HandleScript, handle_script, handle_scripts
from oracle.handles.variants import variants


def main() -> int:
    """Print the table, or one script; return 1 where a mismatch is not explained."""
    parser = argparse.ArgumentParser(prog="python -m oracle.handles", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scripts", type=int, default=1000)
    parser.add_argument("--payloads", type=int, default=0, help="on how many other payloads each script is run as well")
    parser.add_argument(
        "--doubts", action="store_true", help="find out why what fails is only held possible: takes long"
    )
    parser.add_argument("--limit", type=int, default=20, help="how many kinds of mismatches to show")
    parser.add_argument("--show", metavar="SEED:NUMBER", type=_named)
    parser.add_argument("--corpus", action="store_true", help="take the corpus of runs instead of random scripts")
    parser.add_argument("--reduce", metavar="SEED:NUMBER", type=_named)
    arguments = parser.parse_args()
    if arguments.show or arguments.reduce:
        print_script(reduced(arguments.reduce) if arguments.reduce else judged([arguments.show])[0])
        return 0
    results = judged(corpus() if arguments.corpus else handle_scripts(arguments.seed, arguments.scripts))
    print_table(results)
    print_mismatches(results, arguments.limit)
    print_failures(results, arguments.limit)
    elsewhere = [variant for each in results for variant in variants(each.script, arguments.payloads)]
    false = print_other_payloads(judged(elsewhere)) if elsewhere else []
    unknown = [*false, *print_cases(results, doubts(results) if arguments.doubts else {})]
    if unknown:
        hint = "" if arguments.corpus else f" See `python -m oracle.handles --reduce {unknown[0]}`."
        print(f"\nNot explained: {len(unknown)}.{hint}")
    return 1 if unknown else 0


def _named(name: str) -> HandleScript:
    script, _, variant = name.partition("/")
    seed, _, number = script.partition(":")
    own = handle_script(int(seed), int(number))
    return list(variants(own, int(variant) + 1))[-1] if variant else own


if __name__ == "__main__":
    sys.exit(main())
