"""References over values, blocks, symbols and aliases."""

from __future__ import annotations

from ide.places import shown, snapshot_with_library
from ide.scripts import BLOCKS, CALLS, HANDLES, LIBRARY, PARTS, cursor_at
from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.cursor.navigation import references


def refer(marked: str, *, include_definition: bool = True, **others: str) -> list[str]:
    text, offset = parse_cursor(marked)
    snapshot = snapshot_of(text, **others)
    return shown(snapshot, references(snapshot, URI, offset, include_definition=include_definition))


def test_value() -> None:
    expected = ["3: %root", "4: %root", "11: %root"]
    assert refer(cursor_at(HANDLES, "in %ro", "ot")) == expected
    assert refer(cursor_at(HANDLES, "main(%ro", "ot")) == expected
    assert refer(cursor_at(HANDLES, "main(%ro", "ot"), include_definition=False) == expected[1:]


def test_group_and_its_parts() -> None:
    assert refer(cursor_at(HANDLES, "%lo", "ops:2")) == ["5: %loops:2", "6: %loops#1", "7: %loops#0"]
    assert refer(cursor_at(HANDLES, "at %lo", "ops#1")) == ["5: %loops:2", "6: %loops#1"]


def test_block() -> None:
    assert refer(cursor_at(BLOCKS, "^ri", "ght:")) == ["5: ^right", "2: ^right", "4: ^right"]


def test_symbol() -> None:
    assert refer(cursor_at(CALLS, "@mat", "cher(")) == ["3: @matcher", "11: @matcher", "13: @matcher"]


def test_symbol_of_several_files() -> None:
    text, offset = parse_cursor(cursor_at(CALLS, "private @imp", "orted"))
    snapshot = snapshot_with_library(text, LIBRARY)
    expected = ["2: @imported", "14: @imported", "library 2: @imported"]
    assert shown(snapshot, references(snapshot, URI, offset)) == expected
    in_library = LIBRARY.index("@imported")
    assert shown(snapshot, references(snapshot, "file:///library.mlir", in_library)) == expected


def test_library_without_declaration() -> None:
    lines = cursor_at(CALLS, "include @imp", "orted").splitlines(keepends=True)
    text, offset = parse_cursor("".join(line for line in lines if "private" not in line))
    snapshot = snapshot_with_library(text, LIBRARY)
    assert shown(snapshot, references(snapshot, URI, offset)) == ["13: @imported", "library 2: @imported"]


def test_body_in_another_file_is_another_symbol() -> None:
    expected = ["2: @imported", "14: @imported"]
    assert refer(cursor_at(CALLS, "private @imp", "orted"), no_library=LIBRARY) == expected


def test_same_name_in_an_unrelated_file() -> None:
    other = "func.func @matcher() {\n  call @matcher() : () -> ()\n  return\n}\n"
    assert refer(cursor_at(CALLS, "@mat", "cher("), other=other) == ["3: @matcher", "11: @matcher", "13: @matcher"]


def test_parts_are_apart() -> None:
    before, marker, after = PARTS.partition("// -----")
    assert refer(before.replace("call @", "call @$0") + marker + after) == ["2: @callee", "4: @callee"]
    assert refer(before + marker + after.replace("!a = ", "!$0a = ")) == ["8: !a", "9: !a", "10: !a", "11: !a"]


def test_alias_in_attributes_but_not_in_text() -> None:
    text = """\
#map = affine_map<(d0) -> (d0)>
// #map
func.func @f() {
  my.op {maps = [#$0map, #map], text = "#map", other = #map.kind, third = #map<3>}
  return
}
"""
    assert refer(text) == ["1: #map", "4: #map", "4: #map"]


def test_undefined() -> None:
    assert refer("my.op %$0a, %a\n") == []
    assert refer("my.op {a = @$0a}\n") == []
