"""Write docs/rules.md, all rules on one page of Markdown: ``python tools/rules_page.py > docs/rules.md``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tdls.analysis.rule import how_to_silence
from tdls.analysis.rules import all_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.rule import Rule

_HEAD = """\
# Rules

What `tdls --check` and editors look for. An *error* keeps MLIR from reading a script, or ended a run of it; a *warning*
is about what goes wrong when it runs; a *hint* about what is only possible, or good to know. Editors show hints, and
so does `tdls --check --possible`. The settings `rules.NAME` change levels ([configuration.md](configuration.md)), and
`tdls explain RULE` prints what is said here of one rule, `tdls explain --all` of all of them.
"""
_TABLE = "| code | rule | level | fix | what it says |\n| --- | --- | --- | --- | --- |\n"


def rules_page(rules: Sequence[Rule]) -> str:
    """Return the page of `rules`, given in the order of their codes."""
    sections = (f"## {_title(rule)}\n\n{rule.explanation('###')}" for rule in rules)
    return "\n".join([_HEAD, how_to_silence("NAME"), _TABLE + "".join(map(_row, rules)), *sections])


def _row(rule: Rule) -> str:
    fix = f"`{rule.fix.value}`" if rule.fix is not None else ""
    link = f"[{rule.name}](#{_anchor(_title(rule))})"
    return f"| {rule.code} | {link} | {rule.level.value} | {fix} | {rule.text.summary} |\n"


def _title(rule: Rule) -> str:
    return f"{rule.name} ({rule.code}, {rule.level.value})"


def _anchor(title: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return "".join(letter for letter in title.lower().replace(" ", "-") if letter.isalnum() or letter in "-_")


if __name__ == "__main__":
    sys.stdout.write(rules_page(all_rules()))
