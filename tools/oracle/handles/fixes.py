"""Applies the first fix of certain findings about handles, and runs the scripts before and after.

Usage, from the folder `tools`: ``python -m oracle.handles.fixes --seed 1 --findings 300``; ``--show NAME`` prints the
steps of one script. Exits with 1 where too few fixes help, or one makes a handle empty.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from dataclasses import dataclass, replace
from difflib import unified_diff
from enum import Enum
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from oracle.handles.comparison import FLAGGED, Judged, judged
from oracle.handles.corpus import corpus
from oracle.handles.findings import file_of
from oracle.handles.runs import WorkEnd
from oracle.handles.scripts import handle_script
from tdls.analysis.fixing import with_tried_fixes
from tdls.ide.formatting.formatter import applied

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oracle.handles.runs import Place, Use
    from oracle.handles.scripts import HandleScript
    from tdls.text.diagnostic import Diagnostic, Fix, TextEdit

HELPING = 0.95
"""At least this share of the fixes has to put its finding right."""
_BATCH = 200
_MOST_STEPS = 6
"""Maximum number of findings of a script that are fixed, one after the other."""


class Outcome(Enum):
    """The result of a finding's fix."""

    RUNS = "the script runs"
    GOES_ON = "the run goes on, to a mistake that was there before"
    SAME = "the finding stays"
    INVALIDATES = "something else is invalidated"
    FAILS = "something else fails"
    SKIPS = "something is not executed any more"
    EMPTIES = "a handle is empty"

    @property
    def is_good(self) -> bool:
        """Whether the finding is settled, and nothing else has changed."""
        return self in (Outcome.RUNS, Outcome.GOES_ON)


class _Spelled(NamedTuple):
    """A use as it is written, which is the same wherever it stands."""

    line: str
    operand: int


@dataclass(frozen=True)
class ProbedAttempt:
    """A certain finding that the interpreter confirms, and the script after its first fix."""

    before: Judged
    finding: Diagnostic
    fix: Fix
    after: Judged

    @property
    def outcome(self) -> Outcome:
        """The result of the fix, by the run after it."""
        ran, executed = self.after.run, _executed(self.after)
        wanted = {*self._full, *self._fixed}
        if any(executed.get(use) is False for use in wanted):
            return Outcome.EMPTIES
        complained = set(_spelled(self.after, self.after.flagged))
        if ran.ending in FLAGGED:
            if complained & self._fixed:
                return Outcome.SAME
            if not complained & self._known:
                return Outcome.INVALIDATES
        elif ran.ending is not WorkEnd.SUCCESS:
            return Outcome.FAILS
        if not wanted - complained <= executed.keys():
            return Outcome.SKIPS
        return Outcome.RUNS if ran.ending is WorkEnd.SUCCESS else Outcome.GOES_ON

    @property
    def kind(self) -> str:
        """The title of the fix without the names in it."""
        return re.sub(r"`[^`]*`", "…", self.fix.title)

    @property
    def _fixed(self) -> set[_Spelled]:
        """The use that the finding is about, as the fix spells it."""
        certain = self.before.findings.certain
        return set(self._spelled(use for use in self.before.flagged if certain.get(use) == self.finding))

    @property
    def _full(self) -> set[_Spelled]:
        """The uses that were executed before with handles that stood for something."""
        return set(self._spelled(use for use, (_, full) in self.before.run.executed.items() if full))

    @property
    def _known(self) -> set[_Spelled]:
        """The uses that tdls says something of before the fix."""
        findings = self.before.findings
        return set(self._spelled((*findings.certain, *findings.possible)))

    def _spelled(self, uses: Iterable[Use]) -> Iterator[_Spelled]:
        """Yield uses in the script before the fix as that spells them."""
        for use in uses:
            if use.place[0] <= self.before.script.text.count("\n"):
                yield _Spelled(_line_after(self.before, use.place, self.fix), use.operand)
            else:
                yield from _spelled(self.before, [use])


def _line_after(judged_script: Judged, place: Place, fix: Fix) -> str:
    """Return the line at `place` as it is after `fix`, wherever it is moved."""
    text = judged_script.script.text
    start = sum(len(line) + 1 for line in text.split("\n")[: place[0] - 1])
    end = text.find("\n", start)
    inside = [edit for edit in sorted(fix.edits, key=_start) if start <= edit.span.start and edit.span.end <= end]
    line = text[start:end]
    for edit in reversed(inside):
        line = line[: edit.span.start - start] + edit.new_text + line[edit.span.end - start :]
    return line.rpartition("\n")[2].strip()


def _start(edit: TextEdit) -> int:
    return edit.span.start


def _spelled(judged_script: Judged, uses: Iterable[Use]) -> Iterator[_Spelled]:
    """Yield `uses` as they are written; only their lines distinguish those of a library."""
    script = judged_script.script
    lines = [*script.text.split("\n")[:-1], *script.library.split("\n")]
    for use in uses:
        yield _Spelled(lines[use.place[0] - 1].strip(), use.operand)


def _executed(judged_script: Judged) -> dict[_Spelled, bool]:
    """Return the uses that were executed, and whether the handle ever stood for something."""
    found: dict[_Spelled, bool] = {}
    for use, (times, full) in judged_script.run.executed.items():
        if times:
            (spelled,) = _spelled(judged_script, [use])
            found[spelled] = found.get(spelled, False) or full > 0
    return found


class _Offered(NamedTuple):
    finding: Diagnostic
    fixes: tuple[Fix, ...]


def offered(each: Judged) -> _Offered | None:
    """Return the certain finding that the interpreter confirms, with the fixes on offer; None if there is none."""
    found = sorted(use for use in each.flagged if use in each.findings.certain)
    if each.run.ending not in FLAGGED or not found:
        return None
    finding = each.findings.certain[found[0]]
    return _Offered(finding, with_tried_fixes(file_of(each.script), finding).fixes)


class Tried(NamedTuple):
    """Fixes that were tried, and how many findings had none."""

    attempts: list[ProbedAttempt]
    without: int


def attempts(scripts: Iterable[HandleScript]) -> Tried:
    """Fix one certain finding after the other in `scripts`, by its first fix, and run the changed scripts."""
    found: list[ProbedAttempt] = []
    without = 0
    todo = judged(list(scripts))
    for _ in range(_MOST_STEPS):
        fixable = [(each, offer) for each in todo if (offer := offered(each)) is not None]
        without += sum(not offer.fixes for _, offer in fixable)
        chosen = [(each, offer.finding, offer.fixes[0]) for each, offer in fixable if offer.fixes]
        after = judged([_fixed(each.script, fix) for each, _, fix in chosen])
        made = [ProbedAttempt(*before, ran) for before, ran in zip(chosen, after, strict=True)]
        found += made
        todo = [attempt.after for attempt in made if attempt.outcome.is_good]
    return Tried(found, without)


def _fixed(script: HandleScript, fix: Fix) -> HandleScript:
    return replace(script, text=applied(script.text, sorted(fix.edits, key=_start)))


def attempts_for(seed: int, findings: int) -> Tried:
    """Try fixes of the corpus of runs, and of random scripts, until there are as many `findings` with one."""
    found = attempts(corpus())
    for first in count(0, _BATCH):
        if len(found.attempts) >= findings:
            break
        more = attempts(handle_script(seed, number) for number in range(first, first + _BATCH))
        found = Tried([*found.attempts, *more.attempts], found.without + more.without)
    return Tried(found.attempts[:findings], found.without)


def print_report(tried: Tried) -> None:
    """Print counts of the findings, by outcome and by kind of fix."""
    total = len(tried.attempts)
    print(f"{total + tried.without} certain findings that a run confirms, {total} with a fix")
    outcomes = Counter(attempt.outcome for attempt in tried.attempts)
    for outcome in Outcome:
        print(f"{outcomes[outcome]:>6}  {outcomes[outcome] / max(total, 1):>6.1%}  {outcome.value}")
    kinds = Counter((attempt.kind, attempt.outcome.is_good) for attempt in tried.attempts)
    print("\nby kind of fix:")
    for kind in sorted({kind for kind, _ in kinds}):
        print(f"{kinds[kind, True]:>6} of {kinds[kind, True] + kinds[kind, False]}  {kind}")
    wrong = [attempt for attempt in tried.attempts if not attempt.outcome.is_good]
    for attempt in wrong:
        print(f"\n{attempt.before.script.name}: {attempt.outcome.value}: {attempt.finding.rule}: {attempt.fix.title}")
        print(f"    {attempt.after.run.message[:200]}")


def main() -> int:
    """Print the report, or the steps of one script; return 1 where too few fixes help or a handle becomes empty."""
    parser = argparse.ArgumentParser(prog="python -m oracle.handles.fixes", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=int, default=300, help="how many with a fix")
    parser.add_argument("--show", metavar="NAME", help="a script, by the name that the report prints")
    arguments = parser.parse_args()
    if arguments.show:
        _show(arguments.show)
        return 0
    tried = attempts_for(arguments.seed, arguments.findings)
    print_report(tried)
    good = sum(attempt.outcome.is_good for attempt in tried.attempts)
    empties = any(attempt.outcome is Outcome.EMPTIES for attempt in tried.attempts)
    return 1 if empties or good < HELPING * len(tried.attempts) else 0


def _show(name: str) -> None:
    seed, _, number = name.partition(":")
    random = [handle_script(int(seed), int(number))] if number.isdigit() else []
    for attempt in attempts([*random, *(each for each in corpus() if each.name == name)]).attempts:
        before, after = attempt.before.script.text, attempt.after.script.text
        print(f"{attempt.outcome.value}: {attempt.finding.message}\n{attempt.fix.title}\n")
        print("".join(unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), n=99)))
        print(attempt.after.run.message)


if __name__ == "__main__":
    sys.exit(main())
