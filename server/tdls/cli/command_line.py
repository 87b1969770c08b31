"""The commands of ``tdls``, each imported when it is called."""

from __future__ import annotations

import importlib
import sys
from itertools import pairwise
from typing import cast

import click

import tdls
from tdls.cli.console import console
from tdls.cli.console.signals import status_of
from tdls.system import imported_for_good

_COMMANDS = {
    "check": ("check", "Check files, directories or standard input."),
    "check-python": ("check_python", "Run Python programs, and check the scripts that they build."),
    "versions": ("versions", "Say which versions of LLVM scripts fit."),
    "migrate": ("migrate", "Write scripts as a version of LLVM does."),
    "run": ("run", "Run a script and print what becomes of its payload."),
    "trace": ("trace", "Show what each step of a script does to payload and handles."),
    "try": ("try_steps", "Show the steps that work at a line of a script."),
    "compare": ("compare", "Tell whether two scripts make the same of a payload."),
    "reduce": ("reduce", "Make a failing script and its payload smaller."),
    "session": ("session", "Serve programs that try scripts on payloads."),
    "parse": ("parse", "Print the syntax tree of a file."),
    "catalogue": ("catalogue", "Show the known operations, and handle catalogue files."),
    "explain": ("explain", "Explain a rule, or list all rules."),
    "config": ("config", "Show and check settings."),
    "allow": ("allow", "Let the settings of a folder start the programs that they name."),
    "deny": ("deny", "Take back what 'tdls allow' has allowed."),
    "clean": ("clean", "Remove what is kept to be faster the next time."),
    "doctor": ("doctor", "Show what tdls found, and whether it can run scripts."),
    "server": ("server", "Run the language server."),
    "mcp": ("mcp", "Run a server of the Model Context Protocol."),
    "skill": ("skill", "Print instructions for coding assistants."),
    "completion": ("completion", "Print what makes a shell complete tdls."),
}
"""The module of each command, which defines ``command``, and its summary for the help."""
_HELP = """\
Checker, runner and language server for MLIR's Transform dialect.

\b
  tdls --check scripts/ tile.mlir     check directories and files
  tdls check-python plan.py           run a program and check the scripts that it builds
  tdls run tile.mlir                  what a script makes of its payload
  tdls trace tile.mlir                the same step by step: payload, handles, time
  tdls compare old.mlir new.mlir      whether two scripts make the same of a payload
  tdls reduce crash.mlir              a failing script and its payload, made small
  tdls explain use-after-free         what a finding means and how to fix it
  tdls doctor                         what tdls found, and whether it can run scripts
  tdls server                         what editors start
"""


class _LazyGroup(click.Group):
    """Command group that imports each command when it is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _with_command(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in _COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from tdls.text.similarity import most_similar

            similar = most_similar(args[0], _COMMANDS)
            ctx.fail(f"No such command {args[0]!r}." + (f" Did you mean {similar!r}?" if similar else ""))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - signature of click
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        file, summary = _COMMANDS[cmd_name]
        module = f"tdls.cli.commands.{file}"
        if module not in sys.modules:
            with imported_for_good():
                importlib.import_module(module)
        command = cast("click.Command", sys.modules[module].command)
        command.short_help = summary
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


@click.command(
    cls=_LazyGroup, help=_HELP, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True
)
@click.option("--check", "check_", is_flag=True, help="Check PATH...; the same as the command 'check'.")
@click.version_option(tdls.__version__, prog_name="tdls", message="%(prog)s %(version)s")
def _group(check_: bool) -> None:
    del check_  # declared for the help only: `_with_command` turns it into the command


def run_command_line(arguments: list[str]) -> int:
    """Run a command line and return its exit status; the streams have to be prepared.

    Raises OutputClosedError and OutputLostError, and any exception that a mistake in tdls causes.
    """
    return status_of(lambda: _run(arguments))


def _run(arguments: list[str]) -> int:
    try:
        status = _group.main(arguments, prog_name="tdls", standalone_mode=False)
        return status if isinstance(status, int) else console.EXIT_CLEAN
    except click.Abort:
        raise KeyboardInterrupt from None
    except console.InputError as error:
        _write_error(arguments, error.message)
        raise
    except click.ClickException as error:
        from tdls.text.printable import printable

        _write_error(arguments, error.format_message())
        error.message = printable(error.message)  # type: ignore[misc]
        error.show()
        return console.EXIT_USAGE


def _write_error(arguments: list[str], message: str) -> None:
    """Write an error of use as the document that a command line asks for, if it does; people read it elsewhere."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--format=json" in options or ("--format", "json") in pairwise(options):
        from tdls.cli.rendering.json_text import json_text

        tool = {"name": "tdls", "version": tdls.__version__}
        console.write([json_text({"version": 1, "tool": tool, "error": message}, indent=2), "\n"])


def _with_command(arguments: list[str]) -> list[str]:
    """Replace ``--check`` among the leading options by the command ``check``."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--check" not in options or (options[0] in _COMMANDS):
        return arguments
    position = options.index("--check")
    return ["check", *arguments[:position], *arguments[position + 1 :]]
