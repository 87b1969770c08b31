"""Findings at the levels that a user gives to rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tdls.text.diagnostic import Diagnostic, Level


def with_levels(findings: Iterable[Diagnostic], levels: Mapping[str, Level | None]) -> list[Diagnostic]:
    """Return `findings` without those of rules that are off (None), others at the level that their rule is given.

    Rules that `levels` does not name keep their own.
    """
    if not levels:
        return list(findings)
    kept = ((finding, levels.get(finding.rule, finding.level)) for finding in findings)
    return [replace(finding, level=level) for finding, level in kept if level is not None]
