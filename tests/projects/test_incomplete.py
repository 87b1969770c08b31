"""What is not said as long as a project is being read."""

from __future__ import annotations

import pytest

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
    assert [one.rule for one in SourceFile.of(rule.example_bad, SHIPPED).findings()] == [name]
    assert SourceFile.of(rule.example_bad, SHIPPED.incomplete()).findings() == []
