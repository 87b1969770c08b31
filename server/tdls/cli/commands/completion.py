"""``tdls completion``: prints the script for a shell to complete tdls's commands, options and their values."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from tdls.cli.console import console

_PROGRAM = "tdls"
_VARIABLE = "_TDLS_COMPLETE"
"""Variable by which the shell requests completions; click derives the same name from that of the program."""


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print a script that makes a shell complete commands, options, rules and operations.

    \b
      eval "$(tdls completion bash)"          in ~/.bashrc, for Bash 4.4 or later
      eval "$(tdls completion zsh)"           in ~/.zshrc, after compinit
      tdls completion fish | source           in ~/.config/fish/config.fish
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None  # click has all three
    group = click.get_current_context().find_root().command
    console.write(f"{completion_class(group, {}, _PROGRAM, _VARIABLE).source()}\n")
    return console.EXIT_CLEAN
