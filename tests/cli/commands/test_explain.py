"""`tdls explain`: pages of rules."""

from __future__ import annotations

import json

from click.testing import CliRunner

from tdls.analysis.rules import all_rules
from tdls.cli.commands.explain import command


def explain(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert (1 if done.exception else done.return_value) == status, done.exception
    return done.output


def test_all_pages_at_once() -> None:
    assert explain("--all") == "\n".join(rule.markdown() for rule in all_rules())


def test_unknown_rules_are_refused() -> None:
    explain("--all", "use-after-free", status=1)
    explain("nothing", status=1)


def test_rules_as_a_document() -> None:
    found = json.loads(explain("TD301", "--format", "json"))["rules"]
    assert [rule["name"] for rule in found] == ["use-after-free"]
    assert "**Fix:**" in found[0]["documentation"]
    assert len(json.loads(explain("--format", "json"))["rules"]) == len(all_rules())
