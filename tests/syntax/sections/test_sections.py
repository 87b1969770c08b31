"""A text in sections: an edit gives the sections of the new text, and takes the time of its section."""

from __future__ import annotations

from random import Random

import pytest

from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import SplitMode, parts_of
from tdls.syntax.sections.sectioned_text import SectionedText
from tdls.text.positions import LineIndex
from tdls.text.span import FileSpan

SCRIPT = """\
// A library and an entry point.
!any = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @first(%root: !any {transform.readonly}) -> !any {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
    transform.yield %0 : !any
  }

  // The middle.
  transform.named_sequence @second(%root: !any {transform.readonly}) {
    transform.foreach %root : !any {
    ^bb0(%each: !any):
      transform.my.annotate %each { level = 3 : i64 } : !any
    }
    transform.yield
  }
  func.func private @payload(%arg0: memref<?xf32>) -> index
  module @nested {
    func.func @inner(%n: index) {
      scf.for %i = %n to %n step %n {
        "any.thing"(%i) : (index) -> ()
      }
      return
    }
  } loc(unknown)
}
"""
SNIPPETS = (
    "{", "}", "(", ")", "<", ">", "\n", " ", ":", ",", "=", '"', "//", "// x\n", "%0", "%0 = ", "^bb0:", "-> i32",
    "transform.yield", "func.func @f() { return }", "#a = 1\n", "loc(unknown)", "module {", '"a.b"() : () -> ()',
    "\n// -----\n", "\n  func.func @z() {\n  }\n", "\n}\n", "\r\n",
    "// RUN: a %s\n", " -split-input-file", "//--- b.mlir\n",
)  # fmt: skip
TEXTS = {
    "indented": SCRIPT,
    "flat": "\n".join(line.lstrip() for line in SCRIPT.split("\n")),
    "parts": f"{SCRIPT}\n// -----\n{SCRIPT}",
    "run in parts": f"// RUN: a %s -split-input-file\n{SCRIPT}\n// -----\n{SCRIPT}",
    "run as a whole": f"// RUN: a %s\n{SCRIPT}\n// -----\n{SCRIPT}",
    "files": f"// RUN: split-file %s %t\n//--- a.mlir\n{SCRIPT}//--- b.mlir\n{SCRIPT}",
    "files of others": f"// RUN: split-file %s %t\n//--- a.mlir\n{SCRIPT}//--- b.c\nint f(void) {{ return 0; }}\n",
    "values": '%0 = "a.b"() : () -> i32\nfunc.func @f() {\n  return\n}\n"c.d"(%0) : (i32) -> ()\n',
    "several values": (
        '%0, %1 = "a.b"() : () -> (i32, i32)\nfunc.func @f(%1: i32) {\n  return\n}\n"c.d"(%1) : (i32) -> ()\n'
    ),
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue.shipped()


@pytest.mark.parametrize("shape", TEXTS)
@pytest.mark.parametrize("seed", range(30))
def test_random_edits_give_the_sections_of_the_whole_text(seed: int, shape: str, catalogue: Catalogue) -> None:
    random = Random(seed)
    text = TEXTS[shape]
    edited = SectionedText.of(text, catalogue, SplitMode.AUTO)
    for _ in range(25):
        start = random.randrange(len(text) + 1)
        span = FileSpan(start, min(len(text), start + random.choice((0, 0, 0, 1, 2, 5, 40))))
        new = random.choice((*SNIPPETS, "", "", ""))
        edited = edited.edited(span, new)
        text = text[: span.start] + new + text[span.end :]
        assert edited.text == text
        assert _shown(edited) == _shown(SectionedText.of(text, catalogue, SplitMode.AUTO)), text


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_positions_are_those_of_the_whole_text(line_end: str, catalogue: Catalogue) -> None:
    text = SCRIPT.replace("\n", line_end)
    sections, lines = SectionedText.of(text, catalogue, SplitMode.AUTO), LineIndex(text)
    assert sections.line_count == lines.line_count
    for offset in range(len(text) + 1):
        position = lines.position(offset)
        assert sections.position(offset) == position
        assert sections.offset(position) == lines.offset(position)
    for line in range(lines.line_count):
        assert sections.line_text(line) == lines.line_text(line)


def test_every_child_of_a_container_is_a_section(catalogue: Catalogue) -> None:
    pieces = SectionedText.of(SCRIPT, catalogue, SplitMode.AUTO).pieces
    begun = [piece.text.strip().split("\n")[0] for piece in pieces if piece.begins_section]
    assert [line.split("(")[0].split(" {")[0] for line in begun] == [
        "// A library and an entry point.",
        "module attributes",
        "transform.named_sequence @first",
        "transform.named_sequence @second",
        "func.func private @payload",
        "module @nested",
        "func.func @inner",
    ]


def test_values_are_in_the_section_of_their_uses(catalogue: Catalogue) -> None:
    text = '%0, %1 = "a.b"() : () -> (i32, i32)\n"c.d"() : () -> ()\n"e.f"(%1) : (i32) -> ()\n"g.h"() : () -> ()\n'
    pieces = SectionedText.of(text, catalogue, SplitMode.AUTO).pieces
    assert [piece.text.count("\n") for piece in pieces] == [3, 1]


def test_an_edit_in_one_section_leaves_the_others_alone(catalogue: Catalogue) -> None:
    before = SectionedText.of(SCRIPT, catalogue, SplitMode.AUTO)
    place = SCRIPT.index("level = 3") + len("level = ")
    after = before.edited(FileSpan(place, place + 1), "42")
    changed = [new.text for old, new in zip(before.pieces, after.pieces, strict=True) if old.section is not new.section]
    assert [text.split("(")[0] for text in changed] == ["  transform.named_sequence @second"]


@pytest.mark.parametrize("removed", ["}\n    transform.yield", "^bb0(%each: !any):\n", ") -> !any {"])
def test_damage_stays_in_its_section(removed: str, catalogue: Catalogue) -> None:
    before = SectionedText.of(SCRIPT, catalogue, SplitMode.AUTO)
    start = SCRIPT.index(removed)
    after = before.edited(FileSpan(start, start + len(removed)), "")
    changed = [new for old, new in zip(before.pieces, after.pieces, strict=True) if old.section is not new.section]
    assert len(changed) == 1


@pytest.mark.parametrize(("place", "typed"), [(0, "\n"), (SCRIPT.index("module") + 3, "xy")])
def test_a_section_that_comes_back_is_not_read_again(place: int, typed: str, catalogue: Catalogue) -> None:
    text = SectionedText.of(SCRIPT, catalogue, SplitMode.AUTO)
    trees = [piece.section.tree for piece in text.pieces]
    for letter in typed:
        text = text.edited(FileSpan(place, place), letter)
    for _ in typed:
        text = text.edited(FileSpan(place, place + 1), "")
    assert sum(piece.section.tree is tree for piece, tree in zip(text.pieces, trees, strict=True)) >= len(trees) - 1


def _shown(text: SectionedText) -> list[tuple[object, ...]]:
    return [
        (piece.text, piece.section.text, piece.section.surroundings, piece.section.kind, *piece[1:3], *piece[4:])
        for piece in text.pieces
    ]


OPERATION = '%0 = "my.op"() : () -> i32'


def test_files_that_are_not_mlir_are_not_read(catalogue: Catalogue) -> None:
    text = f"// RUN: split-file %s %t\n//--- b.c\nint f() {{ return 0; }}\n//--- c\n{OPERATION}\n"
    sections = SectionedText.of(text, catalogue, SplitMode.AUTO).pieces
    trees = [piece.section.tree for piece in sections]
    assert [operation.name for tree in trees for operation in tree.walk()] == ["my.op"]
    assert [problem for tree in trees for problem in tree.problems()] == []


@pytest.mark.parametrize(
    ("commands", "marker", "parts"),
    [
        ("", "// -----", 2),
        ("", "  // -----", 1),
        ("// RUN: shop-opt %s -split-input-file | FileCheck %s", "// -----", 2),
        ("// RUN: shop-opt %s \\\n// RUN: --split-input-file", "  // -----", 2),
        ("// RUN: shop-opt %s | FileCheck %s", "// -----", 1),
        ("// RUN: %runner shop-opt %s", "// -----", 2),
        ("// RUN: SHOP_ROUNDTRIP", "// -----", 2),
        ("// RUN: split-file %s %t\n// RUN: shop-opt %t/a.mlir", "//--- a.mlir", 2),
        ("// RUN: split-file %s %t\n// RUN: shop-opt %t/a.mlir", "// -----", 1),
        ("// RUN: split-file %s %t\n// RUN: shop-opt -split-input-file %t/a.mlir", "// -----", 2),
        ("// RUN: shop-opt %s", "//--- a.mlir", 1),
    ],
)
def test_run_lines_say_whether_a_file_is_split(commands: str, marker: str, parts: int) -> None:
    text = f"{commands}\n{OPERATION}\n{marker}\n{OPERATION}\n"
    assert len(parts_of(text, SplitMode.AUTO)) == parts
    assert len(parts_of(text, SplitMode.ALWAYS)) == 1 + ("-----" in marker)
    assert len(parts_of(text, SplitMode.NEVER)) == 1
