"""The rule `unknown-symbol`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

RULE: Final = Rule(
    code="TD107",
    name="unknown-symbol",
    level=Level.ERROR,
    summary="A symbol is named that does not exist",
    documentation="""\
`transform.include`, `transform.foreach_match` and `transform.collect_matching` call named sequences
by their symbol. The symbol is looked up in the enclosing symbol table, outwards from the call;
nested ones are reached by `@outer::@inner`.

**Fix:** correct the name, or define the sequence. Where it comes from another file, declare it here
without a body: `transform.named_sequence private @name(...)`; the interpreter then links it with
the library it preloads.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorise(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @vectorize failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @vectorize failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
)
