"""Records the corpus of runs, and compares every state with MLIR's output for the script that ends there.

- The state behind each operation of the entry point: with ``mlir-opt-22`` on the command line for the script cut off
  there, and with the bindings for theirs.
- Handles there: MLIR's interpreter accepts the use of a live one, and rejects that of a stale one, in a
  script that goes on with its use.
- States in bodies and callees, in each execution: those of the bindings in one run, those of
  each alone, by repeating the run, and those that the tool prints.

Usage, from the folder `tools`: ``python -m oracle.trace [PART_OF_A_NAME]``. Exits with 1 where something differs.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from oracle.mlir_opt_runs import ERASE_SCRIPTS, mlir_opt, without_mark
from oracle.run_agreement import request_of
from oracle.run_corpus.differences import NONE, difference_of
from oracle.run_corpus.scripts import scripts
from tdls.interpreter.backend import open_backend
from tdls.interpreter.observing.records import Liveness, Wanted
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import Emit, Status
from tdls.semantic.handle_types import HandleKind
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracle.run_corpus.scripts import Script
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.observing.points import Point
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.recording import Recording, State

_INVALIDATED = "invalidated by a previously executed transform op"


class Backends(NamedTuple):
    """The backends that run scripts."""

    bindings: Backend
    tool: Backend


class Compared(NamedTuple):
    """Counts of comparisons of one script, by kind, and the differences."""

    counts: Counter[str]
    problems: list[str]


def compare(script: Script, backends: Backends) -> Compared:
    """Record `script` with both backends and compare its states."""
    comparison = _Comparison(script, backends)
    comparison.compare()
    return Compared(comparison.counts, comparison.problems)


class _Comparison:
    def __init__(self, script: Script, backends: Backends) -> None:
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self._script = script
        self._backends = backends
        self._is_same_in_both = difference_of(script.name) is NONE

    def compare(self) -> None:
        request = request_of(self._script, Emit.PAYLOAD)
        recordings = [recorded(backend, request, Wanted.every()) for backend in self._backends]
        for recording, backend in zip(recordings, self._backends, strict=True):
            plain = backend.run(request)
            self._expect("result", (recording.result.status, recording.result.texts), (plain.status, plain.texts))
            if recording.result.unobserved:
                self.counts["not recorded"] += 1
        ours, theirs = recordings
        for step in ours.steps:
            if step.after is not None and step.parent is None:
                self._compare_cut_off(ours, step, self._backends.bindings)
        for step in theirs.steps:
            if step.after is not None and step.parent is None:
                self._compare_with_command_line(theirs, step)
        self._compare_alone(ours)
        if self._is_same_in_both and len(ours.passings) == len(theirs.passings):
            self._compare_both(ours, theirs)

    def _expect(self, what: str, ours: object, theirs: object) -> None:
        self.counts[what] += 1
        if ours != theirs:
            self.problems.append(f"{what}: {ours!r} is not {theirs!r}"[:4000])

    def _compare_cut_off(self, recording: Recording, step: Step, backend: Backend) -> None:
        """Compare payload and handles behind `step` with runs of the script that is cut off there."""
        state = self._state(recording, step.after)
        if state is None or state.text is None:
            return
        cut = _cut_off(recording, step, "")
        result = backend.run(request_of(replace(self._script, text=cut), Emit.PAYLOAD))
        if result.status is Status.SUCCESS:
            self._expect(
                f"state of the bindings, step {step.number}", _plain(state.text), _plain(result.texts[Emit.PAYLOAD])
            )
            self._compare_handles(recording, step, state, backend)

    def _compare_handles(self, recording: Recording, step: Step, state: State, backend: Backend) -> None:
        if any(name == "disable-expensive-checks" for name, _ in self._script.options):
            return
        for use, liveness in _uses(state):
            cut = _cut_off(recording, step, use)
            result = backend.run(request_of(replace(self._script, text=cut), Emit.PAYLOAD))
            is_stale = any(_INVALIDATED in said.message for said in result.diagnostics)
            if liveness is Liveness.UNKNOWN:
                self.counts["handles that are not known to be live"] += 1
            else:
                self._expect(f"handle in step {step.number}, {use}", liveness is Liveness.STALE, is_stale)

    def _compare_with_command_line(self, recording: Recording, step: Step) -> None:
        state = self._state(recording, step.after)
        if state is None or state.text is None:
            return
        cut = replace(self._script, text=_cut_off(recording, step, ""))
        with tempfile.TemporaryDirectory() as folder:
            said = mlir_opt(cut, Path(folder), ERASE_SCRIPTS)
        if said.code == 0:
            self._expect(
                f"state of the tool, step {step.number}", _plain(state.text), _plain(without_mark(said.module))
            )

    def _compare_alone(self, recording: Recording) -> None:
        """Compare states of one run that records all with states of runs to one step."""
        other = recorded(self._backends.bindings, recording.request)
        for number in range(0, len(recording.passings), max(1, len(recording.passings) // 5)):
            known, same = recording.known_state(number), other.state(number, self._backends.bindings)
            if known is not None:
                self._expect(f"state {number} alone", (known.text, _lives(known)), (same.text, _lives(same)))

    def _compare_both(self, ours: Recording, theirs: Recording) -> None:
        for number in range(len(ours.passings)):
            mine, other = self._state(ours, number), self._state(theirs, number)
            if mine is None or other is None or mine.text is None or other.text is None:
                continue
            self._expect(f"state {number} of both", _respelled(mine.text), _respelled(other.text))
            for handle, same in zip(mine.handles, other.handles, strict=True):
                if Liveness.UNKNOWN not in (handle.liveness, same.liveness):
                    self._expect(f"handle {handle.name} in state {number} of both", handle.liveness, same.liveness)

    def _state(self, recording: Recording, number: int | None) -> State | None:
        return None if number is None else recording.known_state(number)


def _lives(state: State) -> list[tuple[str, Liveness]]:
    return [(handle.name, handle.liveness) for handle in state.handles]


def _plain(text: str) -> str:
    return text.rstrip("\n")


def _respelled(text: str) -> str:
    """Return `text` without repeated blanks, which versions of MLIR print in different ways."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def _cut_off(recording: Recording, step: Step, use: str) -> str:
    """Return the script that ends behind `step`, a step of the entry point, with `use` there."""
    assert step.after is not None
    point = recording.point(step.after)
    text = point.script.original
    start, end = point.script.original_offset(point.offset), point.script.original_offset(_end(recording, point))
    return text[:start] + f" {use} " + text[end:]


def _end(recording: Recording, point: Point) -> int:
    """Return where the terminator begins of the region that `point` is in, or where the region ends."""
    last = next(other for other in recording.points if other.is_last and other.region == point.region)
    is_written = point.region.start < last.following < point.region.end
    return last.following if is_written else point.region.end - 1


def _uses(state: State) -> Iterator[tuple[str, Liveness]]:
    for handle in state.handles:
        if handle.kind is not HandleKind.PARAMETERS:
            use = f"%__n = transform.num_associations {handle.name} : ({handle.type}) -> !transform.param<i64>"
            yield use, handle.liveness


def main(part_of_name: str = "") -> int:
    """Print the differences and a summary; return the exit status."""
    counts: Counter[str] = Counter()
    wrong = 0
    with contextlib.closing(open_backend(BackendChoice("bindings:torch_mlir"))) as bindings:
        tool = open_backend(BackendChoice("mlir-opt-22"))
        for script in scripts():
            if part_of_name in script.name:
                compared = compare(script, Backends(bindings, tool))
                counts.update(_kinds(compared.counts))
                wrong += len(compared.problems)
                for problem in compared.problems:
                    print(f"{script.name}: {problem}", flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count} {kind}")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


def _kinds(counts: Counter[str]) -> Counter[str]:
    """Return `counts` without the numbers of steps and states."""
    kinds: Counter[str] = Counter()
    for what, count in counts.items():
        kinds[
            " ".join(
                word for word in what.partition(", ")[0].split() if not word.startswith("%") and not word.isdecimal()
            )
        ] += count
    return kinds


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
