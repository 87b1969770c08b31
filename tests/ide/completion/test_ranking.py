"""The order of proposed operations: by fit at the cursor, then by frequency of use."""

from __future__ import annotations

import pytest

from ide.completing import items_at, labels_at

MATCHER = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    LINE
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "found" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.foreach_match in %root @is_matmul -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""
PARAMETERS = """\
transform.named_sequence @f(%size: !transform.param<i64>) {
  LINE
  transform.yield
}
"""


def operations_at(line: str, *script: str) -> list[str]:
    return [label.removeprefix("transform.") for label in labels_at(line, *script)]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("tile", "structured.tile_using_for"),
        ("match", "structured.match"),
        ("fuse", "structured.fuse_into_containing_op"),
        ("structured.v", "structured.vectorize"),
        ("cse", "apply_cse"),
    ],
)
def test_a_word_of_the_name_finds_the_most_used_operation(typed: str, first: str) -> None:
    assert operations_at(f"transform.{typed}$0")[0] == first


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("$0", ["script", "builtin.module", "transform.sequence", "func.func"]),
        ("module {\n}\nm$0", ["builtin.module"]),
    ],
)
def test_what_can_stand_first_in_a_file_comes_first(typed: str, first: list[str]) -> None:
    assert labels_at(typed, "LINE\n")[: len(first)] == first


@pytest.mark.parametrize(
    ("line", "taken", "refused"),
    [
        ("%a = transform.structured.match ops{[]} $0", "in %tiled", "in"),
        ("%a, %b = transform.structured.tile_using_for %m tile_sizes [4] $0", "interchange = []", "interchange = %m"),
    ],
)
def test_what_mlir_would_refuse_is_not_offered(line: str, taken: str, refused: str) -> None:
    assert taken in labels_at(line)
    assert refused not in labels_at(line)


def test_a_second_terminator_comes_last() -> None:
    offered = operations_at("transform.$0")
    assert offered.index("yield") > offered.index("structured.multitile_sizes")


def test_names_in_the_file_come_before_names_in_other_files() -> None:
    assert operations_at("transform.tile$0\n    transform.structured.tile_reduction_using_for")[0].endswith("_for")


def test_operations_that_matchers_cannot_have_come_last_there() -> None:
    offered = operations_at("transform.match$0", MATCHER)
    assert offered.index("match.operation_name") < offered.index("structured.match")
    assert operations_at("transform.$0", MATCHER).index("match.structured") < 20


def test_operations_without_operands_in_scope_come_later() -> None:
    offered = operations_at("transform.$0", PARAMETERS)
    assert offered.index("num_associations") > offered.index("param.constant")
    assert offered.index("structured.tile_using_for") > offered.index("print")


def test_symbols_of_other_files_are_offered() -> None:
    assert operations_at("transform.$0").index("named_sequence") > operations_at("transform.$0").index("print")


@pytest.mark.parametrize("typed", ["match", "vector", "loop", "transform.match", "transform.tile", "structured.t"])
def test_editors_compare_the_same_with_all_names_that_contain_the_word(typed: str) -> None:
    word = typed.rpartition(".")[2]
    containing = [item for item in items_at(f"{typed}$0") if f".{word}" in item.label or f"_{word}" in item.label]
    assert containing
    assert {item.filter_text[: len(typed)] for item in containing} == {typed}


OLD_OPERATION = "transform.structured.tile_to_forall_op"


def test_outdated_operations_are_offered_where_the_file_uses_them() -> None:
    assert OLD_OPERATION not in labels_at("transform.structured.tile$0")
    use = f"\n    %a, %b = {OLD_OPERATION} %m num_threads [4] : (!any) -> (!any, !any)"
    assert OLD_OPERATION in labels_at(f"transform.structured.tile$0{use}")[:5]
