"""Bodies of declared named sequences."""

from __future__ import annotations

from ide.places import shown, snapshot_with_library
from ide.scripts import CALLS, LIBRARY, cursor_at
from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.cursor.navigation import implementation


def implement(marked: str, **others: str) -> list[str]:
    text, offset = parse_cursor(marked)
    snapshot = snapshot_of(text, **others)
    return shown(snapshot, implementation(snapshot, URI, offset))


def test_body_in_another_file() -> None:
    for before, after in [("private @imp", "orted"), ("include @imp", "orted")]:
        assert implement(cursor_at(CALLS, before, after), library=LIBRARY) == ["library 2: @imported"]


def test_body_in_the_same_file() -> None:
    assert implement(cursor_at(CALLS, "include @ac", "tion")) == ["7: @action"]


def test_operation_that_calls() -> None:
    assert implement(cursor_at(CALLS, "foreach", "_match in")) == ["3: @matcher", "7: @action"]


def test_no_body() -> None:
    assert implement(cursor_at(CALLS, "include @imp", "orted")) == []
    other = CALLS.replace("@main", "@other_main")
    assert implement(cursor_at(CALLS, "include @imp", "orted"), other=other) == []


def test_another_kind_of_operation_is_no_body() -> None:
    other = "func.func @imported() {\n  return\n}\n"
    assert implement(cursor_at(CALLS, "include @imp", "orted"), other=other) == []


def test_libraries_come_first() -> None:
    text, offset = parse_cursor(cursor_at(CALLS, "include @imp", "orted"))
    snapshot = snapshot_with_library(text, LIBRARY, other=f"{LIBRARY}\n")
    assert shown(snapshot, implementation(snapshot, URI, offset)) == ["library 2: @imported"]


def test_bodies_in_several_files_are_in_the_order_of_these() -> None:
    """Whichever was opened first."""
    marked = cursor_at(CALLS, "include @imp", "orted")
    expected = ["library 2: @imported", "other 2: @imported"]
    assert implement(marked, other=LIBRARY, library=LIBRARY) == expected
    assert implement(marked, library=LIBRARY, other=LIBRARY) == expected
