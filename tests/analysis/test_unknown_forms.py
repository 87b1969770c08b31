"""A known operation in a form that no catalogue has keeps its operands, types and effects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from samples import every
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.source import MemorySource
from tdls.structs import replace
from tdls.text.level import Level

if TYPE_CHECKING:
    from tdls.text.diagnostic import Diagnostic

_START = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
"""
_END = """\
    transform.annotate %loop "used" : !transform.any_op
    transform.yield
  }
}
"""


def _findings(text: str, catalogue: Catalogue | None = None) -> list[Diagnostic]:
    return list(findings_in_file(SourceFile.of(text, catalogue or Catalogue.shipped())))


@pytest.mark.parametrize(
    "line",
    [
        "transform.loop.unroll %loop factor = 4 : !transform.any_op",
        "transform.loop.unroll %loop {factor = 4} : !transform.any_op",
    ],
)
def test_attributes_may_have_got_out_of_the_dictionary(line: str) -> None:
    found = _findings(f"{_START}    {line}\n{_END}")
    assert [finding.rule for finding in found] == ["use-after-free"]


@pytest.mark.parametrize(
    "line",
    [
        "transform.loop.unroll %loop factr = 4 : !transform.any_op",
        "transform.loop.unroll %loop factor 4 : !transform.any_op",
        "transform.loop.unroll %loop <factor = 4> : !transform.any_op",
        "transform.loop.unroll %loop <4> : !transform.any_op",
        "transform.loop.unroll %loop factor = 4 !transform.any_op",
        "transform.loop.unroll %loop factor = 4 factor = 4 : !transform.any_op",
    ],
)
def test_a_form_that_no_version_can_have_is_an_error_and_the_operation_still_consumes(line: str) -> None:
    found = _findings(f"{_START}    {line}\n{_END}")
    assert sorted(finding.rule for finding in found) == ["syntax-error", "use-after-free"]


_STALE = "use-after-free"
_OF_OLDER_SCRIPTS = {"older-form", "unknown-transform-operation"}
"""Rules that say once for all operations of a section which version it is for."""


def _texts() -> list[str]:
    folder = Path(__file__).parent / "fixtures"
    parts = [part for path in sorted(folder.glob("*.mlir")) for part in path.read_text("utf-8").split("// -----")]
    found = ((part, {finding.rule for finding in _findings(part)}) for part in parts[:: every(1)])
    return [part for part, rules in found if _STALE in rules and not rules & _OF_OLDER_SCRIPTS]


def test_an_operation_without_a_known_format_costs_no_finding_about_a_consumed_handle() -> None:
    lost, added, shipped = [], [], Catalogue.shipped()
    for text in _texts():
        found = _findings(text)
        known = {(finding.rule, finding.span) for finding in found}
        for name in sorted(set(re.findall(r"\btransform\.[\w.]+", text))):
            variants = [replace(each, assembly_format=None, format_known=False) for each in shipped.variants(name)]
            source = MemorySource("test", operations=variants)
            without = _findings(text, Catalogue([*shipped.sources, source]))
            there = {(finding.rule, finding.span) for finding in without}
            lost += [(name, rule, text[span.start : span.end]) for rule, span in known - there if rule == _STALE]
            added += [
                (name, finding.message)
                for finding in without
                if finding.level is Level.ERROR and (finding.rule, finding.span) not in known
            ]
    assert not lost
    assert not added
