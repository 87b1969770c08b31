"""Attributes that an operation only has in other versions of LLVM."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.text.level import Level

FORM = "not-in-target-llvm"
"""The rule that reports the operation, whose form is that of another version."""

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
        (None, ["ignored-attribute", "ignored-attribute"]),
        (19, []),
        (22, ["loop-result-count", FORM]),
        (23, ["loop-result-count", FORM]),
    ],
)
def test_former_attributes_count_where_the_operation_has_them(target: int | None, rules: list[str]) -> None:
    found = findings_in_file(SourceFile.of(IN_DICTIONARY, CATALOGUE.at(target)))
    assert [finding.rule for finding in found] == rules
    assert target is not None or {finding.level for finding in found} == {Level.HINT}


PADDED = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %padded, %pad, %copy = transform.structured.pad %op {NAME = [4, 8], padding_dimensions = [0, 1]}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""


@pytest.mark.parametrize(
    ("name", "target", "messages"),
    [
        (
            "pad_to_multiple_of",
            None,
            ["since LLVM 19, `transform.structured.pad` has no attribute `pad_to_multiple_of`"],
        ),
        ("pad_to_multiple_off", None, ["`transform.structured.pad` has no attribute `pad_to_multiple_off`"]),
        ("pad_to_multiple_of", 19, []),
        ("pad_to_multiple_of", 22, []),
        ("copy_back", None, ["since LLVM 18, `transform.structured.pad` has no attribute `copy_back`"]),
        ("copy_back", 22, []),
    ],
)
def test_attributes_of_llvm_16_to_18_count(name: str, target: int | None, messages: list[str]) -> None:
    found = findings_in_file(SourceFile.of(PADDED.replace("NAME", name), CATALOGUE.at(target)))
    assert any(finding.rule == FORM for finding in found) == (target is not None)
    shown = [finding.message for finding in found if finding.rule != FORM]
    assert shown == [f"{message}: MLIR ignores it" for message in messages]
