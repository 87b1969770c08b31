"""Completion, as shells ask for it: each in a terminal of its own."""

from __future__ import annotations

import os
import re
import sysconfig
from typing import TYPE_CHECKING

import click
import pexpect
import pytest
from click.shell_completion import ShellComplete

from tdls.cli import command_line
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TAB = "\t"
TYPED = [
    ("tdls expl", "tdls explain "),
    ("invalida", "invalidated-handle "),
    ("; tdls --check a_sc", "a_script.mlir "),
    ("--format conc", "concise "),
]
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "--interactive"],
}
SET_UP = {
    "bash": 'PS1="$ "; eval "$(tdls completion bash)"',
    "zsh": 'PS1="$ "; autoload -U compinit && compinit -u -D; eval "$(tdls completion zsh)"',
    "fish": "function fish_prompt; echo '$ '; end; tdls completion fish | source",
}


def plain(*values: str) -> list[tuple[str, str]]:
    return [("plain", value) for value in values]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["expl"], plain("explain")),
        (["--ch"], plain("--check")),
        (["check", "--error"], plain("--error-on-warning")),
        (["--check", "--error"], plain("--error-on-warning")),
        (["--check", "--isolated", "a.mlir", "--format", "sa"], plain("sarif")),
        (["explain", "use-a"], plain("use-after-free")),
        (["explain", "TD301"], plain("TD301")),
        (["check", "--ignore", "use-after-free,invalida"], plain("use-after-free,invalidated-handle")),
        (["catalogue", "show", "transform.loop.pee"], plain("transform.loop.peel")),
        (["catalogue", "so"], plain("sources")),
        (["no-such-command", "x"], []),
    ],
)
def test_offers(words: list[str], offered: list[tuple[str, str]]) -> None:
    completion = ShellComplete(command_line._group, {}, "tdls", "_TDLS_COMPLETE")
    items = completion.get_completions(list(words[:-1]), words[-1])
    assert [(item.type, item.value) for item in items] == offered


def commands(group: click.Group, *names: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        elif command is not None:
            yield " ".join([*names, name]), command


@pytest.mark.parametrize(("name", "command"), [*commands(command_line._group)])
def test_every_path_is_completed_as_one(name: str, command: click.Command) -> None:
    """Shells complete no file names where tdls completes."""
    context = click.Context(command, info_name=name)
    for parameter in command.params:
        if re.search(r"PATH|FILE|DIR|SCRIPT", parameter.metavar or (parameter.name or "").upper()):
            offers = [item.type for item in parameter.shell_complete(context, "scr")]
            assert offers in (["file"], ["dir"]), f"{name}: {parameter.name}"


@pytest.fixture(params=["bash", "zsh", "fish"])
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[pexpect.spawn[str]]:
    """A shell that waits for input, in a folder with a script."""
    shell: str = request.param
    require_tool(shell, f"Debian package {shell}")
    (tmp_path / "a_script.mlir").touch()
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    environment = {"PATH": path, "HOME": str(tmp_path), "TERM": "dumb", "LC_ALL": "C.UTF-8"}
    terminal = pexpect.spawn(START[shell][0], START[shell][1:], cwd=tmp_path, env=environment, encoding="utf-8")
    terminal.sendline(SET_UP[shell])
    terminal.sendline("echo re''ady")
    terminal.expect_exact("ready")
    yield terminal
    terminal.close(force=True)


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_shells(terminal: pexpect.spawn[str]) -> None:
    for beginning, becomes in TYPED:
        terminal.send(beginning + TAB)
        terminal.expect_exact(becomes)
