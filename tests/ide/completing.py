"""Completion at the cursor (`$0`) of a line in a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ide.answers import completion_at
from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.completion.completion import completion

if TYPE_CHECKING:
    from tdls.ide.completion.items import CompletionItem

SCRIPT = """\
!any = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @reads(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @eats(%op: !transform.any_op {transform.consumed}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op, %size: !transform.param<i64>) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %m tile_sizes [4, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.op<"scf.for">)
    LINE
    transform.yield
  }
  func.func @payload(%a: tensor<4x4xf32>) {
    %x = linalg.fill ins(%a : tensor<4x4xf32>)
    return
  }
}
"""


def offered(line: str, script: str = SCRIPT, **others: str) -> str:
    """Return all that is offered, as it is kept in snapshots."""
    return completion_at(script.replace("LINE", line), **others)


def items_at(line: str, script: str = SCRIPT) -> tuple[CompletionItem, ...]:
    text, offset = parse_cursor(script.replace("LINE", line))
    return completion(snapshot_of(text), URI, offset).items


def labels_at(line: str, script: str = SCRIPT) -> list[str]:
    return [item.label for item in items_at(line, script)]


def line_after(line: str, label: str, script: str = SCRIPT) -> str:
    """The line of the cursor once the item with `label` is inserted."""
    item = next(item for item in items_at(line, script) if item.label == label)
    text, _ = parse_cursor(script.replace("LINE", line))
    changed = text[: item.span.start] + item.text + text[item.span.end :]
    start = changed.rfind("\n", 0, item.span.start) + 1
    return changed[start:].partition("\n")[0].strip()
