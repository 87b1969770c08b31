from __future__ import annotations

from pathlib import Path

import pytest

from ide.with_cursor import CATALOGUE, URI, snapshot_of
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.document.code_lens import LensKind, code_lenses, lens_references
from tdls.ide.snapshot import Snapshot
from tdls.settings.model import CodeLensSettings

REFERENCES = CodeLensSettings(run=False)
KNOBS = Path(__file__).resolve().parents[3] / "examples" / "knobs.mlir"
LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @"other name"(%op: !transform.any_op {transform.readonly}) {
    transform.include @tile failures(propagate) (%op) : (!transform.any_op) -> ()
    transform.yield
  }
  func.func @payload() {
    return
  }
}
"""
USER = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @tile(%op: !transform.any_op {transform.readonly})
  transform.named_sequence @__transform_main(%op: !transform.any_op {transform.readonly}) {
    transform.include @tile failures(propagate) (%op) : (!transform.any_op) -> ()
    transform.include @tile failures(propagate) (%op) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""


def test_options_that_are_not_selected_have_lenses() -> None:
    text = KNOBS.read_text(encoding="utf-8").replace('<"rows"> options', '<"rows"> = 8 from options')
    lenses = [lens for lens in code_lenses(snapshot_of(text), URI) if lens.kind is LensKind.CHOICE]
    assert [lens.choice for lens in lenses[:4]] == [("rows", option) for option in ("4", "16", "32", "64")]
    assert {lens.entry.name for lens in lenses if lens.entry is not None} == {"__transform_main"}


def test_no_lens_counts_nothing() -> None:
    text = f"{LIBRARY}// -----\n// Begins with @__transform_main.\n{USER}// -----\n{USER}"
    snapshot = snapshot_of(text)
    lenses = code_lenses(snapshot, URI, REFERENCES)
    assert {text[lens.span.start : lens.span.end] for lens in lenses} == {"@tile"}
    assert all(lens_references(snapshot, URI, lens.span.start) for lens in lenses)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_lenses_stand_above_named_sequences_that_are_mentioned(line_end: str) -> None:
    text = LIBRARY.replace("\n", line_end) + "// -----\n" + USER
    found = code_lenses(snapshot_of(text), URI, REFERENCES)
    written = ["@tile", "@tile"]
    assert [text[lens.span.start : lens.span.end] for lens in found] == written
    assert {lens.kind for lens in found} == {LensKind.REFERENCES}


def test_references_are_found_when_a_lens_is_resolved() -> None:
    library = SourceFile.of(LIBRARY, CATALOGUE)
    user = SourceFile.of(USER, CATALOGUE, libraries=[library])
    snapshot = Snapshot({URI: library, "file:///user.mlir": user}, CATALOGUE)
    assert not any(piece.section.is_read for piece in snapshot.files[URI].sections.pieces if not piece.is_half)
    (tile,) = code_lenses(snapshot, URI, REFERENCES)
    assert not any(piece.section.is_read for piece in snapshot.files[URI].sections.pieces if not piece.is_half)
    found = lens_references(snapshot, URI, tile.span.start)
    texts = [snapshot.files[place.uri].slice(place.span) for place in found]
    assert texts == ["@tile", "@tile", "@tile"]
    assert [place.uri for place in found].count(URI) == 1
    assert lens_references(snapshot, URI, LIBRARY.index('@"other name"')) == []


def test_scripts_have_lenses_in_each_part() -> None:
    text = LIBRARY + "// -----\n" + USER
    found = code_lenses(snapshot_of(text), URI, CodeLensSettings(references=False))
    runs = [(lens.entry.name, lens.entry.part) for lens in found if lens.entry is not None]
    both = [(LensKind.RUN, LensKind.DIFF)] * 2
    assert runs[::2] == runs[1::2] == [("other name", 0), ("__transform_main", 1)]
    assert list(zip([lens.kind for lens in found][::2], [lens.kind for lens in found][1::2], strict=True)) == both


def test_damaged_text() -> None:
    text = LIBRARY.replace('name"(%op: !transform.any_op {transform.readonly}) {', 'name"(%op: {')
    first = code_lenses(snapshot_of(text), URI, REFERENCES)[0]
    assert text[first.span.start : first.span.end] == "@tile"
    for end in range(0, len(LIBRARY), 29):
        snapshot = snapshot_of(LIBRARY[:end])
        for lens in code_lenses(snapshot, URI):
            lens_references(snapshot, URI, lens.span.start)
    assert code_lenses(snapshot_of(""), "file:///other.mlir") == []


def test_run_stands_above_sequences_that_nothing_in_their_part_calls() -> None:
    text = f"{LIBRARY}// -----\n{USER}// -----\n{LIBRARY.replace('include @tile', 'include @other')}"
    found = [lens for lens in code_lenses(snapshot_of(text), URI) if lens.kind is LensKind.RUN]
    written = [(lens.entry.name, lens.entry.part) for lens in found if lens.entry is not None]
    assert written == [("other name", 0), ("__transform_main", 1), ("tile", 2), ("other name", 2)]
