"""What is offered at a cursor (`$0`), most of all in texts that are not complete: operations, keywords, attributes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ide.completing import SCRIPT, item_at, items_at, labels_at, line_after
from ide.cursor import CATALOGUE, URI, snapshot_of
from tdls.ide.completion.completion import completion
from tdls.ide.completion.item import ItemKind

# Operations


@pytest.mark.parametrize(
    "line",
    ["transform.structured.tile_us$0", "structured.tile_us$0", "tile_us$0", "transform.structured.ti$0le_nothing"],
)
def test_operations_by_what_is_typed_of_their_name(line: str) -> None:
    item = item_at(line, "transform.structured.tile_using_for")
    assert item.kind is ItemKind.OPERATION
    assert item.snippet is not None
    assert line_after(line, item).startswith("%tiled_linalg_op, %loops_1 = transform.structured.tile_using_for %tiled")


def test_a_name_that_has_operands_is_only_replaced() -> None:
    line = 'transform.anno$0 %tiled "x" : !any'
    item = item_at(line, "transform.annotate")
    assert item.snippet is None
    assert line_after(line, item) == 'transform.annotate %tiled "x" : !any'


def test_operations_that_begin_as_typed_come_first() -> None:
    labels = labels_at("transform.structured.tile_u$0")
    assert labels[:2] == ["transform.structured.tile_using_for", "transform.structured.tile_using_forall"]


def test_operations_of_one_extension() -> None:
    assert all("loop" in label for label in labels_at("transform.loop.$0"))


def test_operations_without_dialect_in_a_region_that_has_one() -> None:
    line = (
        "transform.sequence %root : !transform.any_op failures(propagate) {\n^bb0(%b: !transform.any_op):\n  yie$0\n}"
    )
    item = item_at(line, "transform.yield")
    assert item.filter_text == "yield"


def test_former_names_come_last_and_say_what_to_use() -> None:
    labels = labels_at("transform.structured.tile$0")
    item = item_at("transform.structured.tile$0", "transform.structured.tile")
    assert item.deprecated
    assert item.note == "now transform.structured.tile_using_for"
    assert "transform.structured.tile_using_for" in item.text
    assert labels.index("transform.structured.tile") > labels.index("transform.structured.tile_using_forall")


def test_operations_that_llvm_gave_up_are_deprecated() -> None:
    assert item_at("transform.xegpu.$0", "transform.xegpu.set_desc_layout").deprecated
    assert not item_at("transform.xegpu.$0", "transform.xegpu.insert_prefetch").deprecated


def test_results_that_are_named_are_not_named_again() -> None:
    item = item_at("%a, %b:2 = transform.structured.tile_using_for$0", "transform.structured.tile_using_for")
    assert item.text.startswith("transform.structured.tile_using_for %tiled")
    assert item.text.count("!any") == 4
    assert "transform.yield" not in labels_at("%a = $0")


def test_snippets_use_live_handles_and_their_types() -> None:
    item = item_at("transform.loop.outl$0", "transform.loop.outline")
    assert item.snippet is not None
    assert "${3:%tiled}" in item.snippet
    only_loops = item_at("transform.loop.pee$0", "transform.loop.peel")
    assert "peel %loops#1 : " in only_loops.text
    into = item_at("transform.structured.fuse_into$0", "transform.structured.fuse_into_containing_op")
    assert "%tiled into %loops#0" in into.text


@pytest.mark.parametrize("line", ["$0", "transform.print\n    $0", "transform.print $0"])
def test_operations_on_an_empty_line_and_behind_another(line: str) -> None:
    assert "transform.annotate" in labels_at(line)


def test_an_empty_line_of_an_empty_sequence() -> None:
    script = "transform.named_sequence @f(%a: !transform.any_op) {\n  LINE\n}\n"
    item = item_at("$0", "transform.annotate", script)
    assert "%a" in item.text


@pytest.mark.parametrize("script", ["LINE", "module {\n}\nLINE\n", "LINE\nmodule {\n}\n"])
def test_the_top_level(script: str) -> None:
    labels = labels_at("$0", script)
    assert {"builtin.module", "transform.named_sequence", "func.func"} <= set(labels)


@pytest.mark.parametrize("script", ["LINE", "module attributes {transform.with_named_sequence} {\n  LINE\n}\n"])
def test_containers_are_for_symbols_and_scripts(script: str) -> None:
    labels = labels_at("$0", script)
    first = {"builtin.module", "func.func", "transform.named_sequence", "transform.sequence"}
    assert first <= set(labels[: labels.index("func.call")])


def test_operations_of_the_payload_take_no_handles() -> None:
    assert item_at("%c = arith.add$0", "arith.addi").text == "arith.addi %lhs, %rhs : "
    script = "func.func @f(%a: i32) {\n  LINE\n}\n"
    assert item_at("%c = arith.negf$0", "arith.negf", script).text == "arith.negf %a : "


def test_results_without_a_name_get_one() -> None:
    script = "func.func @f() {\n  LINE\n}\n"
    assert item_at("func.ca$0", "func.call", script).text.startswith("%result = func.call @")


def test_containers_and_functions_have_bodies() -> None:
    script = "module {\n  LINE\n}\n"
    assert item_at("$0", "transform.named_sequence", script).snippet == (
        "transform.named_sequence @${1:name}(${2:%arg0: !transform.any_op {transform.readonly\\}}) {\n"
        "  $3\n  transform.yield\n\\}"
    )
    assert item_at("$0", "func.func", script).text.endswith("\n  return\n}")
    assert item_at("mod$0", "builtin.module", "LINE").text == "module {\n  \n}"


def test_a_region_has_the_arguments_that_stand_for_operands() -> None:
    item = item_at("transform.foreach %tiled, %size : !any, !transform.param<i64> $0", "{ … }")
    assert item.text == "{\n^bb0(%arg: !any, %arg_1: !transform.param<i64>):\n  \n}"
    assert item.filter_text == "{"
    assert item_at("transform.apply_patterns to %tiled $0", "{ … }").text == "{\n  \n}"


def test_labels_of_blocks() -> None:
    script = "func.func @f(%c: i1) {\n  LINE\n^bb1:\n  cf.br ^bb2\n^bb2:\n  return\n}\n"
    assert labels_at("cf.br ^$0", script) == ["^bb1", "^bb2"]


def test_behind_a_closed_region() -> None:
    line = 'transform.foreach %tiled : !any {\n^bb0(%i: !any):\n  transform.annotate %i "x" : !any\n} $0'
    assert {"{…}"} <= set(labels_at(line))


def test_between_members_of_a_module() -> None:
    script = "module {\n  func.func private @f()\n  LINE\n  func.func private @g()\n}\n"
    assert "transform.named_sequence" in labels_at("$0", script)


def test_patterns_come_first_where_patterns_belong() -> None:
    line = "transform.apply_patterns to %tiled {\n  $0\n} : !transform.any_op"
    assert all(label.startswith("transform.apply_patterns.") for label in labels_at(line)[:20])
    assert not labels_at("$0")[0].startswith("transform.apply_patterns.")


def test_operations_of_the_file_that_no_catalogue_has() -> None:
    script = SCRIPT.replace(
        "    transform.yield\n  }\n  func", "    transform.my.fuse %root\n    transform.yield\n  }\n  func"
    )
    assert "transform.my.fuse" in labels_at("transform.my.$0", script)
    assert "transform.my.fuse" in labels_at("my.f$0", script)
    assert "transform.my.unfinished" not in labels_at("transform.my.unfinished$0", script)


def test_operations_of_a_nested_container() -> None:
    assert "func.func" in labels_at("$0", "module {\n  module @inner {\n    LINE\n  }\n}\n")


def test_the_generic_form() -> None:
    line = '"transform.structured.mat$0'
    assert line_after(line, item_at(line, "transform.structured.match")) == '"transform.structured.match"'


# Keywords and attributes


def test_keywords_of_the_format_with_what_follows_them() -> None:
    labels = labels_at("%x = transform.structured.match $0")
    assert labels[0] == "in"
    assert set(labels[1:]) >= {'ops{[""]}', "interface{LinalgOp}", "attributes {}"}


def test_clauses_that_are_not_written_yet() -> None:
    labels = labels_at("%x, %y = transform.structured.tile_using_forall %tiled tile_sizes [2] $0")
    assert any(label.startswith("num_threads") for label in labels)
    assert not any(label.startswith("tile_sizes") for label in labels)


def test_enum_cases() -> None:
    assert labels_at("transform.include @reads failures($0") == ["propagate", "suppress"]
    assert labels_at("%x = transform.structured.match interface{Lin$0} in %root")[0] == "LinalgOp"


def test_attributes_of_a_dictionary() -> None:
    line = "transform.apply_patterns to %tiled { } {apply_cse, $0} : !transform.any_op"
    assert labels_at(line) == ["max_iterations", "max_num_rewrites"]
    assert item_at(line, "max_iterations").text.startswith("max_iterations = ")


def test_attributes_of_arguments() -> None:
    script = "transform.named_sequence @f(%a: !transform.any_op {LINE}) {\n  transform.yield\n}\n"
    assert labels_at("$0", script) == ["transform.consumed", "transform.readonly"]


@pytest.mark.parametrize("rest", ["", "\n  transform.yield\n}\n", "}) {\n  transform.yield\n}\n"])
def test_attributes_of_an_argument_that_is_not_complete(rest: str) -> None:
    script = f"transform.named_sequence @f(%a: !transform.any_op {{LINE{rest}"
    assert labels_at("$0", script) == ["transform.consumed", "transform.readonly"]


@pytest.mark.parametrize("rest", ["", "\n  transform.yield\n}\n", "} {\n}\n"])
def test_attributes_of_a_module(rest: str) -> None:
    assert "transform.with_named_sequence" in labels_at("$0", f"module attributes {{LINE{rest}")


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("transform.structured.vectorize %tiled {$0", "static_vector_sizes", "array<i64: >"),
        ("transform.structured.vectorize %tiled {$0", "scalable_sizes", "array<i1: >"),
        ("transform.get_parent_op %tiled {$0", "nth_parent", "0"),
        ("transform.get_parent_op %tiled {$0", "op_name", '""'),
        ("arith.constant {$0", "value", ""),
        ("vector.matrix_multiply %tiled, %tiled {$0", "lhs_rows", "0 : i32"),
        ('"memref.transpose"(%tiled) {$0', "permutation", "affine_map<>"),
        ('"builtin.module"() {$0', "sym_name", '"name"'),
    ],
)
def test_values_in_a_dictionary_carry_their_types(line: str, name: str, value: str) -> None:
    assert item_at(line, name).text == f"{name} = {value}"


# Anywhere


@pytest.mark.parametrize(
    "line", ["// transform.$0", "transform.print // $0", "%new$0", "transform.named_sequence @new$0"]
)
def test_nothing_where_nothing_is_known(line: str) -> None:
    assert labels_at(line) == []


def test_line_ends_of_windows() -> None:
    items = items_at("transform.annotate $0", SCRIPT.replace("\n", "\r\n"))
    assert [item.label for item in items][:2] == ["%tiled", "%loops#0"]


def test_broken_text_before_and_behind() -> None:
    line = "%q = transform.structured.match ops{[ in %root\n    transform.annotate $0\n    %z = transform.foreach ((("
    assert "%tiled" in labels_at(line)


def test_a_file_that_is_not_known() -> None:
    assert completion(snapshot_of(""), "file:///other.mlir", 0).items == ()


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_every_cut_has_an_answer_that_replaces_the_word(data: st.DataObject) -> None:
    text = SCRIPT.replace("LINE", "")
    end = data.draw(st.integers(0, len(text)))
    kept = text[:end] + data.draw(st.sampled_from(["", "\n}", text[end:], ' "', "%", "(", "transform."]))
    snapshot = snapshot_of(kept)
    for item in completion(snapshot, URI, end).items:
        assert item.span.start <= end <= item.span.end
        assert "\n" not in kept[item.span.start : item.span.end]
    assert snapshot.catalogue is CATALOGUE
