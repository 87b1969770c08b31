"""What is offered at a cursor (`$0`), most of all in texts that are not complete."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ide.cursor import CATALOGUE, URI, parse_cursor, snapshot_of
from tdls.analysis.source_file import SourceFile
from tdls.ide.completion.completion import completion
from tdls.ide.completion.item import CompletionItem, ItemKind
from tdls.ide.snapshot import Snapshot

_SCRIPT = """\
!any = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @reads(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @eats(%op: !transform.any_op {transform.consumed}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op, %size: !transform.param<i64>) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %m tile_sizes [4, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.op<"scf.for">)
    LINE
    transform.yield
  }
  func.func @payload(%a: tensor<4x4xf32>) {
    %x = linalg.fill ins(%a : tensor<4x4xf32>)
    return
  }
}
"""


def _items(line: str, script: str = _SCRIPT) -> tuple[CompletionItem, ...]:
    text, offset = parse_cursor(script.replace("LINE", line))
    return completion(snapshot_of(text), URI, offset).items


def _labels(line: str, script: str = _SCRIPT) -> list[str]:
    return [item.label for item in _items(line, script)]


def _item(line: str, label: str, script: str = _SCRIPT) -> CompletionItem:
    return next(item for item in _items(line, script) if item.label == label)


def _after(line: str, item: CompletionItem, script: str = _SCRIPT) -> str:
    """The line of the cursor once `item` is inserted."""
    text, _ = parse_cursor(script.replace("LINE", line))
    changed = text[: item.span.start] + item.text + text[item.span.end :]
    start = changed.rfind("\n", 0, item.span.start) + 1
    return changed[start:].partition("\n")[0].strip()


# Operations


@pytest.mark.parametrize(
    "line",
    ["transform.structured.tile_us$0", "structured.tile_us$0", "tile_us$0", "transform.structured.ti$0le_nothing"],
)
def test_operations_by_what_is_typed_of_their_name(line: str) -> None:
    item = _item(line, "transform.structured.tile_using_for")
    assert item.kind is ItemKind.OPERATION
    assert item.snippet is not None
    assert _after(line, item).startswith("%tiled_linalg_op, %loops_1 = transform.structured.tile_using_for %tiled")


def test_a_name_that_has_operands_is_only_replaced() -> None:
    line = 'transform.anno$0 %tiled "x" : !any'
    item = _item(line, "transform.annotate")
    assert item.snippet is None
    assert _after(line, item) == 'transform.annotate %tiled "x" : !any'


def test_operations_that_begin_as_typed_come_first() -> None:
    labels = _labels("transform.structured.tile_u$0")
    assert labels[:2] == ["transform.structured.tile_using_for", "transform.structured.tile_using_forall"]


def test_operations_of_one_extension() -> None:
    assert all("loop" in label for label in _labels("transform.loop.$0"))


def test_operations_without_dialect_in_a_region_that_has_one() -> None:
    line = (
        "transform.sequence %root : !transform.any_op failures(propagate) {\n^bb0(%b: !transform.any_op):\n  yie$0\n}"
    )
    item = _item(line, "transform.yield")
    assert item.filter_text == "yield"


def test_former_names_come_last_and_say_what_to_use() -> None:
    labels = _labels("transform.structured.tile$0")
    item = _item("transform.structured.tile$0", "transform.structured.tile")
    assert item.deprecated
    assert item.note == "now transform.structured.tile_using_for"
    assert "transform.structured.tile_using_for" in item.text
    assert labels.index("transform.structured.tile") > labels.index("transform.structured.tile_using_forall")


def test_operations_that_llvm_gave_up_are_deprecated() -> None:
    assert _item("transform.xegpu.$0", "transform.xegpu.set_desc_layout").deprecated
    assert not _item("transform.xegpu.$0", "transform.xegpu.insert_prefetch").deprecated


def test_results_that_are_named_are_not_named_again() -> None:
    item = _item("%a, %b:2 = transform.structured.tile_using_for$0", "transform.structured.tile_using_for")
    assert item.text.startswith("transform.structured.tile_using_for %tiled")
    assert item.text.count("!any") == 4
    assert "transform.yield" not in _labels("%a = $0")


def test_snippets_use_live_handles_and_their_types() -> None:
    item = _item("transform.loop.outl$0", "transform.loop.outline")
    assert item.snippet is not None
    assert "${3:%tiled}" in item.snippet
    only_loops = _item("transform.loop.pee$0", "transform.loop.peel")
    assert "peel %loops#1 : " in only_loops.text
    into = _item("transform.structured.fuse_into$0", "transform.structured.fuse_into_containing_op")
    assert "%tiled into %loops#0" in into.text


@pytest.mark.parametrize("line", ["$0", "transform.print\n    $0", "transform.print $0"])
def test_operations_on_an_empty_line_and_behind_another(line: str) -> None:
    assert "transform.annotate" in _labels(line)


def test_an_empty_line_of_an_empty_sequence() -> None:
    script = "transform.named_sequence @f(%a: !transform.any_op) {\n  LINE\n}\n"
    item = _item("$0", "transform.annotate", script)
    assert "%a" in item.text


@pytest.mark.parametrize("script", ["LINE", "module {\n}\nLINE\n", "LINE\nmodule {\n}\n"])
def test_the_top_level(script: str) -> None:
    labels = _labels("$0", script)
    assert {"builtin.module", "transform.named_sequence", "func.func"} <= set(labels)


@pytest.mark.parametrize("script", ["LINE", "module attributes {transform.with_named_sequence} {\n  LINE\n}\n"])
def test_containers_are_for_symbols_and_scripts(script: str) -> None:
    labels = _labels("$0", script)
    first = {"builtin.module", "func.func", "transform.named_sequence", "transform.sequence"}
    assert first <= set(labels[: labels.index("func.call")])


def test_results_without_a_name_get_one() -> None:
    script = "func.func @f() {\n  LINE\n}\n"
    assert _item("func.ca$0", "func.call", script).text.startswith("%result = func.call @")


def test_containers_and_functions_have_bodies() -> None:
    script = "module {\n  LINE\n}\n"
    assert _item("$0", "transform.named_sequence", script).snippet == (
        "transform.named_sequence @${1:name}(${2:%arg0: !transform.any_op {transform.readonly\\}}) {\n"
        "  $3\n  transform.yield\n\\}"
    )
    assert _item("$0", "func.func", script).text.endswith("\n  return\n}")
    assert _item("mod$0", "builtin.module", "LINE").text == "module {\n  \n}"


def test_a_region_has_the_arguments_that_stand_for_operands() -> None:
    item = _item("transform.foreach %tiled, %size : !any, !transform.param<i64> $0", "{ … }")
    assert item.text == "{\n^bb0(%arg: !any, %arg_1: !transform.param<i64>):\n  \n}"
    assert _item("transform.apply_patterns to %tiled $0", "{ … }").text == "{\n  \n}"


def test_labels_of_blocks() -> None:
    script = "func.func @f(%c: i1) {\n  LINE\n^bb1:\n  cf.br ^bb2\n^bb2:\n  return\n}\n"
    assert _labels("cf.br ^$0", script) == ["^bb1", "^bb2"]


def test_behind_a_closed_region() -> None:
    line = 'transform.foreach %tiled : !any {\n^bb0(%i: !any):\n  transform.annotate %i "x" : !any\n} $0'
    assert {"{…}"} <= set(_labels(line))


def test_between_members_of_a_module() -> None:
    script = "module {\n  func.func private @f()\n  LINE\n  func.func private @g()\n}\n"
    assert "transform.named_sequence" in _labels("$0", script)


def test_patterns_come_first_where_patterns_belong() -> None:
    line = "transform.apply_patterns to %tiled {\n  $0\n} : !transform.any_op"
    assert all(label.startswith("transform.apply_patterns.") for label in _labels(line)[:20])
    assert not _labels("$0")[0].startswith("transform.apply_patterns.")


def test_operations_of_the_file_that_no_catalogue_has() -> None:
    script = _SCRIPT.replace(
        "    transform.yield\n  }\n  func", "    transform.my.fuse %root\n    transform.yield\n  }\n  func"
    )
    assert "transform.my.fuse" in _labels("transform.my.$0", script)
    assert "transform.my.fuse" in _labels("my.f$0", script)
    assert "transform.my.unfinished" not in _labels("transform.my.unfinished$0", script)


def test_operations_of_a_nested_container() -> None:
    assert "func.func" in _labels("$0", "module {\n  module @inner {\n    LINE\n  }\n}\n")


def test_the_generic_form() -> None:
    line = '"transform.structured.mat$0'
    assert _after(line, _item(line, "transform.structured.match")) == '"transform.structured.match"'


# Handles


def test_live_handles_first_and_consumed_ones_last() -> None:
    items = _items("transform.annotate $0")
    assert [item.label for item in items] == ["%tiled", "%loops#0", "%loops#1", "%root", "%size", "%m"]
    assert items[0].detail == "!transform.any_op"
    assert items[-1].note == "consumed by transform.structured.tile_using_for in line 11"
    assert not any(item.note for item in items[:-1])


def test_parameters_first_where_one_is_wanted() -> None:
    assert _labels("transform.debug.emit_param_as_remark $0")[0] == "%size"


def test_handles_of_outer_and_inner_blocks() -> None:
    line = (
        "transform.foreach %tiled : !transform.any_op {\n^bb0(%inner: !transform.any_op):\n  transform.annotate %$0\n}"
    )
    assert _labels(line)[:2] == ["%inner", "%tiled"]


def test_very_many_handles_are_cut_to_what_is_typed() -> None:
    lines = "\n".join(f"  %v{number} = transform.get_parent_op %a : (!t) -> !transform.any_op" for number in range(700))
    script = f"transform.named_sequence @f(%a: !transform.any_op) {{\n{lines}\n  LINE\n}}\n"
    text, offset = parse_cursor(script.replace("LINE", "transform.annotate %$0"))
    found = completion(snapshot_of(text), URI, offset)
    assert found.is_incomplete
    assert len(found.items) == 500
    assert found.items[0].label == "%v699"
    assert _labels("transform.annotate %v12$0", script)[-1] == "%v12"


def test_nothing_from_around_an_isolated_operation() -> None:
    script = "%outer = my.value\ntransform.named_sequence @f(%a: !transform.any_op) {\n  LINE\n}\n"
    assert _labels("transform.annotate $0", script) == ["%a"]


def test_a_handle_is_not_offered_where_it_is_defined() -> None:
    assert "%self" not in _labels("%self = transform.get_parent_op $0")
    assert _labels("%self, $0") == []


@pytest.mark.parametrize("line", ["transform.annotate %ti$0led", 'transform.annotate %ti$0 "x" : !transform.any_op'])
def test_the_word_at_the_cursor_is_replaced(line: str) -> None:
    item = _item(line, "%loops#1")
    assert _after(line, item).startswith("transform.annotate %loops#1")
    assert "%lo" + "ti" not in _after(line, item)


# Keywords and attributes


def test_keywords_of_the_format_with_what_follows_them() -> None:
    labels = _labels("%x = transform.structured.match $0")
    assert labels[0] == "in"
    assert set(labels[1:]) >= {'ops{[""]}', "interface{LinalgOp}", "attributes {}"}


def test_clauses_that_are_not_written_yet() -> None:
    labels = _labels("%x, %y = transform.structured.tile_using_forall %tiled tile_sizes [2] $0")
    assert any(label.startswith("num_threads") for label in labels)
    assert not any(label.startswith("tile_sizes") for label in labels)


def test_enum_cases() -> None:
    assert _labels("transform.include @reads failures($0") == ["propagate", "suppress"]
    assert _labels("%x = transform.structured.match interface{Lin$0} in %root")[0] == "LinalgOp"


def test_attributes_of_a_dictionary() -> None:
    line = "transform.apply_patterns to %tiled { } {apply_cse, $0} : !transform.any_op"
    assert _labels(line) == ["max_iterations", "max_num_rewrites"]
    assert _item(line, "max_iterations").text.startswith("max_iterations = ")


def test_attributes_of_arguments() -> None:
    script = "transform.named_sequence @f(%a: !transform.any_op {LINE}) {\n  transform.yield\n}\n"
    assert _labels("$0", script) == ["transform.consumed", "transform.readonly"]


@pytest.mark.parametrize("rest", ["", "\n  transform.yield\n}\n", "}) {\n  transform.yield\n}\n"])
def test_attributes_of_an_argument_that_is_not_complete(rest: str) -> None:
    script = f"transform.named_sequence @f(%a: !transform.any_op {{LINE{rest}"
    assert _labels("$0", script) == ["transform.consumed", "transform.readonly"]


@pytest.mark.parametrize("rest", ["", "\n  transform.yield\n}\n", "} {\n}\n"])
def test_attributes_of_a_module(rest: str) -> None:
    assert "transform.with_named_sequence" in _labels("$0", f"module attributes {{LINE{rest}")


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
    assert _item(line, name).text == f"{name} = {value}"


# Types


def test_the_whole_function_type() -> None:
    line = '%x = transform.structured.match ops{["a"]} in %tiled : $0'
    (item,) = _items(line)
    assert item.label == "(!any) -> !any"
    script = _SCRIPT.replace("!any = !transform.any_op\n", "")
    (item,) = _items("%x:3 = transform.structured.fuse_into_containing_op %tiled into %loops#1 : $0", script)[:1]
    assert item.text.startswith('(!transform.any_op, !transform.op<"scf.for">) -> (')


def test_the_function_type_of_a_call() -> None:
    (item,) = _items("%x = transform.include @reads failures(propagate) (%tiled) : $0")
    assert item.text == "(!any) -> !any"
    (item,) = _items("transform.include @eats failures(propagate) (%tiled) : $0")
    assert item.text == "(!any) -> ()"
    (item,) = _items("transform.include @reads failures(propagate) (%tiled) : $0")
    assert item.text == "(!any) -> !any"
    (item,) = _items("%x:2 = transform.include @missing failures(propagate) (%tiled) : $0")
    assert item.text == "(!any) -> (!any, !any)"


def test_types_behind_the_operands() -> None:
    assert ": (!any) -> !any" in _labels('%x = transform.structured.match ops{["a"]} in %tiled $0')


def test_aliases_of_the_file_first() -> None:
    labels = _labels('transform.annotate %tiled "x" : !$0')
    assert labels[0] == "!any"
    assert "!transform.any_op" in labels
    assert "!transform.any_param" not in labels


def test_the_type_of_the_operand_first() -> None:
    assert _labels('transform.annotate %loops#1 "x" : $0')[0] == '!transform.op<"scf.for">'
    assert _labels("%x = transform.loop.fuse_sibling %tiled into %loops#1 : (!transform.any_op, $0")[0] == (
        '!transform.op<"scf.for">'
    )


def test_parameters_of_types() -> None:
    labels = _labels("%x = transform.param.constant 1 : i64 -> !transform.param<$0>")
    assert "i64" in labels
    assert "!transform.any_op" not in labels


_PAYLOAD = "func.func @f(%x: tensor<4xf32>, %y: f32) {\n  LINE\n  return\n}\n"


def test_types_of_payload_are_those_of_its_values() -> None:
    labels = _labels("%z = arith.addf %x, %x : $0", _PAYLOAD)
    assert labels[0] == "tensor<4xf32>"
    assert "f32" in labels
    assert not any(label.startswith("!transform") for label in labels)


def test_snippets_of_payload_know_nothing_of_handles() -> None:
    item = _item("arith.add$0", "arith.addf", _PAYLOAD)
    assert item.snippet == "%${1:result} = arith.addf ${2:%y}, ${3:%x} : $4"
    assert _labels("func.func @g(%x: f32 {$0})", "module {\n  LINE\n}\n") == []


# Payload operations


@pytest.mark.parametrize(
    "line",
    [
        '%x = transform.structured.match ops{["linalg.$0"]} in %root : (!transform.any_op) -> !transform.any_op',
        '%x = transform.structured.match ops{["linalg.$0',
        '%x = transform.get_parent_op %tiled {op_name = "linalg.$0"} : (!transform.any_op) -> !transform.any_op',
        'transform.annotate %tiled "x" : !transform.op<"linalg.$0">',
        'transform.match.operation_name %tiled ["linalg.fill", "linalg.$0"] : !transform.any_op',
    ],
)
def test_payload_operations(line: str) -> None:
    items = _items(line)
    assert [item.label for item in items if item.note][:1] == ["func.func"]
    assert {"linalg.fill", "linalg.matmul"} <= {item.label for item in items}
    item = next(item for item in items if item.label == "linalg.matmul")
    assert '"linalg.matmul"' in _after(line, item)
    assert '""' not in _after(line, item)


def test_dialects_first_while_none_is_written() -> None:
    line = '%x = transform.structured.match ops{["$0"]} in %root'
    assert "linalg." in _labels(line)
    assert "transform." not in _labels(line)
    assert _labels('transform.annotate %tiled "$0" : !transform.any_op') == []


# Symbols


def test_symbols_for_calls() -> None:
    items = _items("transform.include @$0")
    assert [item.label for item in items] == ["@reads", "@eats"]
    assert items[1].detail == "(consumed !transform.any_op)"


def test_matchers_only_read() -> None:
    assert _labels("transform.foreach_match in %root @$0") == ["@reads"]
    assert _labels("%x = transform.collect_matching @$0") == ["@reads"]
    assert _labels("transform.foreach_match in %root @reads -> @$0") == ["@reads", "@eats"]


def test_matchers_that_are_not_marked_come_last() -> None:
    unmarked = "  transform.named_sequence @bare(%op: !transform.any_op) {\n    transform.yield\n  }\n"
    script = _SCRIPT.replace("  transform.named_sequence @reads", f"{unmarked}  transform.named_sequence @reads")
    items = _items("transform.foreach_match in %root @$0", script)
    assert [(item.label, item.note) for item in items] == [("@reads", ""), ("@bare", "not marked transform.readonly")]


def test_symbols_of_libraries() -> None:
    sequence = "  transform.named_sequence @from_library(%x: !transform.any_op {transform.readonly}) {\n  }\n"
    library = SourceFile.of(f"module {{\n{sequence}}}\n", CATALOGUE)
    text, offset = parse_cursor(_SCRIPT.replace("LINE", "transform.include @$0"))
    file = SourceFile.of(text, CATALOGUE, libraries=[library])
    labels = [item.label for item in completion(Snapshot({URI: file}, CATALOGUE), URI, offset).items]
    assert labels == ["@reads", "@eats", "@from_library"]


def test_symbols_of_a_nested_module() -> None:
    library = "module @lib {\n  transform.named_sequence @inner(%x: !transform.any_op) {\n    transform.yield\n  }\n}\n"
    script = _SCRIPT.replace("  func.func @payload", library + "  func.func @payload")
    assert "@lib::@inner" in _labels("transform.include @lib::$0", script)


# Anywhere


@pytest.mark.parametrize(
    "line", ["// transform.$0", "transform.print // $0", "%new$0", "transform.named_sequence @new$0"]
)
def test_nothing_where_nothing_is_known(line: str) -> None:
    assert _labels(line) == []


def test_line_ends_of_windows() -> None:
    items = _items("transform.annotate $0", _SCRIPT.replace("\n", "\r\n"))
    assert [item.label for item in items][:2] == ["%tiled", "%loops#0"]


def test_broken_text_before_and_behind() -> None:
    line = "%q = transform.structured.match ops{[ in %root\n    transform.annotate $0\n    %z = transform.foreach ((("
    assert "%tiled" in _labels(line)


def test_a_file_that_is_not_known() -> None:
    assert completion(snapshot_of(""), "file:///other.mlir", 0).items == ()


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_every_cut_has_an_answer_that_replaces_the_word(data: st.DataObject) -> None:
    text = _SCRIPT.replace("LINE", "")
    end = data.draw(st.integers(0, len(text)))
    kept = text[:end] + data.draw(st.sampled_from(["", "\n}", text[end:], ' "', "%", "(", "transform."]))
    snapshot = snapshot_of(kept)
    for item in completion(snapshot, URI, end).items:
        assert item.span.start <= end <= item.span.end
        assert "\n" not in kept[item.span.start : item.span.end]
    assert snapshot.catalogue is CATALOGUE
