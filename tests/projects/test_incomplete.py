"""Findings that the server withholds as long as it reads a project."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import find_rule
from tdls.catalogue.catalogue import Catalogue

SHIPPED = Catalogue.shipped()


@pytest.mark.parametrize(
    "name", ["unknown-transform-operation", "unknown-extension-operation", "unknown-payload-operation"]
)
def test_nothing_is_called_unknown_that_may_soon_be_known(name: str) -> None:
    rule = find_rule(name)
    assert rule is not None
    assert [finding.rule for finding in findings_in_file(SourceFile.of(rule.text.example_bad, SHIPPED))] == [name]
    assert findings_in_file(SourceFile.of(rule.text.example_bad, SHIPPED.incomplete())) == []
