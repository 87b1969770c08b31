"""Edits documents at random in a running server while asking it everything that it offers.

Usage, from the folder `tests`: ``python -m soak.run --minutes 10``. At checkpoints every answer is compared with that
of a fresh server which opens the texts as they are then. Exits with 1 when an answer differs, a request fails, the
server writes errors to standard error, or memory grows by more than `--growth` percent after the first third.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from random import Random

from soak.session import Outcome, SoakSession
from syntax.embedded.programs import spelled

ROOT = Path(__file__).resolve().parents[2]
TEXTS = (
    *sorted((ROOT / "examples").glob("*.mlir")),
    *sorted((ROOT / "examples").glob("*.py")),
    *sorted((ROOT / "tools" / "oracle" / "scripts").glob("*.mlir")),
    ROOT / "tools" / "oracle" / "payload" / "with_scripts.mlir",
    ROOT / "tools" / "oracle" / "downstream" / "iree_attention.mlir",
)


def soak(*, seed: int, edits: float, checkpoint_every: int, seconds: float = math.inf) -> Outcome:
    """Work until `edits` were made, `seconds` are over or there is a problem, and return the results.

    The same `seed` makes the same edits and asks the same questions.
    """
    end = time.monotonic() + seconds
    with SoakSession(documents(), Random(seed)) as session:
        outcome = session.outcome
        session.checkpoint()
        while outcome.edits < edits and time.monotonic() < end and not outcome.problems:
            next_checkpoint = outcome.edits + checkpoint_every
            while outcome.edits < next_checkpoint:
                session.work()
            session.checkpoint()
    return outcome


def documents() -> dict[str, str]:
    """The texts at which the work is done, by URI: scripts, and Python programs with scripts in every spelling."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in TEXTS}
    spellings = {program.spelling: program.program for program in map(spelled, range(60))}
    texts["spellings.py"] = "\n".join(spellings.values())
    return {f"file:///soak/{name}": text for name, text in texts.items()}


def growth(outcome: Outcome) -> float:
    """By how much the last third of the time needs more memory at most than the third before it did, as a factor."""
    sizes = [size for _, size in outcome.memory]
    third = len(sizes) // 3
    if third == 0:
        return 1.0
    return max(sizes[2 * third :]) / max(sizes[third : 2 * third])


def main() -> int:
    """Soak, print the results, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m soak.run", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--edits", type=float, default=math.inf, help="stop after so many edits, if that is sooner")
    parser.add_argument("--checkpoint", type=int, default=1000, metavar="EDITS", help="how often answers are compared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", type=float, default=10.0, metavar="PERCENT")
    options = parser.parse_args()
    outcome = soak(
        seed=options.seed, edits=options.edits, checkpoint_every=options.checkpoint, seconds=60 * options.minutes
    )
    for seconds, size in outcome.memory:
        print(f"{seconds:7.0f} s {size / 1e6:8.1f} MB")
    print(f"{outcome.edits} edits, {outcome.requests.total()} requests, {outcome.comparisons} answers compared")
    for method, count in sorted(outcome.requests.items()):
        print(f"{count:7} {method}")
    for problem in outcome.problems:
        print(f"problem: {problem}")
    grown = growth(outcome) > 1 + options.growth / 100
    if grown:
        print(f"problem: memory grew by a factor of {growth(outcome):.2f}")
    return 1 if outcome.problems or grown else 0


if __name__ == "__main__":
    sys.exit(main())
