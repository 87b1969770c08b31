"""Findings about handles that hold all loops of a nest."""

from __future__ import annotations

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

CATALOGUE = Catalogue.shipped()
ANY = "!transform.any_op"


def findings(*lines: str) -> list[tuple[str, int]]:
    """Return the rules that find something in the body of a loop over matmuls, with the numbers of the lines."""
    body = "".join(f"      {line}\n" for line in lines)
    script = f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
    %all = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%one: {ANY}):
      %nest = transform.structured.convert_to_loops %one : ({ANY}) -> {ANY}
{body}    }}
    transform.yield
  }}
}}
"""
    file = SourceFile.of(script, CATALOGUE)
    return [(finding.rule, file.position(finding.span.start).line - 6) for finding in findings_in_file(file)]


def test_loops_that_are_split_off_may_be_in_each_other() -> None:
    found = findings(
        f"%outer, %middle, %inner = transform.split_handle %nest : ({ANY}) -> ({ANY}, {ANY}, {ANY})",
        f"transform.loop.unroll %outer {{factor = 2}} : {ANY}",
        f"transform.loop.unroll %inner {{factor = 2}} : {ANY}",
    )
    assert ("possibly-invalidated-handle", 2) in found


def test_parents_of_loops_of_one_nest_may_be_the_same() -> None:
    parent = f'%func = transform.get_parent_op %nest {{op_name = "func.func"}} : ({ANY}) -> {ANY}'
    consume = f'%new = transform.apply_registered_pass "cse" to %func : ({ANY}) -> {ANY}'
    assert findings(parent, consume) == [("possibly-repeated-payload-operation", 1)]
    assert findings(parent.replace('func"}', 'func", deduplicate}'), consume) == []
