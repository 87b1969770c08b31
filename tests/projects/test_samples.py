"""Projects in the styles that one meets: all operations and effects are those that a person reads in the sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from projects.scanning import catalogue_of, scanned
from projects.summaries import summaries
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.text.level import Level

SAMPLES = sorted((Path(__file__).parent / "samples").iterdir())
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
FINDINGS = {
    "kiln/schedules/firing.mlir": ["use-after-free"],
    "loom/specs/split.mlir": ["use-after-free"],
}
"""Errors in the samples' own scripts."""
UNCLEAR = {"loom": "what 'describe' adds to the effects is not known; "}
"""Effects that the sources leave open: a table in C++ decides them."""


@each_sample
def test_operations_and_effects(sample: Path) -> None:
    expected = (sample / "expected.txt").read_text(encoding="utf-8").splitlines()
    assert summaries(scanned(sample)) == expected


@each_sample
def test_code_that_is_not_understood_is_reported(sample: Path) -> None:
    found = scanned(sample)
    assert len(found.definitions.problems) == (sample.name in UNCLEAR)
    assert all(problem.message.startswith(UNCLEAR[sample.name]) for problem in found.definitions.problems)
    assert found.definitions.conflicts == ()


@each_sample
def test_scripts_are_read_by_the_formats_of_the_project(sample: Path) -> None:
    catalogue = catalogue_of(sample)
    for script in sorted(sample.rglob("*.mlir")):
        file = SourceFile.of(script.read_text(encoding="utf-8"), catalogue)
        found = [finding.rule for finding in findings_in_file(file) if finding.level is not Level.HINT]
        assert found == FINDINGS.get(script.relative_to(sample.parent).as_posix(), []), findings_in_file(file)
