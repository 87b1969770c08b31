"""Upstream files with parts that MLIR rejects as it reads them, and the findings of tdls in each part."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.tools import SPLIT_MARKER
from oracle.verifier.comparison import Judged, judged
from oracle.verifier.mistakes import Mistake

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue

CASES = Path(__file__).parent / "cases"
"""Files with a part for each thing that upstream's transform operations verify in code, and parts that are right."""

_MARKER_LINE = re.compile(rf"^{SPLIT_MARKER}.*$", re.MULTILINE)
_NOWHERE = -1


def parts_in(folder: Path) -> list[Mistake]:
    """Return each part of each file below `folder`, with the file's name and the number of the part as its kind."""
    found: list[Mistake] = []
    for path in sorted(folder.rglob("*.mlir")):
        texts = _MARKER_LINE.split(path.read_text(encoding="utf-8"))
        found += [Mistake(text, f"{path.name}:{number}", "", _NOWHERE) for number, text in enumerate(texts, 1)]
    return found


def rejected_parts(folder: Path, catalogue: Catalogue, major: int | None = None) -> list[Judged]:
    """Return the errors of MLIR and tdls for the parts that MLIR rejects."""
    return [each for each in judged(parts_in(folder), catalogue, major) if each.is_rejected]
