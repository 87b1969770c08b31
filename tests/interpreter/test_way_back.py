"""Places that MLIR names, mapped to places in the user's files."""

from __future__ import annotations

import pytest

from interpreter.scripts import script_of
from tdls.interpreter.runs.locations import Located
from tdls.interpreter.runs.model import Place, RunDiagnostic, RunLevel, TextFile
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.interpreter.runs.source_map import INLINE, SourceMap

TEXT = "a\né b c\n"
READ = "/tmp/text0.mlir"


@pytest.fixture
def source_map() -> SourceMap:
    wrapped = script_of(TEXT).inserting([Insertion(2, "<"), Insertion(5, ">>")])
    observed = wrapped.inserting([Insertion(3, "1 "), Insertion(wrapped.text.index("b"), "2 "), Insertion(6, "3")])
    assert observed.text == "a\n<1 é 2 b3>> c\n"
    found = SourceMap()
    found.add(READ, observed)
    found.add(INLINE, TextFile("payload.mlir", TEXT))
    return found


def test_positions_after_any_insertions(source_map: SourceMap) -> None:
    text = "<1 é 2 b3>> c".encode()
    columns = {letter: text.index(letter.encode()) + 1 for letter in ("<", "1", "é", "2", "b", "3", ">", "c")}
    found = {letter: source_map.place(Located(READ, 2, column)).column for letter, column in columns.items()}
    assert found == {"<": 1, "1": 1, "é": 1, "2": 4, "b": 4, "3": 5, ">": 5, "c": 6}
    assert source_map.place(Located(READ, 1, 1)) == Place("script.mlir", 1, 1)
    assert source_map.place(Located(READ, 0, 0)) == Place("script.mlir", 0, 0)


def test_other_texts_stay_as_they_are(source_map: SourceMap) -> None:
    places = [Located(INLINE, 2, 7), None, Located("else.mlir", 2, 7)]
    assert source_map.places(places) == [Place("payload.mlir", 2, 7), None, Place("else.mlir", 2, 7)]


def test_printed_locations(source_map: SourceMap) -> None:
    assert source_map.first_place(f'loc(fused["{READ}":2:9, "-":1:1])') == Place("script.mlir", 2, 4)
    assert source_map.first_place("loc(unknown)") is None


def test_diagnostics_name_texts_as_people_do(source_map: SourceMap) -> None:
    note = RunDiagnostic(RunLevel.NOTE, "- here", INLINE, 1, 1)
    said = RunDiagnostic(RunLevel.ERROR, f"{READ} is wrong", READ, 2, 9, (note,))
    nowhere = RunDiagnostic(RunLevel.ERROR, "no place")
    here = Place("payload.mlir", 1, 1).diagnostic(RunLevel.NOTE, "- here")
    moved = Place("script.mlir", 2, 4).diagnostic(RunLevel.ERROR, "script.mlir is wrong", (here,))
    assert source_map.diagnostics([said, nowhere]) == (moved, nowhere)


@pytest.mark.parametrize(
    ("printed", "count"),
    [
        ('%0 = "linalg.copy"(%a) : (tensor<8xf32>) -> ()', 0),
        ('%0:2 = "linalg.copy"(%a) : (tensor<4xf32>) -> ()', 1),  # that of a tiled one
        ('\n"scf.for"(%a) ({\n}) : (index) -> ()', 1),
        ('"builtin.module"() ({\n}) : () -> ()', 0),
        ('"transform.yield"() : () -> ()', 0),
    ],
)
def test_printed_operations_do_not_repeat_the_text(printed: str, count: int) -> None:
    read = SourceMap()
    read.add(INLINE, TextFile("payload.mlir", "\n  linalg.copy ins(%a : tensor<8xf32>)\n"))
    note = Place(INLINE, 2, 3).diagnostic(RunLevel.NOTE, f"see current operation: {printed}")
    (error,) = read.diagnostics([Place(INLINE, 2, 3).diagnostic(RunLevel.ERROR, "wrong", (note,))])
    assert len(error.notes) == count
