"""Check a text: every rule over every section of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.analysis.source_file import SourceFile
from tdls.syntax.sections import SplitMode

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.text.diagnostic import Diagnostic

__all__ = ["CheckResult", "SplitMode", "check_text"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The findings in one text, in the order of their places, which are offsets into the whole text."""

    diagnostics: tuple[Diagnostic, ...]


def check_text(text: str, *, path: Path | None, catalogue: Catalogue, split: SplitMode = SplitMode.AUTO) -> CheckResult:
    """Check `text` with every rule. `path` is the file it comes from, if any. Never raises on any text."""
    del path
    return CheckResult(tuple(SourceFile.of(text, catalogue, split=split).findings()))
