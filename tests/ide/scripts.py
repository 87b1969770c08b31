"""Scripts that tests of navigation share."""

from __future__ import annotations

HANDLES = """\
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%root: !op {transform.readonly}) {
    %match = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !pdl.operation
    %tile, %loops:2 = transform.structured.tile_using_for %match tile_sizes [8, 4] : (!pdl.operation) -> (!op, !op, !op)
    transform.debug.emit_remark_at %loops#1, "inner" : !op
    transform.debug.emit_remark_at %loops#0, "outer" : !op
    transform.foreach %tile : !op {
    ^each(%one: !op):
      transform.debug.emit_remark_at %one, "one" : !op
      transform.debug.emit_remark_at %root, "root" : !op
    }
    transform.yield
  }
}
"""

CALLS = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @imported(%x: !transform.any_op {transform.consumed})
  transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @action(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @main(%root: !transform.any_op {transform.consumed}) {
    %all = transform.collect_matching @matcher in %root : (!transform.any_op) -> !transform.any_op
    transform.include @action failures(propagate) (%all) : (!transform.any_op) -> ()
    %new = transform.foreach_match in %root @matcher -> @action : (!transform.any_op) -> !transform.any_op
    transform.include @imported failures(propagate) (%new) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""

LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @imported(%x: !transform.any_op {transform.consumed}) {
    transform.include @helper failures(propagate) (%x) : (!transform.any_op) -> ()
    transform.yield
  }
  transform.named_sequence @helper(%x: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %x { factor = 4 } : !transform.any_op
    transform.yield
  }
}
"""

BLOCKS = """\
func.func @f(%arg: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^left(%arg : i32), ^right
^left(%z: i32):
  cf.br ^right
^right:
  return %arg : i32
}
func.func @g(%arg: i32) -> i32 {
  cf.br ^left(%arg : i32)
^left(%z: i32):
  return %z : i32
}
"""

PARTS = """\
!a = i32
func.func private @callee(!a)
func.func @caller(%x: !a) {
  call @callee(%x) : (!a) -> ()
  return
}
// -----
!a = i64
func.func private @callee(!a)
func.func @caller(%x: !a) {
  call @callee(%x) : (!a) -> ()
  return
}
"""


def cursor_at(text: str, before: str, after: str) -> str:
    """Return `text` with a cursor between the two texts, which stand there together once."""
    assert text.count(before + after) == 1, text.count(before + after)
    return text.replace(before + after, f"{before}$0{after}")
