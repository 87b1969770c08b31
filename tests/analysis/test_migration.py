"""Scripts are written as their target version does, where their meaning stays the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.migration import migrated
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.respelling import MIGRATING, reasons_to_leave
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.changes.migration import migrate
from tdls.settings.llvm_versions import newest_version, version_named

MAIN = newest_version()

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
ONE_TO_TWO = "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
TO_THREE = "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)"
TO_FOUR = "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)"
LOOPS = "transform.structured.match interface{LoopLikeInterface}"
LEFT_ALONE = "it is not rewritten: "


def migrated_line(line: str, version: int) -> str:
    text = migrated(SCRIPT.format(line), version)
    start, end = SCRIPT.split("{}")[0].format(), "\n    transform.yield"
    return text[len(start) : text.index(end)]


def reasons(line: str, version: int) -> list[str]:
    found = findings_in_file(SourceFile.of(SCRIPT.format(line), Catalogue.shipped().at(version)))
    notes = [note.message for finding in found for note in finding.notes]
    return [note.removeprefix(LEFT_ALONE) for note in notes if note.startswith(LEFT_ALONE)]


@pytest.mark.parametrize("case", (Path(__file__).parent / "migrations.mlir").read_text().split("// -----\n"))
def test_a_text_becomes_the_one_behind_it(case: str) -> None:
    title, text = case.split("\n", 1)
    before, _, after = text.partition("// becomes:\n")
    version = version_named(title.removeprefix("// To LLVM ").partition(":")[0])
    assert version is not None
    assert migrated(before, version) == (after or before)
    assert migrated(after or before, version) == (after or before)


@pytest.mark.parametrize(
    ("line", "version", "reason"),
    [
        (
            f"%0, %1 = transform.structured.tile_using_for %root tile_sizes *(%root) : {TO_TWO}",
            22,
            "it has no operand `packed_tile_sizes` there",
        ),
        (f"%0 = transform.structured.winograd_conv2d %root {{m = 6, r = 3}} : {ONE}", 22, "it has no `m` there"),
        (
            f'%0 = transform.apply_registered_pass "canonicalize" to %root {{options = "top-down"}} : {ONE}',
            22,
            "the options are not a list of names with plain values",
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
            "`tile_sizes` has no equal there: up to LLVM 19 they make a loop in each thread",
        ),
        (
            (
                "transform.apply_patterns to %root {\n"
                "      transform.apply_patterns.vector.lower_transpose lowering_strategy = flat_transpose\n"
                "    } : !transform.any_op"
            ),
            22,
            "`lowering_strategy` has no equal there: later only transform.apply_conversion_patterns",
        ),
    ],
)
def test_an_operation_that_is_left_has_a_reason(line: str, version: int, reason: str) -> None:
    assert migrated(SCRIPT.format(line), version) == SCRIPT.format(line)
    assert any(each.startswith(reason) for each in reasons(line, version))


SEQUENCE = "transform.sequence failures(propagate) {{\n^bb0(%r: !transform.any_op):\n{}}}\n"
MATCH = 'transform.structured.match ops{["linalg.matmul"]} in %r'
VECTOR = "transform.apply_patterns.vector."
PRINT, ANY = "  transform.print %b", " : !transform.any_op"


@pytest.mark.parametrize(
    ("former", "present"),
    [
        (f"%m = {MATCH}", f"%m = {MATCH} : {ONE}"),
        (
            f"%m = {MATCH}\n  %t, %l:2 = transform.structured.tile %m [4, 4] {{interchange = [1, 0]}}",
            (
                f"%m = {MATCH} : {ONE}\n  %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [4, 4] "
                f"interchange = [1, 0] : {TO_THREE}"
            ),
        ),
        (
            "%v = transform.structured.vectorize %r\n  transform.structured.masked_vectorize %v vector_sizes [8]",
            (
                f"%v = transform.structured.vectorize_children_and_apply_patterns %r : {ONE}\n"
                "  transform.structured.vectorize %v vector_sizes [8] : !transform.any_op"
            ),
        ),
        (
            f"%f, %t = transform.structured.tile_to_forall_op %r num_threads [2] : {ONE_TO_TWO}",
            f"%t, %f = transform.structured.tile_using_forall %r num_threads [2] : {ONE_TO_TWO}",
        ),
        (
            f"%p = get_closest_isolated_parent %r : {ONE} // func",
            f"%p = transform.get_parent_op %r {{isolated_from_above, deduplicate}} : {ONE} // func",
        ),
        (
            f"%p = transform.loop.get_parent_for %r {{num_loops = 2}} : {ONE}",
            f'%p = transform.get_parent_op %r {{nth_parent = 2, op_name = "scf.for", deduplicate}} : {ONE}',
        ),
        ("transform.print %r : !transform.any_op", "transform.print %r : !transform.any_op"),
        (
            f"%b:2 = transform.structured.tile_to_forall_op %r num_threads [2] : {ONE_TO_TWO}\n{PRINT}#0{ANY}",
            f"%b:2 = transform.structured.tile_using_forall %r num_threads [2] : {ONE_TO_TWO}\n{PRINT}#1{ANY}",
        ),
        (
            f"transform.structured.vectorize %r : {ONE}",
            f"transform.structured.vectorize_children_and_apply_patterns %r : {ONE}",
        ),
        (
            f'%l = transform.loop.outline %r {{func_name = "f"}} : {ONE}',
            f'%l, %call = transform.loop.outline %r {{func_name = "f"}} : {ONE_TO_TWO}',
        ),
        (
            "transform.structured.convert_to_loops %r : !transform.any_op",
            f"transform.structured.convert_to_loops %r : {ONE}",
        ),
        (
            "transform.bufferization.one_shot_bufferize %r {create_deallocs = false, target_is_module = false}",
            f"transform.bufferization.one_shot_bufferize %r : {ONE}",
        ),
        (
            "transform.gpu.map_nested_foreach_to_threads %r {blockDim = [32, 4]}",
            f"transform.gpu.map_nested_forall_to_threads %r block_dims = [32, 4, 1] : {ONE}",
        ),
        (
            "transform.bufferization.eliminate_empty_tensors %r",
            "transform.bufferization.eliminate_empty_tensors %r : !transform.any_op",
        ),
        (
            f"%p, %q = transform.structured.pad %r {{copy_back = false}} : {ONE_TO_TWO}",
            f'%p, %q, %copy = transform.structured.pad %r {{copy_back_op = "none"}} : {TO_THREE}',
        ),
        (
            f"%0, %1, %2, %3 = transform.structured.tile_reduction_using_scf %r by tile_sizes = [2] : {TO_FOUR}",
            f"%1, %2, %3, %0 = transform.structured.tile_reduction_using_for %r by tile_sizes = [2] : {TO_FOUR}",
        ),
        (
            "%p = transform.structured.pad %r {pack_paddings = [1, 0]}",
            (
                '%p, %pad, %copy = transform.structured.pad %r {nofold_flags = [1, 0], copy_back_op = "none"} : '
                "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)"
            ),
        ),
        (
            (
                f"%a = transform.vector.lower_mask %r : {ONE}\n  %b = transform.vector.lower_transfer %a\n"
                f"    max_transfer_rank = 1 : {ONE}\n  transform.print %b : !transform.any_op"
            ),
            (
                f"transform.apply_patterns to %r {{\n    {VECTOR}lower_masks\n  }} : !transform.any_op\n"
                f"  transform.apply_patterns to %r {{\n    {VECTOR}lower_transfer max_transfer_rank = 1\n"
                "  } : !transform.any_op\n  transform.print %r : !transform.any_op"
            ),
        ),
        tuple(
            f"%0 = transform.structured.pack_greedily %r {word}_packed_sizes = [8, 4, 2]\n"
            f"  {word}_inner_dims_order = [1, 2, 0] : {ONE}"
            for word in ("gemm", "matmul")
        ),
        *(
            (
                f"transform.apply_patterns %r {{canonicalization, licm}}{type_}",
                (
                    "transform.apply_patterns to %r {\n    transform.apply_patterns.canonicalization\n"
                    f"  }} : !transform.any_op\n  %loops = {LOOPS} in %r : {ONE}\n"
                    "  transform.apply_licm to %loops : !transform.any_op"
                ),
            )
            for type_ in ("", " : !transform.any_op", " : (!transform.any_op) -> ()")
        ),
    ],
)
def test_forms_of_llvm_16_and_17_get_types_and_present_names(former: str, present: str) -> None:
    text, expected = (SEQUENCE.format(f"  {line}\n") for line in (former, present))
    assert migrated(text.replace("!transform.any_op", "!pdl.operation"), 22) == expected
    assert migrated(expected, 22) == expected
    assert migrated(migrated(text, 22), MAIN) == migrated(text, MAIN)


@pytest.mark.parametrize(
    ("line", "version", "expected"),
    [
        ("{pack_paddings = [1, 0]}", 22, "{nofold_flags = [1, 0]}"),
        ("<nofold_flags = [1, 0]>", 19, "{pack_paddings = [1, 0]}"),
        (
            "{padding_dimensions = [0, 1], pad_to_multiple_of = [2, 2]}",
            22,
            "pad_to_multiple_of [2, 2] {padding_dimensions = [0, 1]}",
        ),
        ("{hoist_paddings = [1]}", 22, None),
    ],
)
def test_attributes_that_the_version_would_ignore_are_renamed_or_left(
    line: str, version: int, expected: str | None
) -> None:
    pad = f"%p, %q, %c = transform.structured.pad %root LINE : {TO_THREE}"
    former = pad.replace("LINE", line)
    assert migrated_line(former, version) == pad.replace("LINE", expected or line)
    assert bool(reasons(former, version)) == (expected is None)


def test_a_part_is_migrated_as_a_whole_or_stays() -> None:
    fitting = SEQUENCE.format(f"  %v = transform.structured.vectorize %r : {ONE}\n")
    kept = SEQUENCE.format("  %v = transform.structured.vectorize %r\n  transform.structured.scalarize %v, %v\n")
    text = f"{fitting}// -----\n{kept}"
    present = fitting.replace("vectorize", "vectorize_children_and_apply_patterns")
    assert migrated(text, 22) == f"{present}// -----\n{kept}"
    assert migrated(fitting + kept, 22) == fitting + kept


ATTRIBUTES = {
    f"%0 = transform.get_parent_op %root DICTIONARY : {ONE}": (
        'op_name = "func.func"', "deduplicate", "nth_parent = 2 : i64", "allow_empty_results", "my.own = [1, 2]",
    ),
    "transform.print %root DICTIONARY : !transform.any_op": (
        'name = "a // b"', "use_local_scope", "skip_regions", "my.own", "assume_verified",
    ),
    "%l = transform.cast %root : !transform.any_op to !transform.op<\"scf.for\">\n    "
    "%0, %1 = transform.loop.peel %l DICTIONARY : (!transform.op<\"scf.for\">) "
    "-> (!transform.any_op, !transform.any_op)": (
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


def test_reasons_name_the_form_and_leave_out_what_follows() -> None:
    migration = migrate(
        SourceFile.of(
            SEQUENCE.format(
                "  %a:4 = transform.structured.tile_reduction_using_forall %r by num_threads = [2], tile_sizes = [3] "
                f": {TO_FOUR}\n"
                f"  %f = transform.structured.fuse %a#0 [4] apply_cleanup = true : {ONE}\n"
            ),
            Catalogue.shipped(),
        ),
        22,
    )
    assert migration is not None
    tile, fuse = (reason for finding in migration.left for _, reason in reasons_to_leave(finding))
    assert "`tile_sizes` has no equal there" in tile
    assert "`transform.structured.fuse` is in a form that tdls does not know, and not as in LLVM 22" in fuse
