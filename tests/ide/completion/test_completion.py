"""Completions at a cursor (`$0`), most of all in incomplete texts: operations, keywords, attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ide.completing import SCRIPT, items_at, labels_at, line_after, offered
from ide.with_cursor import CATALOGUE, URI, snapshot_of
from samples import some
from tdls.ide.completion.completion import completion

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

# Operations


@pytest.mark.parametrize(
    "line",
    ["transform.structured.tile_us$0", "structured.tile_us$0", "tile_us$0", "transform.structured.ti$0le_nothing"],
)
def test_operations_by_parts_of_their_name(line: str, snapshot: SnapshotAssertion) -> None:
    assert offered(line) == snapshot
    after = line_after(line, "transform.structured.tile_using_for")
    assert after.startswith("%tiled_linalg_op, %loops_1 = transform.structured.tile_using_for %tiled")


def test_a_name_that_has_operands_is_only_replaced(snapshot: SnapshotAssertion) -> None:
    line = 'transform.anno$0 %tiled "x" : !any'
    assert offered(line) == snapshot
    assert line_after(line, "transform.annotate") == 'transform.annotate %tiled "x" : !any'


def test_operations_without_dialect_in_a_region_that_has_one(snapshot: SnapshotAssertion) -> None:
    line = (
        "transform.sequence %root : !transform.any_op failures(propagate) {\n^bb0(%b: !transform.any_op):\n  yie$0\n}"
    )
    assert offered(line) == snapshot


@pytest.mark.parametrize("typed", ["tile", "structured.tile", "transform.structured.tile", "vector", "transform.", ""])
def test_outdated_names_are_held_back_while_another_name_begins_with_the_word(typed: str) -> None:
    found = items_at(f"{typed}$0")
    assert found
    assert not [item.label for item in found if item.deprecated]


@pytest.mark.parametrize(
    "line",
    ["transform.loop.$0", "transform.structured.tile_to$0", "transform.xegpu.set_desc$0"],
    ids=["of one extension", "former names last", "deprecated"],
)
def test_operations_that_begin_alike(line: str, snapshot: SnapshotAssertion) -> None:
    assert offered(line) == snapshot


def test_results_that_are_named_are_not_named_again(snapshot: SnapshotAssertion) -> None:
    assert offered("%a, %b:2 = transform.structured.tile_using_for$0") == snapshot(name="while the name is typed")
    assert offered("%a = $0") == snapshot(name="before it")


@pytest.mark.parametrize("name", ["loop.outl", "loop.pee", "structured.fuse_into"])
def test_snippets_use_live_handles_and_their_types(name: str, snapshot: SnapshotAssertion) -> None:
    assert offered(f"transform.{name}$0") == snapshot


@pytest.mark.parametrize(
    "line", ["$0", "transform.print\n    $0", "transform.print $0"], ids=["empty", "next", "behind"]
)
def test_operations_on_an_empty_line_and_behind_another(line: str, snapshot: SnapshotAssertion) -> None:
    assert offered(line) == snapshot


def test_an_empty_line_of_an_empty_sequence(snapshot: SnapshotAssertion) -> None:
    assert offered("$0", "transform.named_sequence @f(%a: !transform.any_op) {\n  LINE\n}\n") == snapshot


@pytest.mark.parametrize(
    "script",
    [
        "LINE",
        "module {\n}\nLINE\n",
        "LINE\nmodule {\n}\n",
        "module attributes {transform.with_named_sequence} {\n  LINE\n}\n",
    ],
    ids=["empty", "behind", "before", "inside"],
)
def test_the_top_level_and_containers(script: str, snapshot: SnapshotAssertion) -> None:
    assert offered("$0", script) == snapshot


def test_operations_of_the_payload_take_no_handles(snapshot: SnapshotAssertion) -> None:
    assert offered("%c = arith.add$0") == snapshot(name="in a script")
    assert offered("%c = arith.negf$0", "func.func @f(%a: i32) {\n  LINE\n}\n") == snapshot(name="in payload")
    assert offered("func.ca$0", "func.func @f() {\n  LINE\n}\n") == snapshot(name="of results without a name")


@pytest.mark.parametrize("word", ["transform.named_seq", "func.fu", "mod"])
def test_containers_and_functions_have_bodies(word: str, snapshot: SnapshotAssertion) -> None:
    assert offered(f"{word}$0", "module {\n  LINE\n}\n") == snapshot


@pytest.mark.parametrize(
    "line",
    ["transform.foreach %tiled, %size : !any, !transform.param<i64> $0", "transform.apply_patterns to %tiled $0"],
    ids=["foreach", "apply_patterns"],
)
def test_a_region_has_the_arguments_that_stand_for_operands(line: str, snapshot: SnapshotAssertion) -> None:
    assert offered(line) == snapshot


def test_labels_of_blocks(snapshot: SnapshotAssertion) -> None:
    assert offered("cf.br ^$0", "func.func @f(%c: i1) {\n  LINE\n^bb1:\n  cf.br ^bb2\n^bb2:\n  return\n}\n") == snapshot


def test_behind_a_closed_region(snapshot: SnapshotAssertion) -> None:
    line = 'transform.foreach %tiled : !any {\n^bb0(%i: !any):\n  transform.annotate %i "x" : !any\n} $0'
    assert offered(line) == snapshot


@pytest.mark.parametrize(
    "inside", ["func.func private @f()\n  LINE\n  func.func private @g()", "module @inner {\n    LINE\n  }"]
)
def test_a_module_offers_the_same_anywhere(inside: str) -> None:
    assert sorted(labels_at("$0", f"module {{\n  {inside}\n}}\n")) == sorted(labels_at("$0", "module {\n  LINE\n}\n"))


def test_patterns_come_first_where_patterns_belong(snapshot: SnapshotAssertion) -> None:
    assert offered("transform.apply_patterns to %tiled {\n  $0\n} : !transform.any_op") == snapshot


@pytest.mark.parametrize("word", ["transform.my.", "my.f", "transform.my.unfinished"])
def test_operations_of_the_file_that_no_catalogue_has(word: str, snapshot: SnapshotAssertion) -> None:
    script = SCRIPT.replace(
        "    transform.yield\n  }\n  func", "    transform.my.fuse %root\n    transform.yield\n  }\n  func"
    )
    assert offered(f"{word}$0", script) == snapshot


@pytest.mark.parametrize(("payload", "searched"), [("", "fill"), ("linalg.copy ins(%a : i8) outs(%a : i8)\n", "copy")])
def test_a_search_is_for_new_payload_and_its_result_is_named_after_it(payload: str, searched: str) -> None:
    script = SCRIPT.replace("    return", f"{payload}    return")
    line = line_after("mat$0", "transform.structured.match", script)
    assert line.startswith(f'%{searched} = transform.structured.match ops{{["linalg.{searched}"]}} in %tiled : ')


def test_the_generic_form(snapshot: SnapshotAssertion) -> None:
    line = '"transform.structured.mat$0'
    assert offered(line) == snapshot
    assert line_after(line, "transform.structured.match") == '"transform.structured.match"'


# Keywords and attributes


def test_keywords_of_the_format_with_their_operands(snapshot: SnapshotAssertion) -> None:
    assert offered("%x = transform.structured.match $0") == snapshot


def test_clauses_that_are_not_written_yet(snapshot: SnapshotAssertion) -> None:
    line = "%x, %y = transform.structured.tile_using_forall %tiled tile_sizes [2] $0"
    assert offered(line) == snapshot


def test_enum_cases(snapshot: SnapshotAssertion) -> None:
    assert offered("transform.include @reads failures($0") == snapshot(name="all")
    assert offered("%x = transform.structured.match interface{Lin$0} in %root") == snapshot(name="as typed")


def test_attributes_of_a_dictionary(snapshot: SnapshotAssertion) -> None:
    assert offered("transform.apply_patterns to %tiled { } {apply_cse, $0} : !transform.any_op") == snapshot


@pytest.mark.parametrize(
    "rest",
    ["}) {\n  transform.yield\n}\n", "", "\n  transform.yield\n}\n"],
    ids=["complete", "at the end", "not closed"],
)
def test_attributes_of_arguments(rest: str, snapshot: SnapshotAssertion) -> None:
    assert offered("$0", f"transform.named_sequence @f(%a: !transform.any_op {{LINE{rest}") == snapshot


@pytest.mark.parametrize(
    "rest", ["} {\n}\n", "", "\n  transform.yield\n}\n"], ids=["complete", "at the end", "not closed"]
)
def test_attributes_of_a_module(rest: str, snapshot: SnapshotAssertion) -> None:
    assert offered("$0", f"module attributes {{LINE{rest}") == snapshot


def test_a_dictionary_does_not_offer_the_attributes_that_have_a_keyword() -> None:
    offered_here = labels_at("transform.structured.vectorize %tiled {$0")
    assert "vectorize_nd_extract" in offered_here
    assert not {"static_vector_sizes", "scalable_sizes"}.intersection(offered_here)
    assert "static_vector_sizes" in labels_at('"transform.structured.vectorize"(%tiled) <{$0')


@pytest.mark.parametrize(
    "line",
    [
        "transform.structured.vectorize %tiled {$0",
        "transform.get_parent_op %tiled {$0",
        "arith.constant {$0",
        "vector.matrix_multiply %tiled, %tiled {$0",
        '"memref.transpose"(%tiled) {$0',
        '"builtin.module"() {$0',
    ],
)
def test_values_in_a_dictionary_carry_their_types(line: str, snapshot: SnapshotAssertion) -> None:
    assert offered(line) == snapshot


# Anywhere


@pytest.mark.parametrize(
    "line", ["// transform.$0", "transform.print // $0", "%new$0", "transform.named_sequence @new$0"]
)
def test_nothing_where_nothing_is_known(line: str) -> None:
    assert offered(line) == "nothing"


def test_line_ends_of_windows() -> None:
    line = "transform.annotate $0"
    assert offered(line, SCRIPT.replace("\n", "\r\n")) == offered(line)


def test_broken_text_before_and_behind(snapshot: SnapshotAssertion) -> None:
    line = "%q = transform.structured.match ops{[ in %root\n    transform.annotate $0\n    %z = transform.foreach ((("
    assert offered(line) == snapshot


def test_a_file_that_is_not_known() -> None:
    assert completion(snapshot_of(""), "file:///other.mlir", 0).items == ()


@given(st.data())
@settings(max_examples=some(150))
def test_every_cut_has_an_answer_that_replaces_the_word(data: st.DataObject) -> None:
    text = SCRIPT.replace("LINE", "")
    end = data.draw(st.integers(0, len(text)))
    kept = text[:end] + data.draw(st.sampled_from(["", "\n}", text[end:], ' "', "%", "(", "transform."]))
    snapshot = snapshot_of(kept)
    for item in completion(snapshot, URI, end).items:
        assert item.span.start <= end <= item.span.end
        assert "\n" not in kept[item.span.start : item.span.end]
    assert snapshot.catalogue is CATALOGUE


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("structured.tile_using_for", "tile_sizes [1] : (!any) -> (!any, !any)"),
        ("%a, %b, %c = transform.structured.tile_using_for", "tile_sizes [1, 1] : (!any) -> (!any, !any, !any)"),
        ("%a = transform.structured.tile_using_for", "tile_sizes [] : (!any) -> !any"),
    ],
)
def test_as_many_sizes_are_written_as_there_are_loops(line: str, expected: str) -> None:
    written = line_after(f"{line}$0", "transform.structured.tile_using_for")
    assert written.endswith(expected)


def test_former_names_insert_attributes_that_the_new_name_needs() -> None:
    written = line_after("transform.get_closest$0", "transform.get_closest_isolated_parent")
    assert "transform.get_parent_op %tiled {isolated_from_above, deduplicate} : (" in written
