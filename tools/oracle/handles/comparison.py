"""Compares the interpreter's diagnostics with findings before a run: those of tdls, and of MLIR's own pass."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from oracle.handles.cases import Case
from oracle.handles.findings import findings
from oracle.handles.runs import Run, Use, Watched, WorkEnd, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from oracle.handles.findings import Findings
    from oracle.handles.runs import Place
    from oracle.handles.scripts import HandleScript
    from tdls.text.diagnostic import Diagnostic

FLAGGED = (WorkEnd.INVALIDATED, WorkEnd.REPEATED, WorkEnd.STALE_YIELD)
"""The endings for which there is a use that something should be said of."""
REJECTED = (WorkEnd.INVALIDATED, WorkEnd.REPEATED)
"""Those that the interpreter itself reports; it does not check yielded handles."""
NO_OPS = frozenset({"finds-nothing", "dead-arm"})
"""Rules about operations that do nothing: no run complains of these."""
_LATER = "in an earlier iteration"
_SILENCEABLE = "repeated-payload-operation"


class Way(Enum):
    """The relation of an invalidated handle to the consumed one."""

    SAME_HANDLE = "the handle itself"
    SAME_PAYLOAD = "a handle to the same"
    NESTED = "a handle to what is around"
    ITSELF = "one beside it"
    REPEATED = "one operation twice"


class Kind(NamedTuple):
    """A kind of mismatch: the names of the operations that made the handle, made the consumed one, and consumed it."""

    definition: str
    consumed: str
    consumer: str

    def __str__(self) -> str:
        return f"{self.definition} | {self.consumed} | {self.consumer}"


@dataclass(frozen=True)
class Judged:
    """One script with the run of the interpreter and the findings of tdls."""

    script: HandleScript
    run: Run
    findings: Findings

    @property
    def flagged(self) -> frozenset[Use]:
        """The uses, of which the interpreter means one."""
        return self.run.flag.uses if self.run.flag is not None else frozenset()

    @property
    def way(self) -> Way | None:
        """The relation of the handle in the interpreter's diagnostic to the consumed one; None without a diagnostic."""
        flag = self.run.flag
        if flag is None:
            return None
        if flag.consumed is None:
            return Way.REPEATED if self.run.ending is WorkEnd.REPEATED else Way.SAME_HANDLE
        values = {self.findings.values.get(use) for use in flag.uses}
        if self.findings.values.get(flag.consumed) in values:
            return Way.SAME_HANDLE
        if any(use.place == flag.consumed.place for use in flag.uses):
            return Way.ITSELF
        return Way.NESTED if flag.is_nested else Way.SAME_PAYLOAD

    @property
    def is_certain(self) -> bool:
        """Whether tdls has an error or a warning for the use in the interpreter's diagnostic."""
        return not self.flagged.isdisjoint(self.findings.certain)

    @property
    def is_possible(self) -> bool:
        """Whether tdls has a hint only for the use in the interpreter's diagnostic."""
        return not self.is_certain and not self.flagged.isdisjoint(self.findings.possible)

    def unseen(self) -> Judged:
        """Return the same for a script whose payload tdls does not see."""
        return replace(self, findings=findings(self.script.on_payload("")))

    @property
    def is_missed(self) -> bool:
        """Whether the interpreter complains of something that tdls does not mention."""
        return self.run.ending in FLAGGED and not self.is_certain and not self.is_possible

    @property
    def is_warned_of(self) -> bool:
        """Whether ``transform-dialect-check-uses`` warns of the use in the interpreter's diagnostic."""
        return not self.flagged.isdisjoint(self.run.warnings)

    def false(self) -> list[Use]:
        """Return the uses that tdls is certain of, and that were executed with handles that stood for something."""
        return [use for use, case in self.contradicted().items() if case is None]

    def contradicted(self) -> dict[Use, Case | None]:
        """Return the uses that tdls is certain of, and the run did not complain of, with the case if that is known."""
        return {use: self._case(use) for use in self._contradicted(self.findings.certain)}

    def false_others(self) -> list[Diagnostic]:
        """Return the errors and warnings of other rules about operations that were executed and did not fail.

        Findings about operations without an effect do not count: no run has an error for these.
        """
        if self.run.ending is WorkEnd.CRASH:
            return []
        executed: set[Place | None] = {use.place for use, (count, _) in self.run.executed.items() if count}
        executed -= {self.run.failed_at}
        return [found for place, found in self.findings.other if place in executed and found.rule not in NO_OPS]

    def false_warnings(self) -> list[Use]:
        """Return the uses that ``transform-dialect-check-uses`` warns of wrongly."""
        return self._contradicted(self.run.warnings)

    def possible_but_fine(self) -> list[Use]:
        """Return the uses that tdls holds possible, and that were executed with handles that stood for something."""
        return self._contradicted(self.findings.possible)

    def is_foreseen(self, found: Mapping[Use, object]) -> bool:
        """Whether `found` has a use of which MLIR may have crashed."""
        return self.run.ending is WorkEnd.CRASH and not found.keys().isdisjoint(self.run.executed)

    def _contradicted(self, uses: Iterable[Use]) -> list[Use]:
        if self.run.ending is WorkEnd.CRASH:
            return []
        return sorted(use for use in uses if self.run.executed.get(use, (0, 0))[1] and use not in self.flagged)

    def _case(self, use: Use) -> Case | None:
        if self.findings.certain[use].rule == _SILENCEABLE and use.place in self.findings.silenced:
            return Case.SILENCED
        if _LATER in self.findings.certain[use].message and self.run.ending is not WorkEnd.SUCCESS:
            return Case.LATER
        consumers = self.findings.consumers.get(use, frozenset())
        if self.findings.consumed_in.get(use, set()) - {self.findings.sequences.get(use.place)}:
            return Case.BLIND
        return Case.EMPTY if any(self._had_empty_handles(place) for place in consumers) else None

    def _had_empty_handles(self, place: tuple[int, int]) -> bool:
        counts = [counts for use, counts in self.run.executed.items() if use.place == place]
        return any(full < executed for executed, full in counts)

    def kind_of_miss(self) -> Kind:
        """Return the kind of a missed use."""
        flag = self.run.flag
        assert flag is not None
        definition = self._definition(min(flag.uses, default=None))
        if flag.consumed is None:
            return Kind(definition, self.run.ending.value, self._name(min(flag.uses).place))
        return Kind(definition, self._definition(flag.consumed), self._name(flag.consumed.place))

    def kind_of_false(self, use: Use) -> Kind:
        """Return the kind of a false alarm."""
        places = self.findings.consumers.get(use, frozenset())
        names = sorted({self._name(place) for place in places if place != use.place} - {"?"})
        return Kind(self._definition(use), "?", "|".join(names) or self._name(use.place))

    def kind_of_crash(self) -> Kind:
        """Return where MLIR crashed."""
        return Kind("?", self.run.ending.value, self.run.failed)

    def _definition(self, use: Use | None) -> str:
        return self.findings.definitions.get(use, "?") if use is not None else "?"

    def _name(self, place: tuple[int, int]) -> str:
        return self.run.operations.get(place, "?").removeprefix("transform.")


def judged(scripts: Sequence[HandleScript]) -> list[Judged]:
    """Run `scripts` and compare."""
    return [Judged(script, of, findings(script)) for script, of in zip(scripts, run(scripts), strict=True)]


def behind_stale_yields(results: Iterable[Judged]) -> Counter[str]:
    """Return the results of the interpreter for scripts with stale yields, without a check of yields."""
    stale = [each.script for each in results if each.run.ending is WorkEnd.STALE_YIELD]
    return Counter(each.ending.value for each in run(stale, Watched.USES))
