"""Fixes put the script right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.handles import (
    repeated_payload_operation,
    use_after_free,
)
from tdls.analysis.rules.language import loop_result_count
from tdls.analysis.rules.transform import (
    unknown_payload_operation,
    unmarked_argument,
    unused_handle,
)
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied

if TYPE_CHECKING:
    from tdls.analysis.rule import Rule

CATALOGUE = Catalogue.shipped()
RULES = [
    loop_result_count.RULE,
    unknown_payload_operation.RULE,
    unmarked_argument.RULE,
    unused_handle.RULE,
    use_after_free.RULE,
    repeated_payload_operation.RULE,
    repeated_payload_operation.POSSIBLE,
]
NESTED = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop { factor = 2 } : !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
"""


def fixed(text: str) -> str:
    """The text after the first fix of the first finding."""
    (finding,) = findings_in_file(SourceFile.of(text, CATALOGUE))
    return applied(text, finding.fixes[0].edits)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_bad_examples_become_good_ones(rule: Rule) -> None:
    text = fixed(rule.text.example_bad)
    assert findings_in_file(SourceFile.of(text, CATALOGUE)) == []
    assert text.split() == rule.text.example_good.split()


def test_a_successor_that_is_invalid_itself_is_not_offered() -> None:
    (finding,) = findings_in_file(SourceFile.of(NESTED, CATALOGUE))
    assert finding.rule == "use-after-free"
    assert [fix.title for fix in finding.fixes] == ["Find `%matmul` again, as `%matmul_again`"]
    valid = NESTED.replace("    transform.loop.unroll %loop { factor = 2 } : !transform.any_op\n", "")
    assert "vectorize %tiled" in fixed(valid)
