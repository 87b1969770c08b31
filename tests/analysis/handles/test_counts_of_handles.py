"""Counts of the operations that handles hold, which hold for every payload."""

from __future__ import annotations

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.contents import Certainty
from tdls.analysis.handles.findings import handle_findings
from tdls.catalogue.catalogue import Catalogue

ANY = "!transform.any_op"
SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c1 step %c1 {{
      scf.for %j = %c0 to %c1 step %c1 {{
        linalg.abs ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
      }}
    }}
    return
  }}
  transform.named_sequence @loop(%op: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{
    transform.match.operation_name %op ["scf.for"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }}
  transform.named_sequence @outline(%op: !transform.any_op {{transform.consumed}}) {{
    %f, %c = transform.loop.outline %op {{func_name = "g"}}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }}
  transform.named_sequence @kept(%op: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{
    %loops = transform.structured.match ops{{["scf.for"]}} in %op : (!transform.any_op) -> !transform.any_op
    transform.yield %loops : !transform.any_op
  }}
  transform.named_sequence @stale(%op: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{
    %loops = transform.structured.match ops{{["scf.for"]}} in %op : (!transform.any_op) -> !transform.any_op
    %outer = transform.structured.match ops{{["scf.for"]}} in %op : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %outer {{factor = 2}} : !transform.any_op
    transform.yield %loops : !transform.any_op
  }}
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    {body}
    transform.yield
  }}
}}
"""
LOOPS = f'%loops = transform.structured.match ops{{["scf.for"]}} in %root : ({ANY}) -> {ANY}\n'


def _last(body: str) -> Certainty:
    """Return the facts about the result of the last operation of a script."""
    file = SourceFile.of(SCRIPT.format(body=body), Catalogue.shipped())
    context = file.context_at(len(file.text) - 3)
    *_, operation = (operation for operation in context.model.walk() if operation.results)
    contents = handle_findings(context).contents(operation.results[0])
    assert contents is not None
    return contents.several


def test_roots_that_actions_leave() -> None:
    assert _last(f"{LOOPS}%new = transform.foreach_match in %loops @loop -> @outline : ({ANY}) -> {ANY}") is (
        Certainty.POSSIBLY
    )


@pytest.mark.parametrize(("callee", "known"), [("kept", Certainty.CERTAINLY), ("stale", Certainty.POSSIBLY)])
def test_count_of_a_yielded_handle(callee: str, known: Certainty) -> None:
    include = f"transform.include @{callee} failures(propagate) (%root) : ({ANY}) -> {ANY}"
    assert _last(f"%loops = {include}") is known
