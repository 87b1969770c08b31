"""Every fixture says in `expected-*` comments what is found in it, as MLIR's own tests do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdls.analysis.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.cli.verification import verify
from tdls.syntax.runs import SplitMode

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.mlir"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_findings_are_the_expected_ones(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    result = SourceFile.of(text, Catalogue.shipped(), split=SplitMode.ALWAYS).findings()
    assert not verify(text, result)
