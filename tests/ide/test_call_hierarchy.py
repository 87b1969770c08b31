"""Call hierarchy over calls, matchers and actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ide.cursor import URI, parse_cursor, snapshot_of
from ide.places import shown_span, snapshot_with_library
from ide.scripts import CALLS, LIBRARY, cursor_at
from tdls.ide.call_hierarchy import Calls, incoming_calls, outgoing_calls, prepare_call_hierarchy

if TYPE_CHECKING:
    from tdls.ide.call_hierarchy import CallItem
    from tdls.ide.snapshot import Snapshot


def prepare(marked: str) -> tuple[Snapshot, list[CallItem]]:
    text, offset = parse_cursor(marked)
    snapshot = snapshot_with_library(text, LIBRARY)
    return snapshot, prepare_call_hierarchy(snapshot, URI, offset)


def shown(snapshot: Snapshot, uri: str | None, calls: list[Calls]) -> dict[str, list[str]]:
    return {call.item.name: [shown_span(snapshot, uri or call.item.uri, span) for span in call.spans] for call in calls}


def test_prepare_at_a_definition() -> None:
    snapshot, (item,) = prepare(cursor_at(CALLS, "@mat", "cher("))
    assert (item.name, item.kind, item.uri) == ("matcher", "transform.named_sequence", URI)
    assert shown_span(snapshot, URI, item.selection) == "3: @matcher"
    assert snapshot.files[URI].slice(item.span).startswith("transform.named_sequence @matcher")


def test_prepare_at_a_declaration_gives_the_body() -> None:
    _, (item,) = prepare(cursor_at(CALLS, "private @imp", "orted"))
    assert item.uri == "file:///library.mlir"


def test_prepare_at_an_operation() -> None:
    _, items = prepare(cursor_at(CALLS, "foreach", "_match in"))
    assert [item.name for item in items] == ["matcher", "action"]


def test_incoming() -> None:
    snapshot, (item,) = prepare(cursor_at(CALLS, "@mat", "cher("))
    assert shown(snapshot, None, incoming_calls(snapshot, item)) == {"main": ["11: @matcher", "13: @matcher"]}


def test_incoming_over_files() -> None:
    snapshot, (item,) = prepare(cursor_at(CALLS, "private @imp", "orted"))
    assert shown(snapshot, None, incoming_calls(snapshot, item)) == {"main": ["14: @imported"]}


def test_outgoing() -> None:
    snapshot, (item,) = prepare(cursor_at(CALLS, "@ma", "in("))
    assert shown(snapshot, URI, outgoing_calls(snapshot, item)) == {
        "matcher": ["11: @matcher", "13: @matcher"],
        "action": ["12: @action", "13: @action"],
        "imported": ["14: @imported"],
    }
    imported = outgoing_calls(snapshot, item)[-1].item
    assert shown(snapshot, imported.uri, outgoing_calls(snapshot, imported)) == {"helper": ["3: @helper"]}


def test_item_of_another_version() -> None:
    _, (item,) = prepare(cursor_at(CALLS, "@ma", "in("))
    changed = snapshot_of("// nothing\n" + CALLS)
    assert outgoing_calls(changed, item) == []
    assert incoming_calls(changed, item) == []


def test_nothing() -> None:
    assert prepare("func.func @f() {\n  ret$0urn\n}\n")[1] == []
