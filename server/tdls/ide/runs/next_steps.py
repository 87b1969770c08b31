"""Steps that work at a place of a script: operations that MLIR carries out on the live handles there, tried one by one.

Candidates are the shipped forms (`StepFacts`) with values from the payload and the script, and operations of projects
that need nothing but a handle. Those that public scripts often use after the operation before are tried first.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from string import Template
from typing import TYPE_CHECKING, Any

from tdls.catalogue.model import Arity
from tdls.catalogue.shipped import step_facts
from tdls.interpreter.recording.summary import payload_of_text
from tdls.interpreter.step_trials import StepTrials
from tdls.interpreter.until_unknown import up_to_unknown
from tdls.payload.kinds import STRUCTURED
from tdls.payload.loops import DYNAMIC, PARALLEL, Loops
from tdls.semantic.handle_types import ANY_OPERATION, NOUNS, HandleKind, allowed_kinds
from tdls.semantic.transform_dialect import TRANSFORM
from tdls.structs import Struct
from tdls.system import cached_property
from tdls.text.scanning import integers_in
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import OperationDefinition
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunRequest
    from tdls.interpreter.session import State
    from tdls.interpreter.step_trials import HeldHandle

SECONDS = 4.0
"""Time to try steps, unless a caller says another one."""
_MOST_TRIED = 64
"""Maximum number of candidates to try."""
_RECENT = 3
"""Number of handles to try an operation on, the newest first."""
_PAIR_WEIGHT = 40.0
"""The weight of an operation's share among those behind the same operation, against its share of all uses."""
_NEXT_VARIANT = 0.6
"""The weight of a further candidate of an operation, against the one before it."""
_FRESH = re.compile(r"%\+([\w$.-]+)")
_VALUE = re.compile(r"%[\w$.-]+")
_SLOT = re.compile(r"\$(\w+)")
_OF_SIZES = frozenset({"sizes", "parallel", "reduction", "reverse", "factor", "first", "zeros", "numbers"})
_SIZES = re.compile(r"sizes (?:= )?(\[[\d, ]+\])")
_ROOTS = frozenset({"builtin.module", "func.func"})
_LOOP = "LoopLikeOpInterface"
_SEARCHED = frozenset({STRUCTURED, _LOOP, "FunctionOpInterface"})
"""Traits of payload operations that schedules match."""


class NextStep(Struct, frozen=True):
    """A step that works: `text` is the operation, `operation` its name."""

    operation: str
    text: str
    added: int
    removed: int
    results: tuple[HeldHandle, ...]

    @property
    def effect(self) -> str:
        """The new handles and changed lines: ``2 scf.for, +14 -3 lines``."""
        names = Counter(name for held in self.results for name in held.names)
        words = [f"{count} {name}" for name, count in names.items()]
        unnamed = (held for held in self.results if held.count and not held.names)
        words += [counted(held.count, NOUNS[held.handle.kind]) for held in unnamed]
        lines = [f"+{self.added} -{self.removed} lines"] if self.added or self.removed else []
        return ", ".join([*words, *lines])


class NextSteps(Struct, frozen=True):
    """The steps that work at a place, the most likely first."""

    steps: tuple[NextStep, ...]
    tried: int
    untried: int
    """Number of further candidates."""

    def document(self) -> dict[str, Any]:
        """Return the steps as plain data."""
        names = ("operation", "text", "effect", "added", "removed")
        steps = [{name: getattr(step, name) for name in names} for step in self.steps]
        for step, document in zip(self.steps, steps, strict=True):
            handles = ((held.handle.shown, held.count, list(held.names)) for held in step.results)
            document["handles"] = [dict(zip(("name", "count", "operations"), each, strict=True)) for each in handles]
        return {"steps": steps, "tried": self.tried, "untried": self.untried}


class Trying:
    """The steps at a place of the script, which is that of a run that stops at `offset`, while they are tried."""

    def __init__(self, request: RunRequest, offset: int, backend: Backend) -> None:
        """Run the script up to the place.

        Raises RecordingError if the run does not come there, BackendError if MLIR does not start.
        """
        shorter = up_to_unknown(request, backend.read) if request.ends_at_unknown else None
        request = request if shorter is None else shorter[0]
        self._trials = StepTrials(request, offset, backend)
        self._candidates = _Candidates(self._trials, request).ranked()
        self._order = list(dict.fromkeys(operation for operation, _ in self._candidates))
        """Operations by their most likely candidate, which need not be the one that works."""
        self._first: dict[str, NextStep] = {}
        self._others: list[NextStep] = []
        self._tried = 0

    def next(self, backend: Backend) -> bool:
        """Try the next candidate; return False if none is left."""
        if self._tried == min(len(self._candidates), _MOST_TRIED):
            return False
        candidate = self._candidates[self._tried]
        self._tried += 1
        self._trials.backend = backend
        result = self._trials.run(candidate[1])
        if result is not None and result.is_useful:
            step = NextStep(*candidate, len(result.changes.added), len(result.changes.removed), result.results)
            if self._first.setdefault(step.operation, step) is not step:
                self._others.append(step)
        return True

    @property
    def steps(self) -> NextSteps:
        """The steps that work, of those tried so far."""
        first = (self._first[operation] for operation in self._order if operation in self._first)
        return NextSteps((*first, *self._others), self._tried, len(self._candidates) - self._tried)


def next_steps(request: RunRequest, offset: int, backend: Backend, *, seconds: float = SECONDS) -> NextSteps:
    """Return the steps that work at a place of the script, which is that of a run that stops at `offset`.

    Left out are steps that change no payload and find nothing that a live handle does not hold already. Raises as
    `Trying` does.
    """
    deadline = time.monotonic() + seconds
    trying = Trying(request, offset, backend)
    while trying.next(backend) and time.monotonic() < deadline:
        pass
    return trying.steps


def steps_from(state: State, seconds: float = SECONDS) -> NextSteps:
    """Return the steps that work from a state of a session; raises as `next_steps` does."""
    with state.place() as (request, offset, backend):
        return next_steps(request, offset, backend, seconds=seconds)


class _Candidates:
    """The operations that may work at a place."""

    def __init__(self, trials: StepTrials, request: RunRequest) -> None:
        self._trials = trials
        self._catalogue = request.script.catalogue
        self._script = request.script.text
        self._names = frozenset(_VALUE.findall(self._script))
        self._handles = [held for held in reversed(trials.handles) if held.count]
        """The handles that hold something, the newest first."""
        self._payload = payload_of_text(trials.payload, self._catalogue)

    def ranked(self) -> list[tuple[str, str]]:
        """Return names and texts of the candidates: frequent operations first, each further one of a name later."""
        behind = step_facts().following.get(self._trials.preceding, {})
        total, all_uses = sum(behind.values()) or 1, self._catalogue.uses(f"{TRANSFORM}.structured.match") or 1
        ranked: dict[tuple[str, str], float] = {}
        for name in self._catalogue.operation_names(TRANSFORM):
            definition = self._catalogue.operation(name)
            if definition is None or not self._catalogue.is_at_target(definition):
                continue
            forms = step_facts().forms.get(name) or _forms_of(definition)
            weight = _PAIR_WEIGHT * behind.get(name, 0) / total + self._catalogue.uses(name) / all_uses
            for number, text in enumerate(text for form in forms for text in self._texts(form)):
                in_script = name in self._script
                ranked.setdefault((name, self._named(text)), (weight + in_script) * _NEXT_VARIANT**number)
        return sorted(ranked, key=lambda candidate: -ranked[candidate])

    def _named(self, text: str) -> str:
        """Return the text of an operation with names for its results that the script does not have."""
        used = {*self._names}

        def fresh(match: re.Match[str]) -> str:
            numbered = (f"%{match[1]}{f'_{n}' if n else ''}" for n in range(1_000))
            name = next(name for name in numbered if name not in used)
            used.add(name)
            return name

        return _FRESH.sub(fresh, text).replace(":1 =", " =")

    def _texts(self, form: str) -> Iterator[str]:
        """Yield a form with values for the newest handles, with ``%+`` in the names of results."""
        handles = [held for held in self._handles if held.handle.kind is HandleKind.OPERATIONS]
        roots = [held for held in handles if _ROOTS.issuperset(held.names)]
        for held in roots[:1] if "$name" in form else handles[:_RECENT]:
            values = self._values(frozenset(_SLOT.findall(form)), held)
            yield from (Template(form).substitute(each) for each in values)

    def _values(self, slots: frozenset[str], held: HeldHandle) -> Iterator[dict[str, object]]:
        """Yield each combination of values that may suit a handle, for the slots of a form."""
        values: dict[str, object] = {"h": held.handle.shown, "t": held.handle.type, "any": ANY_OPERATION}
        loops = [each for each in self._handles if each.names and all(self._has_trait(n, _LOOP) for n in each.names)]
        if "name" in slots:
            for name in self._searched_names:
                yield {**values, "name": name, "base": name.rpartition(".")[2]}
        elif slots & _OF_SIZES:
            yield from ({**values, **sizes} for sizes in self._sizes(slots, held))
        elif "h" not in slots:
            yield from [{**values, "loop": held.handle.shown, "loop_t": held.handle.type}] if held in loops else []
        elif "loop" in slots:
            for loop in loops[:1] if any(self._has_trait(name, STRUCTURED) for name in held.names) else ():
                yield {**values, "loop": loop.handle.shown, "loop_t": loop.handle.type}
        elif "n" not in slots:
            yield values
        elif 1 < held.count <= 16:
            yield {**values, "n": held.count, "each": ", ".join([ANY_OPERATION] * held.count)}

    def _sizes(self, slots: frozenset[str], held: HeldHandle) -> Iterator[dict[str, object]]:
        """Yield sizes for a structured operation: those of the script, and divisors of its loops' trip counts."""
        operations = self._payload.root.walk() if self._payload is not None else ()
        own = next((each for each in operations if each.name == (held.names or [""])[0]), None)
        loops = Loops(own, self._catalogue, self._payload.aliases) if own is not None and self._payload else None
        if loops is None or not loops.ranges or not loops.kinds:
            return
        count = len(loops.ranges)
        pairs = [(_divisor(size), kind == PARALLEL) for size, kind in zip(loops.ranges, loops.kinds, strict=True)]
        parallel = tuple(size if is_parallel else 0 for size, is_parallel in pairs)
        reduction = tuple(0 if is_parallel else size for size, is_parallel in pairs)
        lists = [parallel, reduction, tuple(size for size, _ in pairs)]
        if "sizes" in slots:
            used = Counter(_SIZES.findall(self._script)).most_common(3)
            lists = [*(tuple(size or 0 for size in integers_in(spelled) or ()) for spelled, _ in used), *lists]
        else:
            lists = [parallel] if "parallel" in slots else [reduction] if slots & {"reduction", "factor"} else lists[2:]
        for sizes in dict.fromkeys(each for each in lists if any(each) and len(each) <= count):
            spelled, tiled = str(list(sizes)), sum(map(bool, sizes))
            yield {
                **dict.fromkeys(("sizes", "parallel", "reduction"), spelled),
                "n": tiled,
                "each": ", ".join([ANY_OPERATION] * tiled),
                "reverse": str([*range(count)][::-1]),
                "factor": max(sizes),
                "first": max(sizes[0], 1),
                "zeros": ", ".join(["0.0 : f32"] * len(loops.operands or ())),
                "numbers": ", ".join(map(str, range(count))),
            }

    @cached_property
    def _searched_names(self) -> list[str]:
        """Names of payload operations to match: those that no live handle holds first, then structured ones."""
        operations = self._payload.root.walk() if self._payload is not None else ()
        names = dict.fromkeys(each.name for each in operations if any(self._has_trait(each.name, t) for t in _SEARCHED))
        held = {name for each in self._handles for name in each.names}
        return sorted(names, key=lambda name: (name in held, not self._has_trait(name, STRUCTURED)))[:8]

    def _has_trait(self, name: str, trait: str) -> bool:
        definition = self._catalogue.operation(name)
        return definition is not None and trait in definition.traits


def _forms_of(definition: OperationDefinition) -> Iterator[str]:
    """Yield the generic form of a project's operation on one handle, unless it needs more."""
    operands, results = definition.operands, definition.results
    is_step = definition.defined_at is not None and "TransformOpInterface" in definition.traits
    takes_one = len(operands) == 1 and HandleKind.OPERATIONS in allowed_kinds(operands[0])
    if is_step and takes_one and not definition.regions and all(each.arity is Arity.ONE for each in results):
        names = ", ".join(f"%+{each.name}" for each in results)
        types = ", ".join(each.type or ANY_OPERATION for each in results)
        yield f'{names}{" = " if names else ""}"{definition.name}"($h) : ($t) -> ({types})'


def _divisor(size: int) -> int:
    """Return a size to tile a loop of `size` iterations with; 0 to leave it as it is."""
    if size == DYNAMIC:
        return 8
    return next((pick for pick in (32, 16, 8, 4, 2) if pick < size and size % pick == 0), 0)
