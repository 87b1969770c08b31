"""Check a text: every rule over every section of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.source_file import SourceFile
from tdls.syntax.runs import SplitMode

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.text.diagnostic import Diagnostic


def check_text(text: str, *, catalogue: Catalogue, split: SplitMode = SplitMode.AUTO) -> list[Diagnostic]:
    """Return the findings in `text`, in the order of their places. Never raises on any text."""
    return SourceFile.of(text, catalogue, split=split).findings()
