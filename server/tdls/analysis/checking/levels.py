"""Findings at the levels that a user gives to rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tdls.text.diagnostic import Concern, Diagnostic, Level


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels that a user gives to rules by name, and to what findings are about; None for what is off."""

    rules: Mapping[str, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Rules that are not named keep their own level."""
    concerns: Mapping[Concern, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Findings about something else keep the level of their rule."""

    def of(self, finding: Diagnostic) -> Level | None:
        """Return the level of `finding`, None if nobody wants to hear of it."""
        level = self.rules.get(finding.rule, finding.level)
        return self.concerns.get(finding.concern, level) if level is not None else None


ALL = Levels()
"""Every finding at the level of its rule."""


def with_levels(findings: Iterable[Diagnostic], levels: Levels) -> list[Diagnostic]:
    """Return `findings` without those that are off, others at the level that `levels` give them."""
    kept = ((finding, levels.of(finding)) for finding in findings)
    return [finding if finding.level is level else replace(finding, level=level) for finding, level in kept if level]
