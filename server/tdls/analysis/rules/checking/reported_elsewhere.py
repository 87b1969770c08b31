"""Rules that need more than a section: about runs, programs, and the comments that silence others."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import FixKind, Rule

FAILED_RUN: Final = Rule("failed-run", found_by_runs="tdls check --run")
"""Reported by `cli/checking/script_runs.py`."""
FAILED_BUILD: Final = Rule("failed-build", found_by_runs="tdls check-python")
"""Reported by `python_builders/findings.py`."""

# Reported by `suppression/silencing.py`, after all other rules have run.
UNUSED: Final = Rule("unused-suppression", is_silent=True, fix=FixKind.SAFE)
UNKNOWN: Final = Rule("unknown-suppressed-rule", is_silent=True, fix=FixKind.UNSAFE)
MALFORMED: Final = Rule("malformed-suppression", is_silent=True)

RULES: Final = {rule.name: rule for rule in (FAILED_RUN, FAILED_BUILD, UNUSED, UNKNOWN, MALFORMED)}
