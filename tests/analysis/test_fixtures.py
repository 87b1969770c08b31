"""Every fixture has its findings in `expected-*` comments, as MLIR's own tests do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from samples import every
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.transform import recursive_sequence
from tdls.catalogue.catalogue import Catalogue
from tdls.cli.checking.verification import verify
from tdls.structs import replace
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.level import Level

_LEVELS = {Level.HINT: Level.REMARK}
"""Fixtures expect hints as remarks: MLIR has no hints."""
FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.mlir"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_findings_are_the_expected_ones(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = findings_in_file(SourceFile.of(text, Catalogue.shipped(), split=SplitMode.ALWAYS))
    assert not verify(text, [replace(finding, level=_LEVELS.get(finding.level, finding.level)) for finding in found])


PARTS = [part for path in FIXTURES for part in path.read_text(encoding="utf-8").split("// -----\n")]


def findings_by_line(text: str) -> Counter[tuple[str, str, int]]:
    file = SourceFile.of(text, Catalogue.shipped(), split=SplitMode.NEVER)
    found = findings_in_file(file)
    return Counter((finding.rule, finding.message, file.position(finding.span.start).line) for finding in found)


@pytest.mark.parametrize("number", range(0, len(PARTS), every(1)))
def test_indentation_changes_no_finding(number: int) -> None:
    """Sections are found by layout, which also tells where a damaged or unknown operation ends."""
    random, expected = Random(number), findings_by_line(PARTS[number])
    if any(rule in ("syntax-error", "unknown-extension-operation") for rule, _, _ in expected):
        pytest.skip("the layout has a meaning")
    lines = PARTS[number].split("\n")
    moved = (" " * random.choice((0, 0, 2, 4)) + line.lstrip() if line.startswith(" ") else line for line in lines)
    assert findings_by_line("\n".join(moved)) == expected
    assert findings_by_line("\n".join(map(str.lstrip, lines))) == expected


@pytest.mark.parametrize("number", range(0, len(PARTS), every(1)))
def test_a_module_that_is_one_section_has_the_same_findings(number: int) -> None:
    """An operation in the line in which its module begins keeps the module from being read in sections."""
    module, begin, rest = PARTS[number].partition("module attributes {transform.with_named_sequence} {\n")
    apart, together = findings_by_line(PARTS[number]), findings_by_line(f"{module}{begin[:-1]} {rest.lstrip()}")
    if any(rule == "syntax-error" for rule, _, _ in apart):
        pytest.skip("the layout has a meaning")
    assert Counter(each[:2] for each in together) == Counter(each[:2] for each in apart)


def test_a_circle_of_calls_is_found_where_another_operation_stands_further_left() -> None:
    text = recursive_sequence.RULE.text.example_bad.replace("\n", "\nfunc.func @left() {\n  return\n}\n", 1)
    assert [rule for rule, _, _ in findings_by_line(text)] == ["recursive-sequence"]
