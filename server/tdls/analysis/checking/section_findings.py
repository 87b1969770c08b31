"""What the rules find in one section, and which of them fail there.

Rules are called here and nowhere else, each by itself: one that raises takes nothing from what the others find.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.mentions import has_placeholder
from tdls.analysis.file.placement import placed
from tdls.analysis.file.tracked_facts import TrackedFact
from tdls.analysis.rules import RULES, find_rule
from tdls.analysis.rules.checking import not_analysed
from tdls.analysis.rules.language import template_placeholder
from tdls.bounds.budget import Budget, OverBudget
from tdls.bounds.limits import RULE_STEPS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.analysis.rule import Rule
    from tdls.text.diagnostic import Diagnostic

_NAMED_RULES = 3
"""Rules that fail for one reason and are named; the others are counted."""
_LONGEST_REASON = 300
"""Characters of an exception that are shown: some name all of a tree."""


class RuleFailure(NamedTuple):
    """A mistake in tdls: a rule, or a fact that it asked for, raised an exception."""

    rule: str
    trace: str
    """The traceback, which ends with the exception."""

    @property
    def reason(self) -> str:
        """The exception in one line."""
        line = self.trace.strip().splitlines()[-1]
        return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]} ..."


class SectionFindings(NamedTuple):
    """What the rules find in a section, with places in the section, and the rules that failed there."""

    found: tuple[Finding, ...]
    failures: tuple[RuleFailure, ...] = ()


@TrackedFact
def findings_of(context: Context) -> SectionFindings:
    """Look for everything in a section."""
    if context.section.is_left_out:
        return SectionFindings((not_analysed.left_out(context),))
    found: list[Finding] = []
    failures: list[RuleFailure] = []
    size = _size(context)
    for rule in (template_placeholder.RULE,) if has_placeholder(context.section) else RULES:
        context.budget = Budget(RULE_STEPS, size)
        try:
            found += _found_by(rule, context)
        except Exception as error:
            failures.append(RuleFailure(rule.name, _trace(error)))
    return SectionFindings(tuple(found), tuple(failures))


def found_in(context: Context) -> list[Diagnostic]:
    """Return what the rules find in a section, silenced or not, with places in the file."""
    return [placed(context, finding) for finding in findings_of(context).found]


def failures_in_words(failures: Iterable[RuleFailure]) -> list[str]:
    """Return a line for each reason for which rules failed, with the rules."""
    by_reason: dict[str, dict[str, None]] = {}
    for failure in failures:
        by_reason.setdefault(failure.reason, {})[failure.rule] = None
    return [f"{_named(list(rules))} failed: {reason}" for reason, rules in by_reason.items()]


def _size(context: Context) -> int:
    try:
        return context.size
    except Exception:
        return 1


def _found_by(rule: Rule, context: Context) -> list[Finding]:
    """Return what a rule finds in a section; nothing where that takes more than it may, which is noted."""
    if rule.find is None:
        return []
    try:
        return list(rule.find(context))
    except OverBudget as over:
        context.rules_given_up.append((rule.name, over.limit))
        return []


def _trace(error: Exception) -> str:
    try:
        return "".join(traceback.format_exception(error))
    except (MemoryError, RecursionError):
        return f"{type(error).__name__}\n"


def _named(rules: list[str]) -> str:
    names = [f"`{name}` ({rule.code})" for name in rules[:_NAMED_RULES] if (rule := find_rule(name)) is not None]
    more = f" and {len(rules) - len(names)} more" if len(rules) > len(names) else ""
    return f"{'rule' if len(rules) == 1 else 'rules'} {', '.join(names)}{more}"
