"""The severity of a diagnostic; apart from diagnostics, since workers in Pythons without tdls's packages use it."""

from __future__ import annotations

from enum import Enum


class Level(Enum):
    """Severity of a diagnostic, in MLIR's words; `HINT` marks a problem that is only possible."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    HINT = "hint"
