"""Measures the relations of results' payload operations to those of operands and of other results.

Usage, from the folder `tools`: ``python -m oracle.handles.facts [--scripts 2000] [PART_OF_A_NAME]``. The scripts are
the corpus of runs and random ones. Of each relation that the catalogue claims, it says whether runs contradict it.

The kinds are those of `tdls.catalogue.model.RelationKind`. `replaces` is taken to hold where each is somewhere in what
an operation of the other stood in, and was not there before the transform unless as such an operation. More are
measured: `beside` (directly in what an operation of the other stood in), `new` (not there before), `apart` (neither the
same as, nor nested in, one of the other, nor the other way round).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from oracle.handles.corpus import Job, corpus_jobs
from oracle.handles.groups import sizes_of_groups
from oracle.handles.processes import Died, answers
from oracle.handles.scripts import handle_scripts
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import Arity, HandleEffect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition

_KINDS = ("same", "part-of", "whole-of", "within", "found-in", "around", "replaces", "beside", "new", "like", "apart")
_IMPLIED = {"same": {"part-of", "whole-of", "found-in", "like"}, "part-of": {"found-in"}, "within": {"found-in"}}
_REMAINS = "remains"


class Subject(NamedTuple):
    """A result of an operation, or an operand, by the name of its group and its number there."""

    group: str
    number: int | None

    def __str__(self) -> str:
        return self.group if self.number is None else f"{self.group}#{self.number}"


@dataclass
class Measured:
    """Numbers of observations of a relation, of those in which each kind held, and of their scripts."""

    looked_at: int = 0
    held: Counter[str] = field(default_factory=Counter)
    scripts: set[str] = field(default_factory=set)
    lacking: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The scripts in which a kind did not hold once."""

    def add(self, script: str, kinds: Iterable[str]) -> None:
        """Note the kinds that held once, in `script`."""
        self.looked_at += 1
        self.held.update(kinds)
        self.scripts.add(script)
        for kind in set(_KINDS) - set(kinds):
            self.lacking[kind].add(script)

    def always(self) -> list[str]:
        """Return the kinds that held in all observations, without those that others imply."""
        found = [kind for kind in _KINDS if self.held[kind] == self.looked_at]
        implied = set().union(*(_IMPLIED.get(kind, set()) for kind in found))
        return [kind for kind in found if kind not in implied]


Key = tuple[str, Subject, Subject]
"""An operation, one of its results, and an operand or another result."""


def jobs(count: int, seed: int) -> list[Job]:
    """Return the corpus and `count` random scripts."""
    return [*corpus_jobs(), *(Job(script.name, script.text) for script in handle_scripts(seed, count))]


def measured(todo: Sequence[Job]) -> dict[Key, Measured]:
    """Run scripts and return the measured relations."""
    found: defaultdict[Key, Measured] = defaultdict(Measured)
    reads = _reads()
    asked = [{"text": job.text, "entry_point": job.entry_point, "reads": reads} for job in todo]
    for job, observations in zip(todo, answers("facts_worker", asked), strict=True):
        for observation in () if isinstance(observations, Died) else observations:
            for key, kinds in _relations(observation):
                found[key].add(job.name, kinds)
    return found


def _reads() -> dict[str, list[tuple[bool, bool]]]:
    """Return of the groups of operands of each operation whether there is one in it, and whether it is only read."""
    catalogue = Catalogue.shipped()
    definitions = filter(None, map(catalogue.operation, catalogue.operation_names("transform")))
    return {
        definition.name: [
            (group.arity is Arity.ONE, group.effect is HandleEffect.READS and not group.effect_when)
            for group in definition.operands
        ]
        for definition in definitions
    }


def _relations(observation: Mapping[str, Any]) -> Iterator[tuple[Key, Sequence[str]]]:
    name = observation["operation"]
    definition = Catalogue.shipped().operation(name)
    if definition is None:
        return
    segments = observation["segments"]
    operands, results = (
        _Groups(definition.operands, segments["operands"]),
        _Groups(definition.results, segments["results"]),
    )
    for index, other, kinds in observation["operands"]:
        yield (name, results.subject(index), operands.subject(other)), kinds
    for index, other, kinds in observation["results"]:
        yield (name, results.subject(index), results.subject(other)), kinds
    for index, remains in observation["remaining"]:
        yield (name, operands.subject(index), operands.subject(index)), [_REMAINS] if remains else []


class _Groups:
    """The groups that the operands or results of one operation belong to."""

    def __init__(self, groups: Sequence[OperandDefinition | ResultDefinition], sizes: Sequence[int]) -> None:
        """`sizes` are those of the groups, or only how many there are in all."""
        sizes = sizes_of_groups([group.arity is Arity.ONE for group in groups], sizes)
        self._subjects = [
            Subject(group.name, number if group.arity is Arity.VARIADIC else None)
            for group, size in zip(groups, sizes, strict=True)
            for number in range(size)
        ]

    def subject(self, index: int) -> Subject:
        return self._subjects[index] if index < len(self._subjects) else Subject("?", index)


class Contradiction(NamedTuple):
    """A relation of the catalogue that did not hold in some scripts."""

    key: Key
    kind: str
    scripts: frozenset[str]

    def __str__(self) -> str:
        operation, subject, other = self.key
        return f"{operation}: {subject} {self.kind} {other}: not in {len(self.scripts)} scripts ({min(self.scripts)})"


def contradictions(found: Mapping[Key, Measured], todo: Sequence[Job]) -> list[Contradiction]:
    """Return the relations of the catalogue that the runs of `todo`, of which this was `found`, contradict.

    Contradicted relations are measured again: now and then, a new operation has the address of an erased one.
    """
    suspects = list(_suspects(found))
    names = {name for suspect in suspects for name in suspect.scripts}
    again = {suspect[:2] for suspect in _suspects(measured([job for job in todo if job.name in names]))}
    return [suspect for suspect in suspects if suspect[:2] in again]


def _suspects(found: Mapping[Key, Measured]) -> Iterator[Contradiction]:
    for key, each in found.items():
        operation, subject, other = key
        definition = Catalogue.shipped().operation(operation)
        for result in definition.results if definition is not None else ():
            for relation in result.relations:
                is_meant = (subject.group, other.group) == (result.name, relation.other) and subject != other
                is_successor = (subject.number or 0) == (other.number or 0) + 1
                lacking = each.lacking.get(relation.kind.value)
                if is_meant and lacking and (is_successor or result.name != relation.other):
                    yield Contradiction(key, relation.kind.value, frozenset(lacking))


def _print_table(found: Mapping[Key, Measured], part_of_name: str) -> None:
    for name in sorted({name for name, _, _ in found}):
        if part_of_name not in name:
            continue
        print(name)
        for (_, subject, other), each in sorted((key, each) for key, each in found.items() if key[0] == name):
            shown = _shown_remaining(each) if subject == other else ", ".join(each.always()) or _shown_mixture(each)
            print(f"    {f'{subject} : {other}':<44} {shown}  ({each.looked_at} in {len(each.scripts)} scripts)")


def _shown_remaining(each: Measured) -> str:
    return f"still there in {each.held[_REMAINS]} of {each.looked_at}"


def _shown_mixture(each: Measured) -> str:
    kinds = (f"{kind} {each.held[kind]}" for kind in _KINDS if each.held[kind])
    return f"nothing always; {', '.join(kinds)}"


def _print_unmeasured(found: Iterable[Key], part_of_name: str) -> None:
    seen = {name for name, _, _ in found}
    catalogue = Catalogue.shipped()
    names = [name for name in catalogue.operation_names("transform") if part_of_name in name]
    missing = [
        name
        for name in names
        if name not in seen and (definition := catalogue.operation(name)) and _makes_handles(definition)
    ]
    print(f"\nnot measured: {', '.join(missing) or 'none'}")


def _makes_handles(definition: OperationDefinition) -> bool:
    return any("Param" not in result.constraint for result in definition.results)


def main() -> int:
    """Print the table and the contradictions; return 1 where there is one."""
    parser = argparse.ArgumentParser(prog="python -m oracle.handles.facts", description=__doc__)
    parser.add_argument("part_of_name", nargs="?", default="")
    parser.add_argument("--scripts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    todo = jobs(arguments.scripts, arguments.seed)
    found = measured(todo)
    _print_table(found, arguments.part_of_name)
    _print_unmeasured(found, arguments.part_of_name)
    contradicted = [each for each in contradictions(found, todo) if arguments.part_of_name in each.key[0]]
    print(f"\nrelations of the catalogue that runs contradict: {len(contradicted)}")
    for each in contradicted:
        print(f"    {each}")
    return 1 if contradicted else 0


if __name__ == "__main__":
    sys.exit(main())
