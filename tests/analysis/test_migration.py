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
TO_FOUR = "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)"
UNPACK = '!transform.op<"linalg.unpack">'
UNPACKED = '!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">'
UNPACKED += ', !transform.op<"tensor.extract_slice">'
COPY = '!transform.op<"linalg.copy">'
LEFT_ALONE = "it is not rewritten: "


def to_main(line: str) -> str:
    return migrated_line(line, MAIN)


def migrated_line(line: str, version: int) -> str:
    text = migrated(SCRIPT.format(line), version)
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
    ("line", "version", "expected"),
    [
        (
            f"%0 = transform.structured.winograd_conv2d %root {{m = 4 : i64, r = 3}} : {ONE}",
            22,
            f"%0 = transform.structured.winograd_conv2d %root {{fmr = 1 : i32}} : {ONE}",
        ),
        (
            f"%0 = transform.structured.winograd_conv2d %root {{m = 2, r = 5}} : {ONE}",
            MAIN,
            f"%0 = transform.structured.winograd_conv2d %root fmr(F_2_5) : {ONE}",
        ),
        (
            f"%0 = transform.structured.winograd_conv2d %root fmr(F_2_3) : {ONE}",
            19,
            f"%0 = transform.structured.winograd_conv2d %root {{m = 2, r = 3}} : {ONE}",
        ),
        (
            f'%0 = transform.apply_registered_pass "x" to %root {{options = "a-b=false c=7 d=08,f"}} : {ONE}',
            22,
            (
                f'%0 = transform.apply_registered_pass "x" with options = {{"a-b" = false, "c" = 7, "d" = "08,f"}} '
                f"to %root : {ONE}"
            ),
        ),
        (
            f"%a, %b, %c, %d = transform.structured.lower_unpack %unpack : ({UNPACK}) -> ({UNPACKED})",
            MAIN,
            (
                f"%a, %b, %c, %d, %copy_op = transform.structured.lower_unpack %unpack : "
                f"({UNPACK}) -> ({UNPACKED}, {COPY})"
            ),
        ),
        (
            f"%a, %b, %c, %copy_op = transform.structured.lower_unpack %unpack : ({UNPACK}) -> ({UNPACKED})",
            MAIN,
            (
                f"%a, %b, %c, %copy_op, %copy_op1 = transform.structured.lower_unpack %unpack : "
                f"({UNPACK}) -> ({UNPACKED}, {COPY})"
            ),
        ),
        (
            f"%a:4 = transform.structured.lower_unpack %unpack : ({UNPACK}) -> ({UNPACKED})",
            MAIN,
            f"%a:5 = transform.structured.lower_unpack %unpack : ({UNPACK}) -> ({UNPACKED}, {COPY})",
        ),
    ],
)
def test_attributes_and_results_that_mean_the_same_replace_the_former_ones(
    line: str, version: int, expected: str
) -> None:
    first = f"%unpack = transform.cast %root : !transform.any_op to {UNPACK}\n    "
    assert migrated_line(first + line, version) == first + expected
    assert migrated_line(first + expected, version) == first + expected


def test_a_renamed_payload_operation_is_renamed_in_all_types() -> None:
    text = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%root: !transform.op<"tensor.pack">) -> !transform.op<"tensor.pack"> {
    %0 = "my.op"(%root) : (!transform.op<"tensor.pack">) -> !transform.op<"tensor.pack">
    transform.foreach %0 : !transform.op<"tensor.pack"> {
    ^bb0(%each: !transform.op<"tensor.pack">):
      transform.yield
    }
    transform.yield %root : !transform.op<"tensor.pack">
  }
}
"""
    assert migrated(text, 22) == text.replace("tensor.pack", "linalg.pack")


@pytest.mark.parametrize(
    ("line", "version", "reason"),
    [
        (
            f"%0, %1 = transform.structured.tile_using_for %root tile_sizes *(%root) : {TO_TWO}",
            22,
            "it has no operand `packed_tile_sizes` there",
        ),
        (
            f"%0 = transform.structured.winograd_conv2d %root {{m = 6, r = 3}} : {ONE}",
            22,
            "it has no `m` there",
        ),
        (
            f'%0 = transform.apply_registered_pass "canonicalize" to %root {{options = "top-down"}} : {ONE}',
            22,
            "the options are no list of names with plain values",
        ),
        (
            f'%0 = transform.apply_registered_pass "cse" with options = {{"a" = 1}} to %root : {ONE}',
            19,
            "`options` is a text there",
        ),
        (
            (
                f"%0:4 = transform.structured.tile_reduction_using_forall %root by num_threads = [2], tile_sizes = [3] "
                f": {TO_FOUR}"
            ),
            22,
            (
                "`tile_sizes` has no equal there: up to LLVM 19 they make a loop in each thread, later they are its "
                "whole tile"
            ),
        ),
        (
            "%0:2 = transform.structured.split %root after 1 {dimension = 1} : !transform.any_op",
            22,
            (
                "in later versions its result is one list; transform.split_handle takes the two parts from that, but "
                "only if the target is a single operation"
            ),
        ),
        (
            (
                "transform.apply_patterns to %root {\n"
                "      transform.apply_patterns.vector.lower_transpose lowering_strategy = flat_transpose\n"
                "    } : !transform.any_op"
            ),
            22,
            (
                "`lowering_strategy` has no equal there: later only "
                "transform.apply_conversion_patterns.vector.vector_to_llvm lowers to intrinsics of LLVM"
            ),
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
def test_operations_with_an_uncertain_meaning_are_left(line: str) -> None:
    assert to_main(line) == line


def test_a_removed_payload_operation_gets_its_replacement() -> None:
    text = """\
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    assert migrated(text, MAIN) == text.replace("linalg.add", "linalg.elementwise <add>")


REDUCING = "transform.apply_patterns.vector."


@pytest.mark.parametrize(
    ("strategy", "parts"),
    [
        (" lowering_strategy = innerreduction", True),
        (' lowering_strategy = "innerreduction"', True),
        (" lowering_strategy = innerparallel", False),  # the parts make other operations of it
        ("", False),
    ],
)
def test_patterns_that_were_split_are_all_listed(strategy: str, parts: bool) -> None:
    script = SCRIPT.format("transform.apply_patterns to %root {\n      PATTERNS\n    } : !transform.any_op")
    text = script.replace("PATTERNS", f"{REDUCING}lower_multi_reduction{strategy}")
    names = ("reorder_multi_reduction_dims", "multi_reduction_flattening", "multi_reduction_unrolling")
    present = script.replace("PATTERNS", "\n      ".join(f"{REDUCING}{name}{strategy}" for name in names))
    for version in (24, MAIN):
        assert migrated(text, version) == (present if parts else text)


def test_types_keep_their_parentheses() -> None:
    former = "%0 = transform.structured.tile_using_for %root [0] : (!transform.any_op) -> (!transform.any_op)"
    assert migrated_line(former, 19) == former.replace(" [0]", " tile_sizes [0]")


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
