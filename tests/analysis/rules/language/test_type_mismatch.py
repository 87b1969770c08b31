"""A handle of a wrong type: what is said, and the fixes that give it the right one."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied

CATALOGUE = Catalogue.shipped()
LOOP = '!transform.op<"scf.for">'
ANY = "!transform.any_op"


def script(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in (*lines, "transform.yield"))
    return f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
{body}  }}
}}
"""


def match(type_text: str, name: str = "scf.for") -> str:
    return f'%l = transform.structured.match ops{{["{name}"]}} in %root : ({ANY}) -> {type_text}'


def peel(operand: str, type_text: str) -> str:
    return f"%p, %r = transform.loop.peel {operand} : ({type_text}) -> ({ANY}, {ANY})"


def mark(type_text: str) -> str:
    return f'transform.annotate %l "seen" : {type_text}'


def test_a_handle_to_any_operations_gets_the_wanted_type_or_is_cast() -> None:
    text = script(match(ANY), mark(ANY), peel("%l", ANY))
    finding = next(each for each in findings_in_file(SourceFile.of(text, CATALOGUE)) if each.rule == "type-mismatch")
    assert finding.message == (
        f"`transform.loop.peel` expects a handle to `scf.for` operations (`{LOOP}`) here, "
        f"but `%l` is a handle to any operations (`{ANY}`)"
    )
    assert [applied(text, fix.edits) for fix in finding.fixes] == [
        script(match(LOOP), mark(LOOP), peel("%l", LOOP)),
        script(match(ANY), mark(ANY), f"%l_typed = transform.cast %l : {ANY} to {LOOP}", peel("%l_typed", LOOP)),
    ]


@pytest.mark.parametrize("lines", [(match(ANY, "scf.if"), peel("%l", ANY)), (peel("%root", LOOP),)])
def test_what_cannot_be_a_loop_is_not_made_one(lines: tuple[str, ...]) -> None:
    found = findings_in_file(SourceFile.of(script(*lines), CATALOGUE))
    assert not any(LOOP in edit.new_text for finding in found for fix in finding.fixes for edit in fix.edits)
