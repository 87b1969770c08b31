"""Highlights: where a handle is defined, consumed and used."""

from __future__ import annotations

from ide.places import shown_span, snapshot_with_library
from ide.scripts import CALLS, HANDLES, LIBRARY, cursor_at
from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.cursor.navigation import document_highlight
from tdls.ide.cursor.occurrences import Role


def highlight(marked: str) -> list[tuple[str, Role]]:
    text, offset = parse_cursor(marked)
    snapshot = snapshot_of(text)
    return [(shown_span(snapshot, URI, span), role) for span, role in document_highlight(snapshot, URI, offset)]


def test_consumption_differs_from_use() -> None:
    assert highlight(cursor_at(HANDLES, "%mat", "ch = ")) == [
        ("4: %match", Role.DEFINITION),
        ("5: %match", Role.CONSUMPTION),
    ]
    assert highlight(cursor_at(HANDLES, "main(%ro", "ot")) == [
        ("3: %root", Role.DEFINITION),
        ("4: %root", Role.USE),
        ("11: %root", Role.USE),
    ]


def test_callee_decides() -> None:
    assert highlight(cursor_at(CALLS, "%ne", "w = ")) == [
        ("13: %new", Role.DEFINITION),
        ("14: %new", Role.CONSUMPTION),
    ]
    assert highlight(cursor_at(CALLS, "%al", "l = ")) == [("11: %all", Role.DEFINITION), ("12: %all", Role.USE)]


def test_other_files_are_left_out() -> None:
    text, offset = parse_cursor(cursor_at(CALLS, "include @imp", "orted"))
    snapshot = snapshot_with_library(text, LIBRARY)
    found = [(shown_span(snapshot, URI, span), role) for span, role in document_highlight(snapshot, URI, offset)]
    assert found == [("2: @imported", Role.DEFINITION), ("14: @imported", Role.USE)]


def test_nothing() -> None:
    assert highlight("transform.yi$0eld") == []
