"""What is wrong with a project's sources, as far as it keeps tdls from reading them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """Something in a source file that was not understood, and was left out. `line` counts from 0."""

    path: Path
    line: int
    message: str
