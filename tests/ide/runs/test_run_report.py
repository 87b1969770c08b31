"""Diagnostics of a run, at the places that they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ide.with_cursor import CATALOGUE
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.run_marks import HandleMark
from tdls.ide.runs.labels import description, label
from tdls.ide.runs.run_report import marks_of, mentioned, summary
from tdls.interpreter.runs.locations import offset_of
from tdls.interpreter.runs.model import (
    Contents,
    HandleContents,
    PayloadItem,
    Place,
    RunDiagnostic,
    RunLevel,
    RunResult,
    Status,
)
from tdls.semantic.handle_types import HandleKind
from tdls.structs import replace
from tdls.text.level import Level
from tdls.text.span import FileSpan

SCRIPT = '%é = transform.structured.match ops{["x"]} in %root\n%b = "transform.foo"(%é)\n'
PAYLOAD = "func.func @f() {\n  %0 = linalg.matmul\n}\n"
SCRIPT_NAME, PAYLOAD_NAME = (str(Path("folder", name).absolute()) for name in ("script.mlir", "payload.mlir"))
FILES = {SCRIPT_NAME: SourceFile.of(SCRIPT, CATALOGUE), PAYLOAD_NAME: SourceFile.of(PAYLOAD, CATALOGUE)}
ENTRY = FileSpan(0, 2)


def matmuls(count: int, *, line: int = 2) -> Contents:
    items = tuple(PayloadItem("linalg.matmul", Place(PAYLOAD_NAME, line, 8)) for _ in range(count))
    return Contents(count, {"linalg.matmul": count} if count else {}, items)


def handle(*snapshots: Contents, kind: HandleKind = HandleKind.OPERATIONS) -> HandleContents:
    return HandleContents(SCRIPT_NAME, 0, 2, kind, len(snapshots), snapshots)


def result(status: Status, **fields: object) -> RunResult:
    return RunResult(status, "backend", "22", **fields)  # type: ignore[arg-type]


def test_columns_are_bytes_of_utf8() -> None:
    file = FILES[SCRIPT_NAME]
    assert SCRIPT[offset_of(file, 1, 7) :].startswith("transform.structured")
    assert SCRIPT[offset_of(file, 2, 1) :].startswith("%b")
    assert offset_of(file, 99, 1) == file.length


def test_diagnostics_and_notes_are_words_of_their_files() -> None:
    note = RunDiagnostic(RunLevel.NOTE, "this one", PAYLOAD_NAME, 2, 8)
    error = RunDiagnostic(RunLevel.ERROR, "it failed", SCRIPT_NAME, 1, 7, (note,))
    marks = marks_of(result(Status.FAILURE, diagnostics=(error,)), FILES, SCRIPT_NAME, ENTRY, "")
    (finding,) = marks[SCRIPT_NAME].findings
    assert (finding.level, finding.message) == (Level.ERROR, "it failed")
    assert FILES[SCRIPT_NAME].slice(finding.span) == "transform.structured.match"
    (related,) = finding.notes
    assert str(related.path) == PAYLOAD_NAME
    assert FILES[PAYLOAD_NAME].slice(related.span) == "linalg.matmul"


def test_messages_outside_of_all_files_are_shown_at_the_entry_point() -> None:
    error = RunDiagnostic(RunLevel.ERROR, "it failed", "model.py", 3, 4)
    marks = marks_of(result(Status.FAILURE, diagnostics=(error,)), FILES, SCRIPT_NAME, ENTRY, "")
    (finding,) = marks[SCRIPT_NAME].findings
    assert (finding.span, finding.message) == (ENTRY, "it failed (model.py:3:4)")


def test_a_crash_is_reported_at_its_place_with_its_command() -> None:
    crashed = result(Status.CRASH, detail="signal SIGSEGV", executing=(Place(SCRIPT_NAME, 2, 6),))
    marks = marks_of(crashed, FILES, SCRIPT_NAME, ENTRY, "mlir-opt script.mlir")
    (finding,) = marks[SCRIPT_NAME].findings
    assert FILES[SCRIPT_NAME].position(finding.span.start).line == 1
    assert finding.message == "MLIR crashed while this operation was executed: signal SIGSEGV"
    assert finding.help == "to reproduce: mlir-opt script.mlir"


def test_an_empty_handle_is_hinted_at() -> None:
    marks = marks_of(result(Status.SUCCESS, handles=(handle(matmuls(0)),)), FILES, SCRIPT_NAME, ENTRY, "")
    (finding,) = marks[SCRIPT_NAME].findings
    assert finding.level is Level.HINT
    assert finding.message.startswith("empty: ")
    filled = result(Status.SUCCESS, handles=(handle(matmuls(0), matmuls(1)),))
    assert not marks_of(filled, FILES, SCRIPT_NAME, ENTRY, "")[SCRIPT_NAME].findings


def test_files_that_marks_need_are_mentioned() -> None:
    note = RunDiagnostic(RunLevel.NOTE, "n", PAYLOAD_NAME, 1, 1)
    error = RunDiagnostic(RunLevel.ERROR, "e", SCRIPT_NAME, 1, 1, (note,))
    assert mentioned(result(Status.FAILURE, diagnostics=(error,))) == {SCRIPT_NAME, PAYLOAD_NAME}


@pytest.mark.parametrize(
    ("handles", "expected"),
    [
        ((handle(matmuls(3)),), "3 x linalg.matmul"),
        ((handle(matmuls(0)),), "empty"),
        ((handle(),), "not reached"),
        ((handle(matmuls(1), matmuls(1)),), "1 x linalg.matmul, 2 times"),
        ((handle(matmuls(0), matmuls(4)),), "0 to 4, 2 times"),
        ((handle(matmuls(1)), handle(matmuls(2))), "#0: 1 x linalg.matmul, #1: 2 x linalg.matmul"),
        ((handle(Contents(2, {"linalg.fill": 1, "linalg.matmul": 1})),), "1 x linalg.fill, 1 x linalg.matmul"),
        ((handle(Contents(2, {"8 : i64": 1, "4 : i64": 1}), kind=HandleKind.PARAMETERS),), "8 : i64, 4 : i64"),
        ((handle(Contents(1, {"linalg.fill": 1}), kind=HandleKind.VALUES),), "1 value"),
    ],
)
def test_labels(handles: tuple[HandleContents, ...], expected: str) -> None:
    assert label(HandleMark(FileSpan(0, 2), handles)) == expected


def test_descriptions_link_to_the_payload() -> None:
    text = description(HandleMark(FileSpan(0, 2), (handle(matmuls(1)),)))
    assert text.startswith("**In the last run**: 1 `linalg.matmul` ([payload.mlir:2](")
    assert "payload.mlir#L2)" in text


def test_long_lists_say_how_long_they_are() -> None:
    text = description(HandleMark(FileSpan(0, 2), (handle(matmuls(40)),)))
    assert text.startswith("**In the last run**: 40 `linalg.matmul` (")
    assert text.endswith("), ...)")
    assert text.count("[payload.mlir:2]") == 4


def test_descriptions_of_a_group_have_a_line_for_each_result_and_those_of_one_result_only_its_own() -> None:
    first, second = (replace(handle(matmuls(count)), number=number) for number, count in enumerate((2, 0)))
    mark = HandleMark(FileSpan(0, 2), (first, second))
    assert "- #0: 2 `linalg.matmul` (" in description(mark)
    assert "- #1: empty" in description(mark)
    assert description(mark, 1) == "**In the last run**: empty"


def test_summaries() -> None:
    error = RunDiagnostic(RunLevel.ERROR, "could not tile\nmore", SCRIPT_NAME, 1, 1)
    assert summary(result(Status.FAILURE, diagnostics=(error,))) == "script failed: could not tile"
    unread = RunDiagnostic(RunLevel.ERROR, "expected '->'", "/a/payload.mlir", 1, 1)
    assert summary(result(Status.INVALID, diagnostics=(unread,))) == "MLIR cannot parse payload.mlir: expected '->'"
    assert summary(result(Status.TIMEOUT, detail="30 s")) == "the run took too long: 30 s"
    assert summary(result(Status.SUCCESS)) == ""
