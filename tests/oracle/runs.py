"""Runs the corpus with ``mlir-opt-22``, and with tdls by both backends, and compares what comes out.

Usage, from the folder `tests`: ``python -m oracle.runs [PART_OF_A_NAME]``. Exits with 1 where something differs that
`interpreter.corpus.differences` does not list, or is listed and does not differ.
"""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from difflib import unified_diff
from typing import TYPE_CHECKING

from interpreter.corpus.coverage import NOT_EXECUTABLE, operations_in, upstream_operations
from interpreter.corpus.differences import DIFFERENCES, Difference, difference_of
from interpreter.corpus.scripts import scripts
from oracle.run_agreement import Pair, differences, expected
from tdls.interpreter.backends import open_backend
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BACKENDS = {"mlir-opt": "mlir-opt-22", "bindings": "bindings:torch_mlir"}
_SHOWN_LINES = 30


def unexplained(found: Mapping[str, Pair], known: Difference | None) -> list[str]:
    """Return in words what of the differences `found` for a script is not as `known` says; [] if all is."""
    if known is None:
        return [_shown(kind, pair) for kind, pair in found.items()]
    problems = [_shown(kind, found[kind]) for kind in found.keys() - known.kinds]
    problems += [f"{kind}: listed as different, but equal" for kind in known.kinds - found.keys()]
    ours, theirs = ("".join(part) for part in zip(*found.values(), strict=True)) if found else ("", "")
    if known.older and (known.older not in theirs or known.older in ours):
        problems.append(f"not said by LLVM {_OLDER} alone: {known.older}")
    if known.newer and (known.newer not in ours or known.newer in theirs):
        problems.append(f"not said by the bindings alone: {known.newer}")
    return problems


_OLDER = 22


def _shown(kind: str, pair: Pair) -> str:
    lines = list(unified_diff(pair.theirs.splitlines(), pair.ours.splitlines(), "mlir-opt", "tdls", lineterm="", n=1))
    return "\n    ".join([f"{kind}:", *lines[:_SHOWN_LINES]])


def main(part_of_name: str = "") -> int:
    """Print what is not as it should be, and a summary; return the exit status."""
    counts: Counter[str] = Counter()
    executed: set[str] = set()
    with contextlib.ExitStack() as stack:
        backends = {
            name: stack.enter_context(contextlib.closing(open_backend(BackendChoice(choice))))
            for name, choice in _BACKENDS.items()
        }
        for script in scripts():
            if part_of_name not in script.name:
                continue
            wanted = expected(script)
            counts["scripts"] += 1
            counts["succeed" if wanted.said.code == 0 else "fail"] += 1
            executed |= operations_in(script) if wanted.said.code == 0 else frozenset()
            for name, backend in backends.items():
                known = difference_of(script.name) if name == "bindings" else None
                found = differences(script, backend, wanted)
                problems = unexplained(found, known)
                counts[f"{name} {'wrong' if problems else 'listed' if found else 'equal'}"] += 1
                for problem in problems:
                    print(f"{script.name} ({name}): {problem}", flush=True)
    return _report(counts, executed, is_all=not part_of_name)


def _report(counts: Counter[str], executed: set[str], *, is_all: bool) -> int:
    print(f"{counts['scripts']} scripts: {counts['succeed']} succeed, {counts['fail']} fail")
    for name in _BACKENDS:
        judged = (f"{counts[f'{name} {verdict}']} {verdict}" for verdict in ("equal", "listed", "wrong"))
        print(f"{name}: {', '.join(judged)}")
    missing = sorted(_missing(executed)) if is_all else []
    if is_all:
        print(f"{len(DIFFERENCES)} differences of versions are listed")
        print(f"{len(executed)} of {len(upstream_operations())} operations in scripts that succeed; missing: {missing}")
    return 1 if missing or any(counts[f"{name} wrong"] for name in _BACKENDS) else 0


def _missing(executed: set[str]) -> Iterator[str]:
    yield from upstream_operations() - executed - NOT_EXECUTABLE.keys()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
