"""Completions of names at a cursor (`$0`): values, types, symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ide.answers import completion_in
from ide.completing import SCRIPT, items_at, labels_at, line_after, offered
from ide.with_cursor import CATALOGUE, URI, parse_cursor, snapshot_of
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.model import PassDefinition, PassOption
from tdls.catalogue.source import MemorySource
from tdls.ide.completion.completion import completion
from tdls.ide.completion.items import ItemKind
from tdls.ide.hover.hover import hover
from tdls.ide.snapshot import Snapshot

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

# Handles


def test_live_handles_first_and_consumed_ones_last(snapshot: SnapshotAssertion) -> None:
    assert offered("transform.annotate $0") == snapshot


def test_parameters_first_where_one_is_wanted(snapshot: SnapshotAssertion) -> None:
    assert offered("transform.debug.emit_param_as_remark $0") == snapshot


def test_handles_of_outer_and_inner_blocks(snapshot: SnapshotAssertion) -> None:
    line = (
        "transform.foreach %tiled : !transform.any_op {\n^bb0(%inner: !transform.any_op):\n  transform.annotate %$0\n}"
    )
    assert offered(line) == snapshot


def test_a_handle_is_stale_through_another_one() -> None:
    body = (
        '  %loops = transform.structured.match ops{["scf.for"]} in %a : (!transform.any_op) -> !transform.any_op\n'
        "  %both = transform.merge_handles %loops, %loops : !transform.any_op\n"
        "  transform.loop.unroll %loops {factor = 2} : !transform.any_op\n"
    )
    script = f"transform.named_sequence @f(%a: !transform.any_op) {{\n{body}  transform.annotate $0\n}}\n"
    text, offset = parse_cursor(script)
    snapshot, place = snapshot_of(text), text.index("%both")
    assert "Stale through another handle" not in str(hover(snapshot, URI, place))  # a hover runs no script
    notes = {item.label: item.note for item in completion(snapshot, URI, offset).items}
    assert notes["%both"] == notes["%loops"] == "stale since transform.loop.unroll in line 4"
    described = str(hover(snapshot, URI, place))
    assert r"**Stale through another handle since**\n\n- `transform.loop.unroll` (line 4)" in described


def test_very_many_handles_are_filtered_by_the_typed_prefix() -> None:
    lines = "\n".join(f"  %v{number} = transform.get_parent_op %a : (!t) -> !transform.any_op" for number in range(700))
    script = f"transform.named_sequence @f(%a: !transform.any_op) {{\n{lines}\n  LINE\n}}\n"
    text, offset = parse_cursor(script.replace("LINE", "transform.annotate %$0"))
    found = completion(snapshot_of(text), URI, offset)
    assert found.is_incomplete
    assert len(found.items) == 500
    assert found.items[0].label == "%v699"
    assert labels_at("transform.annotate %v12$0", script)[-1] == "%v12"


def test_nothing_from_around_an_isolated_operation(snapshot: SnapshotAssertion) -> None:
    script = "%outer = my.value\ntransform.named_sequence @f(%a: !transform.any_op) {\n  LINE\n}\n"
    assert offered("transform.annotate $0", script) == snapshot


def test_a_handle_is_not_offered_where_it_is_defined(snapshot: SnapshotAssertion) -> None:
    assert offered("%self = transform.get_parent_op $0") == snapshot
    assert offered("%self, $0") == "nothing"


@pytest.mark.parametrize("line", ["transform.annotate %ti$0led", 'transform.annotate %ti$0 "x" : !transform.any_op'])
def test_the_word_at_the_cursor_is_replaced(line: str, snapshot: SnapshotAssertion) -> None:
    assert offered(line) == snapshot
    after = line_after(line, "%loops#1")
    assert after.startswith("transform.annotate %loops#1")
    assert "%lo" + "ti" not in after


# Types


@pytest.mark.parametrize("first", ["!any = !transform.any_op\n", ""], ids=["with an alias", "without"])
def test_the_whole_function_type(first: str, snapshot: SnapshotAssertion) -> None:
    script = SCRIPT.replace("!any = !transform.any_op\n", first)
    line = "%x:3 = transform.structured.fuse_into_containing_op %tiled into %loops#1 : $0"
    assert offered('%x = transform.structured.match ops{["a"]} in %tiled : $0', script) == snapshot(name="of one")
    assert offered(line, script) == snapshot(name="of several")


@pytest.mark.parametrize("call", ["%x = reads", "eats", "%x:2 = missing"])
def test_the_function_type_of_a_call(call: str, snapshot: SnapshotAssertion) -> None:
    results, _, name = call.rpartition("= ")
    line = f"{results}{'= ' if results else ''}transform.include @{name} failures(propagate) (%tiled) : $0"
    assert offered(line) == snapshot


def test_types_behind_the_operands(snapshot: SnapshotAssertion) -> None:
    assert offered('%x = transform.structured.match ops{["a"]} in %tiled $0') == snapshot


def test_aliases_of_the_file_first(snapshot: SnapshotAssertion) -> None:
    assert offered('transform.annotate %tiled "x" : !$0') == snapshot


@pytest.mark.parametrize(
    "line",
    [
        'transform.annotate %loops#1 "x" : $0',
        "%x = transform.loop.fuse_sibling %tiled into %loops#1 : (!transform.any_op, $0",
    ],
    ids=["alone", "second"],
)
def test_the_type_of_the_operand_first(line: str, snapshot: SnapshotAssertion) -> None:
    assert offered(line) == snapshot


def test_parameters_of_types(snapshot: SnapshotAssertion) -> None:
    assert offered("%x = transform.param.constant 1 : i64 -> !transform.param<$0>") == snapshot


_PAYLOAD = "func.func @f(%x: tensor<4xf32>, %y: f32) {\n  LINE\n  return\n}\n"


def test_types_of_payload_are_those_of_its_values(snapshot: SnapshotAssertion) -> None:
    assert offered("%z = arith.addf %x, %x : $0", _PAYLOAD) == snapshot


def test_snippets_of_payload_know_nothing_of_handles(snapshot: SnapshotAssertion) -> None:
    assert offered("arith.addf$0", _PAYLOAD) == snapshot
    assert offered("func.func @g(%x: f32 {$0})", "module {\n  LINE\n}\n") == "nothing"


# Payload operations


@pytest.mark.parametrize(
    "line",
    [
        '%x = transform.structured.match ops{["linalg.mat$0"]} in %root : (!transform.any_op) -> !transform.any_op',
        '%x = transform.structured.match ops{["linalg.mat$0',
        '%x = transform.get_parent_op %tiled {op_name = "linalg.mat$0"} : (!transform.any_op) -> !transform.any_op',
        'transform.annotate %tiled "x" : !transform.op<"linalg.mat$0">',
        'transform.match.operation_name %tiled ["linalg.fill", "linalg.mat$0"] : !transform.any_op',
    ],
    ids=["match", "not closed", "attribute", "type", "second"],
)
def test_payload_operations(line: str, snapshot: SnapshotAssertion) -> None:
    assert offered(line) == snapshot
    after = line_after(line, "linalg.matmul")
    assert '"linalg.matmul"' in after
    assert '""' not in after


def test_payload_operations_that_the_file_has_come_first(snapshot: SnapshotAssertion) -> None:
    assert offered('%x = transform.structured.match ops{["linalg.$0') == snapshot


PAYLOAD = """\
func.func @payload(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant 0.0 : f32
  %x = linalg.fill ins(%c : f32) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.fill ins(%c : f32) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = my.op %y : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
"""


@pytest.mark.parametrize(("more", "counts"), [("", ["2 ", "1 ", "1 ", "1 ", "1 "]), ("/" * 4_000, [""] * 4)])
def test_operations_of_the_payload_first_with_their_numbers(more: str, counts: list[str]) -> None:
    line = '%x = transform.structured.match ops{["$0"]} in %root'
    text, offset = parse_cursor(SCRIPT[: SCRIPT.index("  func.func")].replace("LINE", line) + "}\n")
    file = SourceFile.of(text, CATALOGUE).with_payload(SourceFile.of(f"{PAYLOAD}{more}", CATALOGUE))
    found = completion(Snapshot({URI: file}, CATALOGUE), URI, offset).items
    shown = [(item.label, item.note) for item in found if item.kind is ItemKind.PAYLOAD_OPERATION]
    names = ["linalg.fill", "func.func", "my.op", "arith.constant", "func.return"]
    payload = [(name, f"{count}in the payload") for name, count in zip(names, counts, strict=False)]
    assert shown == [*payload, ("linalg.matmul", "in this script")]


def test_dialects_first_while_none_is_written(snapshot: SnapshotAssertion) -> None:
    assert offered('%x = transform.structured.match ops{["$0"]} in %root') == snapshot
    assert offered('transform.annotate %tiled "$0" : !transform.any_op') == "nothing"


# Symbols


def test_symbols_for_calls(snapshot: SnapshotAssertion) -> None:
    assert offered("transform.include @$0") == snapshot


@pytest.mark.parametrize("start", ["foreach_match in %root", "collect_matching", "foreach_match in %root @reads ->"])
def test_matchers_only_read(start: str, snapshot: SnapshotAssertion) -> None:
    assert offered(f"%x = transform.{start} @$0") == snapshot


def test_matchers_that_are_not_marked_come_last(snapshot: SnapshotAssertion) -> None:
    unmarked = "  transform.named_sequence @bare(%op: !transform.any_op) {\n    transform.yield\n  }\n"
    script = SCRIPT.replace("  transform.named_sequence @reads", f"{unmarked}  transform.named_sequence @reads")
    assert offered("transform.foreach_match in %root @$0", script) == snapshot


def test_symbols_of_libraries(snapshot: SnapshotAssertion) -> None:
    sequence = "  transform.named_sequence @from_library(%x: !transform.any_op {transform.readonly}) {\n  }\n"
    library = SourceFile.of(f"module {{\n{sequence}}}\n", CATALOGUE)
    text, offset = parse_cursor(SCRIPT.replace("LINE", "transform.include @$0"))
    file = SourceFile.of(text, CATALOGUE, libraries=[library])
    assert completion_in(Snapshot({URI: file}, CATALOGUE), offset) == snapshot


def test_symbols_of_files_that_are_no_libraries_come_last(snapshot: SnapshotAssertion) -> None:
    marks = {"a_reads": "{transform.readonly}", "b_eats": "{transform.consumed}"}
    sequences = "".join(
        f"  transform.named_sequence @{name}(%x: !transform.any_op {mark}) {{\n    transform.yield\n  }}\n"
        for name, mark in marks.items()
    )
    declared = "  transform.named_sequence private @declared(%x: !transform.any_op)\n"
    other = f"module {{\n{sequences}{declared}}}\n"
    payload = "func.func @f() {\n  return\n}\n"
    assert offered("transform.include @$0", other=other, payload=payload) == snapshot(name="calls")
    assert offered("transform.foreach_match in %root @$0", other=other) == snapshot(name="matchers")


OTHER = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_it(%op: !transform.any_op, %n: !transform.param<i64> {transform.readonly})
      -> !transform.any_op {
    transform.loop.unroll %op { factor = 4 } : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @reads(%op: !transform.any_op {transform.readonly}) { transform.yield }
  transform.named_sequence private @hidden(%op: !transform.any_op {transform.readonly}) { transform.yield }
  transform.named_sequence @__transform_main(%op: !transform.any_op {transform.readonly}) { transform.yield }
}
"""
DECLARED = (
    "@tile_it(%op: !transform.any_op {transform.consumed}, %n: !transform.param<i64> {transform.readonly}) "
    "-> !transform.any_op"
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("transform.named_sequence private @$0", [DECLARED]),
        ("transform.named_sequence private @ti$0", [DECLARED]),
        ("transform.named_sequence private @tile_it$0", [DECLARED]),
        ("transform.named_sequence private $0", [DECLARED]),
        ("transform.named_sequence private @ti$0(%op: !transform.any_op)", ["@tile_it"]),
        ("transform.named_sequence @ti$0", []),
        ("func.func private @ti$0", []),
    ],
)
@pytest.mark.parametrize("is_library", [True, False])
def test_declarations_of_sequences_in_other_files(line: str, expected: list[str], is_library: bool) -> None:
    """All but those that are declared here, and those that other files cannot use."""
    text, offset = parse_cursor(SCRIPT.replace("  transform.named_sequence @eats", f"  {line}\n  func.func @eats"))
    other = SourceFile.of(OTHER, CATALOGUE)
    file = SourceFile.of(text, CATALOGUE, libraries=[other] if is_library else [])
    files = {URI: file, **({} if is_library else {"file:///other.mlir": other})}
    items = completion(Snapshot(files, CATALOGUE), URI, offset).items
    assert [item.text for item in items if item.kind is ItemKind.SYMBOL] == expected


def test_symbols_of_a_nested_module(snapshot: SnapshotAssertion) -> None:
    library = "module @lib {\n  transform.named_sequence @inner(%x: !transform.any_op) {\n    transform.yield\n  }\n}\n"
    script = SCRIPT.replace("  func.func @payload", library + "  func.func @payload")
    assert offered("transform.include @lib::$0", script) == snapshot


# Passes

USING_A_PASS = SCRIPT.replace(
    "LINE", 'transform.apply_registered_pass "own-pass" to %m : (!transform.any_op) -> !transform.any_op\n    LINE'
)


def test_passes_those_of_the_script_first() -> None:
    line = 'transform.apply_registered_pass "$0" to %tiled : (!transform.any_op) -> !transform.any_op'
    items = items_at(line, USING_A_PASS)
    assert (items[0].label, items[0].note) == ("own-pass", "in this file")
    assert [(item.text, item.note) for item in items if item.label == "canonicalize"] == [
        ('"canonicalize"', "LLVM 18 to main")
    ]
    assert not any(item.label.startswith("test-") for item in items)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("{$0", ['"tile-size" = 32', '"names" = []', '"fast" = true', '"mode" = ""', '"kind" = ']),
        ('{"$0', ['"tile-size" = 32', '"names" = []', '"fast" = true', '"mode" = ""', '"kind" = ']),
        ('{"tile-size" = 4, "fast" = true, $0', ['"names" = []', '"mode" = ""', '"kind" = ']),
        ('{"tile-size" = %m, n$0', ['"names" = []', '"fast" = true', '"mode" = ""', '"kind" = ']),
    ],
)
def test_options_of_a_pass(options: str, expected: list[str]) -> None:
    line = f'transform.apply_registered_pass "my-tile" with options = {options}'
    text, offset = parse_cursor(SCRIPT.replace("LINE", line))
    own = PassDefinition(
        "my-tile",
        options=(
            PassOption("tile-size", "int64_t", "32"),
            PassOption("names", "std::string", is_list=True),
            PassOption("fast", "bool", "false"),
            PassOption("mode", "std::string"),
            PassOption("kind", "mine::Kind", "mine::Kind::Fast"),
        ),
    )
    catalogue = CATALOGUE.with_source(MemorySource("project", passes=[own]))
    items = completion(Snapshot({URI: SourceFile.of(text, catalogue)}, catalogue), URI, offset).items
    assert [item.text for item in items if item.kind is ItemKind.ATTRIBUTE] == expected


def test_an_unknown_pass_has_no_options_to_offer() -> None:
    items = items_at('transform.apply_registered_pass "unknown" with options = {$0')
    assert [item.label for item in items if item.kind is ItemKind.ATTRIBUTE] == []


def test_options_of_upstream_passes_are_offered() -> None:
    items = items_at('transform.apply_registered_pass "canonicalize" with options = {$0')
    texts = {item.label: item.text for item in items if item.kind is ItemKind.ATTRIBUTE}
    assert texts["max-iterations"] == '"max-iterations" = '
    assert texts["region-simplify"] == '"region-simplify" = "disabled"'
    assert texts["disable-patterns"] == '"disable-patterns" = []'


def test_passes_of_the_project_before_those_of_llvm() -> None:
    text, offset = parse_cursor(SCRIPT.replace("LINE", 'transform.apply_registered_pass "$0"'))
    own = PassDefinition("my-tile", summary="Tile what is large", source="Passes.td")
    catalogue = CATALOGUE.with_source(MemorySource("project", passes=[own]))
    first, second, *_ = completion(Snapshot({URI: SourceFile.of(text, catalogue)}, catalogue), URI, offset).items
    assert (first.text, first.note, first.summary) == ('"my-tile"', "Passes.td", "Tile what is large")
    assert second.note.startswith("LLVM")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('transform.apply_registered_pass "canon$0', 'transform.apply_registered_pass "canonicalize"'),
        ("transform.apply_registered_pass $0", 'transform.apply_registered_pass "canonicalize"'),
        (
            '"transform.apply_registered_pass"(%m) <{pass_name = "ca$0"}>',
            '"transform.apply_registered_pass"(%m) <{pass_name = "canonicalize"}>',
        ),
    ],
)
def test_a_pass_is_written_with_its_quotes(line: str, expected: str) -> None:
    assert line_after(line, "canonicalize") == expected


@pytest.mark.parametrize(
    ("value", "offered_first", "not_offered"),
    [
        ("#gpu.$0", "#gpu.address_space", "#vector.kind"),
        ("#gpu.address_space<$0>", "global", "x"),
    ],
)
def test_attributes_of_a_dialect_and_their_values(value: str, offered_first: str, not_offered: str) -> None:
    line = (
        f"%b, %n = transform.structured.bufferize_to_allocation %tiled {{memory_space = {value}}} : !transform.any_op"
    )
    found = labels_at(line)
    assert found[0] == offered_first
    assert not_offered not in found


def test_a_misspelt_type_is_not_offered() -> None:
    first = "%f = transform.get_parent_op %tiled : (!transform.any_op) -> !transform.any_operation"
    found = labels_at(f'{first}\ntransform.annotate %f "x" : !transform.$0')
    assert "!transform.any_operation" not in found
    assert "!transform.any_op" in found
