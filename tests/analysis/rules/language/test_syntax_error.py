"""Fixes of syntax errors change one token, and only where the operation is better afterwards."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

CATALOGUE = Catalogue.shipped()
ANY = "!transform.any_op"
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    LINE
    transform.yield
  }
  transform.named_sequence @act(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
"""


def fixes_of(line: str) -> list[str]:
    file = SourceFile.of(SCRIPT.replace("LINE", line.replace("ANY", ANY)), CATALOGUE)
    return [fix.title for found in findings_in_file(file) if found.rule == "syntax-error" for fix in found.fixes]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ('transform.annotate fill "a" : !transform.any_op', "Change to `%fill`"),
        ('transform.annotate %fill "a"', "Insert `: !transform.any_op`"),
        ('%a = transform.structured.match ops{["linalg.fill"} in %root : (ANY) -> ANY', "Insert `]`"),
        ("%a transform.param.constant 1 : i64 -> !transform.param<i64>", "Insert `=`"),
        ("%a = transform.param.constant 1 : i64 => !transform.param<i64>", "Change to `->`"),
        ("%a = transform.param.constant 1 : i64 !transform.param<i64>", "Insert `->`"),
        (
            "%a, %b = transform.structured.tile_using_for %fill tile_size [2] : (ANY) -> (ANY, ANY)",
            "Change to `tile_sizes`",
        ),
        ('%a = transform.structured.match ops{["linalg.fill"]} %root : (ANY) -> ANY', "Insert `in`"),
        ("transform.apply_cse %fill : ANY", "Insert `to`"),
        ("transform.apply_cse to %fill", "Insert `: !transform.any_op`"),
        ("transform.include @act (%fill) : (ANY) -> ()", "Insert `failures(propagate)`"),
        ("transform.include act failures(propagate) (%fill) : (ANY) -> ()", "Change to `@act`"),
        ("transform.include @act failures(propagate) (%fill) : ANY -> ()", "Change to `(!transform.any_op)`"),
        ('%a = transform.structured.match ops{"linalg.fill"]} in %root : (ANY) -> ANY', "Insert `[`"),
        ('%a = transform.structured.match ops{["linalg.fill]} in %root : (ANY) -> ANY', 'Insert `"`'),
        ("%a = transform.structured.match ops{linalg.fill} in %root : (ANY) -> ANY", 'Change to `["linalg.fill"]`'),
        ('%a = transform.structured.match ops["linalg.fill"] in %root : (ANY) -> ANY', 'Change to `{["linalg.fill"]}`'),
        (
            "%a = transform.structured.match interface{LinalgOpInterface} in %root : (ANY) -> ANY",
            "Change to `LinalgOp`",
        ),
        ("%a, %b = transform.structured.tile_using_for %fill tile_sizes [2 : (ANY) -> (ANY, ANY)", "Insert `]`"),
        ("transform.loop.unroll %fill {factor: 2} : ANY", "Change to `=`"),
        ('transform.annotate %fill seen" : ANY', 'Insert `"`'),
        ('transform.annotate %fill "seen-it : ANY', 'Insert `"`'),
        ("%a = transform.foreach %fill -> ANY { ^bb0(%b: ANY): }", "Insert `: !transform.any_op`"),
        ("transform.sequence %root : ANY failures(propogate) { ^bb0(%a: ANY): }", "Change to `propagate`"),
    ],
)
def test_a_token_is_changed(line: str, title: str) -> None:
    assert fixes_of(line) == [title]


@pytest.mark.parametrize(
    "line",
    [
        'transform.annotate nowhere "a" : !transform.any_op',
        "%a = transform.param.constant",
        "transform.structured.vectorize %fill tile_sizes",
        "%a = transform.structured.match ops{[",
        "module {",
        "%a:1000000 = transform.structured.tile_using_for %fill tile_sizes [1]",
    ],
)
def test_nothing_is_guessed(line: str) -> None:
    assert fixes_of(line) == []


def test_operations_that_end_at_one_place_are_reported_there_once() -> None:
    text = "".join(f'{"  " * depth}"d.op{depth}"() ({{\n' for depth in range(16))
    found = [(finding.span, finding.message) for finding in findings_in_file(SourceFile.of(text, CATALOGUE))]
    assert len(found) == len(set(found))
    assert sum("the end of the file" in message for _, message in found) == 1
