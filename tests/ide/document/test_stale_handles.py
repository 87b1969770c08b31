"""What rules say of stale handles, hovers and colours say, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from ide.with_cursor import CATALOGUE, URI
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.document.semantic_tokens import TokenModifier, semantic_tokens
from tdls.ide.hover.hover import hover
from tdls.ide.snapshot import Snapshot

FIXTURES = sorted((Path(__file__).parents[2] / "analysis/fixtures").glob("*.mlir"))
POSSIBLE = "possibly-invalidated-handle"
VERDICTS = {
    "use-after-free": "**Not live here**",
    "invalidated-handle": "**Not live here**",
    POSSIBLE: "**Perhaps not live here**",
}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_hover_and_colour_of_a_handle_agree_with_the_finding(path: Path) -> None:
    file = SourceFile.of(path.read_text(encoding="utf-8"), CATALOGUE)
    snapshot = Snapshot({URI: file}, CATALOGUE)
    stale = {token.span for token in semantic_tokens(snapshot, URI) if TokenModifier.STALE in token.modifiers}
    findings = [finding for finding in findings_in_file(file) if finding.rule in VERDICTS]
    for finding in findings:
        found = hover(snapshot, URI, finding.span.start)
        assert found is not None
        assert VERDICTS[finding.rule] in found.markdown
    assert stale == {finding.span for finding in findings if finding.rule != POSSIBLE}
