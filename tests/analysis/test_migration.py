"""Scripts are written as their target version does, where their meaning stays the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.migration import migrated
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.respelling import MIGRATING
from tdls.catalogue.catalogue import Catalogue
from tdls.settings.keys import MAIN

SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    {}
    transform.yield
  }}
}}
"""
ONE = "(!transform.any_op) -> !transform.any_op"
TO_TWO = "(!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)"
KIND = "kind = #linalg.elementwise_kind<add>"
LEFT_ALONE = "it is not rewritten: "


def to_main(line: str) -> str:
    text = migrated(SCRIPT.format(line), MAIN)
    start, end = SCRIPT.split("{}")[0].format(), "\n    transform.yield"
    return text[len(start) : text.index(end)]


def reasons(line: str, version: int) -> list[str]:
    found = findings_in_file(SourceFile.of(SCRIPT.format(line), Catalogue.shipped().at(version)))
    notes = [note.message for finding in found for note in finding.notes]
    return [note.removeprefix(LEFT_ALONE) for note in notes if note.startswith(LEFT_ALONE)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "transform.loop.unroll %root {factor = 4 : i64} : !transform.any_op",
            "transform.loop.unroll %root factor = 4 : !transform.any_op",
        ),
        (
            f'%0 = transform.get_parent_op %root {{op_name = "func.func", nth_parent = 2 : i64, deduplicate}} : {ONE}',
            f'%0 = transform.get_parent_op %root <op_name = "func.func", nth_parent = 2, deduplicate> : {ONE}',
        ),
        (
            "%0 = transform.get_parent_op %root {isolated_from_above} // the function\n        : " + ONE,
            "%0 = transform.get_parent_op %root <isolated_from_above> // the function\n        : " + ONE,
        ),
        (
            'transform.print %root {name = "x", my.own = 1, use_local_scope} : !transform.any_op',
            'transform.print %root name = "x" use_local_scope {my.own = 1} : !transform.any_op',
        ),
        (
            "transform.apply_patterns to %root {\n      // none\n    } {apply_cse} : !transform.any_op",
            "transform.apply_patterns to %root {\n      // none\n    } apply_cse : !transform.any_op",
        ),
        (
            f'%0 = transform.structured.match ops{{["linalg.add"]}} in %root : {ONE}',
            f'%0 = transform.structured.match ops{{["linalg.elementwise"]}} attributes {{{KIND}}} in %root : {ONE}',
        ),
    ],
)
def test_attributes_become_properties_and_keywords(line: str, expected: str) -> None:
    assert to_main(line) == expected
    assert to_main(expected) == expected


@pytest.mark.parametrize(
    ("line", "version", "reason"),
    [
        (
            f"%0, %1 = transform.structured.tile_using_for %root tile_sizes *(%root) : {TO_TWO}",
            22,
            "it has no operand `packed_tile_sizes` there",
        ),
    ],
)
def test_an_operation_that_is_left_has_a_reason(line: str, version: int, reason: str) -> None:
    assert migrated(SCRIPT.format(line), version) == SCRIPT.format(line)
    assert reason in reasons(line, version)


@pytest.mark.parametrize(
    "line",
    [
        f'%0 = transform.structured.match ops{{["linalg.add", "linalg.sub"]}} in %root : {ONE}',
        f'%0 = transform.structured.match ops{{["linalg.add"]}} attributes{{x = 1}} in %root : {ONE}',
        "transform.loop.unroll %root {factor = 4 : i64, : !transform.any_op",
        "transform.my.own %root {factor = 4 : i64} : !transform.any_op",
    ],
)
def test_what_may_mean_something_else_is_left(line: str) -> None:
    assert to_main(line) == line


def test_a_removed_payload_operation_gets_its_replacement() -> None:
    text = """\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    assert migrated(text, MAIN) == text.replace("linalg.add", "linalg.elementwise <add>")


def test_an_untyped_match_of_llvm_16_gets_its_types() -> None:
    text = "transform.sequence failures(propagate) {\n^bb0(%r: !pdl.operation):\n  %m = MATCH in %r TYPES\n}\n"
    text = text.replace("MATCH", 'transform.structured.match ops{["linalg.matmul"]}')
    assert migrated(text.replace(" TYPES", ""), MAIN) == text.replace("TYPES", ": (!pdl.operation) -> !pdl.operation")


ATTRIBUTES = {
    f"%0 = transform.get_parent_op %root DICTIONARY : {ONE}": (
        'op_name = "func.func"', "deduplicate", "nth_parent = 2 : i64", "allow_empty_results", "my.own = [1, 2]",
    ),
    "transform.print %root DICTIONARY : !transform.any_op": (
        'name = "a // b"', "use_local_scope", "skip_regions", "my.own", "assume_verified",
    ),
    "%0, %1 = transform.loop.peel %root DICTIONARY : (!transform.any_op) -> (!transform.any_op, !transform.any_op)": (
        "peel_front = true", "fail_if_already_divisible = false", 'my.own = "{"',
    ),
}  # fmt: skip


@st.composite
def lines(draw: st.DrawFn) -> str:
    line = draw(st.sampled_from(sorted(ATTRIBUTES)))
    given_ones = draw(st.lists(st.sampled_from(ATTRIBUTES[line]), unique=True))
    blank = draw(st.sampled_from(["", " ", "\n      ", " // why\n      "]))
    separator = f",{blank or ' '}"
    dictionary = f"{{{blank}{separator.join(given_ones)}{blank}}}"
    return line.replace("DICTIONARY", dictionary if given_ones else draw(st.sampled_from(["", "{}"])))


@given(lines())
def test_a_migrated_script_fits_and_stays_and_returns(line: str) -> None:
    text = SCRIPT.format(line)
    there = migrated(text, MAIN)
    found = findings_in_file(SourceFile.of(there, Catalogue.shipped().at(MAIN)))
    left = [finding for finding in found if finding.rule in MIGRATING]
    assert not left or (there == text and "//" in line)
    assert migrated(there, MAIN) == there
    back = migrated(there, 22)
    assert migrated(back, MAIN) == there or "//" in line
    for comment in re.findall("// why", text):
        assert there.count(comment) == text.count(comment)
