"""Scripts without a name run like named sequences, and messages about them are at their own places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.scripts import PAYLOAD, QUICK, script_of
from samples import some
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.runs.entry_points import EntryPointKind, entry_points
from tdls.interpreter.runs.model import Emit, RunRequest, Status, TextFile
from tdls.interpreter.runs.placed_edits import PlacedEdits
from tdls.interpreter.runs.plan import RunOptions, plan
from tdls.interpreter.runs.wrapping import insertions_around
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

ANY = "!transform.any_op"
FUNCTIONS = f'  %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}\n'
REMARK = f'  transform.debug.emit_remark_at %f, "é" : {ANY}\n'
MARK = f'  transform.annotate %f "seen" : {ANY}\n'


def sequence(body: str) -> str:
    return f"transform.sequence failures(propagate) {{\n^bb0(%root: {ANY}):\n{FUNCTIONS}{body}}}"


def run(backend: Backend, text: str, entry_point: str | None = None, emit: Emit = Emit.PAYLOAD) -> RunResult:
    options = RunOptions(entry_point=entry_point, limits=QUICK, emits=frozenset({emit}))
    (request,) = plan(script_of(text), None, options)
    assert request.operation is not None
    return backend.run(request)


PDL = f"""\
transform.with_pdl_patterns {{
^bb0(%root: {ANY}):
  pdl.pattern @functions : benefit(1) {{
    %0 = pdl.operation "func.func"
    pdl.rewrite %0 with "transform.dialect"
  }}
  sequence %root : {ANY} failures(propagate) {{
  ^bb1(%inner: {ANY}):
    %f = pdl_match @functions in %inner : ({ANY}) -> {ANY}
{MARK}  }}
}}
"""
RESULTS = f"""\
%0 = transform.sequence -> {ANY} failures(propagate) {{
^bb0(%root: {ANY}):
{FUNCTIONS}{MARK}  transform.yield %f : {ANY}
}} loc("here")
"""
GENERIC = f"""\
"transform.sequence"() <{{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}}> ({{
^bb0(%root: {ANY}):
{FUNCTIONS}{MARK}  "transform.yield"() : () -> ()
}}) : () -> ()
"""
ALIAS = f"!any = {ANY}\n"
RESOURCES = '{-#\n  dialect_resources: {\n    builtin: {\n      a: "0x0400000001"\n    }\n  }\n#-}\n'
SCRIPT = f"{sequence(MARK)}  // a comment }}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{PAYLOAD}{SCRIPT}",
        f"{SCRIPT}{PAYLOAD}",
        f"module {{\n{PAYLOAD}{SCRIPT}}}\n",
        f"module @m {{ {SCRIPT}{PAYLOAD}}}\n",
        f'module attributes {{some.attribute = "{{"}} {{\n{PAYLOAD}{SCRIPT}}}\n',
        f"module attributes {{}} {{\n{PAYLOAD}{SCRIPT}}}\n",
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{SCRIPT}}}\n",
        f'"builtin.module"() ({{\n{PAYLOAD}{SCRIPT}}}) : () -> ()\n',
        f"module {{\n{PAYLOAD}  module {{\n{SCRIPT}  }}\n}}\n",
        f"{ALIAS}{PAYLOAD}{SCRIPT.replace(ANY, '!any')}",
        f"{PAYLOAD}{ALIAS}{SCRIPT.replace(ANY, '!any')}",
        f"{SCRIPT}{ALIAS}{PAYLOAD}",
        f"{PAYLOAD}{SCRIPT}{RESOURCES}",
        f"module {{\n{PAYLOAD}{PDL}}}\n",
        f"{PAYLOAD}{RESULTS}",
        f"{GENERIC}{PAYLOAD}",
    ],
)
def test_script_is_applied_to_its_payload(text: str, backend: Backend) -> None:
    result = run(backend, text)
    assert (result.status, result.diagnostics) == (Status.SUCCESS, ())
    payload = result.texts[Emit.PAYLOAD]
    assert payload.count("attributes {seen}") == 1
    assert "transform." not in payload


def test_second_script_of_a_part(backend: Backend) -> None:
    text = f"{PAYLOAD}{sequence(REMARK)}\n{SCRIPT}"
    assert run(backend, text, "transform.sequence").diagnostics
    assert not run(backend, text, "transform.sequence#2").diagnostics


@pytest.mark.parametrize("before", ["", "module {\n"])
def test_places_are_those_of_the_script(before: str, backend: Backend) -> None:
    behind = "}" if before else ""
    payload = 'func.func private @"é"()'
    text = f"// é\n{before}  {payload} {sequence(REMARK)} func.func private @g() {behind}\n"
    result = run(backend, text)
    first, second = result.diagnostics
    line = before.count("\n") + 2
    assert [(d.message, d.line, d.column) for d in (first, second)] == [
        ("é", line, 3),
        ("é", text[: text.index("@g")].count("\n") + 1, 3),
    ]


def test_failure_points_into_the_script(backend: Backend) -> None:
    body = f"  %a, %b = transform.split_handle %root : ({ANY}) -> ({ANY}, {ANY})\n"
    result = run(backend, f"{PAYLOAD}{sequence(body)}\n")
    assert result.status is Status.FAILURE
    assert "expected to contain 2 payloads but it contains 1" in result.diagnostics[0].message
    assert (result.diagnostics[0].line, result.diagnostics[0].column) == (9, 12)


def test_script_in_a_file_of_its_own(backend: Backend) -> None:
    text = f"module {{\n{SCRIPT}}}\n"
    request = RunRequest(
        script_of(text),
        TextFile("payload.mlir", f"module {{\n{PAYLOAD}}}\n"),
        entry_point="transform.sequence",
        operation=text.index("transform.sequence"),
        limits=QUICK,
    )
    result = backend.run(request)
    assert (result.status, result.diagnostics) == (Status.SUCCESS, ())
    assert "attributes {seen}" in result.texts[Emit.PAYLOAD]


def requested(text: str, **options: Any) -> RunRequest:
    (request,) = plan(script_of(text), None, RunOptions(limits=QUICK, **options))
    assert request.operation is not None
    return request


@pytest.mark.parametrize("head", ["", "module {\n"])
def test_handles_are_those_of_the_script(head: str, backend: Backend) -> None:
    inner = f"module {{ {sequence(MARK)} }}\n" if head else f"{SCRIPT}"
    text = f"{head}{PAYLOAD}{inner}{'}' if head else ''}\n"
    result = backend.run(requested(text, observe=True))
    assert result.status is Status.SUCCESS
    names = {text[handle.start : handle.end]: handle.snapshots[0].count for handle in result.handles}
    assert names == {"%root": 1, "%f": 1}
    (function,) = (handle for handle in result.handles if text[handle.start : handle.end] == "%f")
    place = function.snapshots[0].items[0].place
    assert place is not None
    assert (place.line, place.column) == (text[: text.index("func.func")].count("\n") + 1, 3)
    shown = [text.split("\n")[origin.line - 1] for origin in result.origins if origin is not None]
    assert any("linalg.matmul" in line for line in shown)


def test_stopping_in_a_script_without_a_name(bindings: Backend) -> None:
    text = f"{PAYLOAD}{sequence(MARK + MARK.replace('seen', 'later'))}\n"
    result = bindings.run(requested(text, until=text.index("transform.annotate")))
    assert result.status is Status.SUCCESS
    assert "{seen}" in result.texts[Emit.PAYLOAD]
    assert "later" not in result.texts[Emit.PAYLOAD]


@pytest.mark.parametrize("place", [0, 3, 10_000])
def test_no_operation_where_one_is_said_to_be(place: int) -> None:
    assert insertions_around(script_of("\n\n  // nothing\n"), place) == []


PIECES = (
    PAYLOAD,
    SCRIPT,
    GENERIC,
    ALIAS,
    RESOURCES,
    "module {\n",
    "module attributes {a} {",
    "#a = 1\n",
    "{",
    "}",
    "(",
    "\n",
)


@given(st.lists(st.sampled_from(PIECES), max_size=7), st.integers(0, 2000), st.sampled_from(["", "x", "}"]))
@settings(max_examples=some(150))
def test_any_text_keeps_its_lines(pieces: list[str], place: int, damage: str) -> None:
    text = "".join(pieces)
    text = f"{text[:place]}{damage}{text[place + 3 :]}"
    for point in entry_points(SourceFile.of(text, Catalogue.shipped(), split=SplitMode.NEVER)):
        insertions = insertions_around(script_of(text), point.span.start)
        edited = PlacedEdits(text, insertions)
        assert bool(insertions) or point.kind is EntryPointKind.SEQUENCE
        assert edited.text.count("\n") == text.count("\n")
        assert edited.original_offset(edited.edited_offset(point.span.start)) == point.span.start
