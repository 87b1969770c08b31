"""Links from the paths that comments name."""

from __future__ import annotations

from os.path import normpath
from pathlib import PurePath

from ide.with_cursor import CATALOGUE, URI, snapshot_of
from tdls.analysis.file.file_instructions import file_instructions
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.cursor.navigation import document_links
from tdls.ide.snapshot import Snapshot
from tdls.text.span import FileSpan

SCRIPT = """\
// RUN: mlir-opt %s --pass-pipeline="builtin.module(transform-preload-library{transform-library-paths=%p/lib/a.mlir,%S/b.mlir})" \\
// RUN:   --other=%t.mlir %S/payload.mlir
// tdls: library=lib/../b.mlir,missing.mlir
module {
  module {
  }
}
// tdls: payload=payload.mlir
"""  # noqa: E501
PATH = PurePath("/tests/script.mlir")
FILES = {PurePath("/tests/lib/a.mlir"), PurePath("/tests/b.mlir"), PurePath("/tests/payload.mlir")}


def is_file(written: str) -> bool:
    return PurePath(normpath(PATH.parent / written)) in FILES


def links(snapshot: Snapshot, text: str) -> list[tuple[str, str]]:
    found = document_links(snapshot, URI, PATH, is_file)
    return [(text[link.span.start : link.span.end], link.target.as_posix()) for link in found]


EXPECTED = [
    ("%p/lib/a.mlir", "/tests/lib/a.mlir"),
    ("%S/b.mlir", "/tests/b.mlir"),
    ("%S/payload.mlir", "/tests/payload.mlir"),
    ("lib/../b.mlir", "/tests/b.mlir"),
    ("payload.mlir", "/tests/payload.mlir"),
]


def test_files_that_exist() -> None:
    assert links(snapshot_of(SCRIPT), SCRIPT) == EXPECTED


def test_places_move_with_edits() -> None:
    file = SourceFile.of(SCRIPT, CATALOGUE)
    assert file_instructions(file).libraries
    place = SCRIPT.index("module {")
    edited = file.edited(FileSpan(place, place), "// a line more\n").edited(FileSpan(0, 0), "\n")
    assert links(Snapshot({URI: edited}, CATALOGUE), edited.text) == EXPECTED


def test_comments_at_both_ends_of_a_container() -> None:
    text = "module { // tdls: library=b.mlir\n  module {\n  }\n} // tdls: payload=payload.mlir\n"
    assert links(snapshot_of(text), text) == [("b.mlir", "/tests/b.mlir"), ("payload.mlir", "/tests/payload.mlir")]


def test_nothing_in_an_unknown_file() -> None:
    assert document_links(snapshot_of(SCRIPT), "file:///unknown.mlir", PATH, is_file) == []
