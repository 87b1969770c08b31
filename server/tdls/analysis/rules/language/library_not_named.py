"""The rule `library-not-named`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD111",
    name="library-not-named",
    level=Level.HINT,
    summary="A named sequence is called that another file of the repository defines, which is no library of this one",
    documentation="""\
A named sequence that is called is neither in this file nor in its libraries, but another script of
the same repository defines one of that name. Some programs put such files together before they run
them; MLIR itself finds the sequence only where it is declared here, and the other file is
preloaded. It is reported once in a file, with the places of the definitions.

**Fix:** name the file, or its folder, as `libraries` in `tdls.toml`, so that its sequences are known:
calls are checked against them, and editors lead to them. MLIR then also needs a declaration here,
which the fix of editors writes, too.
""",
    example_bad="""\
// tiling.mlir, next to this script, defines @tile.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @tile failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    example_good="""\
// tiling.mlir, next to this script, defines @tile, and is preloaded.
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @tile(%func: !transform.any_op {transform.readonly})
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @tile failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    rests_on_repository=True,
)
