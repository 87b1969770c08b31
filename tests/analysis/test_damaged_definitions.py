"""A definition that cannot be read has one finding, and its uses have none."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence {} {{
    transform.yield
  }}
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    transform.include @callee failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }}
}}
"""


@pytest.mark.parametrize(
    ("definition", "found"),
    [
        ("@callee(%a: !transform.any_op {transform.readonly},", {"syntax-error"}),
        ("@callee(%a !transform.any_op {transform.readonly})", {"syntax-error"}),
        ("@calle(%a: !transform.any_op {transform.readonly},", {"syntax-error", "unknown-symbol"}),
    ],
)
def test_use_of_a_damaged_definition(definition: str, found: set[str]) -> None:
    file = SourceFile.of(SCRIPT.format(definition), Catalogue.shipped())
    assert {finding.rule for finding in findings_in_file(file)} == found
