"""Which values are handles that a place of a script can name."""

from __future__ import annotations

from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.completion.values import handles_in_reach
from tdls.ide.hover.hover import hover

ALIAS = """\
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  transform.foreach %root : !transform.any_op {
  ^bb1(%one: !transform.any_op):
    %loops = transform.structured.match ops{["scf.for"]} in %one : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %loops, %loops : !transform.any_op
    transform.loop.unroll %loops {factor = 2} : !transform.any_op
    $0
  }
}
"""


def names(marked: str) -> list[str]:
    text, offset = parse_cursor(marked)
    return [handle.name for handle in handles_in_reach(snapshot_of(text), URI, offset)]


def test_values_of_the_payload_are_no_handles() -> None:
    assert names('func.func @f(%a: !llvm.ptr, %b: !transform.any_op, %c: i32) {\n  "my.op"() : () -> ()$0\n}\n') == [
        "%b"
    ]


def test_values_of_unknown_types_of_the_dialect_are_handles() -> None:
    assert names('func.func @f(%a: !transform.my.handle, %b: !my.type) {\n  "my.op"() : () -> ()$0\n}\n') == ["%a"]


def test_a_handle_is_stale_through_another_one() -> None:
    text, offset = parse_cursor(ALIAS)
    snapshot, place = snapshot_of(text), text.index("%both")
    assert "Stale through another handle" not in str(hover(snapshot, URI, place))  # a hover runs no script
    found = handles_in_reach(snapshot, URI, offset)
    stale = {handle.name: text[slice(*handle.consumer.span)] for handle in found if handle.consumer is not None}
    assert stale == {"%loops": "transform.loop.unroll", "%both": "transform.loop.unroll"}
    described = str(hover(snapshot, URI, place))
    assert r"**Stale through another handle since**\n\n- `transform.loop.unroll` (line 7)" in described
