"""Which values are handles that a place of a script can name."""

from __future__ import annotations

from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.completion.values import handles_in_reach


def names(marked: str) -> list[str]:
    text, offset = parse_cursor(marked)
    return [handle.name for handle in handles_in_reach(snapshot_of(text), URI, offset)]


def test_values_of_the_payload_are_no_handles() -> None:
    assert names('func.func @f(%a: !llvm.ptr, %b: !transform.any_op, %c: i32) {\n  "my.op"() : () -> ()$0\n}\n') == [
        "%b"
    ]


def test_values_of_unknown_types_of_the_dialect_are_handles() -> None:
    assert names('func.func @f(%a: !transform.my.handle, %b: !my.type) {\n  "my.op"() : () -> ()$0\n}\n') == ["%a"]
