"""A handle to operations of another kind: what is said to do is of use."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

ANY = "!transform.any_op"


def match(name: str) -> str:
    return f'%m = transform.structured.match ops{{["{name}"]}} in %root : ({ANY}) -> {ANY}'


TILED = f"%t, %loop = transform.structured.tile_using_for %m tile_sizes [4] : ({ANY}) -> ({ANY}, {ANY})"


@pytest.mark.parametrize(
    ("lines", "help_text"),
    [
        ((match("linalg.matmul"), TILED, "loop.unroll %t {factor = 2}"), "`%loop` holds `scf.for`: use it instead"),
        ((match("linalg.matmul"), "loop.unroll %m {factor = 2}"), None),
        (
            (match("func.func"), "loop.unroll %m {factor = 2}"),
            "match the operations to transform inside of it: `in %m`",
        ),
    ],
)
def test_another_result_or_what_is_inside(lines: tuple[str, ...], help_text: str | None) -> None:
    *before, last = lines
    body = "\n".join((*before, f"transform.{last} : {ANY}", "transform.yield"))
    text = f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
    {body}
  }}
}}
"""
    found = findings_in_file(SourceFile.of(text, Catalogue.shipped()))
    assert [finding.help for finding in found if finding.rule == "never-succeeds"] == [help_text]
