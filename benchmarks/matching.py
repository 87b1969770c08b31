"""Measure explaining matches next to plain runs: ``python -m benchmarks.matching``, from the root of a checkout.

Needs a Python with the development tools of tdls and MLIR's bindings, or a tool like ``mlir-opt-22`` as ``--backend``.
Compared is wall time in turn. Exits with 1 when a target was missed.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from benchmarks.lsp.table import Table, Target, median
from benchmarks.runs.samples import payload
from benchmarks.stopwatch import seconds

from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.matching.explanation import explained
from tdls.interpreter.runs.model import RunRequest, Status, TextFile
from tdls.interpreter.runs.script import Script
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

_TWICE = Target(0.5, "x")
_SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @large(%op: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{
    transform.match.operation_name %op [{names}] : !transform.any_op
    %size = transform.match.structured %op : (!transform.any_op) -> !transform.param<i64> {{
    ^bb0(%s: !transform.any_op):
      transform.match.structured.dim %s[all] {{parallel}} : !transform.any_op
      %n = transform.match.structured.dim %s[0] : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %n : !transform.param<i64>
    }}
    %least = transform.param.constant 8 : i64 -> !transform.param<i64>
    transform.match.param.cmpi ge %size, %least : !transform.param<i64>
    transform.yield %op : !transform.any_op
  }}
  transform.named_sequence @other(%op: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }}
  transform.named_sequence @act(%op: !transform.any_op {{transform.readonly}}) {{
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }}
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    %new = transform.foreach_match in %root @large -> @act, @other -> @act : (!transform.any_op) -> !transform.any_op
    %found = transform.structured.match ops{{["{wanted}"]}} in %new : (!transform.any_op) -> !transform.any_op
    transform.yield
  }}
}}
"""


class Case(NamedTuple):
    """A payload of some functions, the names that the first matcher asks for, and the one that a match looks for."""

    name: str
    functions: int
    names: str
    wanted: str
    targets: tuple[Target, ...]


CASES = (
    Case("small payload", 1, '"linalg.matmul", "linalg.fill"', "linalg.matmul", (_TWICE,)),
    Case("small payload, a match finds nothing", 1, '"linalg.matmul", "linalg.fill"', "linalg.generic", (_TWICE,)),
    Case("5,000 operations", 500, '"linalg.matmul", "linalg.fill"', "linalg.matmul", (_TWICE,)),
    Case("5,000 operations, a match finds nothing", 500, '"linalg.matmul"', "linalg.generic", (_TWICE,)),
    Case("one in ten gets to the last condition", 500, '"linalg.matmul", "linalg.add"', "linalg.matmul", (_TWICE,)),
)


def main() -> int:
    """Run the benchmark and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matching", description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="how often each is run")
    parser.add_argument("--backend", default="bindings")
    options = parser.parse_args()
    table = Table()
    with contextlib.closing(open_backend(BackendChoice(options.backend))) as backend:
        for case in CASES:
            _measure(table, case, backend, options.runs)
    print(f"{table.missed} targets missed")
    return 1 if table.missed else 0


def _measure(table: Table, case: Case, backend: Backend, runs: int) -> None:
    text = _SCRIPT.format(names=case.names, wanted=case.wanted)
    request = RunRequest(
        Script("script.mlir", text, Catalogue.shipped()), TextFile("payload.mlir", payload(case.functions))
    )
    result = backend.run(request)
    if result.status is not Status.SUCCESS:
        raise RuntimeError(f"{case.name}: {result.status.value} {result.diagnostics[:1]}")
    explained(request, backend)
    plain: list[float] = []
    explaining: list[float] = []
    for _ in range(runs):
        plain.append(seconds(lambda: backend.run(request)))
        explaining.append(seconds(lambda: explained(request, backend)))
    table.seconds(case.name, median(explaining), median(plain), *case.targets)


if __name__ == "__main__":
    sys.exit(main())
