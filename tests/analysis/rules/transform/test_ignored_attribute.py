"""Attributes that an operation only has in other versions of LLVM."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

CATALOGUE = Catalogue.shipped()
IN_DICTIONARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op {tile_sizes = [4], tile_interchange = [0]}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""


@pytest.mark.parametrize(
    ("target", "rules"),
    [
        (None, []),
        (19, []),
        (22, ["loop-result-count", "ignored-attribute", "ignored-attribute"]),
        (24, ["loop-result-count", "ignored-attribute", "ignored-attribute"]),
    ],
)
def test_former_attributes_count_where_the_operation_has_them(target: int | None, rules: list[str]) -> None:
    found = findings_in_file(SourceFile.of(IN_DICTIONARY, CATALOGUE.at(target)))
    assert [finding.rule for finding in found] == rules
