"""Selection of the rules to check in a file, and of their levels, from settings and the command line."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from tdls.settings.model import OFF, PAYLOAD_SYNTAX, Exclusion, RuleSelection
from tdls.settings.paths import is_excluded
from tdls.settings.rule_codes import KNOWN_RULES
from tdls.structs import NamedTuple, Struct, field, replace
from tdls.text.diagnostic import Subject
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tdls.settings.model import Settings
    from tdls.settings.rule_codes import KnownRule
    from tdls.text.diagnostic import Diagnostic


_EVERY_RULE = "all"
_OF_ONE_RULE = 100


def specificity(selector: str, name: str, code: str) -> int:
    """Return how closely `selector` (a name, a code, a prefix of codes, or `all`) names the rule, 0 if it does not."""
    wanted = selector.strip().casefold()
    if wanted in {name, code.casefold()}:
        return _OF_ONE_RULE
    if wanted == _EVERY_RULE:
        return 1
    is_prefix = re.fullmatch(r"[a-z]{1,2}\d{0,3}", wanted) is not None and code.casefold().startswith(wanted)
    return 1 + len(wanted) if is_prefix else 0


def closest(selectors: Iterable[str], name: str, code: str) -> int:
    """Return the `specificity` of the selector that names the rule most closely, 0 if none does."""
    return max((specificity(selector, name, code) for selector in selectors), default=0)


class Levels(Struct, frozen=True):
    """Levels that the user sets, by name of the rule and by subject of the finding; None turns findings off."""

    rules: Mapping[str, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Rules without an entry keep their own level."""
    subjects: Mapping[Subject, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Findings on other subjects keep the level of their rule."""

    def of(self, finding: Diagnostic) -> Level | None:
        """Return the level of `finding`, or None if it is off."""
        level = self.rules.get(finding.rule, finding.level)
        return self.subjects.get(finding.subject, level) if level is not None else None


ALL = Levels()
"""Every finding at the level of its rule."""


def with_levels(findings: Iterable[Diagnostic], levels: Levels) -> list[Diagnostic]:
    """Return `findings` at the levels of `levels`, without those that are off."""
    kept = ((finding, levels.of(finding)) for finding in findings)
    return [finding if finding.level is level else replace(finding, level=level) for finding, level in kept if level]


_NO_SELECTION = RuleSelection()


class Decision(NamedTuple):
    """Whether a rule is checked, with the number of the source and the key of the setting that decided it.

    The number is an index into `Settings.selection`, None where no list of a source decided.
    """

    is_wanted: bool
    source: int | None = None
    key: str = ""


def levels(
    settings: Settings, path: Path | None, *, command_line: RuleSelection = _NO_SELECTION, possible: bool = True
) -> Levels:
    """Return the levels for the file at `path` (resolved), or None for rules that are off there.

    Without `possible`, rules that report mere possibilities have to be selected; editors show them as hints. The same
    holds for payload that may be an unknown form of its operation.
    """
    ignored = {  # a few hundred at most, however often they are repeated
        selector.strip().casefold()
        for entry in settings.file_ignores
        if path is not None and is_excluded(path, Exclusion(entry.base, (entry.pattern,)))
        for selector in entry.rules
    }
    changed: dict[str, Level | None] = {}
    for rule in KNOWN_RULES:
        is_ignored = bool(closest(ignored, rule.name, rule.code))
        decided = _applied(rule, command_line, 0, decision(rule, settings, possible=possible))
        if is_ignored or not decided.is_wanted:
            changed[rule.name] = None
        elif (level := settings.rules.get(rule.name)) is not None:
            changed[rule.name] = level
    return Levels(changed, _payload_levels(settings.payload_syntax, possible=possible))


def _payload_levels(payload_syntax: str, *, possible: bool) -> dict[Subject, Level | None]:
    """Return the levels of findings in payload that differ from those of their rules."""
    if payload_syntax == OFF:
        return dict.fromkeys((Subject.PAYLOAD, Subject.UNREAD_PAYLOAD))
    if payload_syntax == PAYLOAD_SYNTAX[-1]:
        return {}
    return {Subject.UNREAD_PAYLOAD: Level.HINT if possible else None}


def decision(rule: KnownRule, settings: Settings, *, possible: bool = False) -> Decision:
    """Return the decision of `settings` on whether `rule` is checked."""
    level = settings.rules.get(rule.name, rule.level)
    decided = Decision(level is not Level.HINT or rule.level is not Level.HINT or possible)
    for number, selection in enumerate(settings.selection):
        decided = _applied(rule, selection, number, decided)
    return decided if level is not None else Decision(False)


def _applied(rule: KnownRule, selection: RuleSelection, number: int, before: Decision) -> Decision:
    """Return the decision after one more source: its closest selector wins, on a tie ``ignore``."""
    lists = {"select": selection.select or (), "extend-select": selection.extend, "ignore": selection.ignore}
    weights = {key: closest(selectors, rule.name, rule.code) for key, selectors in lists.items()}
    ignored = weights.pop("ignore")
    key = max(weights, key=weights.__getitem__)
    if weights[key] > ignored:
        return Decision(True, number, key)
    if ignored:
        return Decision(False, number, "ignore")
    return before if selection.select is None else Decision(False, number, "select")
