"""Definition and type definition."""

from __future__ import annotations

import pytest

from ide.places import shown, snapshot_with_library
from ide.scripts import BLOCKS, CALLS, HANDLES, LIBRARY, PARTS, cursor_at
from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.cursor.navigation import declaration, definition, type_definition


def define(marked: str, **others: str) -> list[str]:
    text, offset = parse_cursor(marked)
    snapshot = snapshot_of(text, **others)
    return shown(snapshot, definition(snapshot, URI, offset))


def define_type(marked: str) -> list[str]:
    text, offset = parse_cursor(marked)
    snapshot = snapshot_of(text)
    return shown(snapshot, type_definition(snapshot, URI, offset))


@pytest.mark.parametrize(
    ("text", "before", "after", "expected"),
    [
        (HANDLES, "in %ro", "ot : (", "3: %root"),
        (HANDLES, "tile_using_for %mat", "ch", "4: %match"),
        (HANDLES, "emit_remark_at %lo", "ops#1", "5: %loops:2"),
        (HANDLES, "foreach %ti", "le", "5: %tile"),
        (HANDLES, "emit_remark_at %o", "ne", "9: %one"),
        (HANDLES, "emit_remark_at %ro", "ot", "3: %root"),
        (HANDLES, "%ti", "le, ", "5: %tile"),
        (HANDLES, '"outer" : !o', "p", "1: !op"),
        (CALLS, "include @act", "ion", "7: @action"),
        (CALLS, "%root @mat", "cher", "3: @matcher"),
        (CALLS, "include @imp", "orted", "2: @imported"),
        (BLOCKS, "%c, ^le", "ft(%arg : i32), ^r", "3: ^left"),
        (BLOCKS, "cf.br ^ri", "ght", "5: ^right"),
    ],
)
def test_definitions(text: str, before: str, after: str, expected: str) -> None:
    assert define(cursor_at(text, before, after)) == [expected]
    windows = text.replace("\n", "\r\n")
    assert define(cursor_at(windows, before, after)) == [expected]


def test_labels_belong_to_their_region() -> None:
    assert define(cursor_at(BLOCKS, "{\n  cf.br ^le", "ft")) == ["10: ^left"]


@pytest.mark.parametrize(("part", "line"), [(0, 2), (1, 9)])
def test_symbols_do_not_cross_parts(part: int, line: int) -> None:
    parts = PARTS.split("// -----")
    parts[part] = parts[part].replace("call @c", "call @$0c")
    assert define("// -----".join(parts)) == [f"{line}: @callee"]


def test_aliases_do_not_cross_parts() -> None:
    before, marker, after = PARTS.partition("// -----")
    assert define(before + marker + after.replace("(%x: !a", "(%x: !$0a")) == ["8: !a"]


def test_symbol_of_a_library() -> None:
    lines = cursor_at(CALLS, "include @imp", "orted").splitlines(keepends=True)
    text, offset = parse_cursor("".join(line for line in lines if "private" not in line))
    snapshot = snapshot_with_library(text, LIBRARY)
    assert shown(snapshot, definition(snapshot, URI, offset)) == ["library 2: @imported"]


def test_symbol_that_only_files_define_that_are_no_libraries() -> None:
    lines = cursor_at(CALLS, "include @imp", "orted").splitlines(keepends=True)
    marked = "".join(line for line in lines if "private" not in line)
    assert define(marked, other=LIBRARY, declaring=CALLS, unrelated=HANDLES) == ["other 2: @imported"]
    assert define(marked) == []


DECLARED_ARM = CALLS.replace("@matcher -> @action", "@imported_matcher -> @imported").replace(
    "  transform.named_sequence @main",
    "  transform.named_sequence private @imported_matcher(!transform.any_op {transform.readonly})"
    " -> !transform.any_op\n"
    "  transform.named_sequence @main",
)
LIBRARY_WITH_MATCHER = LIBRARY + LIBRARY.replace("@imported(", "@imported_matcher(").replace("@helper", "@other")


@pytest.mark.parametrize(
    ("before", "after", "body", "declared"),
    [
        ("include @imp", "orted", "library 2: @imported", "2: @imported"),
        ("private @imp", "orted(", "library 2: @imported", "2: @imported"),
        ("in %root @imp", "orted_matcher ->", "library 12: @imported_matcher", "10: @imported_matcher"),
        ("_matcher -> @imp", "orted", "library 2: @imported", "2: @imported"),
        ("include @ac", "tion", "7: @action", "7: @action"),
    ],
)
def test_declared_symbols_lead_to_the_body(before: str, after: str, body: str, declared: str) -> None:
    text, offset = parse_cursor(cursor_at(DECLARED_ARM, before, after))
    snapshot = snapshot_with_library(text, LIBRARY_WITH_MATCHER)
    assert shown(snapshot, definition(snapshot, URI, offset)) == [body]
    assert shown(snapshot, declaration(snapshot, URI, offset)) == [declared]


def test_a_declaration_has_the_body_of_the_one_file_that_defines_it() -> None:
    marked = cursor_at(CALLS, "include @imp", "orted")
    assert define(marked, other=LIBRARY, unrelated=HANDLES) == ["other 2: @imported"]
    assert define(marked, one=LIBRARY, another=LIBRARY) == ["2: @imported"]
    assert define(marked, other=CALLS) == ["2: @imported"]


def test_declaration_falls_back_to_the_definition() -> None:
    text, offset = parse_cursor(cursor_at(HANDLES, "tile_using_for %mat", "ch"))
    snapshot = snapshot_of(text)
    assert shown(snapshot, declaration(snapshot, URI, offset)) == ["4: %match"]


def test_nested_symbol() -> None:
    text = """\
module @outer {
  module @inner {
    func.func private @f()
  }
}
func.func @g() {
  my.op @outer::@inner::@$0f
}
"""
    assert define(text) == ["3: @f"]
    assert define(text.replace("@$0f", "@f").replace("@outer:", "@ou$0ter:")) == ["1: @outer"]


def test_generic_form() -> None:
    text = """\
"builtin.module"() ({
  "func.func"() <{sym_name = "callee", function_type = () -> ()}> ({
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "caller", function_type = () -> ()}> ({
    %a:2 = "my.op"() : () -> (i32, i32)
    "my.use"(%a#$01) : (i32) -> ()
    "func.call"() <{callee = @callee}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""
    assert define(text) == ["6: %a:2"]
    assert define(text.replace("$0", "").replace("= @ca", "= @$0ca")) == ['2: "callee"']


def test_broken_document() -> None:
    damaged = HANDLES.replace('"outer" : !op', '"outer" !op').replace("transform.yield\n  }\n}", "transform.yi")
    assert define(cursor_at(damaged, "emit_remark_at %o", "ne")) == ["9: %one"]
    assert define(cursor_at(damaged, "tile_using_for %mat", "ch")) == ["4: %match"]


@pytest.mark.parametrize("marked", ["$0", "  my.op %a$0\n", "func.func @f() { call @$0no() : () -> () }", "// %$0a"])
def test_nothing(marked: str) -> None:
    assert define(marked) == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("emit_remark_at %lo", "ops#1", ["1: !op"]),
        ("%lo", "ops:2", ["1: !op"]),
        ("main(%ro", "ot", ["1: !op"]),
        ("tile_using_for %mat", "ch", []),
        ('"outer" : !o', "p", ["1: !op"]),
        ("transform.yi", "eld", []),
    ],
)
def test_type_definitions(before: str, after: str, expected: list[str]) -> None:
    assert define_type(cursor_at(HANDLES, before, after)) == expected
