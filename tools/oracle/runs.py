"""Runs the corpus with ``mlir-opt-22``, and with tdls by both backends, and compares the results.

The bindings are a later version; they are also compared with themselves, used by a program without tdls.

Usage, from the folder `tools`: ``python -m oracle.runs [PART_OF_A_NAME]``. Exits with 1 where something differs that
`oracle.run_corpus.differences` does not list, or is listed and does not differ.
"""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from difflib import unified_diff
from typing import TYPE_CHECKING

from oracle.bindings_runs import run_in_python
from oracle.run_agreement import differences, differences_from_python, differences_when_observed, expected
from oracle.run_corpus.coverage import NOT_EXECUTABLE, operations_in, upstream_operations
from oracle.run_corpus.differences import DIFFERENCES, NONE, difference_of
from oracle.run_corpus.scripts import scripts
from tdls.interpreter.backend import open_backend
from tdls.interpreter.runs.model import Emit
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oracle.run_corpus.differences import Difference, Pair
    from oracle.run_corpus.scripts import Script
    from tdls.interpreter.backend import Backend

_BINDINGS = "bindings"
_BACKENDS = {"mlir-opt": "mlir-opt-22", _BINDINGS: "bindings:torch_mlir"}
_PYTHON = "bindings, next to themselves in a program"
_OBSERVED = "bindings, observed next to not observed"
_NAMES = (*_BACKENDS, _PYTHON, _OBSERVED)
_SHOWN_LINES = 30


def unexplained(found: Mapping[str, Pair], known: Difference) -> list[str]:
    """Return in words the differences `found` for a script that contradict `known`; [] if none does."""
    problems = known.problems(found)
    return [*problems, *(_shown(name, pair) for name, pair in found.items())] if problems else []


def _shown(kind: str, pair: Pair) -> str:
    lines = list(unified_diff(pair.theirs.splitlines(), pair.ours.splitlines(), "mlir-opt", "tdls", lineterm="", n=1))
    return "\n    ".join([f"{kind}:", *lines[:_SHOWN_LINES]])


def main(part_of_name: str = "") -> int:
    """Print the unexpected results, and a summary; return the exit status."""
    counts: Counter[str] = Counter()
    executed: set[str] = set()
    with contextlib.ExitStack() as stack:
        backends = {
            name: stack.enter_context(contextlib.closing(open_backend(BackendChoice(choice))))
            for name, choice in _BACKENDS.items()
        }
        chosen = [script for script in scripts() if part_of_name in script.name]
        for script, in_python in zip(chosen, run_in_python(chosen), strict=True):
            executed |= _compare(script, backends, counts)
            same = differences_from_python(script, backends[_BINDINGS], in_python)
            _count(script, _PYTHON, same, NONE, counts)
            observed = differences_when_observed(script, backends[_BINDINGS])
            _count(script, _OBSERVED, observed, NONE, counts)
    return _report(counts, executed, is_all=not part_of_name)


def _compare(script: Script, backends: Mapping[str, Backend], counts: Counter[str]) -> frozenset[str]:
    """Run `script` and count its outcome; return the operations in it if it succeeds, or says why they cannot."""
    wanted = expected(script, Emit.PAYLOAD, Emit.MODULE)
    succeeds = wanted.said.code == 0
    counts.update(["scripts", "succeed" if succeeds else "fail"])
    for name, backend in backends.items():
        known = difference_of(script.name) if name == _BINDINGS else NONE
        _count(script, name, differences(script, backend, wanted), known, counts)
    return operations_in(script) if succeeds else _said_to_be_impossible(wanted.said.diagnostics)


def _count(script: Script, name: str, found: Mapping[str, Pair], known: Difference, counts: Counter[str]) -> None:
    problems = unexplained(found, known)
    counts[f"{name} {'wrong' if problems else 'listed' if found else 'equal'}"] += 1
    for problem in problems:
        print(f"{script.name} ({name}): {problem}", flush=True)


def _said_to_be_impossible(diagnostics: str) -> frozenset[str]:
    return frozenset(name for name, message in NOT_EXECUTABLE.items() if message in diagnostics)


def _report(counts: Counter[str], executed: set[str], *, is_all: bool) -> int:
    print(f"{counts['scripts']} scripts: {counts['succeed']} succeed, {counts['fail']} fail")
    for name in _NAMES:
        judged = (f"{counts[f'{name} {verdict}']} {verdict}" for verdict in ("equal", "listed", "wrong"))
        print(f"{name}: {', '.join(judged)}")
    missing = sorted(upstream_operations() - executed) if is_all else []
    if is_all:
        print(f"{len(DIFFERENCES)} differences of versions are listed:")
        print("".join(f"  {known.reason}: {', '.join(known.scripts)}\n" for known in DIFFERENCES), end="")
        print(f"{len(executed)} of {len(upstream_operations())} operations; missing: {missing or 'none'}")
        print(f"cannot be executed: {NOT_EXECUTABLE}")
    return 1 if missing or any(counts[f"{name} wrong"] for name in _NAMES) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
