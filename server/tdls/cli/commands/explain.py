"""``tdls explain``: prints or writes the documentation of rules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdls.analysis.rules import all_rules, find_rule
from tdls.cli.console import console
from tdls.cli.console.options import rules
from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.rules_page import rules_page
from tdls.files.reading import first_bytes
from tdls.files.writing import NotWrittenError, write_content
from tdls.settings.layer import renamed
from tdls.settings.rule_codes import RULE_CODES
from tdls.text.similarity import most_similar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.rule import Rule

_MARKDOWN, _PAGE, _JSON = "markdown", "page", "json"


@click.command("explain")
@click.argument("name", metavar="[RULE]", required=False, shell_complete=rules)
@click.option("--all", "all_", is_flag=True, help="Explain all rules.")
@click.option("--messages", is_flag=True, help="Print the messages of all rules, as found in their examples.")
@click.option("--format", "format_", type=click.Choice([_MARKDOWN, _PAGE, _JSON]), default=_MARKDOWN, show_default=True)
@click.option(
    "--output-dir",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a file for each rule into this folder.",
)
def command(name: str | None, all_: bool, messages: bool, format_: str, output_dir: Path | None) -> int:
    """Explain a rule by its name or code; without one, list all rules.

    \b
      tdls explain use-after-free
      tdls explain --all --output-dir docs/rules
      tdls explain --all --format page > rules.md
      tdls explain --messages
    """
    if messages:
        if name is not None or all_ or output_dir is not None or format_ != _MARKDOWN:
            raise click.UsageError("--messages is one page about every rule; leave out the name and other options")
        from tdls.cli.rendering.messages_page import messages_page

        for part in messages_page(all_rules()):
            console.write([part])
        return console.EXIT_CLEAN
    if name is not None and all_:
        raise click.UsageError("--all explains every rule; leave out the name")
    if format_ == _PAGE and (name is not None or output_dir is not None):
        raise click.UsageError("--format page is one page about every rule; leave out the name and --output-dir")
    rules = all_rules() if name is None else [_find(name)]
    if format_ == _JSON and output_dir is not None:
        raise click.UsageError("--format json writes one document; leave out --output-dir")
    if format_ == _PAGE:
        console.write([rules_page(rules)])
    elif format_ == _JSON:
        console.write([json_text({"rules": [_document(rule) for rule in rules]}, indent=2), "\n"])
    elif output_dir is not None:
        _write(rules, output_dir)
    elif name is None and not all_:
        console.write(_list())
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
        raise console.InputError(_unknown(name))
    return rule


def _write(rules: Sequence[Rule], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise console.InputError(f"{folder}: {error.strerror or error}") from error
    for rule in rules:
        path, title = folder / f"{rule.name}.md", f"# {rule.name} (".encode()
        try:
            if os.path.lexists(path) and first_bytes(path, len(title)) not in (title, b""):
                raise console.InputError(f"{path}: this file is not a page of tdls, and stays; name another folder")
            write_content(path, rule.markdown().encode("utf-8"))
        except NotWrittenError as error:
            raise console.InputError(f"{path}: {error}") from error
        except OSError as error:
            raise console.InputError(f"{path}: {error.strerror or error}") from error


def _list() -> list[str]:
    rules = all_rules()
    width = max(len(rule.name) for rule in rules)
    return [f"{rule.code}  {rule.name:{width}}  {rule.level.value:7}  {rule.text.summary}\n" for rule in rules]


def _unknown(name: str) -> str:
    close = most_similar(name, RULE_CODES)
    advice = f"did you mean '{close}'?" if close is not None else "'tdls explain' lists all rules"
    return f"no rule is called '{name}'; {renamed(name) or advice}"
