"""Snippets made from assembly formats insert text that the parser reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ide.with_cursor import CATALOGUE
from tdls.ide.forms.snippets import Snippet, Stop, Suggestions, escaped, operation_snippet
from tdls.syntax.parser.parser import parse
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition

_ELSEWHERE = frozenset(
    {
        "transform.structured.pad_tiling_interface",
        "transform.structured.tile_reduction_using_forall",
    }
)
"""Operations that want one of several optional parts."""
_NAMES = Suggestions(CATALOGUE)


def _definition(name: str) -> OperationDefinition:
    definition = CATALOGUE.operation(name)
    assert definition is not None
    return definition


def _snippet(name: str, results: int | None = None) -> Snippet:
    snippet = operation_snippet(_definition(name), _NAMES, results=results)
    assert snippet is not None
    return snippet


def _filled(snippet: Snippet) -> str:
    """The snippet with something in each tab stop that is neither in quotes nor in brackets nor in a region."""
    text = "".join("\0" if part == Stop() else Snippet((part,)).plain for part in snippet.parts)
    return re.sub(r'(?<=["\[{(])\0|(?<=  )\0', "", text).replace("\0", "1")


@pytest.mark.parametrize("name", [name for name in CATALOGUE.operation_names("transform") if name not in _ELSEWHERE])
@pytest.mark.parametrize("results", [None, 1])
def test_the_parser_reads_snippets(name: str, results: int | None) -> None:
    snippet = operation_snippet(_definition(name), _NAMES, results=results)
    if snippet is None:
        assert _definition(name).assembly_format is None
        return
    prefix = "%x = " if results and _definition(name).results else ""
    text = f"module {{\n{prefix}{_filled(snippet)}\n}}"
    tree = parse(text, CATALOGUE)
    (found,) = [operation for operation in tree.walk() if operation.name == name]
    assert found.form is Form.EXACT, text
    assert [problem.message for problem in tree.problems()] == [], text


_TARGET = "${1:%target} tile_sizes [${2:1, 1}] : (${3:!transform.any_op})"
_RESULTS = "(${4:!transform.any_op}, ${5:!transform.any_op}, ${6:!transform.any_op})"


def test_results_are_named_where_they_are_not() -> None:
    snippet = _snippet("transform.structured.tile_using_for").snippet
    assert snippet.startswith("%${1:tiled_linalg_op}, %${2:loops} = transform.structured.tile_using_for ${3:%target} ")
    assert snippet.endswith("] : (${5:!transform.any_op}) -> (${6:!transform.any_op}, ${7:!transform.any_op})")


def test_each_result_that_is_named_has_a_type() -> None:
    snippet = _snippet("transform.structured.tile_using_for", 3).snippet
    assert snippet == f"transform.structured.tile_using_for {_TARGET} -> {_RESULTS}"


def test_names_of_payload_operations_are_not_optional() -> None:
    snippet = _snippet("transform.structured.match", 1).snippet
    assert snippet.startswith('transform.structured.match ops{["$1"]\\} in ${2:%target} : ')


def test_enum_cases_are_choices() -> None:
    snippet = _snippet("transform.include", 0).snippet
    assert snippet.startswith("transform.include @${1:name} failures(${2|propagate,suppress|})(${3:%operands}) : ")


def test_regions_have_the_arguments_that_stand_for_operands() -> None:
    assert _snippet("transform.foreach").snippet == (
        "transform.foreach ${1:%targets} : ${2:!transform.any_op} {\n"
        "^bb0(%arg_targets: ${3:!transform.any_op}):\n  $4\n\\}"
    )
    assert "^bb0" not in _snippet("transform.sequence").snippet


@pytest.mark.parametrize(
    ("name", "dictionary"),
    [
        ("nvvm.fence.proxy", "{kind = #nvvm.proxy_kind<${1|alias,"),
        ("tosa.reduce_product", "{axis = ${2:0} : i32\\}"),
    ],
)
def test_attributes_that_nothing_else_gives_are_in_the_dictionary(name: str, dictionary: str) -> None:
    assert f" {dictionary}" in _snippet(name, 0).snippet


def test_attributes_that_may_be_left_out_are() -> None:
    assert "{" not in _snippet("transform.get_parent_op", 0).snippet.replace("${", "")


def test_a_terminator_passes_nothing_on() -> None:
    assert _snippet("transform.yield").snippet == "transform.yield"


def test_nothing_is_written_for_formats_only_c_plus_plus_knows() -> None:
    assert operation_snippet(_definition("transform.structured.split"), _NAMES) is None


def test_snippet_syntax_is_escaped() -> None:
    assert escaped("a$b}c\\d") == "a\\$b\\}c\\\\d"
    assert Snippet(("$", Stop("x}"), Stop(choices=("a,b", "c|d")))).snippet == "\\$${1:x\\}}${2|a\\,b,c\\|d|}"
    assert Snippet(("a", Stop("b"), Stop(), Stop(choices=("c", "d")))).plain == "abc"
