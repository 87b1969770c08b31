"""Findings that are worth telling once in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.text.diagnostic import Diagnostic

_TOLD_ONCE = frozenset(rule.name for rule in RULES if rule.told_once)


def without_repetitions(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return `findings`, which are in the order of the text, without what a rule that is told once has said before."""
    told: set[tuple[str, str]] = set()
    kept: list[Diagnostic] = []
    for finding in findings:
        key = (finding.rule, finding.message)
        if finding.rule in _TOLD_ONCE and key in told:
            continue
        told.add(key)
        kept.append(finding)
    return kept
