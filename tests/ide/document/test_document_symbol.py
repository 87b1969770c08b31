from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ide.with_cursor import CATALOGUE, URI, snapshot_of
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.document.symbols import DocumentSymbol, SymbolKind, document_symbols
from tdls.ide.snapshot import Snapshot
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable

SCRIPT = """\
!op = !transform.any_op
// The payload.
module @payload attributes {my.flag} {
  func.func private @declared(i32) -> (i32, f32)
  // Adds.
  "func.func"() <{sym_name = "generic", function_type = () -> ()}> ({
  }) : () -> ()
  func.func @"with blanks"(
      %a: tensor<4x?xf32, #map> {my.attribute = [1, 2]},
      %b: index) -> tensor<4xf32> {
    return %a
  }
  // Nothing follows.
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_it(%a: !op {transform.readonly}) -> !op {
    transform.yield %a : !op
  }
  transform.named_sequence @never_reached(%a: !op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @takes(%a: !op {transform.consumed}, %p: !transform.param<i64>) {
    transform.yield
  }
  transform.named_sequence @main(%root: !op) {
    %0 = transform.foreach_match in %root @is_it -> @takes, @takes -> @takes : (!op) -> !op
    %1:2 = transform.foreach %0 : !op -> !op, !op {
    ^bb0(%each: !op):
      %loops:2, %n = "my.op"(%each) : (!op) -> (!op, !op, i64)
    }
    transform.yield
  }
}
// -----
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  transform.sequence %root : !transform.any_op failures(propagate) {
  ^bb1(%inner: !transform.any_op):
  }
}
transform.with_pdl_patterns {
^bb0(%root: !transform.any_op):
  pdl.pattern @pattern : benefit(1) {
    %0 = pdl.operation "my.op"
    pdl.rewrite %0 with "transform.dialect"
  }
}
"""
EXPECTED = """\
@payload [module] builtin.module
  @declared [function] (i32) -> (i32, f32)
  @generic [function] func.func
  @with blanks [function] (%a: tensor<4x?xf32, #map>, %b: index) -> tensor<4xf32>
module [module]
  @is_it [matcher] (readonly %a: !op) -> !op
  @never_reached [sequence] (readonly %a: !op)
  @takes [sequence] (consumed %a: !op, %p: !transform.param<i64>)
  @main [sequence] (%root: !op)
    %0 [handle] transform.foreach_match
    %1 [handle] transform.foreach
    transform.foreach [body]
      %each [handle] transform.foreach
      %loops [handle] my.op
transform.sequence [script]
  %root [handle] transform.sequence
  transform.sequence [body]
    %inner [handle] transform.sequence
transform.with_pdl_patterns [module]
  @pattern [other] pdl.pattern
"""


def outline(symbols: Iterable[DocumentSymbol], indent: str = "") -> str:
    lines = ""
    for symbol in symbols:
        lines += f"{indent}{symbol.name} [{symbol.kind.value}] {symbol.detail}".rstrip() + "\n"
        lines += outline(symbol.children, indent + "  ")
    return lines


def flat(symbols: Iterable[DocumentSymbol]) -> list[DocumentSymbol]:
    return [inner for symbol in symbols for inner in [symbol, *flat(symbol.children)]]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_outline(line_end: str) -> None:
    text = SCRIPT.replace("\n", line_end)
    assert outline(document_symbols(snapshot_of(text), URI)) == EXPECTED


def test_places() -> None:
    symbols = {symbol.name: symbol for symbol in flat(document_symbols(snapshot_of(SCRIPT), URI))}
    for symbol in symbols.values():
        written = SCRIPT[symbol.selection.start : symbol.selection.end]
        assert written.replace('"', "").removesuffix(":2") in (symbol.name, symbol.name.removeprefix("@"))
        assert symbol.span.start <= symbol.selection.start < symbol.selection.end <= symbol.span.end
        if symbol.kind not in (SymbolKind.BODY, SymbolKind.HANDLE):
            assert SCRIPT[symbol.span.end - 1] in "})" or symbol.name in ("@declared", "@generic")
        for child in symbol.children:
            assert symbol.span.start <= child.span.start < child.span.end <= symbol.span.end
    module = symbols["@payload"]
    assert SCRIPT[module.span.start :].startswith("module @payload")
    assert SCRIPT[: module.span.end].endswith("// Nothing follows.\n}")


def test_payload_is_not_read() -> None:
    functions = "".join(f"  func.func @f{i}(%x: i32) {{\n    func.call @f(%x) : (i32) -> ()\n  }}\n" for i in range(5))
    snapshot = snapshot_of("module {\n" + functions + "}\n")
    assert outline(document_symbols(snapshot, URI)).count("[function] (%x: i32)") == 5
    pieces = snapshot.files[URI].sections.pieces
    assert [piece.section.is_read for piece in pieces if not piece.is_half] == [False] * 5


def test_outline_of_a_tree_that_was_read_is_the_same() -> None:
    file = SourceFile.of(SCRIPT, CATALOGUE)
    findings_in_file(file)
    assert document_symbols(Snapshot({URI: file}, CATALOGUE), URI) == document_symbols(snapshot_of(SCRIPT), URI)


def test_an_edit_that_makes_a_matcher_counts_in_other_sections() -> None:
    place = SCRIPT.index("@takes -> @takes")
    file = SourceFile.of(SCRIPT, CATALOGUE)
    document_symbols(Snapshot({URI: file}, CATALOGUE), URI)
    edited = file.edited(FileSpan(place, place + len("@takes")), "@never_reached")
    assert "@never_reached [matcher]" in outline(document_symbols(Snapshot({URI: edited}, CATALOGUE), URI))


def test_damaged_text_keeps_its_sound_parts() -> None:
    text = SCRIPT.replace("(%root: !op) {", "(%root: !op {")
    found = outline(document_symbols(snapshot_of(text), URI))
    assert "@is_it [" in found
    assert "  @declared [function] (i32) -> (i32, f32)\n" in found
    for end in range(0, len(SCRIPT), 61):
        for symbol in flat(document_symbols(snapshot_of(SCRIPT[:end]), URI)):
            assert symbol.span.start <= symbol.selection.start <= symbol.selection.end <= symbol.span.end <= end


def test_nothing() -> None:
    assert document_symbols(snapshot_of(""), URI) == []
    assert document_symbols(snapshot_of(""), "file:///other.mlir") == []
