"""Compares the passes and patterns of steps with MLIR's own log of actions, and with the patterns that really fired.

The scripts apply patterns and passes to random functions. All names in the log of a plain run must be those of steps,
as often. Where only one step applies patterns, and its second iteration changes nothing, further runs with a limit of
rewrites show each application: the last attempt of such a run is the one that succeeded.

Usage, from the folder `tools`: ``python -m oracle.rewrites [--seed N] [--scripts N]``. Exits with 1 where something
differs.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from oracle.tools import mlir_opt
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import Limits, RunRequest
from tdls.interpreter.runs.script import Script
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.recording.recording import Recording

LLVM = 22
_LIMITS = Limits(seconds=20.0)
_MOST_REWRITES = 60
_ANY = "!transform.any_op"
_FUNCTIONS = f'    %f = transform.structured.match ops{{["func.func"]}} in %root : ({_ANY}) -> {_ANY}\n'
_PATTERNS = (
    "canonicalization",
    "tensor.merge_consecutive_insert_extract_slice",
    "scf.for_loop_canonicalization",
    "linalg.tiling_canonicalization",
)
_PASSES = ("canonicalize", "cse", "loop-invariant-code-motion", "convert-scf-to-cf", "sccp")
_ACTION = re.compile(
    r"begins .*(?:apply-pattern pattern: (?P<pattern>.*?) \((?!anonymous ).*\)`|running `(?P<pass>[^`]*)`)"
)
_SECOND = "GreedyPatternRewriteIteration(2)"
_THIRD = "GreedyPatternRewriteIteration(3)"


class ComparedRewrites(NamedTuple):
    """Counts of compared names and applications, and the differences."""

    counts: Counter[str]
    problems: list[str]


def compare(seed: int, backend: Backend) -> ComparedRewrites:
    """Record the script of `seed` with `backend`, and compare its passes and patterns."""
    text = _script(seed)
    recording = recorded(
        backend, RunRequest(Script("s.mlir", text, Catalogue.shipped()), limits=_LIMITS), Wanted.every()
    )
    if recording.rewrites.unknown:
        return ComparedRewrites(Counter(unknown=1), [f"seed {seed}: {recording.rewrites.unknown}"])
    log = _log(text)
    actions = [found["pass"] or found["pattern"] for found in _ACTION.finditer(log)]
    plain = Counter(actions) - Counter({"InterpreterPass": 1})
    known: Counter[str] = Counter()
    for step in recording.rewrites.steps.values():
        known.update(use.name for use in step.passes)
        known.update({use.name: use.tried for use in step.patterns})
    counts = Counter(names=plain.total())
    problems = [] if known == plain else [f"seed {seed}: {known - plain} too much, {plain - known} missing"]
    if seed % 2 == 0 and _SECOND in log and _THIRD not in log:
        counts.update(_compare_applications(seed, log, recording, problems))
    return ComparedRewrites(counts, problems)


def _compare_applications(seed: int, log: str, recording: Recording, problems: list[str]) -> Counter[str]:
    """Compare the patterns that fired in the first iteration of the only step that applies any."""
    truth = _applications(seed, _attempts(log))
    uses = [use for step in recording.rewrites.steps.values() for use in step.patterns]
    certain = Counter({use.name: use.fired for use in uses})
    possible = Counter({use.name: len(use.operations) for use in uses})
    if certain - truth or truth - possible:
        problems.append(f"seed {seed}: {+(certain - truth)} did not fire, {+(truth - possible)} fired")
    return Counter(fired=truth.total(), certain=certain.total(), possible=possible.total() - certain.total())


def _applications(seed: int, attempts: list[str]) -> Counter[str]:
    """Return how often each pattern fired in the first iteration, of which these are all `attempts`."""
    found: Counter[str] = Counter()
    for most in range(1, _MOST_REWRITES):
        limit = f"{{max_iterations = 1 : i64, max_num_rewrites = {most} : i64}}"
        cut = _attempts(_log(_script(seed, limit)))
        if len(cut) == len(attempts):
            break
        found[cut[-1]] += 1
    return found


def _attempts(log: str) -> list[str]:
    """Return the patterns of the first iteration."""
    return [found["pattern"] for found in _ACTION.finditer(log.partition(_SECOND)[0]) if not found["pass"]]


def _log(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "s.mlir"
        script.write_text(text)
        options = ["--transform-interpreter", "--mlir-disable-threading", "--log-actions-to=-", "-o", "/dev/null"]
        command = [str(mlir_opt(LLVM)), str(script), *options]
        return subprocess.run(command, capture_output=True, check=False, text=True).stdout


def _script(seed: int, limit: str = "") -> str:
    """Return a script that applies patterns and passes to functions with sums, casts and loops.

    That of an even seed applies patterns once, to one function, with the attributes `limit`.
    """
    chance = random.Random(seed)
    payload = ""
    for number in range(1 if seed % 2 == 0 else chance.randint(1, 3)):
        payload += f"  func.func @f{number}(%v0: index, %t0: tensor<4xf32>) -> (index, tensor<?xf32>) {{\n"
        payload += "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
        payload += "    %c3 = arith.constant 3 : index\n    %d0 = tensor.cast %t0 : tensor<4xf32> to tensor<?xf32>\n"
        count = chance.randint(1, 8)
        for index in range(1, count + 1):
            a, b = f"%v{chance.randrange(index)}", chance.choice(["%c0", "%c1", "%c3", f"%v{chance.randrange(index)}"])
            if chance.random() < 0.2:
                payload += (
                    f"    %v{index} = scf.for %i{index} = %c0 to {b} step %c1 iter_args(%q = {a}) -> (index) {{\n"
                )
                payload += f"      %z = arith.addi %q, %c3 : index\n      %y = arith.addi %z, {b} : index\n"
                payload += "      scf.yield %y : index\n    }\n"
            else:
                operation = chance.choice(["addi", "addi", "muli", "subi", "maxsi"])
                payload += f"    %v{index} = arith.{operation} {a}, {b} : index\n"
            payload += f"    %t{index} = tensor.cast %d{index - 1} : tensor<?xf32> to tensor<4xf32>\n"
            payload += f"    %d{index} = tensor.cast %t{index} : tensor<4xf32> to tensor<?xf32>\n"
        payload += f"    return %v{count}, %d{count} : index, tensor<?xf32>\n  }}\n"
    body, functions = _FUNCTIONS, "%f"
    if seed % 2 == 0:
        pattern = "transform.apply_patterns.canonicalization"
        body += f"    transform.apply_patterns to %f {{\n      {pattern}\n    }} {limit} : {_ANY}\n"
        return _module(payload, body)
    for number in range(chance.randint(1, 4)):
        if chance.random() < 0.5:
            chosen_pass, before, functions = chance.choice(_PASSES), functions, f"%f{number}"
            body += (
                f'    {functions} = transform.apply_registered_pass "{chosen_pass}" to {before} : ({_ANY}) -> {_ANY}\n'
            )
            continue
        target = functions
        if chance.random() < 0.3:
            target = f"%l{number}"
            body += f'    {target} = transform.structured.match ops{{["scf.for"]}} in %root : ({_ANY}) -> {_ANY}\n'
        chosen = chance.sample(_PATTERNS, chance.randint(1, len(_PATTERNS)))
        patterns = "".join(f"      transform.apply_patterns.{name}\n" for name in chosen)
        body += f"    transform.apply_patterns to {target} {{\n{patterns}    }} : {_ANY}\n"
    return _module(payload, body)


def _module(payload: str, body: str) -> str:
    return (
        f"module attributes {{transform.with_named_sequence}} {{\n{payload}"
        f"  transform.named_sequence @__transform_main(%root: {_ANY}) {{\n{body}    transform.yield\n  }}\n}}\n"
    )


def main() -> int:
    """Compare the scripts that the command line asks for."""
    parser = argparse.ArgumentParser(description="Compare the patterns of steps with MLIR's log of actions.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scripts", type=int, default=100)
    options = parser.parse_args()
    backend = open_backend(BackendChoice(str(mlir_opt(LLVM))))
    counts: Counter[str] = Counter()
    problems: list[str] = []
    for seed in range(options.seed, options.seed + options.scripts):
        compared = compare(seed, backend)
        counts += compared.counts
        problems += compared.problems
    backend.close()
    print(
        f"{counts['names']} names of {options.scripts} scripts; of {counts['fired']} applications "
        f"{counts['certain']} are certain, {counts['possible']} more are possible"
    )
    print("\n".join(problems) or "none differs")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
