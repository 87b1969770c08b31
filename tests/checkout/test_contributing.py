"""README.md, CONTRIBUTING.md and the page about releases name files, commands and options that there are."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import click
import pytest

from checkout.places import ROOT, is_there, named_in
from preparation import main as preparation
from tdls.cli import command_line

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGES = {
    name: (ROOT / name).read_text(encoding="utf-8") for name in ("CONTRIBUTING.md", "docs/development/releasing.md")
}
COMMANDS = [found for page in PAGES.values() for found in re.findall(r"^ {4,}(\S.*)$", page, re.MULTILINE)]
README = (ROOT / "README.md").read_text(encoding="utf-8")
README_COMMANDS = [
    *re.findall(r"\| `(tdls [^`]+)` \|$", README, re.MULTILINE),
    *re.findall(r"^    (tdls .*?)(?: *#.*)?$", README, re.MULTILINE),
]
TDLS = [
    shlex.split(command)[1:] for command in (*COMMANDS, *README_COMMANDS) if re.match(r"(?:\.venv/bin/)?tdls ", command)
]
PYTHON = [shlex.split(command)[1:] for command in COMMANDS if re.match(r"python3|\.venv/bin/python ", command)]
OF_WHO_READS = frozenset({"my.tdls.json", "checked.json", "dist/"})


def named() -> list[str]:
    return [name for page in PAGES.values() for name in named_in(page) if "NAME" not in name]


@pytest.mark.parametrize("name", sorted(set(named()) - OF_WHO_READS))
def test_every_file_and_folder_that_is_named_is_there(name: str) -> None:
    assert is_there(name)


@pytest.mark.parametrize("arguments", TDLS, ids=" ".join)
def test_commands_of_tdls_are_understood(arguments: Sequence[str]) -> None:
    end = next((place for place, word in enumerate(arguments) if word in {"<", ">"}), len(arguments))
    words = ["check" if word == "--check" else word for word in arguments[:end]]
    command: click.Command = command_line._group
    context = click.Context(command)
    while isinstance(command, click.Group):
        found = command.get_command(context, words.pop(0))
        assert found is not None
        command = found
    for_files = {"my.tdls.json": str(ROOT / "tests/catalogue/test_operations.json")}
    command.make_context(command.name, [for_files.get(word, word) for word in words], parent=context)


@pytest.mark.parametrize("arguments", PYTHON, ids=" ".join)
def test_commands_of_the_checkout_are_understood(arguments: Sequence[str]) -> None:
    paths = [word for word in arguments if "/" in word]
    assert all((ROOT / path).exists() for path in paths)
    if arguments[0] == "tests/run.py":
        options, rest = preparation.parse(list(arguments[1:]))
        assert options.all == ("--all" in arguments)
        assert all(word in {"-k", "-x", "hover"} or word in paths for word in rest)


def test_there_are_commands_of_each_kind() -> None:
    assert len(TDLS) >= 18
    assert len(PYTHON) >= 8
