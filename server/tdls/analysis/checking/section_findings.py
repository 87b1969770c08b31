"""What the rules find in one section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.mentions import has_placeholder
from tdls.analysis.file.placement import placed
from tdls.analysis.file.tracked_facts import TrackedFact
from tdls.analysis.rules import RULES
from tdls.analysis.rules.checking import not_analysed
from tdls.analysis.rules.language import template_placeholder
from tdls.bounds.budget import Budget, OverBudget
from tdls.bounds.limits import RULE_STEPS

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.analysis.rule import Rule
    from tdls.text.diagnostic import Diagnostic


@TrackedFact
def findings_of(context: Context) -> tuple[Finding, ...]:
    """Return what the rules find in a section, with places in the section."""
    if context.section.is_left_out:
        return (not_analysed.left_out(context),)
    rules = (template_placeholder.RULE,) if has_placeholder(context.section) else RULES
    return tuple(finding for rule in rules for finding in _found_by(rule, context))


def found_in(context: Context) -> list[Diagnostic]:
    """Return what the rules find in a section, silenced or not, with places in the file."""
    return [placed(context, finding) for finding in findings_of(context)]


def _found_by(rule: Rule, context: Context) -> tuple[Finding, ...]:
    """Return what a rule finds in a section; nothing where that takes more than it may, which is noted."""
    if rule.find is None:
        return ()
    context.budget = Budget(RULE_STEPS, context.size)
    try:
        return tuple(rule.find(context))
    except OverBudget as over:
        context.rules_given_up.append((rule.name, over.limit))
        return ()
