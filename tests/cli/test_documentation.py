"""The page on the command line knows every command and option."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tdls.cli import command_line

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
CONTEXT = click.Context(command_line._group)
COMMANDS = [name for name in command_line._group.list_commands(CONTEXT) if name != "server"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_section(name: str) -> None:
    heading = "--check" if name == "check" else name
    assert re.search(rf"^## tdls {heading}\b", PAGE, re.MULTILINE)


def test_every_option_of_checks_is_described() -> None:
    check = command_line._group.get_command(CONTEXT, "check")
    assert check is not None
    names = {name for parameter in check.params for name in [*parameter.opts, *parameter.secondary_opts]}
    options = {name for name in names if name.startswith("--")}
    assert {name for name in options if not re.search(rf"`{name}(?![\w-])", PAGE)} == set()
