"""``tdls skill``: prints instructions for coding assistants."""

from __future__ import annotations

from pathlib import Path

import click

from tdls.cli.console import console

_FILE = Path(__file__).with_name("skill.md")


@click.command("skill")
def command() -> int:
    """Print a Markdown file that says when a coding assistant calls which command of tdls.

    \b
      tdls skill > SKILL.md
    """
    console.write([_FILE.read_text(encoding="utf-8")])
    return console.EXIT_CLEAN
