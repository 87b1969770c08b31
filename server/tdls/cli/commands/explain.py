"""``tdls explain``: prints the documentation of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tdls.analysis.rules import all_rules, find_rule
from tdls.cli.console import console
from tdls.cli.console.options import rules
from tdls.cli.rendering.json_text import json_text
from tdls.settings.rule_codes import RULE_CODES
from tdls.text.similarity import most_similar

if TYPE_CHECKING:
    from tdls.analysis.rule import Rule

_MARKDOWN, _JSON = "markdown", "json"


@click.command("explain")
@click.argument("name", metavar="[RULE]", required=False, shell_complete=rules)
@click.option("--all", "all_", is_flag=True, help="Explain all rules.")
@click.option("--format", "format_", type=click.Choice([_MARKDOWN, _JSON]), default=_MARKDOWN, show_default=True)
def command(name: str | None, all_: bool, format_: str) -> int:
    """Explain a rule by its name or code; without one, list all rules.

    \b
      tdls explain use-after-free
      tdls explain --all
    """
    if name is not None and all_:
        raise click.UsageError("--all explains every rule; leave out the name")
    rules = all_rules() if name is None else [_find(name)]
    if format_ == _JSON:
        console.write([json_text({"rules": [_document(rule) for rule in rules]}, indent=2), "\n"])
    elif name is None and not all_:
        rules = all_rules()
        width = max(len(rule.name) for rule in rules)
        rows = (f"{rule.code}  {rule.name:{width}}  {rule.level.value:7}  {rule.text.summary}\n" for rule in rules)
        console.write(rows)
    else:
        console.write("\n".join(rule.markdown() for rule in rules))
    return console.EXIT_CLEAN


def _document(rule: Rule) -> dict[str, str]:
    return {
        "code": rule.code,
        "name": rule.name,
        "level": rule.level.value,
        "summary": rule.text.summary,
        "documentation": rule.text.documentation,
        "example_bad": rule.text.example_bad,
        "example_good": rule.text.example_good,
    }


def _find(name: str) -> Rule:
    rule = find_rule(name)
    if rule is None:
        close = most_similar(name, RULE_CODES)
        advice = f"did you mean '{close}'?" if close is not None else "'tdls explain' lists all rules"
        raise console.InputError(f"no rule is called '{name}'; {advice}")
    return rule
