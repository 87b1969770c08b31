"""Which rules are checked in a file, and at which levels: what settings and the command line say together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.rules import RULES
from tdls.settings.keys import OFF, PAYLOAD_SYNTAX
from tdls.settings.layer import closest
from tdls.settings.model import Exclusion, RuleSelection
from tdls.settings.paths import is_excluded
from tdls.text.diagnostic import Level, Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tdls.analysis.rule import Rule
    from tdls.settings.model import Settings
    from tdls.text.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels that a user gives to rules by name, and to what findings are about; None for what is off."""

    rules: Mapping[str, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Rules that are not named keep their own level."""
    subjects: Mapping[Subject, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Findings about something else keep the level of their rule."""

    def of(self, finding: Diagnostic) -> Level | None:
        """Return the level of `finding`, None if nobody wants to hear of it."""
        level = self.rules.get(finding.rule, finding.level)
        return self.subjects.get(finding.subject, level) if level is not None else None


ALL = Levels()
"""Every finding at the level of its rule."""


def with_levels(findings: Iterable[Diagnostic], levels: Levels) -> list[Diagnostic]:
    """Return `findings` without those that are off, others at the level that `levels` give them."""
    kept = ((finding, levels.of(finding)) for finding in findings)
    return [finding if finding.level is level else replace(finding, level=level) for finding, level in kept if level]


RULE_CODES = {rule.name: rule.code for rule in RULES}
"""What the readers of settings have to know of rules."""
_NOTHING_SAID = RuleSelection()


class Decision(NamedTuple):
    """Whether a rule is checked, and which of the settings decided that: the source's number, and its key.

    The number is that of `Settings.selection`, None where no list of a source decided.
    """

    is_wanted: bool
    source: int | None = None
    key: str = ""


def levels(
    settings: Settings, path: Path | None, *, command_line: RuleSelection = _NOTHING_SAID, possible: bool = True
) -> Levels:
    """Return what `with_levels` takes for the file at `path` (resolved): None for what is not wanted there.

    Without `possible`, rules that report what is only possible have to be selected; editors show them as hints. So it
    is with payload that does not fit what is known.
    """
    ignored = [
        selector
        for entry in settings.file_ignores
        if path is not None and is_excluded(path, Exclusion(entry.base, (entry.pattern,)))
        for selector in entry.rules
    ]
    changed: dict[str, Level | None] = {}
    for rule in RULES:
        is_ignored = bool(closest(ignored, rule.name, rule.code))
        if is_ignored or not _is_wanted(rule, settings, command_line, possible):
            changed[rule.name] = None
        elif (level := settings.rules.get(rule.name)) is not None:
            changed[rule.name] = level
    return Levels(changed, _payload_levels(settings.payload_syntax, possible=possible))


def _payload_levels(payload_syntax: str, *, possible: bool) -> dict[Subject, Level | None]:
    """Return the levels of findings in payload where they are not those of their rules."""
    if payload_syntax == OFF:
        return dict.fromkeys((Subject.PAYLOAD, Subject.UNREAD_PAYLOAD))
    if payload_syntax == PAYLOAD_SYNTAX[-1]:
        return {}
    return {Subject.UNREAD_PAYLOAD: Level.HINT if possible else None}


def decision(rule: Rule, settings: Settings, *, possible: bool = False) -> Decision:
    """Return what `settings` say of whether `rule` is checked."""
    level = settings.rules.get(rule.name, rule.level)
    decided = Decision(level is not Level.HINT or rule.level is not Level.HINT or possible)
    for number, selection in enumerate(settings.selection):
        decided = _applied(rule, selection, number, decided)
    return decided if level is not None else Decision(False)


def unknown_rules(selectors: Iterable[str]) -> list[tuple[str, str]]:
    """Return what is wrong with those of `selectors` that name no rule, and what to do."""
    from tdls.settings.layer import unknown_selector

    return [wrong for selector in selectors if (wrong := unknown_selector(selector, RULE_CODES)) is not None]


def _is_wanted(rule: Rule, settings: Settings, command_line: RuleSelection, possible: bool) -> bool:
    return _applied(rule, command_line, 0, decision(rule, settings, possible=possible)).is_wanted


def _applied(rule: Rule, selection: RuleSelection, number: int, before: Decision) -> Decision:
    """Return what counts after one more source: the selector that names a rule most closely, in doubt ``ignore``."""
    lists = {"select": selection.select or (), "extend-select": selection.extend, "ignore": selection.ignore}
    weights = {key: closest(selectors, rule.name, rule.code) for key, selectors in lists.items()}
    ignored = weights.pop("ignore")
    key = max(weights, key=weights.__getitem__)
    if weights[key] > ignored:
        return Decision(True, number, key)
    if ignored:
        return Decision(False, number, "ignore")
    return before if selection.select is None else Decision(False, number, "select")
