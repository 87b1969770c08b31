"""The tokens that the parser expects at a cursor (`$0`), in complete and in broken texts."""

from __future__ import annotations

from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samples import some
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.expected import model
from tdls.syntax.expected.at_cursor import expected_at

_CATALOGUE = Catalogue.shipped()
_Kind = TypeVar("_Kind", bound=model.Expectation)


def _expected(marked: str, **options: bool) -> model.Expected:
    before, _, after = marked.partition("$0")
    nested = options.get("nested", True)
    dialect = "transform" if nested else "builtin"
    return expected_at(before + after, len(before), _CATALOGUE, nested=nested, default_dialect=dialect)


def _literals(expected: model.Expected) -> set[str]:
    return {expectation.text for expectation in _all(model.ExpectedLiteral, expected)}


def _all(kind: type[_Kind], expected: model.Expected) -> list[_Kind]:
    return [expectation for expectation in expected.expectations if isinstance(expectation, kind)]


def _kinds(expected: model.Expected) -> set[type]:
    return {type(expectation) for expectation in expected.expectations}


@pytest.mark.parametrize(
    ("marked", "literals"),
    [
        (
            "%0 = transform.structured.match $0",
            {"ops", "interface", "attributes", "filter_result_type", "filter_operand_types", "in"},
        ),
        ("%0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) $0", {"permutation"}),
        ("gpu.launch $0", {"async", "[", "clusters", "blocks"}),
        ("gpu.launch blocks(%a, %b, %c) in (%d = %i, %e = %i, %f = %i) $0", {"threads"}),
        ('%0 = transform.structured.match ops{["a"]} int$0', {"interface", "attributes", "in"}),
        ('%0 = transform.structured.match ops{["a"]$0', {"}"}),
        ('%0 = transform.structured.match ops{["a"$0', {",", "]"}),
        ("%0 = transform.structured.match interface{LinalgOp}$0", {"attributes", "in"}),
        ("%a, %b:2 = transform.structured.tile_using_for %x $0", {"tile_sizes"}),
        ("%a, %b:2 = transform.structured.tile_using_for %x tile_sizes [4] $0", {"interchange", ":"}),
        ("%a, %b = transform.structured.tile_using_forall %x $0", {"num_threads", "tile_sizes", "(", ":"}),
        ("%a, %b = transform.structured.tile_using_forall %x num_threads [2] $0", {"tile_sizes", "(", ":"}),
        ("%a, %b = transform.structured.tile_using_forall %x num_threads $0", {"*", "["}),
        ("%a:2 = transform.structured.split %x $0", {"after"}),
        ("transform.include @f failures$0", {"failures"}),
        ("transform.include @f $0(propagate) () : () -> ()", {"failures"}),
        ("%0 $0", {"=", ",", ":"}),
        ("transform.foreach %x : !transform.any_op $0", {"->"}),
        ("func.func $0", {"private", "public", "nested"}),
    ],
)
def test_literals(marked: str, literals: set[str]) -> None:
    assert literals <= _literals(_expected(marked))


@pytest.mark.parametrize(
    "marked",
    [
        '%0 = transform.structured.match ops{["a"]} in $0',
        '%0 = transform.structured.match ops{["a"]} in %ar$0',
        '%0 = transform.structured.match ops{["a"]} in %a$0rg0 : (!transform.any_op) -> !transform.any_op',
        '%0 = "transform.structured.match"($0',
    ],
)
def test_operand_of_a_named_group(marked: str) -> None:
    (operand,) = _all(model.Operand, _expected(marked))
    assert operand.definition is not None
    assert operand.definition.name == "target"
    assert operand.definition.constraint == "TransformHandleTypeInterface"


@pytest.mark.parametrize(
    ("marked", "group", "position"),
    [
        ("%a = transform.merge_handles %x, $0", "handles", 1),
        ("%a:2 = transform.structured.tile_using_for %x tile_sizes [4, %s, $0] : ", "dynamic_sizes", 1),
        ("%a, %b = transform.structured.tile_using_forall %x num_threads *($0", "packed_num_threads", 0),
        ("%a:2 = transform.structured.split %x after $0", "dynamic_chunk_sizes", 0),
        ('%a:2 = "transform.structured.split"(%x, $0', "dynamic_chunk_sizes", 0),
        ("transform.foreach_match in %root, $0", "forwarded_inputs", 0),
    ],
)
def test_operand_in_a_list(marked: str, group: str, position: int) -> None:
    operands = _all(model.Operand, _expected(marked))
    found = [(operand.definition and operand.definition.name, operand.position) for operand in operands]
    assert found[:1] == [(group, position)]


def test_types_are_those_of_operands_and_results() -> None:
    text = '%0 = transform.structured.match ops{["a"]} in %x : '
    assert model.FunctionType(("target",), ("results",)) in _expected(f"{text}$0").expectations
    (operand,) = _all(model.ExpectedType, _expected(f"{text}($0"))
    assert operand.definition is not None
    assert operand.value is not None
    assert (operand.definition.name, operand.value.name) == ("target", "%x")
    (result,) = _all(model.ExpectedType, _expected(f"{text}(!transform.any_op) -> !tr$0"))
    assert result.definition is not None
    assert (result.definition.name, result.value) == ("results", None)


def test_types_of_variadic_groups_know_their_value() -> None:
    marked = "%a:2 = transform.structured.tile_using_for %x tile_sizes [%s, 4, %t] : (!transform.any_op, $0"
    found = _all(model.ExpectedType, _expected(marked))
    assert [(each.definition and each.definition.name, each.value and each.value.name) for each in found][:1] == [
        ("dynamic_sizes", "%s")
    ]


def test_attribute_values() -> None:
    for marked, case in (
        ("transform.include @f failures($0", "suppress"),
        ("%0 = arith.addf %x, %x fastmath<$0", "nnan"),
    ):
        value = next(iter(_expected(marked).expectations))
        assert isinstance(value, model.AttributeValue)
        assert value.definition is not None
        assert case in value.definition.cases
    values = _all(model.AttributeValue, _expected("transform.apply_patterns to %a { } {max_iterations = $0"))
    assert {value.name for value in values} == {"max_iterations"}
    assert any(value.definition is not None for value in values)


def test_names_in_a_dictionary_are_those_not_given() -> None:
    marked = "transform.apply_patterns to %a { } {max_iterations = 3, $0}"
    names = _all(model.AttributeName, _expected(marked))
    assert {definition.name for each in names for definition in each.definitions} == {"apply_cse", "max_num_rewrites"}


@pytest.mark.parametrize("marked", ['ops{["$0"]} in %x', 'ops{["lina$0', 'ops{["a", "li$0nalg.matmul"]}', "ops{[$0]}"])
def test_strings_in_an_attribute(marked: str) -> None:
    expected = _expected(f"%0 = transform.structured.match {marked}")
    (text,) = _all(model.Text, expected)
    assert text.name == "ops"
    assert model.Number not in _kinds(expected)


def test_string_in_a_type() -> None:
    texts = _all(model.Text, _expected('transform.annotate %x "note" : !transform.op<"lin$0">'))
    assert "!transform.op" in {text.type_name for text in texts}
    assert model.Anything("!transform.param") in _expected("transform.foreach %x : !transform.param<$0").expectations


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("transform.include @$0", "target"),
        ("transform.include @lib::$0", "target"),
        ("transform.include @lib::@f$0oo failures(propagate) () : () -> ()", "target"),
        ("transform.foreach_match in %r @$0", "matchers"),
        ("transform.foreach_match in %r @m -> $0", "actions"),
        ("transform.foreach_match in %r @m -> @a, @$0", "matchers"),
    ],
)
def test_symbols_of_an_attribute(marked: str, name: str) -> None:
    expected = _expected(marked)
    references = {reference.name for reference in _all(model.SymbolReference, expected)}
    assert name in references | {value.name for value in _all(model.AttributeValue, expected)}


def test_definitions_are_no_uses() -> None:
    assert model.SymbolName() in _expected("transform.named_sequence @$0").expectations
    assert model.NewName() in _expected("transform.named_sequence @f(%$0").expectations
    assert model.NewName() in _expected("%a, $0").expectations
    assert model.Operand not in _kinds(_expected("^bb0($0"))


def test_arguments_have_dictionaries_of_their_own() -> None:
    expected = _expected("transform.named_sequence @f(%a: !transform.any_op {$0")
    assert model.AttributeName(argument=True) in expected.expectations


@pytest.mark.parametrize("marked", ["$0", "  transf$0", "  transform.yield\n  $0", "^bb0(%a: !transform.any_op):\n$0"])
def test_operations_begin(marked: str) -> None:
    expected = _expected(marked)
    assert model.OperationStart("transform") in expected.expectations
    assert model.BlockLabel() in expected.expectations
    assert expected.on_new_line


def test_operations_begin_behind_results_and_other_operations() -> None:
    assert _expected("%0 = $0").expectations == (model.OperationStart("transform", 1),)
    assert model.OperationStart("transform") in _expected("transform.yield %a : !transform.any_op $0").expectations
    assert model.AliasStart() in _expected("$0", nested=False).expectations


def test_regions_inside_and_around() -> None:
    inside = _expected("transform.foreach %x : !transform.any_op {\n^bb0(%a: !transform.any_op):\n  transform.$0\n}")
    assert model.OperationStart("") in inside.expectations
    assert inside.operation is None
    assert model.RegionStart() in _expected("transform.foreach %x : !transform.any_op $0").expectations
    behind = _expected("transform.apply_patterns to %x {\n} $0")
    assert model.AttributeDictionary() in behind.expectations


def test_the_dialect_of_a_region_is_its_operations() -> None:
    expected = _expected(
        "module {\n  transform.sequence %x : !transform.any_op failures(propagate) {\n    $0", nested=False
    )
    assert model.OperationStart("transform") in expected.expectations


@pytest.mark.parametrize(
    ("marked", "kinds"),
    [
        ("my.op %a, $0", {model.Operand, model.SymbolReference}),
        ("my.op %a : $0", {model.ExpectedType}),
        ("my.op %a : (!transform.any_op, $0", {model.ExpectedType}),
        ("my.op %a : (!transform.any_op) -> $0", {model.ExpectedType}),
        ('"my.op"($0', {model.Operand}),
        ('"my.op"(%a) : ($0', {model.ExpectedType}),
    ],
)
def test_unknown_operations(marked: str, kinds: set[type]) -> None:
    assert kinds <= _kinds(_expected(marked))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_broken_text_around(newline: str) -> None:
    lines = ["transform.structured.match ops{[ in", "%1 = transform.merge_handles $0", "%2 = transform.yield ((("]
    expected = _expected(newline.join(lines))
    assert expected.operation is not None
    assert expected.operation.name == "transform.merge_handles"
    assert model.Operand in _kinds(expected)


def test_all_versions_of_an_operation_count() -> None:
    expected = _expected("%a:2 = transform.structured.fuse %x $0")
    assert "tile_sizes" in _literals(expected)
    formerly = _all(model.AttributeValue, expected)
    assert {value.name for value in formerly} == {"tile_sizes"}


def test_nothing_is_expected_in_a_comment() -> None:
    assert _expected("transform.yield // tran$0sform").expectations == ()
    assert _expected('transform.annotate %x "http://$0').expectations != ()


def test_written_parts_of_the_operation() -> None:
    operation = _expected("%a, %b:2 = transform.structured.tile_using_for %x tile_sizes [%s, 4] $0").operation
    assert operation is not None
    assert operation.definition is not None
    assert operation.definition.name == "transform.structured.tile_using_for"
    assert [use.name for uses in operation.operands.values() for use in uses] == ["%x", "%s"]
    assert sum(group.count for group in operation.results) == 3
    assert [attribute.name for attribute in operation.attributes] == ["static_sizes"]


def test_places_are_those_of_the_text() -> None:
    text = "  transform.yield\n  transform.annotate %x "
    found = expected_at(text, len(text), _CATALOGUE, start=20, nested=True, default_dialect="transform")
    assert found.operation is not None
    span = found.operation.name_span
    assert text[span.start : span.end] == "transform.annotate"
    ((use,),) = found.operation.operands.values()
    assert text[use.start : use.end] == "%x"


@pytest.mark.parametrize(
    ("marked", "prefix", "rest"),
    [
        ("transform.str$0uctured.match", "transform.str", "uctured.match"),
        ("transform.yield %a$0rg#1", "%a", "rg#1"),
        ("transform.yield %a#$0", "%a#", ""),
        ('transform.structured.match ops{["li$0nalg.a", "b"]}', '"li', 'nalg.a"'),
        ('transform.structured.match ops{["li$0, "b"]}', '"li', ""),
        ("transform.include @a::@b$0", "@a::@b", ""),
        ("transform.yield $0%a", "", ""),
    ],
)
def test_the_word_at_the_cursor(marked: str, prefix: str, rest: str) -> None:
    before, _, after = marked.partition("$0")
    word = _expected(marked).word
    assert (word.prefix, (before + after)[len(before) : word.span.end]) == (prefix, rest)


_PIECES = st.sampled_from(
    [
        *("%a", "%b = ", "transform.foreach ", "transform.structured.match ", "ops{[", '"x', "!transform.op<", "@f"),
        *("^bb0", "in ", "attributes ", "#a", "//", "<{", " : ", " -> ", "\n", *'"}{()],>-='),
    ]
)


@given(st.lists(_PIECES, max_size=14), st.booleans())
@settings(max_examples=some(300))
def test_any_text_has_an_answer(pieces: list[str], nested: bool) -> None:
    text = "".join(pieces)
    for offset in {0, len(text) // 2, len(text)}:
        word = expected_at(text, offset, _CATALOGUE, nested=nested).word
        assert word.span.start <= offset <= word.span.end
