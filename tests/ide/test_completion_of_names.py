"""What is offered at a cursor (`$0`) where values, types or symbols are named."""

from __future__ import annotations

import pytest

from ide.completing import SCRIPT, item_at, items_at, labels_at, line_after
from ide.cursor import CATALOGUE, URI, parse_cursor, snapshot_of
from tdls.analysis.source_file import SourceFile
from tdls.ide.completion.completion import completion
from tdls.ide.snapshot import Snapshot

# Handles


def test_live_handles_first_and_consumed_ones_last() -> None:
    items = items_at("transform.annotate $0")
    assert [item.label for item in items] == ["%tiled", "%loops#0", "%loops#1", "%root", "%size", "%m"]
    assert items[0].detail == "!transform.any_op"
    assert items[-1].note == "consumed by transform.structured.tile_using_for in line 11"
    assert not any(item.note for item in items[:-1])


def test_parameters_first_where_one_is_wanted() -> None:
    assert labels_at("transform.debug.emit_param_as_remark $0")[0] == "%size"


def test_handles_of_outer_and_inner_blocks() -> None:
    line = (
        "transform.foreach %tiled : !transform.any_op {\n^bb0(%inner: !transform.any_op):\n  transform.annotate %$0\n}"
    )
    assert labels_at(line)[:2] == ["%inner", "%tiled"]


def test_very_many_handles_are_cut_to_what_is_typed() -> None:
    lines = "\n".join(f"  %v{number} = transform.get_parent_op %a : (!t) -> !transform.any_op" for number in range(700))
    script = f"transform.named_sequence @f(%a: !transform.any_op) {{\n{lines}\n  LINE\n}}\n"
    text, offset = parse_cursor(script.replace("LINE", "transform.annotate %$0"))
    found = completion(snapshot_of(text), URI, offset)
    assert found.is_incomplete
    assert len(found.items) == 500
    assert found.items[0].label == "%v699"
    assert labels_at("transform.annotate %v12$0", script)[-1] == "%v12"


def test_nothing_from_around_an_isolated_operation() -> None:
    script = "%outer = my.value\ntransform.named_sequence @f(%a: !transform.any_op) {\n  LINE\n}\n"
    assert labels_at("transform.annotate $0", script) == ["%a"]


def test_a_handle_is_not_offered_where_it_is_defined() -> None:
    assert "%self" not in labels_at("%self = transform.get_parent_op $0")
    assert labels_at("%self, $0") == []


@pytest.mark.parametrize("line", ["transform.annotate %ti$0led", 'transform.annotate %ti$0 "x" : !transform.any_op'])
def test_the_word_at_the_cursor_is_replaced(line: str) -> None:
    item = item_at(line, "%loops#1")
    assert line_after(line, item).startswith("transform.annotate %loops#1")
    assert "%lo" + "ti" not in line_after(line, item)


# Types


def test_the_whole_function_type() -> None:
    line = '%x = transform.structured.match ops{["a"]} in %tiled : $0'
    (item,) = items_at(line)
    assert item.label == "(!any) -> !any"
    script = SCRIPT.replace("!any = !transform.any_op\n", "")
    (item,) = items_at("%x:3 = transform.structured.fuse_into_containing_op %tiled into %loops#1 : $0", script)[:1]
    assert item.text.startswith('(!transform.any_op, !transform.op<"scf.for">) -> (')


def test_the_function_type_of_a_call() -> None:
    (item,) = items_at("%x = transform.include @reads failures(propagate) (%tiled) : $0")
    assert item.text == "(!any) -> !any"
    (item,) = items_at("transform.include @eats failures(propagate) (%tiled) : $0")
    assert item.text == "(!any) -> ()"
    (item,) = items_at("transform.include @reads failures(propagate) (%tiled) : $0")
    assert item.text == "(!any) -> !any"
    (item,) = items_at("%x:2 = transform.include @missing failures(propagate) (%tiled) : $0")
    assert item.text == "(!any) -> (!any, !any)"


def test_types_behind_the_operands() -> None:
    assert ": (!any) -> !any" in labels_at('%x = transform.structured.match ops{["a"]} in %tiled $0')


def test_aliases_of_the_file_first() -> None:
    labels = labels_at('transform.annotate %tiled "x" : !$0')
    assert labels[0] == "!any"
    assert "!transform.any_op" in labels
    assert "!transform.any_param" not in labels


def test_the_type_of_the_operand_first() -> None:
    assert labels_at('transform.annotate %loops#1 "x" : $0')[0] == '!transform.op<"scf.for">'
    assert labels_at("%x = transform.loop.fuse_sibling %tiled into %loops#1 : (!transform.any_op, $0")[0] == (
        '!transform.op<"scf.for">'
    )


def test_parameters_of_types() -> None:
    labels = labels_at("%x = transform.param.constant 1 : i64 -> !transform.param<$0>")
    assert "i64" in labels
    assert "!transform.any_op" not in labels


_PAYLOAD = "func.func @f(%x: tensor<4xf32>, %y: f32) {\n  LINE\n  return\n}\n"


def test_types_of_payload_are_those_of_its_values() -> None:
    labels = labels_at("%z = arith.addf %x, %x : $0", _PAYLOAD)
    assert labels[0] == "tensor<4xf32>"
    assert "f32" in labels
    assert not any(label.startswith("!transform") for label in labels)


def test_snippets_of_payload_know_nothing_of_handles() -> None:
    item = item_at("arith.add$0", "arith.addf", _PAYLOAD)
    assert item.snippet == "%${1:result} = arith.addf ${2:%y}, ${3:%x} : $4"
    assert labels_at("func.func @g(%x: f32 {$0})", "module {\n  LINE\n}\n") == []


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
    items = items_at(line)
    assert [item.label for item in items if item.note][:1] == ["func.func"]
    assert {"linalg.fill", "linalg.matmul"} <= {item.label for item in items}
    item = next(item for item in items if item.label == "linalg.matmul")
    assert '"linalg.matmul"' in line_after(line, item)
    assert '""' not in line_after(line, item)


def test_dialects_first_while_none_is_written() -> None:
    line = '%x = transform.structured.match ops{["$0"]} in %root'
    assert "linalg." in labels_at(line)
    assert "transform." not in labels_at(line)
    assert labels_at('transform.annotate %tiled "$0" : !transform.any_op') == []


# Symbols


def test_symbols_for_calls() -> None:
    items = items_at("transform.include @$0")
    assert [item.label for item in items] == ["@reads", "@eats"]
    assert items[1].detail == "(consumed !transform.any_op)"


def test_matchers_only_read() -> None:
    assert labels_at("transform.foreach_match in %root @$0") == ["@reads"]
    assert labels_at("%x = transform.collect_matching @$0") == ["@reads"]
    assert labels_at("transform.foreach_match in %root @reads -> @$0") == ["@reads", "@eats"]


def test_matchers_that_are_not_marked_come_last() -> None:
    unmarked = "  transform.named_sequence @bare(%op: !transform.any_op) {\n    transform.yield\n  }\n"
    script = SCRIPT.replace("  transform.named_sequence @reads", f"{unmarked}  transform.named_sequence @reads")
    items = items_at("transform.foreach_match in %root @$0", script)
    assert [(item.label, item.note) for item in items] == [("@reads", ""), ("@bare", "not marked transform.readonly")]


def test_symbols_of_libraries() -> None:
    sequence = "  transform.named_sequence @from_library(%x: !transform.any_op {transform.readonly}) {\n  }\n"
    library = SourceFile.of(f"module {{\n{sequence}}}\n", CATALOGUE)
    text, offset = parse_cursor(SCRIPT.replace("LINE", "transform.include @$0"))
    file = SourceFile.of(text, CATALOGUE, libraries=[library])
    labels = [item.label for item in completion(Snapshot({URI: file}, CATALOGUE), URI, offset).items]
    assert labels == ["@reads", "@eats", "@from_library"]


def test_symbols_of_a_nested_module() -> None:
    library = "module @lib {\n  transform.named_sequence @inner(%x: !transform.any_op) {\n    transform.yield\n  }\n}\n"
    script = SCRIPT.replace("  func.func @payload", library + "  func.func @payload")
    assert "@lib::@inner" in labels_at("transform.include @lib::$0", script)
