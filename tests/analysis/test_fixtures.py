"""Every fixture has its findings in `expected-*` comments, as MLIR's own tests do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
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
