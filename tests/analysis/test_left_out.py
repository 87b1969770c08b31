"""Operations of which only the beginning is read while they are edited: nothing false is said of them or of others."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.bindings import BindingDescriptions
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.changes.rename import RenameError, rename
from tdls.ide.cursor.entity import symbol_uses_of
from tdls.ide.document.folding_range import folding_ranges
from tdls.ide.document.semantic_tokens import semantic_tokens
from tdls.ide.snapshot import Snapshot
from tdls.limits import EDITED_OPERATION, SYMBOL_NAMES
from tdls.structs import replace
from tdls.text.span import FileSpan

URI = "file:///a.mlir"
MOST = replace(EDITED_OPERATION, most=300)
BODY = "".join(f"  %v{number + 1} = arith.addf %v{number}, %missing : f32\n" for number in range(40))
END = "  func.call @small() : () -> ()\n  cf.br ^end\n^end:\n  return %v0 : f32\n}\n"  # no window has several blocks
HUGE = f"func.func @huge(%v0: f32) -> f32 {{\n{BODY}{END}"
SMALL = "func.func @small() {\n  %0 = arith.constant 1.0 : f32\n  func.call @huge(%0) : (f32) -> f32\n  return\n}\n"


def file_of(text: str) -> SourceFile:
    return SourceFile.of(text, Catalogue.shipped(), most=MOST)


def snapshot_of(file: SourceFile) -> Snapshot:
    return Snapshot({URI: file}, file.catalogue, BindingDescriptions.installed())


def test_one_hint_stands_for_all_findings() -> None:
    (found,) = findings_in_file(file_of(SMALL + HUGE))
    assert found.rule == "not-analysed"
    assert found.span.start == len(SMALL)
    assert "`tdls --check`" in found.message
    assert {finding.rule for finding in findings_in_file(SourceFile.of(SMALL + HUGE, Catalogue.shipped()))} == {
        "undefined-value"
    }


def test_its_symbol_is_known() -> None:
    file = file_of(SMALL + HUGE)
    found = file.exported("huge")
    assert found is not None
    assert found.context.section.is_left_out


def test_edited_text_equals_fresh_text() -> None:
    file = file_of(SMALL)
    larger = file.edited(FileSpan(len(SMALL), len(SMALL)), HUGE)
    assert findings_in_file(larger) == findings_in_file(file_of(SMALL + HUGE))
    smaller = larger.edited(FileSpan(len(SMALL), len(SMALL + HUGE)), "")
    assert findings_in_file(smaller) == findings_in_file(file_of(SMALL))


def test_blobs_count_little() -> None:
    blob = f'"my.op"() {{value = dense<"0x{"00" * 1000}"> : tensor<1000xi8>}} : () -> ()\n'
    assert not any(context.section.is_left_out for context in file_of(blob).contexts)


def test_features_say_nothing_of_its_body() -> None:
    snapshot = snapshot_of(file_of(HUGE))
    assert list(semantic_tokens(snapshot, URI)) == []
    assert folding_ranges(snapshot, URI) == []


def test_no_name_is_changed_that_it_may_use() -> None:
    snapshot = snapshot_of(file_of(SMALL + HUGE))
    with pytest.raises(RenameError, match="only the beginning is read"):
        rename(snapshot, URI, SMALL.index("@small") + 2, "@other")


def test_references_of_very_many_names_are_not_looked_up() -> None:
    path = "::".join(["@a"] * (SYMBOL_NAMES.most + 1))
    file = SourceFile.of(f'"test.op"() {{a = {path}}} : () -> ()\n', Catalogue.shipped())
    context = next(file.contexts)
    assert context.lookup(["a"] * (SYMBOL_NAMES.most + 1)) is None
    assert not context.answers
    assert list(symbol_uses_of(context, context.model.operations[0])) == []
    assert findings_in_file(file) == []
