"""Folding, by the first and last lines that belong to a fold."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from ide.with_cursor import CATALOGUE, URI, snapshot_of
from samples import some
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.document.folding_range import FoldingKind, FoldingRange, folding_ranges
from tdls.ide.snapshot import Snapshot
from tdls.text.span import FileSpan

SCRIPT = """\
// RUN: the first line
// RUN: the second line
module {
  // a single comment
  func.func @arguments(%a: i32,
                       %b: i32) {
    "generic"() {
      a = 1
    } : () -> ()
    "list"() {a = [1,
      2, 3]
    } : () -> ()
    return
  }
  // a block
    // of comments
  module @nested {
    func.func @g() {
      scf.if %c {
        "then"() : () -> ()
      } else {
        "else"() : () -> ()
      }
    }
  }
}

// -----
func.func @one_line() { return }

// -----

{-#
  dialect_resources: {
  }
#-}
"""


def folds(text: str) -> list[FoldingRange]:
    return folding_ranges(snapshot_of(text), URI)


def shown(text: str) -> set[tuple[str, str, str]]:
    lines = text.split("\n")
    return {(lines[fold.first].strip(), lines[fold.last].strip(), fold.kind.value) for fold in folds(text)}


def test_folding_ranges() -> None:
    assert shown(SCRIPT) == {
        ("// RUN: the first line", "// RUN: the second line", "comment"),
        ("module {", "}", "code"),
        ("%b: i32) {", "return", "code"),
        ('"generic"() {', "a = 1", "code"),
        ('"list"() {a = [1,', "2, 3]", "code"),
        ("// a block", "// of comments", "comment"),
        ("module @nested {", "}", "code"),
        ("func.func @g() {", "}", "code"),
        ("scf.if %c {", '"then"() : () -> ()', "code"),
        ("} else {", '"else"() : () -> ()', "code"),
        ("// -----", "func.func @one_line() { return }", "part"),
        ("// -----", "#-}", "part"),
        ("{-#", "}", "code"),
    }


def test_folds_of_a_container_reach_from_its_first_line_to_its_last_one() -> None:
    first = SCRIPT.split("\n").index("module {")
    whole = next(fold for fold in folds(SCRIPT) if fold.first == first)
    assert SCRIPT.split("\n")[whole.last + 1] == "}"


def test_no_line_break_at_the_end() -> None:
    assert folds("module {}\nfunc.func @f() {\n  return\n}") == [FoldingRange(1, 2, FoldingKind.CODE)]
    assert folds("module {\n  func.func @f()\n}") == [FoldingRange(0, 1, FoldingKind.CODE)]


def test_damage_costs_the_damaged_fold_only() -> None:
    damaged = SCRIPT.replace('"list"() {a = [1,', '"list"() {a = 1,')
    lost = ('"list"() {a = [1,', "2, 3]", "code")
    assert shown(SCRIPT) - {lost} <= shown(damaged) | {lost}


def test_texts_without_folds() -> None:
    assert folds("") == folds("// alone\n") == folds("module {\n}\n") == []
    assert folding_ranges(snapshot_of(""), "file:///unknown.mlir") == []


@given(st.integers(0, 2**32))
@settings(max_examples=some(60))
def test_ranges_after_edits_equal_those_of_a_fresh_file(seed: int) -> None:
    random = Random(seed)
    file = SourceFile.of(SCRIPT, CATALOGUE)
    for _ in range(8):
        start = random.randrange(file.length + 1)
        end = min(file.length, start + random.choice((0, 0, 1, 30)))
        file = file.edited(FileSpan(start, end), random.choice(("", "\n", "}", "{", "// x\n", "module {\n", "a(\n")))
        edited = folding_ranges(Snapshot({URI: file}, CATALOGUE), URI)
        assert edited == folds(file.text)
        assert all(0 <= fold.first < fold.last < file.line_count for fold in edited)
        assert len({fold.first for fold in edited}) == len(edited)


def test_kinds_are_those_editors_know_commands_for() -> None:
    assert {fold.kind for fold in folds(SCRIPT)} == set(FoldingKind)
