"""Selection of the rules to check in a file, and of their levels, from settings and the command line."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.rule_codes import RULE_CODES
from tdls.analysis.rules import RULES
from tdls.settings.keys import OFF, PAYLOAD_SYNTAX
from tdls.settings.layer import closest
from tdls.settings.model import Exclusion, RuleSelection
from tdls.settings.paths import is_excluded
from tdls.structs import Struct, field, replace
from tdls.text.diagnostic import Subject
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tdls.analysis.rule import Rule
    from tdls.settings.model import Settings
    from tdls.text.diagnostic import Diagnostic


class Levels(Struct, frozen=True):
    """Levels that the user sets, by name of the rule and by subject of the finding; None turns findings off."""

    rules: Mapping[str, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Rules without an entry keep their own level."""
    subjects: Mapping[Subject, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Findings on other subjects keep the level of their rule."""

    def of(self, finding: Diagnostic) -> Level | None:
        """Return the level of `finding`; None if it is off."""
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
    """Return the levels for the file at `path` (resolved); None for rules that are off there.

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
    for rule in RULES:
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


def decision(rule: Rule, settings: Settings, *, possible: bool = False) -> Decision:
    """Return the decision of `settings` on whether `rule` is checked."""
    level = settings.rules.get(rule.name, rule.level)
    decided = Decision(level is not Level.HINT or rule.level is not Level.HINT or possible)
    for number, selection in enumerate(settings.selection):
        decided = _applied(rule, selection, number, decided)
    return decided if level is not None else Decision(False)


def unknown_rules(selectors: Iterable[str]) -> list[tuple[str, str]]:
    """Return a message and advice for each of `selectors` that names no rule."""
    from tdls.settings.layer import unknown_selector

    return [wrong for selector in selectors if (wrong := unknown_selector(selector, RULE_CODES)) is not None]


def _applied(rule: Rule, selection: RuleSelection, number: int, before: Decision) -> Decision:
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
