"""The rule `failed-run`; `cli/checking/script_runs.py` reports it from runs of MLIR's interpreter."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD401",
    name="failed-run",
    level=Level.ERROR,
    summary="MLIR's interpreter does not get through the script",
    documentation="""\
With `--run`, `tdls check` runs each script that has a payload, as `tdls run` does: the operations in the
same module, or the file of a comment `// tdls: payload=FILE` or of `RUN:` lines. The message is MLIR's
own. A crash, and a run that takes more time or memory than `run.timeout` and `run.memory` of the
settings allow, is an error, too. Findings of tdls at the operation are not repeated, and warnings of
MLIR keep their level.

A comment `// tdls: expect-matches=3`, behind a match or above it, makes it an error if that matches
another number of operations; `1..`, `..4` and `2..4` are counts, too. Counted are the operations of the
first handle of the line, each time that it is defined, those that the arms of a `foreach_match` accepted
together, or those that a matcher accepted.

A file without a script to run is only read: what MLIR rejects there is an error, unless it is made for
another version than `target-llvm`, or has to do with a dialect that this MLIR lacks.

**Fix:** `tdls run FILE` shows the same with the output of the script, and `tdls run FILE --until LINE`
the payload at that line.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<8xf32>, %x: f32) {
    %first = arith.constant 0 : index
    %end = arith.constant 8 : index
    %step = arith.constant 4 : index
    scf.for %i = %first to %end step %step {
      memref.store %x, %a[%i] : memref<8xf32>
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %loop
        : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.op<"scf.for">)
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<8xf32>, %x: f32) {
    %first = arith.constant 0 : index
    %end = arith.constant 8 : index
    %step = arith.constant 3 : index
    scf.for %i = %first to %end step %step {
      memref.store %x, %a[%i] : memref<8xf32>
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %loop
        : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.op<"scf.for">)
    transform.yield
  }
}
""",
    found_by_runs="tdls check --run",
)
