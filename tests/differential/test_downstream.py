"""Scripts with operations no catalogue knows: nothing is reported but real mistakes."""

from __future__ import annotations

import pytest

from oracle.downstream_scripts import MISTAKES, Mistake, names, script
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse
from tdls.syntax.tree import Form
from tdls.text.level import Level


def findings(text: str) -> list[tuple[int, str]]:
    """Return line (1-based) and rule of everything that tdls is certain of."""
    result = findings_in_file(SourceFile.of(text, Catalogue.shipped()))
    certain = (each for each in result if each.level is not Level.HINT)
    return [(text.count("\n", 0, each.span.start) + 1, each.rule) for each in certain]


@pytest.mark.parametrize("name", names())
def test_nothing_is_reported(name: str) -> None:
    assert findings(script(name)) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.script)
def test_a_real_mistake_is_reported_and_nothing_else(mistake: Mistake) -> None:
    found = findings(mistake.applied())
    assert {rule for _, rule in found} == {mistake.rule}
    assert {line for line, _ in found} <= mistake.expected_lines()


def test_there_are_enough_scripts_and_each_has_a_mistake_of_its_own() -> None:
    assert len(names()) >= 25
    assert {mistake.script for mistake in MISTAKES} == set(names())
    assert len({mistake.rule for mistake in MISTAKES}) >= 8


@pytest.mark.parametrize("name", names())
def test_every_script_has_an_operation_that_is_not_upstream(name: str) -> None:
    catalogue = Catalogue.shipped()
    operations = list(parse(script(name), catalogue).walk())
    assert any(operation.definition is None for operation in operations)
    assert any(operation.form is not Form.STRUCTURAL for operation in operations)
