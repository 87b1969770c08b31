"""Measure recordings next to plain runs: ``python -m benchmarks.trace``, from the root of a checkout.

Needs a Python with the development tools of tdls and MLIR's bindings. Wall times are compared in turn. States are
requested of recordings as editors make them: at once, while others are fetched ahead and a cursor goes from step
to step, and when all are fetched. Memory is that of all processes of the worker, each page divided among those that
share it. Exits with 1 when a target was missed.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from benchmarks.lsp.table import Table, Target, median, percentile_95
from benchmarks.stopwatch import seconds

from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backends.opening import open_backend
from tdls.interpreter.model import RunRequest, Status
from tdls.interpreter.recording.recording import CHECKPOINTS, for_looking_at, recorded
from tdls.interpreter.recording.records import Wanted
from tdls.interpreter.script import Script
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.interpreter.recording.backend import Backend
    from tdls.interpreter.recording.recording import Recording

_ANY = "!transform.any_op"
_MATRIX = "tensor<16x16xf32>"
_HALF = Target(0.5, "x")
"""A recording may take twice as long as a plain run."""
_THIRD = Target(0.33, "x")
"""It may take three times its memory."""
_MOVE_PAUSE = 0.1
"""Seconds between two moves of the cursor."""
_PATIENCE = 300.0


class Sample(NamedTuple):
    """A script with its payload, and how long telling a state may take, in milliseconds."""

    name: str
    text: str
    state: Target


def samples() -> tuple[Sample, Sample]:
    """Return a small script, and one of 200 steps with a payload of 1 MB."""
    return (
        Sample("small script", _module(functions=2, matches=2), Target(10, "ms")),
        Sample("1 MB, 200 steps", _module(functions=1_150, matches=100), Target(50, "ms")),
    )


def _module(functions: int, matches: int) -> str:
    payload = "".join(_function(number, is_tagged=number < matches) for number in range(functions))
    steps = "".join(
        f'    %m{number} = transform.structured.match ops{{["linalg.matmul"]}} attributes{{t{number}}} in %root'
        f" : ({_ANY}) -> {_ANY}\n    %t{number}, %l{number} = transform.structured.tile_using_for %m{number}"
        f" tile_sizes [4] : ({_ANY}) -> ({_ANY}, {_ANY})\n"
        for number in range(matches)
    )
    argument = f"(%root: {_ANY} {{transform.readonly}})"
    script = f"  transform.named_sequence @__transform_main{argument} {{\n{steps}    transform.yield\n  }}\n"
    return f"module attributes {{transform.with_named_sequence}} {{\n{payload}{script}}}\n"


def _function(number: int, *, is_tagged: bool) -> str:
    tag = f"{{t{number}}} " if is_tagged else ""
    chain = "".join(
        f"    %v{step + 1} = arith.mulf %v{step}, %v{step} fastmath<contract> : {_MATRIX}\n" for step in range(9)
    )
    return f"""\
  func.func @f{number}(%a: {_MATRIX}, %v0: {_MATRIX}) -> {_MATRIX} {{
    %r = linalg.matmul {tag}ins(%a, %v0 : {_MATRIX}, {_MATRIX}) outs(%a : {_MATRIX}) -> {_MATRIX}
{chain}    return %r : {_MATRIX}
  }}
"""


def main() -> int:
    """Run the benchmarks and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trace", description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="number of runs of each")
    parser.add_argument("--states", type=int, default=40, help="number of requested states")
    options = parser.parse_args()
    table = Table()
    with contextlib.closing(open_backend(BackendChoice("bindings"))) as backend:
        for sample in samples():
            _measure(table, sample, backend, options.runs, options.states)
    print(f"{table.missed} targets missed")
    return 1 if table.missed else 0


def _measure(table: Table, sample: Sample, backend: Backend, runs: int, states: int) -> None:
    print(f"{sample.name} ({len(sample.text) / 1e6:.3f} MB)")
    request = RunRequest(Script("input.mlir", sample.text, Catalogue.shipped()))

    def plain() -> None:
        result = backend.run(request)
        if result.status is not Status.SUCCESS:
            raise RuntimeError(f"{sample.name}: {result.status.value} {result.diagnostics[:1]}")

    actions: tuple[Callable[[], object], ...] = (
        plain,
        lambda: recorded(backend, request),
        lambda: recorded(backend, request, Wanted.every()),
        lambda: recorded(backend, request, Wanted(checkpoints=CHECKPOINTS)).close(),
    )
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(runs + 1):
        for measured, action in zip(times, actions, strict=True):
            measured.append(seconds(action))
    plain_seconds, recording_seconds, all_seconds, kept_seconds = (median(measured[1:]) for measured in times)
    table.seconds("a recording, next to a plain run", recording_seconds, plain_seconds, _HALF)
    table.seconds("a recording with checkpoints, next to a plain run", kept_seconds, plain_seconds, _HALF)
    table.seconds("a recording with all states, next to a plain run", all_seconds, plain_seconds)
    wanted = for_looking_at(request)
    with _kept(backend, request, wanted) as recording:
        waits = _state_seconds(recording, backend, states)
        table.seconds("a state that was not fetched (95 of 100)", percentile_95(waits))
        table.seconds("a state that was not fetched (median)", median(waits))
    with _kept(backend, request, wanted) as recording:
        moves = _move_seconds(recording, backend)
        table.seconds(
            f"one of {len(moves)} moves from step to step (95 of 100)", percentile_95(moves), None, sample.state
        )
    with _kept(backend, request, wanted) as recording:
        began = time.perf_counter()
        fetching = recording.fetch_ahead(0)
        if fetching is not None and not fetching.wait(_PATIENCE):
            raise RuntimeError(f"{sample.name}: states are still fetched")
        table.seconds("all states, fetched ahead at low priority", time.perf_counter() - began)
        waits = _state_seconds(recording, backend, states)
        table.seconds("a jump to a state (95 of 100)", percentile_95(waits), None, sample.state)
    _measure_memory(table, backend, request, plain)


@contextlib.contextmanager
def _kept(backend: Backend, request: RunRequest, wanted: Wanted) -> Iterator[Recording]:
    """Record `request`, and leave no process when that is over."""
    recording = recorded(backend, request, wanted)
    try:
        yield recording
    finally:
        recording.close()


def _move_seconds(recording: Recording, backend: Backend) -> list[float]:
    """Return how long each move of a cursor takes that goes from state to state as fast as people press a key."""

    def move(passing: int) -> str | None:
        recording.ask([passing - 1, passing], backend)
        return recording.text(passing)

    found: list[float] = []
    for passing in range(1, len(recording.passings)):
        found.append(seconds(lambda: move(passing)))  # noqa: B023
        recording.fetch_ahead(passing)
        time.sleep(_MOVE_PAUSE)
    return found


def _measure_memory(table: Table, backend: Backend, request: RunRequest, plain: Callable[[], object]) -> None:
    with _Memory() as of_plain:
        for _ in range(3):
            plain()

    with _Memory() as of_recording, _kept(backend, request, for_looking_at(request)) as recording:
        fetching = recording.fetch_ahead(0)
        if fetching is not None:
            fetching.wait(3.0)
    table.row("memory with what waits", of_recording.most / 1e6, of_plain.most / 1e6, "MB", _THIRD)


class _Memory:
    """The most memory that processes of this one had while the object was used as a context, in bytes."""

    def __enter__(self) -> _Memory:
        self.most = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._is_over.wait(0.01):
            self.most = max(self.most, sum(map(_memory_of, psutil.Process().children(recursive=True))))


def _memory_of(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_full_info().pss)
    return 0


def _state_seconds(recording: Recording, backend: Backend, count: int) -> list[float]:
    """Return how long it takes to fetch each of `count` states for the first time."""
    passings = list(range(len(recording.passings)))
    random.Random(0).shuffle(passings)
    return [seconds(lambda: recording.state(passing, backend)) for passing in passings[:count]]  # noqa: B023


if __name__ == "__main__":
    sys.exit(main())
