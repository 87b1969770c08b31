"""Runs of scripts with operations and types that only the catalogue of their project knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from interpreter.own_operations import FINISH, GATHER, HANDLE, REPEAT, SCRIPT, own_catalogue
from interpreter.scripts import QUICK
from tdls.analysis.file.source_file import SourceFile
from tdls.interpreter.observing.points import steps_of
from tdls.interpreter.runs.model import Emit, Status
from tdls.interpreter.runs.placed_edits import PlacedEdits
from tdls.interpreter.runs.plan import RunOptions, plan
from tdls.interpreter.runs.script import Script
from tdls.interpreter.runs.wrapping import insertions_around
from tdls.structs import replace

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

ANY = "!transform.any_op"
FUNCTIONS = f"""\
  %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
  {REPEAT} %f : {ANY} {{
  ^bb0(%each: {ANY}):
    transform.annotate %each "first" : {ANY}
    transform.annotate %each "second" : {ANY}
    transform.yield
  }}
"""
OWN_HANDLES = f"""\
  %any = transform.structured.match ops{{["test.foo"]}} in %root : ({ANY}) -> {ANY}
  %own = transform.cast %any : {ANY} to {HANDLE}
"""
PAYLOAD = 'func.func @f() { "test.foo"() : () -> () return }\n'


def named(body: str) -> str:
    head = f"transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{"
    return f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{head}\n{body}  transform.yield\n}}\n}}\n"


def nameless(body: str) -> str:
    return f"{PAYLOAD}transform.sequence failures(propagate) {{\n^bb0(%root: {ANY}):\n{body}}}\n"


def second_part(body: str) -> str:
    return f"func.func private @g()\n// -----\n{named(body)}"


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return own_catalogue(tmp_path)


@pytest.fixture(params=["read", "not read"])
def is_read(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "read")


def run(backend: Backend, text: str, catalogue: Catalogue, is_read: bool, **options: Any) -> RunResult:
    """Run the last part of `text` as the server does, which has read it, or as the command line does."""
    file = SourceFile.of(text, catalogue)
    script = Script.of("script.mlir", file) if is_read else Script("script.mlir", text, catalogue)
    (request,) = plan(script, None, RunOptions(part=text.count("// -----"), limits=QUICK, **options))
    return backend.run(request)


@pytest.mark.parametrize("written", [named, nameless, second_part])
def test_regions_of_a_projects_operation_are_observed(
    written: Any, is_read: bool, catalogue: Catalogue, tool: Backend
) -> None:
    text = written(FUNCTIONS)
    result = run(tool, text, catalogue, is_read, observe=True)
    assert (result.status, result.diagnostics) == (Status.SUCCESS, ())
    told = {text[handle.start : handle.end]: handle.executions for handle in result.handles}
    assert told == {"%root": 1, "%f": 1, "%each": 4}


@pytest.mark.parametrize("written", [named, nameless, second_part])
def test_a_run_stops_in_the_region_of_a_projects_operation(
    written: Any, is_read: bool, catalogue: Catalogue, tool: Backend
) -> None:
    text = written(FUNCTIONS)
    result = run(tool, text, catalogue, is_read, until=text.index('"first"'))
    assert (result.status, result.diagnostics) == (Status.SUCCESS, ())
    assert "first" in result.texts[Emit.PAYLOAD]
    assert "second" not in result.texts[Emit.PAYLOAD]


@pytest.mark.parametrize("written", [named, nameless, second_part])
def test_handles_of_a_projects_type_are_observed(
    written: Any, is_read: bool, catalogue: Catalogue, tool: Backend
) -> None:
    text = written(OWN_HANDLES)
    result = run(tool, text, catalogue, is_read, observe=True)
    assert (result.status, result.diagnostics) == (Status.SUCCESS, ())
    told = {text[handle.start : handle.end]: handle.snapshots[0].names for handle in result.handles}
    assert told == {"%root": {"builtin.module": 1}, "%any": {"test.foo": 1}, "%own": {"test.foo": 1}}


@pytest.mark.parametrize("written", [named, nameless, second_part])
@pytest.mark.parametrize("body", [FUNCTIONS, OWN_HANDLES, FUNCTIONS + OWN_HANDLES])
def test_observing_changes_nothing(written: Any, body: str, catalogue: Catalogue, tool: Backend) -> None:
    text = written(f"{body}  transform.print %root : {ANY}\n")
    plain, observed = (run(tool, text, catalogue, False, observe=observe) for observe in (False, True))
    assert observed.handles
    assert replace(observed, handles=(), origins=(), seconds=0.0) == replace(plain, seconds=0.0)


def test_libraries_are_read_with_the_catalogue_of_the_script(
    is_read: bool, catalogue: Catalogue, tool: Backend, tmp_path: Path
) -> None:
    library = tmp_path / "library.mlir"
    text = named(FUNCTIONS).replace("__transform_main", "helper").replace(PAYLOAD, "")
    library.write_text(text, encoding="utf-8")
    call = f"  transform.include @helper failures(propagate) (%root) : ({ANY}) -> ()\n"
    script = named(call).replace(
        PAYLOAD, f"{PAYLOAD}transform.named_sequence private @helper({ANY} {{transform.readonly}})\n"
    )
    result = run(tool, script, catalogue, is_read, observe=True, libraries=(library,))
    assert (result.status, result.diagnostics) == (Status.SUCCESS, ())
    told = [text[handle.start : handle.end] for handle in result.handles if handle.file == str(library)]
    assert told == ["%root", "%f", "%each"]


def test_a_block_ends_with_a_projects_terminator(catalogue: Catalogue) -> None:
    text = named(f'  {REPEAT} {{ transform.annotate %root "a" : {ANY} {FINISH} }}\n')
    points = steps_of(Script("script.mlir", text, catalogue))
    (last,) = (point for point in points if text.startswith(f" {FINISH}", point.offset))
    assert last.is_last


def test_sequences_that_a_projects_operation_asks_are_left_alone(catalogue: Catalogue) -> None:
    body = f"  %found = {GATHER} @asked in %root : ({ANY}) -> {ANY}\n"
    asked = f"transform.named_sequence @asked(%a: {ANY} {{transform.readonly}}) {{ transform.yield }}\n"
    points = steps_of(Script("script.mlir", named(body).replace(PAYLOAD, asked), catalogue))
    assert [handle.shown for point in points for handle in point.handles] == ["%root", "%found"]


def test_a_projects_script_without_a_name_ends_where_its_format_says(catalogue: Catalogue) -> None:
    text = f"{SCRIPT} {{ ^bb0(%root: {ANY}): transform.yield }} on gpu func.func @f() {{ return }}\n"
    edited = PlacedEdits(text, insertions_around(Script("script.mlir", text, catalogue), 0))
    assert "on gpu transform.yield } func.func @f()" in edited.text
