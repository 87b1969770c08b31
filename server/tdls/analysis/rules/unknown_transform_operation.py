"""The rule `unknown-transform-operation`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD201",
    name="unknown-transform-operation",
    level=Level.ERROR,
    summary="No transform operation of this name exists upstream",
    documentation="""\
The name belongs to a part of the Transform dialect that LLVM itself defines, and no LLVM version
that tdls knows has such an operation. Often it is a typing error, or the operation was renamed:
scripts written for LLVM 16 say `transform.structured.tile` for what is
`transform.structured.tile_using_for` since LLVM 18.

Operations of a project's own extension (`transform.my.op`) are not reported, as tdls cannot know
them.

**Fix:** take the name the message suggests. Where your build of MLIR has the operation, describe it
in a catalogue file and pass that with `--catalogue FILE`.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.macth ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
)
