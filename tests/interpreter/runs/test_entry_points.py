"""Entry points of a script."""

from __future__ import annotations

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.runs.entry_points import EntryPoint, EntryPointKind, entry_points, read_entry_points
from tdls.text.span import FileSpan

ANY = "!transform.any_op"
SEQUENCE = f"""\
transform.sequence failures(propagate) {{
^bb0(%root: {ANY}):
  transform.sequence %root : {ANY} failures(propagate) {{
  ^bb0(%inner: {ANY}):
  }}
}}
"""
GENERIC = f"""\
"transform.sequence"() <{{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}}> ({{
^bb0(%root: {ANY}):
  "transform.yield"() : () -> ()
}}) : () -> ()
"""


def file_of(text: str) -> SourceFile:
    return SourceFile.of(text, Catalogue.shipped())


def points_of(text: str) -> list[EntryPoint]:
    return entry_points(file_of(text))


def shown(text: str) -> list[str]:
    return [point.shown for point in points_of(text)]


def in_module(*members: str) -> str:
    return f"module attributes {{transform.with_named_sequence}} {{\n{''.join(members)}}}\n"


def named(name: str, arguments: str = f"%root: {ANY}", body: str = "transform.yield", head: str = "") -> str:
    return f"  transform.named_sequence {head}@{name}({arguments}) {{\n    {body}\n  }}\n"


def test_named_sequences_with_their_places() -> None:
    text = in_module(named("__transform_main"), named("other", head="private "))
    main, other = points_of(text)
    assert (main.name, main.kind, main.is_private) == ("__transform_main", EntryPointKind.SEQUENCE, False)
    assert (other.name, other.is_private) == ("other", True)
    assert [text[point.span.start : point.span.end] for point in (main, other)] == ["@__transform_main", "@other"]


def test_declarations_are_left_out() -> None:
    assert shown(in_module(f"  transform.named_sequence private @s({ANY} {{transform.readonly}})\n")) == []
    declared = f"  transform.named_sequence private @other(%root: {ANY} {{transform.readonly}})"
    attributes = " attributes {tdls.note}\n"
    assert shown(in_module(f"{declared}\n", named("__transform_main"))) == ["@__transform_main"]
    assert shown(in_module(declared + attributes, named("__transform_main"))) == ["@__transform_main"]


@pytest.mark.parametrize(
    "arguments",
    ["", f"%a: {ANY}, %b: {ANY}", "%a: !transform.any_param", "%a: !transform.any_value", "%a: i32"],
)
def test_sequences_that_upstream_cannot_run(arguments: str) -> None:
    assert shown(in_module(named("s", arguments))) == []


@pytest.mark.parametrize(
    "arguments",
    [f"%a: {ANY} {{transform.readonly}}", '%a: !transform.op<"func.func"> {transform.consumed}', "%a: !pdl.operation"],
)
def test_any_handle_of_operations_will_do(arguments: str) -> None:
    assert shown(in_module(named("s", arguments))) == ["@s"]


def test_matchers_are_left_out() -> None:
    match = f'transform.match.operation_name %root ["linalg.matmul"] : {ANY}\n    '
    assert shown(in_module(named("s", body=f"{match}transform.yield %root : {ANY}"))) == []
    assert shown(in_module(named("s", body=f'{match}transform.annotate %root "a" : {ANY}\n    transform.yield'))) == [
        "@s"
    ]
    assert shown(in_module(named("__transform_main", body=f"{match}transform.yield"))) == ["@__transform_main"]


def test_sequences_with_matches_need_not_be_matchers() -> None:
    assert shown(in_module(named("s", body=f"transform.print %root : {ANY}\n    transform.yield"))) == ["@s"]


def test_operations_without_names_are_numbered_in_each_part() -> None:
    pattern = f"transform.with_pdl_patterns {{\n^bb0(%root: {ANY}):\n}}\n"
    text = f"func.func private @f()\n{SEQUENCE}{pattern}{SEQUENCE}{GENERIC}// -----\n{SEQUENCE}"
    assert [(point.name, point.part) for point in points_of(text)] == [
        ("transform.sequence", 0),
        ("transform.with_pdl_patterns", 0),
        ("transform.sequence#2", 0),
        ("transform.sequence#3", 0),
        ("transform.sequence", 1),
    ]
    assert {point.kind for point in points_of(text)} == {EntryPointKind.OPERATION}


def test_operations_with_results_or_more_arguments() -> None:
    results = (
        f"%0 = transform.sequence -> {ANY} failures(propagate) {{\n^bb0(%r: {ANY}):\n  transform.yield %r : {ANY}\n}}\n"
    )
    more = f"transform.sequence failures(propagate) {{\n^bb0(%a: {ANY}, %b: {ANY}):\n}}\n"
    assert shown(results) == ["transform.sequence"]
    assert shown(more) == []


def test_generic_form_of_named_sequences() -> None:
    attributes = f'function_type = ({ANY}) -> (), sym_name = "s", sym_visibility = "private"'
    text = f'  "transform.named_sequence"() <{{{attributes}}}> ({{\n  ^bb0(%root: {ANY}):\n'
    text += '    "transform.yield"() : () -> ()\n  }) : () -> ()\n'
    (point,) = points_of(in_module(text))
    assert (point.name, point.kind, point.is_private) == ("s", EntryPointKind.SEQUENCE, True)


def test_nested_modules() -> None:
    inner = f"  module @inner attributes {{transform.with_named_sequence}} {{\n{named('deep')}  }}\n"
    assert shown(f"module {{\n{inner}  module {{\n{SEQUENCE}  }}\n}}\n") == ["@deep", "transform.sequence"]


@pytest.mark.parametrize("cut", range(0, 200, 7))
def test_any_text_has_an_answer(cut: int) -> None:
    text = in_module(named("a"), named("b")) + SEQUENCE
    points_of(text[:cut])
    points_of(text[cut:])


def test_sections_with_a_plain_beginning_are_not_read() -> None:
    file = file_of(in_module(*(named(f"s{number}") for number in range(20)), SEQUENCE))
    for _ in read_entry_points(file):
        pass
    assert len(entry_points(file)) == 21
    assert not any(context.section.is_read for context in file.contexts)


BODY = "{\n^bb0(%root: !op):\n  transform.yield\n}"


@pytest.mark.parametrize(
    "sequence",
    [
        f'"transform.named_sequence"() ({BODY}) {{sym_name = "go", function_type = (!op) -> ()}} : () -> ()\n',
        "transform.named_sequence @go(%root: !op) {\n  transform.yield\n}\n",
    ],
    ids=["generic", "pretty"],
)
def test_types_of_arguments_may_have_other_names(sequence: str) -> None:
    operations, numbers = "!transform.any_op", "!transform.param<i64>"
    text = f"!op = {operations}\n{sequence}"
    file = file_of(text)
    assert [point.name for point in entry_points(file)] == ["go"]
    start = text.index(operations)
    edited = file.edited(FileSpan(start, start + len(operations)), numbers)
    assert entry_points(edited) == entry_points(file_of(edited.text)) == []
