"""Types, attributes and locations: texts checked against `grammar/mlir.lark`, and their canonical spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Detail:
    """What became of one text."""

    problem: Problem | None = None


def parse_detail(start: str, text: str) -> Detail:
    """Parse."""
    return Detail()


def canonical_type(text: str) -> str:
    """Canonical."""
    return re.sub(r"\s+", "", text)
