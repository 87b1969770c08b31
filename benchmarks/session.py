"""Measure sessions next to a process of ``mlir-opt`` for each candidate: ``python -m benchmarks.session``.

Needs a Python with the development tools of tdls, MLIR's bindings, and ``mlir-opt-22``. Candidates are one step each,
on a payload that all share: tile sizes, interchanges and fusions, some of which MLIR refuses, and planted crashes and
scripts that do not end. Compared is processor time, of tdls with all of its processes and of the tool. Exits with 1
when an outcome is wrong.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import psutil

from interpreter.scripts import PAYLOAD, doubling
from tdls import Outcome, Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls import State

_ANY = "!transform.any_op"
_FUNCTION = """\
func.func @f@@(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = linalg.fill ins(%z : f32) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
"""
_MATCH = f"""\
%f = transform.structured.match ops{{["func.func"]}} attributes {{sym_name = "f0"}} in %root : ({_ANY}) -> {_ANY}
%mm = transform.structured.match ops{{["linalg.matmul"]}} in %f : ({_ANY}) -> {_ANY}
"""
_CRASH = f"%parts = transform.structured.split %mm after 0 {{dimension = 1}} : {_ANY}"
_ENDLESS = doubling(60).replace(PAYLOAD, "")
_SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op) {{
{body}
    transform.yield
  }}
}}
"""


class Candidate(NamedTuple):
    """A text to try, how it has to end, or None if MLIR decides, and a time limit of its own in seconds."""

    text: str
    outcome: Outcome | None
    seconds: float | None = None


def candidates(count: int, planted: int) -> Iterator[Candidate]:
    """Yield `count` candidates, of which `planted` crash or do not end."""
    chance = random.Random(7)
    for number in range(count):
        if number % (count // planted) == 3:
            is_endless = number // (count // planted) % 5 == 4
            yield Candidate(_ENDLESS, Outcome.TIME_LIMIT, 0.3) if is_endless else Candidate(_CRASH, Outcome.CRASH)
            continue
        sizes = [chance.choice((0, 2, 4, 5, 8, 16, 32)) for _ in range(3)]
        loops = sum(map(bool, sizes))
        kind = chance.randrange(4)
        if kind == 0 and loops:
            handles = ", ".join([_ANY] * (loops + 1))
            named = f"%l:{loops}" if loops > 1 else "%l"
            yield Candidate(
                f"%t, {named} = transform.structured.tile_using_for %mm tile_sizes {sizes} : ({_ANY}) -> ({handles})",
                Outcome.SUCCESS,
            )
        elif kind == 1 and loops:
            handles = ", ".join([_ANY] * (loops + 1))
            named = f"%l:{loops}" if loops > 1 else "%l"
            yield Candidate(
                f"%t, {named} = transform.structured.fuse %mm tile_sizes {sizes} : ({_ANY}) -> ({handles})", None
            )
        elif kind == 2:
            yield Candidate(f"%a, %b = transform.split_handle %mm : ({_ANY}) -> ({_ANY}, {_ANY})", Outcome.SILENCEABLE)
        else:
            order = chance.sample(range(3), 3)
            yield Candidate(
                f"%g = transform.structured.generalize %mm : ({_ANY}) -> {_ANY}\n"
                f"%t = transform.structured.interchange %g iterator_interchange = {order} : ({_ANY}) -> {_ANY}",
                None,
            )


def main() -> int:
    """Run the benchmark and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.session", description=__doc__)
    parser.add_argument("--candidates", type=int, default=1_000)
    parser.add_argument("--planted", type=int, default=50)
    parser.add_argument("--megabytes", type=float, default=1.0, help="size of the large payload")
    parser.add_argument("--tool", default="mlir-opt-22")
    parser.add_argument("--tried-by-tool", type=int, default=50, help="how many candidates the tool tries")
    options = parser.parse_args()
    wrong = 0
    for name, size in (("small payload", 1), (f"{options.megabytes:g} MB", int(options.megabytes * 1e6 / 400))):
        payload = "".join(_FUNCTION.replace("@@", str(number)) for number in range(size))
        tried = list(candidates(options.candidates, options.planted))
        wrong += _measure_session(name, payload, tried)
        _measure_tool(payload, tried[: options.tried_by_tool], options.tool)
    return 1 if wrong else 0


def _measure_session(name: str, payload: str, tried: list[Candidate]) -> int:
    """Try candidates in a session, print what that took, and return how many outcomes were wrong."""
    began = time.perf_counter()
    with Session(payload, seconds=20) as session:
        matched: State | None = session.run(_MATCH).state
        assert matched is not None
        before, opened = _processor_seconds(), time.perf_counter() - began
        wrong, memory = 0, [0, 0]
        ends: dict[str, int] = {}
        started = time.perf_counter()
        for number, candidate in enumerate(tried):
            attempt = matched.run(candidate.text, seconds=candidate.seconds)
            ends[attempt.outcome.value] = ends.get(attempt.outcome.value, 0) + 1
            wrong += candidate.outcome is not None and attempt.outcome is not candidate.outcome
            if number in (len(tried) // 10, len(tried) - 1):
                memory[number == len(tried) - 1] = _memory()
        seconds, wall = _processor_seconds() - before, time.perf_counter() - started
    print(f"{name}, {len(payload) / 1e6:.3f} MB: {len(tried)} candidates, {ends}, {wrong} wrong")
    each = 1e3 * seconds / len(tried)
    print(f"  session: opened in {opened:.2f} s; {seconds:.1f} s of the processor, {each:.1f} ms each")
    print(f"  {len(tried) / wall:.0f} a second; memory {memory[0] >> 20} MiB at a tenth, {memory[1] >> 20} at the end")
    return wrong


def _measure_tool(payload: str, tried: list[Candidate], tool: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "payload.mlir").write_text(payload, encoding="utf-8")
        script = Path(folder) / "script.mlir"
        passes = f"builtin.module(transform-preload-library{{transform-library-paths={script}}},transform-interpreter)"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for candidate in tried:
            script.write_text(_SCRIPT.format(body=_MATCH + candidate.text), encoding="utf-8")
            if candidate.text == _ENDLESS:
                continue
            command = [tool, f"{folder}/payload.mlir", f"--pass-pipeline={passes}", "-o", f"{folder}/out.mlir"]
            subprocess.run(command, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"  {tool}: {1e3 * seconds / len(tried):.1f} ms of the processor each, in {len(tried)} processes")


def _processor_seconds() -> float:
    """Return the processor time of this process and of all below it."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(process.cpu_times()[:4]) for process in processes)


def _memory() -> int:
    return sum(process.memory_info().rss for process in [psutil.Process(), *psutil.Process().children(recursive=True)])


if __name__ == "__main__":
    sys.exit(main())
