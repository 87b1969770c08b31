"""Call hierarchy over calls, matchers and actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ide.places import shown_span, snapshot_with_library
from ide.scripts import CALLS, LIBRARY, cursor_at
from ide.with_cursor import URI, parse_cursor, snapshot_of
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


def test_outgoing_to_files_that_are_no_libraries() -> None:
    lines = cursor_at(CALLS, "@ma", "in(").splitlines(keepends=True)
    text, offset = parse_cursor("".join(line for line in lines if "private" not in line))
    snapshot = snapshot_of(text, other=LIBRARY)
    (item,) = prepare_call_hierarchy(snapshot, URI, offset)
    imported = next(call.item for call in outgoing_calls(snapshot, item) if call.item.name == "imported")
    assert imported.uri == "file:///other.mlir"


MATCHER = "transform.named_sequence @{name}(%op: !transform.any_op {{transform.readonly}}) {{\n  {body}\n}}\n"
SCRIPT = "module attributes {{transform.with_named_sequence}} {{\n{0}}}\n"


def calling(callee: str, caller: str = "caller") -> str:
    call = f"transform.include @{callee} failures(propagate) (%op) : (!transform.any_op) -> ()"
    return MATCHER.format(name=caller, body=f"{call}\n  transform.yield")


CALLED = SCRIPT.format(MATCHER.format(name="cal$0led", body="transform.yield"))
DECLARATION = "transform.named_sequence private @called(!transform.any_op {transform.readonly})\n"


def callers(called: str, **others: str) -> dict[str, list[str]]:
    text, offset = parse_cursor(called)
    snapshot = snapshot_of(text, **others)
    (item,) = prepare_call_hierarchy(snapshot, URI, offset)
    return shown(snapshot, None, incoming_calls(snapshot, item))


def test_incoming_from_files_that_do_not_know_this_one() -> None:
    assert callers(CALLED, other=SCRIPT.format(calling("called"))) == {"caller": ["3: @called"]}


def test_incoming_by_a_declaration_in_a_file_that_does_not_know_this_one() -> None:
    found = callers(CALLED, other=SCRIPT.format(DECLARATION + calling("called")))
    assert found == {"caller": ["4: @called"]}


def test_no_incoming_call_of_another_sequence_with_the_same_name() -> None:
    own = MATCHER.format(name="called", body="transform.yield")
    assert callers(CALLED, other=SCRIPT.format(own + calling("called"))) == {}


def test_incoming_of_a_declaration_are_those_of_its_body_in_another_file() -> None:
    text = SCRIPT.format(DECLARATION.replace("@called", "@cal$0led"))
    bodies = SCRIPT.format(MATCHER.format(name="called", body="transform.yield"))
    text, offset = parse_cursor(text)
    snapshot = snapshot_of(text, other=bodies, third=SCRIPT.format(calling("called")))
    (item,) = prepare_call_hierarchy(snapshot, URI, offset)
    assert item.uri == "file:///other.mlir"
    assert shown(snapshot, None, incoming_calls(snapshot, item)) == {"caller": ["3: @called"]}


def test_incoming_calls_are_the_outgoing_ones_turned_around() -> None:
    text, offset = parse_cursor(SCRIPT.format(DECLARATION + calling("called", "cal$0ler")))
    snapshot = snapshot_of(text, other=CALLED.replace("$0", ""))
    (caller,) = prepare_call_hierarchy(snapshot, URI, offset)
    (callee,) = outgoing_calls(snapshot, caller)
    assert [calls.item for calls in incoming_calls(snapshot, callee.item)] == [caller]
