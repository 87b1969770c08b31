"""`tdls explain`: pages of rules, as Markdown and for `man`."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tdls.analysis.rules import RULES
from tdls.cli.commands.explain import command
from tdls.cli.rendering import manual
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from pathlib import Path


def explain(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert (1 if done.exception else done.return_value) == status, done.exception
    return done.output


def shown(page: str) -> str:
    """What `man` shows of a page, with single blanks; groff must have nothing to warn of."""
    groff = str(require_tool("groff", "Debian package groff"))
    options = ["-ww", "-man", "-Kutf8", "-Tutf8", "-P-cbou", "-rLL=5000n"]
    done = subprocess.run([groff, *options], input=page.encode(), capture_output=True, check=True)
    assert done.stderr == b""
    return " ".join(done.stdout.decode().split())


def test_every_rule_has_a_page_in_the_manual() -> None:
    for rule in RULES:
        text = shown(explain("--format", "man", rule.name))
        assert rule.summary.replace("`", "") in text
        for example in (rule.example_bad, rule.example_good):
            assert " ".join(example.split()) in text


def test_what_roff_would_take_for_its_own() -> None:
    text = ".dot 'quote' \"both\" **-x-** *it* [a link](there)"
    page = "".join(manual.render(f"# a-rule (TD1, error)\n\nSay `\\n`.\n\n{text}\n\n```\n.dot\n'q\n```\n", "1"))
    seen = shown(page)
    assert "a-rule - Say \\n DESCRIPTION" in seen
    assert """TD1, error .dot 'quote' "both" -x- it a link .dot 'q tdls 1""" in seen


def test_all_pages_at_once() -> None:
    assert explain("--all") == "\n".join(rule.markdown() for rule in RULES)
    assert explain("--all", "--format", "man").count(".TH ") == len(RULES)


@pytest.mark.parametrize(("format_", "suffix"), [("markdown", "md"), ("man", "7")])
def test_pages_in_files(tmp_path: Path, format_: str, suffix: str) -> None:
    folder = tmp_path / "new" / "rules"
    assert explain("--format", format_, "--output-dir", str(folder)) == ""
    assert {path.name for path in folder.iterdir()} == {f"{rule.name}.{suffix}" for rule in RULES}
    for rule in RULES:
        page = (folder / f"{rule.name}.{suffix}").read_text(encoding="utf-8")
        assert page == explain("--format", format_, rule.name)


def test_one_page_about_all_rules() -> None:
    page = explain("--all", "--format", "page")
    headings = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert [heading.split()[0] for heading in headings] == [rule.name for rule in RULES]
    anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
    assert re.findall(r"\]\(#(.*?)\)", page) == anchors


def test_what_cannot_be_explained(tmp_path: Path) -> None:
    explain("--all", "use-after-free", status=1)
    explain("--format", "page", "use-after-free", status=1)
    explain("--format", "page", "--output-dir", str(tmp_path), status=1)
    (tmp_path / "file").touch()
    explain("--output-dir", str(tmp_path / "file" / "below"), status=1)
