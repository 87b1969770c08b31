"""Rules whose fixes are ranked."""

from __future__ import annotations

from functools import cache

from tdls.analysis.rules import find_rule


@cache
def ranks_fixes(rule: str) -> bool:
    """Tell whether the fixes of a rule are ranked, and count only where a trial says that they help."""
    known = find_rule(rule)
    return known is not None and known.ranks_fixes
