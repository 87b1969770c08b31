"""`tdls explain`: pages of rules."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from click.testing import CliRunner

from tdls.analysis.rules import all_rules
from tdls.cli.commands.explain import command

if TYPE_CHECKING:
    from pathlib import Path


def explain(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert (1 if done.exception else done.return_value) == status, done.exception
    return done.output


def test_all_pages_at_once() -> None:
    assert explain("--all") == "\n".join(rule.markdown() for rule in all_rules())


def test_pages_in_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "rules"
    assert explain("--output-dir", str(folder)) == ""
    pages = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert pages == {f"{rule.name}.md": explain(rule.name) for rule in all_rules()}


def test_pages_replace_only_pages(tmp_path: Path) -> None:
    explain("--output-dir", str(tmp_path))
    explain("--output-dir", str(tmp_path))
    mine = tmp_path / "use-after-free.md"
    mine.write_text("# use-after-free, my notes\n", encoding="utf-8")
    explain("--output-dir", str(tmp_path), status=1)
    assert mine.read_text(encoding="utf-8") == "# use-after-free, my notes\n"


def test_one_page_about_all_rules() -> None:
    page = explain("--all", "--format", "page")
    headings = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert [heading.split()[0] for heading in headings] == [rule.name for rule in all_rules()]
    anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
    assert re.findall(r"\]\(#(.*?)\)", page) == anchors


def test_messages_of_all_rules() -> None:
    head, *parts = explain("--messages").split("\n## ")
    assert head.startswith("# Messages")
    assert [part.split()[0] for part in parts] == [rule.name for rule in all_rules()]
    for rule, part in zip(all_rules(), parts, strict=True):
        has_own = not (rule.found_by_runs or rule.rests_on_other_files)
        assert (f"[{rule.name}]: " in part) == has_own
        assert (" --> " in part) == has_own


def test_unknown_rules_are_refused(tmp_path: Path) -> None:
    explain("--all", "use-after-free", status=1)
    explain("--messages", "use-after-free", status=1)
    explain("--format", "page", "use-after-free", status=1)
    explain("--format", "page", "--output-dir", str(tmp_path), status=1)
    (tmp_path / "file").touch()
    explain("--output-dir", str(tmp_path / "file" / "below"), status=1)


def test_rules_as_a_document() -> None:
    found = json.loads(explain("TD301", "--format", "json"))["rules"]
    assert [rule["name"] for rule in found] == ["use-after-free"]
    assert "**Fix:**" in found[0]["documentation"]
    assert len(json.loads(explain("--format", "json"))["rules"]) == len(all_rules())
