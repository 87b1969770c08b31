"""``tdls explain``: what a rule means."""

from __future__ import annotations

import difflib

import click

from tdls.analysis.rules import RULES, find_rule
from tdls.cli import console


@click.command("explain", short_help="Explain a rule, or list all rules.")
@click.argument("name", metavar="[RULE]", required=False)
def command(name: str | None) -> int:
    """Explain a rule by its name or code; without one, list all rules."""
    if name is None:
        console.write(_list())
        return console.EXIT_CLEAN
    rule = find_rule(name)
    if rule is None:
        raise console.InputError(_unknown(name))
    console.write([rule.markdown()])
    return console.EXIT_CLEAN


def _list() -> list[str]:
    width = max(len(rule.name) for rule in RULES)
    return [f"{rule.code}  {rule.name:{width}}  {rule.level.value:7}  {rule.summary}\n" for rule in RULES]


def _unknown(name: str) -> str:
    close = difflib.get_close_matches(name, [rule.name for rule in RULES], n=1)
    advice = f"did you mean '{close[0]}'?" if close else "'tdls explain' lists all rules"
    return f"no rule is called '{name}'; {advice}"
