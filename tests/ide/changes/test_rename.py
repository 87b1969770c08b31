"""Renaming: its edits, its refusals, and findings, which stay the same."""

from __future__ import annotations

import re
from bisect import bisect_left

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ide.places import edited, shown_span, snapshot_with_library
from ide.scripts import BLOCKS, CALLS, HANDLES, LIBRARY, PARTS, cursor_at
from ide.with_cursor import CATALOGUE, URI, parse_cursor, snapshot_of
from samples import some
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.changes.rename import RenameError, prepare_rename, rename
from tdls.ide.cursor.navigation import definition
from tdls.ide.snapshot import Snapshot
from tdls.syntax.scanner import scan


def renamed(marked: str, name: str, **others: str) -> str:
    """Return the text after renaming the entity at the cursor."""
    return renamed_all(marked, name, **others)[URI]


def renamed_all(marked: str, name: str, **others: str) -> dict[str, str]:
    text, offset = parse_cursor(marked)
    snapshot = snapshot_of(text, **others)
    return edited(snapshot, rename(snapshot, URI, offset, name))


def refusal(marked: str, name: str) -> str:
    with pytest.raises(RenameError) as caught:
        renamed(marked, name)
    return str(caught.value)


# Edits


@pytest.mark.parametrize("name", ["%new", "new"])
def test_value(name: str) -> None:
    assert renamed(cursor_at(HANDLES, "%mat", "ch = "), name) == HANDLES.replace("%match", "%new")


def test_group_keeps_count_and_numbers() -> None:
    expected = HANDLES.replace("%loops", "%0")
    assert renamed(cursor_at(HANDLES, "%lo", "ops:2"), "0") == expected
    assert renamed(cursor_at(HANDLES, "at %loops", "#1"), "0") == expected


def test_one_value_of_two_with_one_name() -> None:
    marked = BLOCKS.replace("return %z", "return %$0z")
    assert renamed(marked, "y") == BLOCKS[:180] + BLOCKS[180:].replace("%z", "%y")


def test_block() -> None:
    first, second = BLOCKS.split("func.func @g")
    marked = f"{first.replace('%c, ^left', '%c, ^$0left')}func.func @g{second}"
    assert renamed(marked, "^bb7") == f"{first.replace('^left', '^bb7')}func.func @g{second}"


@pytest.mark.parametrize("name", ["@run", '"run it"'])
def test_symbol(name: str) -> None:
    written = CALLS.replace("@action", name if name.startswith("@") else f"@{name}")
    assert renamed(cursor_at(CALLS, "include @act", "ion"), name) == written


def test_symbol_of_the_generic_form() -> None:
    text = """\
"func.func"() <{sym_name = "callee", function_type = () -> ()}> ({
  "func.return"() : () -> ()
}) : () -> ()
func.func @caller() {
  call @cal$0lee() : () -> ()
  return
}
"""
    assert renamed(text, "other") == text.replace("$0", "").replace("callee", "other")


def test_part_of_a_nested_reference() -> None:
    text = """\
module @outer {
  func.func private @f()
}
func.func @g() {
  my.op @outer::@f, @outer
}
"""
    assert renamed(text.replace("@f()", "@$0f()"), "h") == text.replace("@f", "@h")
    assert renamed(text.replace("@outer::", "@$0outer::"), "o") == text.replace("@outer", "@o")


def test_symbol_over_files() -> None:
    text, offset = parse_cursor(cursor_at(CALLS, "include @imp", "orted"))
    snapshot = snapshot_with_library(text, LIBRARY, other=CALLS)
    in_library = LIBRARY.index("@imported")
    for uri, place in [(URI, offset), ("file:///library.mlir", in_library)]:
        found = edited(snapshot, rename(snapshot, uri, place, "linked"))
        assert found[URI] == found["file:///other.mlir"] == CALLS.replace("@imported", "@linked")
        assert found["file:///library.mlir"] == LIBRARY.replace("@imported", "@linked")


def test_unrelated_file_stays() -> None:
    for other in [CALLS, LIBRARY]:
        for before, after in [("include @act", "ion"), ("include @imp", "orted")]:
            assert renamed_all(cursor_at(CALLS, before, after), "run", other=other)["file:///other.mlir"] == other


def test_alias_of_one_part() -> None:
    before, marker, after = PARTS.partition("// -----")
    marked = before.replace("!a = ", "!$0a = ") + marker + after
    assert renamed(marked, "b") == before.replace("!a", "!b") + marker + after


def test_carriage_returns() -> None:
    windows = HANDLES.replace("\n", "\r\n")
    assert renamed(cursor_at(windows, "%mat", "ch = "), "new") == windows.replace("%match", "%new")


def test_broken_document() -> None:
    damaged = HANDLES.replace('"outer" : !op', '"outer" !op').replace("transform.yield\n  }\n}", "transform.yi")
    assert renamed(cursor_at(damaged, "at %o", "ne"), "each") == damaged.replace("%one", "%each")


def test_argument_of_a_declaration() -> None:
    expected = CALLS.replace("@imported(%x", "@imported(%y")
    assert renamed(cursor_at(CALLS, "@imported(%", "x"), "y") == expected


def test_operand_that_is_an_argument_too() -> None:
    text = """\
func.func @f(%a: i32) -> i32 {
  %r = emitc.expression %a : (i32) -> i32 {
    %s = emitc.add %a, %a : (i32, i32) -> i32
    emitc.yield %s : i32
  }
  return %a : i32
}
"""
    for marked in [text.replace("(%a:", "(%$0a:"), text.replace("add %a", "add %$0a")]:
        assert renamed(marked, "b") == text.replace("%a", "%b")


# Refusals


@pytest.mark.parametrize(
    ("marked", "names"),
    [
        (cursor_at(HANDLES, "%mat", "ch = "), ["", "%", "a b", "1a", "%a#1", "@a", "a,b", "é"]),
        (cursor_at(CALLS, "include @act", "ion"), ["1a", "a-b", '"', '"a', "a::b"]),
        (cursor_at(HANDLES, "!o", "p = "), ["a.b", "1", "!a<"]),
    ],
    ids=["value", "symbol", "alias"],
)
def test_no_valid_name(marked: str, names: list[str]) -> None:
    assert all("is not a valid name" in refusal(marked, name) for name in names)


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [("%mat", "ch = ", "root"), ("%mat", "ch = ", "one"), ("foreach %ti", "le", "loops"), ("at %o", "ne", "tile")],
)
def test_name_of_another_value(before: str, after: str, name: str) -> None:
    assert refusal(cursor_at(HANDLES, before, after), name) == f"there is another value `%{name}` in reach"


def test_name_of_a_value_in_another_scope_is_free() -> None:
    assert "%op [" in renamed(cursor_at(CALLS, "%ne", "w = "), "op")


def test_name_that_is_used_but_not_defined() -> None:
    text = "func.func @f(%$0a: i32) {\n  my.op %a, %b\n  return\n}\n"
    assert "used already" in refusal(text, "b")


def test_name_of_another_block() -> None:
    assert "another block `^right`" in refusal(cursor_at(BLOCKS, "%c, ^le", "ft(%arg : i32), ^r"), "right")


def test_name_of_another_symbol() -> None:
    assert refusal(cursor_at(CALLS, "include @act", "ion"), "matcher").startswith("`@matcher` means something already")


def test_name_of_a_nearer_symbol() -> None:
    text = """\
func.func private @f()
my.table {
  func.func @h() {
    my.op {callee = @f}
    return
  }
  func.func private @near()
}
"""
    assert "means something already where it is used" in refusal(text.replace("= @f", "= @$0f"), "near")


def test_name_that_a_reference_inside_means_something_else_by() -> None:
    text = """\
irdl.dialect @geometry {
  irdl.type @vector {
  }
  irdl.operation @len$0gth {
    %v = irdl.parametric @geometry::@vector<>
  }
}
"""
    assert "is used already where this symbol can be seen" in refusal(text, "geometry")


def test_name_of_an_operand() -> None:
    text = "func.func @f(%a: i32) {\n  my.op @s (%$0b = %a : i32) {\n    my.use %b\n  }\n  return\n}\n"
    assert "is an operand of the operation" in refusal(text, "a")


def test_name_of_a_symbol_that_only_the_whole_operation_shows() -> None:
    text = """\
ml_program.global private mutable @state(dense<0> : tensor<4xi64>) : tensor<4xi64>
ml_program.func @st$0ep() {
  ml_program.return
}
"""
    assert "means something already" in refusal(text, "state")


def test_name_of_another_alias() -> None:
    assert "another alias `!b`" in refusal("!a$0 = i32\n!b = i64\n", "b")


def test_nothing_to_rename() -> None:
    for marked in ["func.func @f() {\n  ret$0urn\n}\n", "my.op %$0a\n", "my.op {a = @$0a}\n", "my.op : !$0a\n", "$0"]:
        assert "whose definition is known" in refusal(marked, "b")
        text, offset = parse_cursor(marked)
        assert prepare_rename(snapshot_of(text), URI, offset) is None


def test_definition_outside_of_the_workspace() -> None:
    text, offset = parse_cursor("func.func @f() {\n  call @$0g() : () -> ()\n  return\n}\n")
    library = SourceFile.of("func.func @g() {\n  return\n}\n", CATALOGUE)
    snapshot = Snapshot({URI: SourceFile.of(text, CATALOGUE, libraries=[library])}, CATALOGUE)
    assert prepare_rename(snapshot, URI, offset) is None
    with pytest.raises(RenameError, match="not part of the workspace"):
        rename(snapshot, URI, offset, "h")


# Prepare


@pytest.mark.parametrize(
    ("text", "before", "after", "expected"),
    [
        (HANDLES, "%lo", "ops:2", "5: %loops"),
        (HANDLES, "at %loops", "#1", "6: %loops"),
        (HANDLES, "!o", "p = ", "1: !op"),
        (CALLS, "include @act", "ion", "12: @action"),
        (BLOCKS, "%c, ^le", "ft(%arg : i32), ^r", "2: ^left"),
    ],
)
def test_prepare(text: str, before: str, after: str, expected: str) -> None:
    content, offset = parse_cursor(cursor_at(text, before, after))
    snapshot = snapshot_of(content)
    found = prepare_rename(snapshot, URI, offset)
    assert found is not None
    assert shown_span(snapshot, URI, found.span) == expected
    assert expected.endswith(f" {found.name}")


# Properties

DAMAGED = CALLS.replace("(%new)", "(%all, %nothing)").replace("@action failures", "@actoin failures")
MISUSED = HANDLES.replace("foreach %tile", "foreach %match")


TEXTS = [HANDLES, CALLS, LIBRARY, BLOCKS, PARTS, DAMAGED, MISUSED]


@settings(max_examples=some(150))
@given(text=st.sampled_from(TEXTS), data=st.data())
def test_findings_and_references_stay_the_same(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    names = sorted(set(re.findall(r"(?<=[%@^!])\w+", text)))
    name = data.draw(st.sampled_from([*names, "brand_new"]))
    snapshot = snapshot_of(text)
    try:
        edits = rename(snapshot, URI, offset, name)
    except RenameError:
        return
    after = snapshot_of(edited(snapshot, edits)[URI])
    assert findings(after) == findings(snapshot)
    assert meanings(after) == meanings(snapshot)


@settings(max_examples=some(100))
@given(text=st.sampled_from([HANDLES, CALLS, BLOCKS, PARTS, MISUSED]), data=st.data())
def test_renaming_back_gives_the_text(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    snapshot = snapshot_of(text)
    prepared = prepare_rename(snapshot, URI, offset)
    if prepared is None:
        return
    edits = rename(snapshot, URI, offset, "brand_new")
    after = snapshot_of(edited(snapshot, edits)[URI])
    before_it = [edit for edit in edits[URI] if edit.span.end <= prepared.span.start]
    moved = prepared.span.start + sum(len(e.new_text) - (e.span.end - e.span.start) for e in before_it)
    assert edited(after, rename(after, URI, moved, prepared.name))[URI] == text


def findings(snapshot: Snapshot) -> list[tuple[str, int, int]]:
    """Return rule, line and number of notes of each finding, which do not depend on names."""
    file = snapshot.files[URI]
    return [(found.rule, file.position(found.span.start).line, len(found.notes)) for found in findings_in_file(file)]


def meanings(snapshot: Snapshot) -> list[list[int]]:
    """Return the number of the token that defines it for each token: renaming changes no numbers."""
    tokens = scan(snapshot.files[URI].text)
    return [
        [bisect_left(tokens.starts, found.span.start) for found in definition(snapshot, URI, start)]
        for start in tokens.starts[: tokens.count]
    ]
