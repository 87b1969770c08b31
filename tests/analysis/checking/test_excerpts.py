"""Payload is judged without its file, so that other processes can do it."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.excerpts import Excerpt, check_excerpts
from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

PAYLOAD = """\
module {
  func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
  func.func @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = func.call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  memref.global "private" @table : memref<4xf32>
}
"""


def test_payload_asks_nothing_of_the_rest_of_its_file() -> None:
    unread = Findings(SourceFile.of(PAYLOAD, Catalogue.shipped())).unread()
    found = check_excerpts([Excerpt(section.text, section.surroundings, section.kind) for section in unread], ())
    assert len(found) >= 3
    assert all(alone is not None and alone.findings == () for alone in found)


def test_a_symbol_that_another_section_defines_is_found_though_each_was_judged_alone() -> None:
    twice = PAYLOAD.replace("@caller", "@callee")
    file = SourceFile.of(twice, Catalogue.shipped())
    findings = Findings(file)
    unread = findings.unread()
    findings.set_aside(unread)
    excerpts = [Excerpt(section.text, section.surroundings, section.kind) for section in unread]
    for section, alone in zip(unread, check_excerpts(excerpts, ()), strict=True):
        assert alone is not None
        assert alone.findings == ()
        findings.accept(section, alone, file.types(0))
    findings.return_(unread)
    findings.work(lambda: False)
    assert [found.rule for found in findings.diagnostics()] == ["redefined-symbol"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!t = i32\nfunc.func private @f(!t)\n", []),
        ("func.func private @f(!t)\n!t = i32\n", ["undefined-alias"]),
        ("func.func private @f(!t)\n", ["undefined-alias"]),
    ],
)
def test_a_section_is_judged_alone_only_where_all_its_aliases_are_defined_before(
    text: str, expected: list[str]
) -> None:
    file = SourceFile.of(text, Catalogue.shipped())
    findings = Findings(file)
    unread = findings.unread()
    findings.set_aside(unread)
    excerpts = [Excerpt(section.text, section.surroundings, section.kind) for section in unread]
    for section, alone in zip(unread, check_excerpts(excerpts, file.types(0).made_of), strict=True):
        if alone is not None:
            findings.accept(section, alone, file.types(0))
    findings.return_(unread)
    findings.work(lambda: False)
    assert [found.rule for found in findings.diagnostics()] == expected
