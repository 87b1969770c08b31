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
KIND = "kind = #linalg.elementwise_kind<add>"
TWO_TO_ONE = "(!transform.any_op, !transform.any_op) -> !transform.any_op"
ONE_TO_TWO = "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
TO_THREE = "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)"
TO_FOUR = "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)"
UNPACK = '!transform.op<"linalg.unpack">'
UNPACKED = '!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">'
UNPACKED += ', !transform.op<"tensor.extract_slice">'
LOWERED = f"transform.structured.lower_unpack %unpack : ({UNPACK}) -> ({UNPACKED}"
COPY = '!transform.op<"linalg.copy">'
LOOPS = "transform.structured.match interface{LoopLikeInterface}"
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


@pytest.mark.parametrize("case", (Path(__file__).parent / "migrations.mlir").read_text().split("// -----\n"))
def test_a_text_becomes_the_one_behind_it(case: str) -> None:
    title, text = case.split("\n", 1)
    before, after = text.split("// becomes:\n")
    version = version_named(title.removeprefix("// To LLVM ").partition(":")[0])
    assert version is not None
    assert migrated(before, version) == (after or before)


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
        (f"%a, %b, %c, %d = {LOWERED})", MAIN, f"%a, %b, %c, %d, %copy_op = {LOWERED}, {COPY})"),
        (f"%a, %b, %c, %copy_op = {LOWERED})", MAIN, f"%a, %b, %c, %copy_op, %copy_op1 = {LOWERED}, {COPY})"),
        (f"%a:4 = {LOWERED})", MAIN, f"%a:5 = {LOWERED}, {COPY})"),
    ],
)
def test_attributes_and_results_that_mean_the_same_replace_the_former_ones(
    line: str, version: int, expected: str
) -> None:
    first = f"%unpack = transform.cast %root : !transform.any_op to {UNPACK}\n    " if "%unpack" in line else ""
    assert migrated_line(first + line, version) == first + expected
    assert migrated_line(first + expected, version) == first + expected


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
    for version in (23, MAIN):
        assert migrated(text, version) == (present if parts else text)


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


def test_a_loop_that_becomes_a_new_result_is_followed() -> None:
    fuse = f"transform.structured.fuse_into_containing_op %m into %f : {TWO_TO_ONE}\n"
    uses = f"  %a = {fuse}  %b = {fuse.replace('%m', '%n')}  transform.print %f : !transform.any_op\n"
    search = "".join(f"  {name} = {MATCH} : {ONE}\n" for name in ("%f", "%m", "%n"))
    text = migrated(SEQUENCE.format(search + uses), 22)
    lines = [re.sub(r" : .*", "", line.strip()) for line in text.splitlines()[5:8]]
    assert lines == [
        "%a, %new_containing_op = transform.structured.fuse_into_containing_op %m into %f",
        "%b, %new_containing_op1 = transform.structured.fuse_into_containing_op %n into %new_containing_op",
        "transform.print %new_containing_op1",
    ]


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


UNARY = "linalg.elemwise_unary FUN ins(%a : TYPE) outs(%b : tensor<4xf32>) -> tensor<4xf32>"


@pytest.mark.parametrize(
    ("given", "type_", "searched", "version", "expected"),
    [
        ("", "tensor<4xf32>", "unary", 22, "linalg.elementwise kind=#linalg.elementwise_kind<exp> "),
        ("{fun = #linalg.unary_fn<log>} ", "tensor<4xf32>", "unary", MAIN, "linalg.elementwise <log> "),
        ("", "tensor<4xf64>", "unary", 22, None),
        ("", "tensor<4xf32>", "binary", 22, None),
    ],
)
def test_elementwise_payload_and_its_searches_change_together(
    given: str, type_: str, searched: str, version: int, expected: str | None
) -> None:
    payload = UNARY.replace("TYPE", type_)
    text = f"func.func @f(%a: {type_}, %b: tensor<4xf32>) {{\n  %0 = {payload}\n  return\n}}\n"
    search = f"  %m = {MATCH} : {ONE}\n".replace("linalg.matmul", f"linalg.elemwise_{searched}")
    text = text.replace("FUN ", given) + SEQUENCE.format(search)
    after = text.replace(f"linalg.elemwise_unary {given}", expected or "").replace(
        "linalg.elemwise_unary", "linalg.elementwise"
    )
    assert migrated(text, version) == (text if expected is None else after)


def test_a_part_is_migrated_as_a_whole_or_stays() -> None:
    fitting = SEQUENCE.format(f"  %v = transform.structured.vectorize %r : {ONE}\n")
    kept = SEQUENCE.format("  %v = transform.structured.vectorize %r\n  transform.structured.scalarize %v, %v\n")
    text = f"{fitting}// -----\n{kept}"
    present = fitting.replace("vectorize", "vectorize_children_and_apply_patterns")
    assert migrated(text, 22) == f"{present}// -----\n{kept}"
    assert migrated(fitting + kept, 22) == fitting + kept


def test_a_way_through_versions_is_taken_where_none_is_direct() -> None:
    strategy = 'lowering_strategy = "innerreduction"'
    text = SEQUENCE.format(f"  transform.vector.lower_multi_reduction %r {strategy} : {ONE}\n")
    assert f"{VECTOR}multi_reduction_unrolling {strategy}" in migrated(text, MAIN)


def test_generic_forms_get_properties() -> None:
    generic = f'%0:2 = "transform.structured.tile_using_for"(%root) ATTRIBUTES : {ONE_TO_TWO}'
    former = "{static_sizes = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0>, my.own}"
    present = "<{static_sizes = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> {my.own}"
    assert to_main(generic.replace("ATTRIBUTES", former)) == generic.replace("ATTRIBUTES", present)
    assert to_main(generic.replace("ATTRIBUTES", present)) == generic.replace("ATTRIBUTES", present)


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


@pytest.mark.parametrize(
    ("former", "present", "result"),
    [
        ("linalg.add ins(%a, %a : TS, TS) outs(%a : TS) -> TS", "linalg.elementwise <add> ins(%a, %a", "TS"),
        ("tensor.expand_shape %a [[0, 1]] : TS into tensor<2x1xf32>", "]] output_shape [2, 1] : TS", "tensor<2x1xf32>"),
        ("tensor.expand_shape %a [[0, 1]] : TS into tensor<?x1xf32>", "]] : TS", "tensor<?x1xf32>"),
        ("bufferization.to_memref %a : MS", "bufferization.to_buffer %a : TS to MS", "MS"),
        ("bufferization.to_tensor %b restrict : MS", "%b restrict : MS to TS", "TS"),
        ("vector.extract %v[1] : vector<2x4xf32>", "%v[1] : vector<4xf32> from vector<2x4xf32>", "vector<4xf32>"),
    ],
)
def test_former_payload_gets_the_types_and_shapes_of_today(former: str, present: str, result: str) -> None:
    head, tail = f"func.func @f(%a: TS, %b: MS, %v: vector<2x4xf32>) -> {result} {{", f"return %0 : {result}\n}}\n"
    text = f"{head}\n  %0 = {former}\n  {tail}".replace("TS", "tensor<2xf32>").replace("MS", "memref<2xf32>")
    now = migrated(text, MAIN)
    assert present in now.replace("tensor<2xf32>", "TS").replace("memref<2xf32>", "MS")
    assert migrated(now, MAIN) == now


@pytest.mark.parametrize(
    ("line", "present"),
    [
        (
            f"%l, %f, %a, %b = transform.structured.tile_reduction_using_forall %r by num_threads = [2] : {TO_FOUR}",
            f"%f, %a, %b, %l = transform.structured.tile_reduction_using_forall %r by num_threads = [2] : {TO_FOUR}",
        ),
        (
            "%a, %b = transform.structured.bufferize_to_allocation %r : !transform.any_op",
            "%a, %b = transform.structured.bufferize_to_allocation %r {emit_dealloc} : !transform.any_op",
        ),
        (f"%b = transform.bufferization.one_shot_bufferize %r : {ONE}", None),
    ],
)
def test_what_looks_as_today_and_meant_something_else_is_rewritten_or_left(line: str, present: str | None) -> None:
    line, present = line.replace("%r", "%v"), present and present.replace("%r", "%v")
    vectorize = f"  %v = transform.structured.vectorize %r : {ONE}\n"
    former = SEQUENCE.format(f"{vectorize}  {line}\n")
    after = SEQUENCE.format(f"{vectorize}  {present}\n".replace("vectorize", "vectorize_children_and_apply_patterns"))
    assert migrated(former, 22) == (former if present is None else after)
    alone = SEQUENCE.format(f"  {line}\n".replace("%v", "%r"))
    assert migrated(alone, 22) == alone


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


def test_what_is_done_to_operations_one_by_one_becomes_a_loop() -> None:
    split = "%a:2 = transform.structured.split %root after %n {dimension = 1} : !transform.any_op, !transform.any_op"
    assert migrated_line(f"%n = transform.merge_handles %root : !transform.any_op\n    {split}", 22).endswith(
        "%a:2 = transform.foreach %root, %n : !transform.any_op, !transform.any_op"
        " -> !transform.any_op, !transform.any_op {\n"
        "    ^bb0(%target: !transform.any_op, %dynamic_chunk_sizes: !transform.any_op):\n"
        "      %parts = transform.structured.split %target after %dynamic_chunk_sizes {dimension = 1} "
        ": !transform.any_op, !transform.any_op\n"
        "      %first, %second = transform.split_handle %parts {fail_on_payload_too_small = false} "
        f": {ONE_TO_TWO}\n"
        "      transform.yield %first, %second : !transform.any_op, !transform.any_op\n"
        "    }"
    )
    hoist = f"  transform.structured.hoist_redundant_tensor_subsets %f : {ONE}\n"
    match = f'  %f = transform.structured.match ops{{["func.func"]}} in %r : {ONE}\n'
    hoisted = (
        "  transform.foreach %f : !transform.any_op {\n"
        "  ^bb0(%target: !transform.any_op):\n"
        f'    %loops = transform.structured.match ops{{["scf.for"]}} in %target : {ONE}\n'
        "    transform.loop.hoist_loop_invariant_subsets %loops : !transform.any_op\n"
        "  }\n"
    )
    assert migrated(SEQUENCE.format(match + hoist), 22) == SEQUENCE.format(match + hoisted)
    loops = SEQUENCE.format(match.replace("func.func", "scf.for") + hoist)
    assert migrated(loops, 22) == loops


def test_what_the_version_reads_holds_no_part_back() -> None:
    types = "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    line = f"%0, %1 = transform.structured.tile_using_for %root [4] : {types}"
    text = (
        "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.read_only}) {\n"
        f"    {line}\n    transform.yield\n  }}\n}}\n"
    )
    assert migrated(text, 22) == text.replace("%root [4]", "%root tile_sizes [4]")
