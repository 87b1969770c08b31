"""Rules that need more than a section: about runs, programs, and the comments that silence others."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

FAILED_RUN: Final = Rule(code="TD401", name="failed-run", level=Level.ERROR, found_by_runs="tdls check --run")
"""Reported by `cli/checking/script_runs.py`."""
FAILED_BUILD: Final = Rule(code="TD402", name="failed-build", level=Level.ERROR, found_by_runs="tdls check-python")
"""Reported by `python_builders/findings.py`."""

# Reported by `suppression/silencing.py`, after all other rules have run.
UNUSED: Final = Rule(code="TD901", name="unused-suppression", level=Level.WARNING, is_silent=True, fix=FixKind.SAFE)
UNKNOWN: Final = Rule(
    code="TD902", name="unknown-suppressed-rule", level=Level.WARNING, is_silent=True, fix=FixKind.UNSAFE
)
MALFORMED: Final = Rule(code="TD903", name="malformed-suppression", level=Level.WARNING, is_silent=True)

RULES: Final = {rule.name: rule for rule in (FAILED_RUN, FAILED_BUILD, UNUSED, UNKNOWN, MALFORMED)}
