"""Attacks tdls with texts, files and folders that grow, and prints its time and memory.

Usage, from the folder `tests`: ``python -m soak.attack``, with parts of names to try only some. Each attack is checked
at a size n where the work can be measured and at 2n, and opened in a server at 2n. Exits with 1 when the time grows by
more than 2.3, a process takes more than 1 GB, an answer takes more than 2 s, hovers over another document take longer
than 100 ms more than once in 20 times, or anything ends in a way that it should not. Attacks that are generated from
the grammars are put to each reader and each editor feature by itself, at n, 2n and 4n (``--generated``: no others).
Tools of assistants are called with arguments that grow. No process and no temporary file may stay.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NamedTuple

from soak.attack.assistants import CALLS, problems_of_tools
from soak.attack.checking import MOST_GROWTH, CheckBench, Growth
from soak.attack.generated import GENERATED
from soak.attack.meaning import MEANING
from soak.attack.projects import PROJECTS
from soak.attack.readers import read_again
from soak.attack.serving import Service, serve
from soak.attack.shapes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from soak.attack.assistants import Call
    from soak.attack.model import Attack

ATTACKS: tuple[Attack, ...] = (*SHAPES, *MEANING, *PROJECTS)
_MOST_MEMORY = 1 << 30
_LONGEST_ANSWER = 2.0
_LONGEST_OTHER = 0.1
_EXPECTED_STATUS = (0, 1, 2)


class _Result(NamedTuple):
    attack: Attack
    growth: Growth
    service: Service | None

    def problems(self) -> list[str]:
        """Return the problems, in words."""
        return [*_check_problems(self.growth), *_service_problems(self.service)]


def _check_problems(growth: Growth) -> list[str]:
    worst = growth.worst
    problems = []
    if growth.factor is not None and growth.factor > MOST_GROWTH:
        problems.append(f"time grows by {growth.factor:.1f}")
    if worst.memory > _MOST_MEMORY:
        problems.append(f"{worst.memory / 1e6:,.0f} MB")
    problems += (f"the check leaves {each}" for each in (*growth.first.left, *worst.left))
    if worst.status is None:
        problems.append("the check does not end")
    elif worst.status not in _EXPECTED_STATUS:
        problems.append(f"exit status {worst.status}: {worst.complaint.strip()[-300:]}")
    return problems


def _service_problems(service: Service | None) -> list[str]:
    if service is None:
        return []
    problems = []
    if service.longest > _LONGEST_ANSWER:
        problems.append(f"{service.method} takes {service.longest:.1f} s")
    if service.other > _LONGEST_OTHER:
        problems.append(f"hovers in another document take {1000 * service.other:.0f} ms")
    if service.memory > _MOST_MEMORY:
        problems.append(f"the server has {service.memory / 1e6:,.0f} MB")
    problems += (f"the server leaves {each}" for each in service.left)
    if service.complaint:
        problems.append(f"the server complains: {service.complaint}")
    return problems


def _row(result: _Result) -> str:
    growth, service = result.growth, result.service
    factor = f"{growth.factor:6.2f}" if growth.factor is not None else "     -"
    seconds = f"{growth.first.seconds:7.2f} {growth.worst.seconds:7.2f} {factor}"
    served = f"{service.longest:7.2f} {1000 * service.other:7.0f}" if service is not None else f"{'':15}"
    memory = max(growth.worst.memory, service.memory if service is not None else 0) / 1e6
    return f"{result.attack.name:50} {growth.size:8} {seconds} {served} {memory:6.0f}"


def main() -> int:
    """Try the attacks, print a row for each, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m soak.attack", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of the attacks to try, instead of all")
    parser.add_argument("--no-server", action="store_true", help="check only")
    parser.add_argument("--generated", action="store_true", help="only what is generated from the grammars")
    options = parser.parse_args()
    failed = _try_generated(_chosen(GENERATED, options.names))
    if options.generated:
        return 1 if failed else 0
    failed += _try_tools([call for call in CALLS if not options.names or any(p in call.name for p in options.names)])
    chosen = _chosen(ATTACKS, options.names)
    print(f"{'':50} {'n':>8} {'n in s':>7} {'2n in s':>7} {'growth':>6} {'answer':>7} {'other':>7} {'MB':>6}")
    results = []
    with CheckBench() as bench:
        for attack in chosen:
            growth = bench.growth(attack)
            service = None if options.no_server else serve(attack.files(2 * growth.size))
            results.append(_Result(attack, growth, service))
            print(_row(results[-1]), *(f"\n    {problem}" for problem in results[-1].problems()), flush=True)
    return _summary(results) or (1 if failed else 0)


def _chosen(attacks: Iterable[Attack], names: Sequence[str]) -> list[Attack]:
    return [attack for attack in attacks if not names or any(part in attack.name for part in names)]


def _try_generated(attacks: Sequence[Attack]) -> int:
    """Run attacks on each reader and feature, print the problems, and return the number of failures."""
    longest, growth, failed = 0.0, 0.0, 0
    for attack in attacks:
        found = read_again(attack)
        longest, growth = max(longest, found.longest), max(growth, found.growth)
        if found.problems:
            failed += 1
            print(attack.name, *(f"\n    {problem}" for problem in found.problems), flush=True)
    print(f"{len(attacks)} generated attacks, {failed} failed, largest growth {growth:.2f}, longest {longest:.2f} s")
    return failed


def _try_tools(calls: Sequence[Call]) -> int:
    """Call tools of assistants, print the problems, and return their number."""
    problems = problems_of_tools(calls) if calls else []
    print(*problems, f"{len(calls)} calls of tools with arguments that grow, {len(problems)} problems", sep="\n")
    return len(problems)


def _summary(results: list[_Result]) -> int:
    factors = [result.growth.factor for result in results if result.growth.factor is not None]
    answers = [result.service.longest for result in results if result.service is not None]
    failed = [result.attack.name for result in results if result.problems()]
    print(f"{len(results)} attacks, {len(factors)} of them measurable, largest growth {max(factors, default=0.0):.2f}")
    if answers:
        asked = sum(result.service.answers for result in results if result.service is not None)
        print(f"{asked:,} answers, the longest after {max(answers):.2f} s")
    print(f"{len(failed)} failed" + (f": {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
