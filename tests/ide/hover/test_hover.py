"""Whole texts of hovers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ide.answers import hover_at, hover_in
from ide.scripts import BLOCKS, CALLS, HANDLES, LIBRARY, PARTS, cursor_at
from ide.with_cursor import CATALOGUE, URI, parse_cursor, snapshot_of
from tdls.ide.forms.signatures import operation_signature
from tdls.ide.hover.hover import hover
from tdls.structs import replace

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

# Operations


def test_operation(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(HANDLES, "tile_using", "_for")) == snapshot


@pytest.mark.parametrize(
    ("marked", "written"),
    [
        ("transform.kiln.fi$0re %a : !transform.any_op\n", "transform.kiln.fire"),
        ("func.func private @f(!kiln.fu$0el)\n", "!kiln.fuel"),
        (cursor_at(CALLS.replace("include @imported", "include @soon"), "include @so", "on"), "@soon"),
    ],
)
def test_unknown_operations_while_the_project_is_read(marked: str, written: str) -> None:
    text, offset = parse_cursor(marked)
    snapshot = replace(snapshot_of(text), reading="reading the project (34 %)")
    found = hover(snapshot, URI, offset)
    assert found is not None
    assert found.is_provisional
    said = "tdls is still reading the project (34 %): what this is may be known soon."
    assert found.markdown == f"```mlir\n{written}\n```\n\n{said}"
    known = hover(replace(snapshot, reading=""), URI, offset)
    assert known is not None
    assert "still reading" not in known.markdown


def test_operation_in_the_generic_form(snapshot: SnapshotAssertion) -> None:
    generic = '%a = "transform.struct$0ured.match"(%b) {ops = ["a.b"]} : (!transform.any_op) -> !transform.any_op\n'
    assert hover_at(generic) == snapshot


@pytest.mark.parametrize("callee", ["imported", "action"])
def test_instance_has_the_effects_of_the_callee(callee: str, snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(CALLS, "inc", f"lude @{callee}")) == snapshot


def test_instance_has_the_effects_of_the_body(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(HANDLES, "fore", "ach %tile")) == snapshot(name="reads")
    consuming = HANDLES.replace('"one" : !op', '"one" : !op\n transform.loop.unroll %one {factor = 2} : !op')
    assert hover_at(cursor_at(consuming, "fore", "ach %tile")) == snapshot(name="consumes")


def test_definition_of_the_version_that_was_read(snapshot: SnapshotAssertion) -> None:
    script = "transform.structured.pa$0d %a pad_to_multiple_of [1] : (!transform.any_op) -> !transform.any_op\n"
    assert hover_at(script) == snapshot


@pytest.mark.parametrize(
    "marked",
    [
        "func.func @f(%a: i32) {\n  %b = arith.ad$0di %a, %a : i32\n  return\n}\n",
        cursor_at(HANDLES, "linalg.mat", "mul"),
    ],
    ids=["operation", "name"],
)
def test_payload_operation(marked: str, snapshot: SnapshotAssertion) -> None:
    assert hover_at(marked) == snapshot


MATMUL = """\
func.func @f(%a: tensor<128x64xf32>, %b: tensor<64x?xf32>, %c: tensor<128x?xf32>, %d: tensor<64x128xf32>,
             %e: tensor<128xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x?xf32>) outs(%c : tensor<128x?xf32>)
    -> tensor<128x?xf32>
  %1 = linalg.transpose ins(%a : tensor<128x64xf32>) outs(%d : tensor<64x128xf32>) permutation = [1, 0]
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<128x64xf32>) outs(%e : tensor<128xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y : f32
  } -> tensor<128xf32>
  linalg.softmax %a
}
"""


@pytest.mark.parametrize(
    ("operation", "loops"),
    [
        ("matmul", "d0, d1 parallel 128x?, d2 reduction 64"),
        ("transpose", "d0, d1 parallel 64x128"),
        ("generic", "d0 parallel 128, d1 reduction 64"),
    ],
)
def test_structured_operation_has_its_loops(operation: str, loops: str) -> None:
    assert f"**Loops here**: {loops}\n" in hover_at(cursor_at(MATMUL, "linalg.", operation))


def test_loops_that_are_not_known_are_left_out() -> None:
    assert "Loops" not in hover_at(cursor_at(MATMUL, "linalg.", "softmax"))
    assert "Loops" not in hover_at(cursor_at(HANDLES, "linalg.mat", "mul"))


def test_renamed_operation(snapshot: SnapshotAssertion) -> None:
    assert hover_at("transform.structured.ti$0le %a\n") == snapshot


@pytest.mark.parametrize("marked", ["my.o$0p %a\n", "transform.structured.fus$0 %a\n", "transform.my.pipe$0line %a\n"])
def test_unknown_operation(marked: str, snapshot: SnapshotAssertion) -> None:
    assert hover_at(marked) == snapshot


@pytest.mark.parametrize(
    "operation",
    [
        "transform.apply_patterns",
        "transform.get_parent_op",
        "transform.bufferization.one_shot_bufferize",
        "transform.loop.unroll",
        "transform.payload",
        "linalg.matmul",
    ],
)
def test_attributes_are_spelled_as_in_scripts(operation: str, snapshot: SnapshotAssertion) -> None:
    assert hover_at(f'"{operation}$0"() : () -> ()\n') == snapshot


def test_description_where_it_is_at_hand(snapshot: SnapshotAssertion) -> None:
    text, offset = parse_cursor(cursor_at(HANDLES, "tile_using", "_for"))
    documented = {"transform.structured.tile_using_for": "What MLIR says."}
    described = replace(snapshot_of(text), descriptions=lambda name: documented.get(name, ""))
    assert hover_in(described, offset) == snapshot


def test_every_operation_of_the_catalogue_has_a_signature() -> None:
    for name in CATALOGUE.operation_names():
        definition = CATALOGUE.operation(name)
        assert definition is not None
        text = operation_signature(definition)
        assert name in text
        assert all(f"%{result.name}" in text for result in definition.results)


# Values


def test_handle_is_followed_to_the_match(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(HANDLES, "at %o", "ne")) == snapshot


def test_consumption(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(HANDLES, "for %mat", "ch")) == snapshot


def test_use_after_consumption(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(HANDLES.replace("foreach %tile", "foreach %match"), "foreach %mat", "ch")) == snapshot


@pytest.mark.parametrize("place", ["unroll", "foreach"])
def test_consumption_in_a_loop(place: str, snapshot: SnapshotAssertion) -> None:
    unroll = "      transform.loop.unroll %tile {factor = 2} : !op\n"
    consuming = HANDLES.replace("    }\n    transform.yield", f"{unroll}    }}\n    transform.yield")
    assert hover_at(cursor_at(consuming, f"{place} %ti", "le")) == snapshot


def test_operation_that_is_not_known(snapshot: SnapshotAssertion) -> None:
    unknown = HANDLES.replace("    transform.yield", "    transform.my.op %tile : !op\n    transform.yield")
    assert hover_at(cursor_at(unknown, "foreach %ti", "le")) == snapshot


def test_body_that_leaves_its_argument_alone(snapshot: SnapshotAssertion) -> None:
    unused = HANDLES.replace('      transform.debug.emit_remark_at %one, "one" : !op\n', "")
    assert hover_at(cursor_at(unused, "foreach %ti", "le")) == snapshot(name="unused")
    unknown = HANDLES.replace("    ^each(%one: !op):\n", "    ^each(%one: !op):\n      transform.my.op %one : !op\n")
    assert hover_at(cursor_at(unknown, "foreach %ti", "le")) == snapshot(name="unknown")


def test_result_group(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(HANDLES, "%lo", "ops:2")) == snapshot(name="group")
    assert hover_at(cursor_at(HANDLES, "at %loops", "#1")) == snapshot(name="one of it")


def test_parameter_has_no_fate(snapshot: SnapshotAssertion) -> None:
    assert hover_at("%a$0 = transform.param.constant 4 : i64 -> !transform.param<i64>\n") == snapshot


@pytest.mark.parametrize("before_and_after", ["return %a|rg", "return %|z"])
def test_payload_value(before_and_after: str, snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(BLOCKS, *before_and_after.split("|"))) == snapshot


@pytest.mark.parametrize(
    "written",
    [
        "my.op %a -> tensor<i32>",
        "my.op #my.attribute<b> : i32",
        '"my.op"(%a) : (i32) -> (i32)',
        "arith.addi %a, %a : i32",
    ],
)
def test_operation_behind_a_value_is_shown_without_known_types(written: str, snapshot: SnapshotAssertion) -> None:
    assert hover_at(f"func.func @f(%a: i32) {{\n  %b$0 = {written}\n  return\n}}\n") == snapshot


def test_undefined_names(snapshot: SnapshotAssertion) -> None:
    assert hover_at("my.op %$0a\n") == snapshot(name="value")
    assert hover_at("my.op {a = @$0b::@c}\n") == snapshot(name="symbol")
    assert hover_at("module attributes {my.o$0wn} {\n}\n") == snapshot(name="attribute")


# Symbols


def test_symbol_with_its_arguments(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(HANDLES, "@ma", "in")) == snapshot


def test_argument_without_attribute(snapshot: SnapshotAssertion) -> None:
    unmarked = LIBRARY.replace(" {transform.consumed}", "")
    assert hover_at(cursor_at(unmarked, "@hel", "per(%x: !transform.any_op")) == snapshot


def test_declaration_names_its_body(snapshot: SnapshotAssertion) -> None:
    marked = cursor_at(CALLS, "include @imp", "orted")
    assert hover_at(marked, library=LIBRARY) == snapshot(name="in a library")
    assert hover_at(marked) == snapshot(name="nowhere")


def test_comment_above_a_symbol(snapshot: SnapshotAssertion) -> None:
    assert hover_at("// not this\n\n// Adds one.\n//   Twice.\nfunc.func @f$0() {\n  return\n}\n") == snapshot


def test_declaration_has_the_comment_of_its_body(snapshot: SnapshotAssertion) -> None:
    commented = LIBRARY.replace(
        "  transform.named_sequence @imported", "  // Does it all.\n  transform.named_sequence @imported"
    )
    assert commented != LIBRARY
    assert hover_at(cursor_at(CALLS, "include @imp", "orted"), library=commented) == snapshot


def test_marker_between_parts_is_no_comment(snapshot: SnapshotAssertion) -> None:
    before, marker, after = PARTS.partition("// -----")
    second = after.replace("!a = i64\n", "").replace("@callee(!a)", "@cal$0lee(!a)")
    assert hover_at(before + marker + second) == snapshot


# Attributes, types, aliases, blocks, keywords


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[8", ", 4]"),
        ('"inn', 'er"'),
        ("transform.read", "only"),
        ("transform.with_", "named"),
        ("tile_", "sizes"),
        ("!o", "p ="),
        ("%root: !o", "p {"),
        ("= !transform.any", "_op"),
        ("^ea", "ch"),
    ],
)
def test_small_things(before: str, after: str, snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(HANDLES, before, after)) == snapshot


def test_cases_of_an_attribute(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(CALLS, "@imported failures(pro", "pagate")) == snapshot


def test_block(snapshot: SnapshotAssertion) -> None:
    assert hover_at(cursor_at(BLOCKS, "cf.br ^ri", "ght")) == snapshot(name="known")
    assert hover_at("func.func @f() {\n  cf.br ^n$0o\n}\n") == snapshot(name="unknown")


def test_nested_alias(snapshot: SnapshotAssertion) -> None:
    assert hover_at("!a = i32\n!b$0 = tuple<!a>\n") == snapshot(name="known")
    assert hover_at("func.func @f(%a: !b$0) {\n  return\n}\n") == snapshot(name="unknown")


@pytest.mark.parametrize("type_text", ["!transform.param<i64>", "!llvm.ptr", "!my.type"])
def test_types(type_text: str, snapshot: SnapshotAssertion) -> None:
    assert hover_at(f"func.func @f(%a: {type_text[:5]}$0{type_text[5:]}) {{\n  return\n}}\n") == snapshot


# Texts of all kinds


def test_carriage_returns() -> None:
    marked = cursor_at(HANDLES, "at %o", "ne")
    assert hover_at(marked.replace("\n", "\r\n")) == hover_at(marked)


@pytest.mark.parametrize("marked", ["$0", "  $0  ", "// %$0a", "}$0", '"$0', "my.op {a = 3}$0"])
def test_nothing(marked: str) -> None:
    assert hover_at(marked) == "nothing"


@pytest.mark.parametrize("text", [HANDLES, CALLS, BLOCKS])
def test_every_place_of_damaged_texts(text: str) -> None:
    for end in range(len(text) // 2, len(text), 61):
        snapshot = snapshot_of(text[:end])
        for offset in range(0, end, 13):
            found = hover(snapshot, URI, offset)
            assert found is None or (found.markdown and found.span.start <= offset <= found.span.end)
