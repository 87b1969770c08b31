"""Cases for every constraint of a version's transform operations, with MLIR's and tdls's errors for each case."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle.verifier.comparison import Judged, judged
from oracle.verifier.constraints.demands import all_constraints
from oracle.verifier.constraints.instances import instances
from oracle.verifier.constraints.violations import violations
from oracle.verifier.mistakes import Mistake

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oracle.verifier.constraints.demands import Constraint
    from oracle.verifier.constraints.instances import Instance
    from tdls.catalogue.catalogue import Catalogue

_INSTANCES = 1
"""In how many instances a constraint is violated, if there are as many."""


@dataclass
class Measured:
    """The results of the cases of one constraint."""

    constraint: Constraint
    made: int = 0
    """Number of cases; those that are not among `cases` make MLIR crash."""
    cases: list[Judged] = field(default_factory=list)

    @property
    def is_covered(self) -> bool:
        """True if MLIR rejects a case, or dies of one."""
        return self.made > len(self.cases) or any(case.is_rejected for case in self.cases)

    @property
    def missed(self) -> list[Judged]:
        """Cases that MLIR rejects, and of which tdls reports nothing in the operation."""
        return [case for case in self.cases if case.is_rejected and not case.is_found]

    @property
    def false(self) -> list[Judged]:
        """Cases that MLIR accepts, and of which tdls reports an error."""
        return [case for case in self.cases if case.is_false]


def measured(catalogue: Catalogue, major: int, word: str = "", step: int = 1) -> list[Measured]:
    """Return the findings for the cases of each constraint, or of each with `word` in its operation or kind.

    Of the constraints every `step`-th is looked at.
    """
    named = [each for each in all_constraints(catalogue, major) if word in f"{each.operation} {each.shown}"]
    chosen = named[::step]
    made = cases_of(chosen, instances(catalogue, major))
    found: defaultdict[tuple[str, str], list[Judged]] = defaultdict(list)
    for case in judged([case for cases in made.values() for case in cases], catalogue, major):
        found[case.mistake.operation, case.mistake.kind].append(case)
    return [Measured(each, len(made[each]), found[each.operation, each.shown]) for each in chosen]


def cases_of(
    constraints: Sequence[Constraint], by_name: Mapping[str, Sequence[Instance]]
) -> dict[Constraint, list[Mistake]]:
    """Return modules that may violate each constraint, in instances to which it applies."""
    return {each: _violating(each, by_name.get(each.operation, ())) for each in constraints}


def _violating(constraint: Constraint, possible: Sequence[Instance]) -> list[Mistake]:
    found: dict[str, Mistake] = {}
    used = 0
    for instance in possible:
        texts = [text for text in violations(instance, constraint) if text != instance.text]
        if not texts:
            continue
        shape = instance.operation.location.start
        for text in texts:
            place = _place_in(text, instance, shape)
            found.setdefault(text, Mistake(text, constraint.shown, constraint.operation, place))
        used += 1
        if used == _INSTANCES:
            break
    return list(found.values())


def _place_in(text: str, instance: Instance, start: int) -> int:
    """Return where the operation's name stands in a text of which something behind its beginning was changed."""
    name = instance.text[instance.operation.location.start : instance.operation.location.end]
    number = instance.text.count(name, 0, start)
    place = -1
    for _ in range(number + 1):
        following = text.find(name, place + 1)
        place = following if following >= 0 else place
    return place


def print_measured(found: Sequence[Measured]) -> None:
    """Print the counts, and the uncovered, missed and false cases, by operation and constraint."""
    cases = [case for each in found for case in each.cases]
    rejected = sum(case.is_rejected for case in cases)
    missed = sum(len(each.missed) for each in found)
    false = sum(len(each.false) for each in found)
    died = sum(each.made for each in found) - len(cases)
    print(f"{len(found)} constraints, {sum(each.is_covered for each in found)} with a case that MLIR rejects")
    print(f"{len(cases)} cases, {rejected} rejected, {rejected - missed} reported in the operation, {false} false")
    print(f"MLIR dies of {died} more")
    for each in found:
        shown = f"{each.constraint.operation}: {each.constraint.shown}"
        if not each.is_covered:
            print(f"  not covered: {shown}")
        for case in each.missed:
            print(f"  missed: {shown}: {case.message[:150]}")
        for case in each.false:
            print(f"  false: {shown}: {case.errors[0].message[:150]}")
