"""``tdls mcp``: serves commands of tdls as tools of the Model Context Protocol, for coding assistants.

Each tool calls a command in a process of its own and answers with what counts of its JSON document, so that a tool
knows and may do exactly as much as the command. A call ends with its process when it is cancelled, takes too long, or
the server ends.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import signal
import sys
from pathlib import Path
from typing import BinaryIO, NoReturn

import click

from tdls.cli.commands.mcp.calls import UNWINDING
from tdls.cli.console import console
from tdls.cli.rendering.json_text import json_text
from tdls.files.boundary import may_be_root, repository_of
from tdls.limits import MESSAGE_SIZE
from tdls.processes import end_this_process


@click.command("mcp")
@click.argument(
    "folders", nargs=-1, metavar="[FOLDER]...", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--runs", "may_run", is_flag=True, help="Let the client run scripts, confined as by 'tdls run'.")
@click.option("--structured", "is_structured", is_flag=True, help="Answer with structured content in place of text.")
def command(folders: tuple[Path, ...], may_run: bool, is_structured: bool) -> int:
    """Serve coding assistants on standard input and output with the Model Context Protocol.

    Tools: check, fix, migrate, versions, explain_rule, explain_operation, search_operations; with --runs also run,
    steps, state, try_steps, session, why_not_matched, compare, check_python. They read files below each FOLDER;
    without one, in the git repository of the current folder, or in the current folder. Settings that start programs
    count only after 'tdls allow', as for all commands.

    Needs the package of "pip install 'mcp>=2.0'".
    """
    try:
        from tdls.cli.commands.mcp.server import Server
    except ImportError as error:
        raise console.InputError(f"the package mcp is not installed ({error.name}): pip install 'mcp>=2.0'") from error
    root = repository_of(Path.cwd()) or Path.cwd()
    server = Server(folders or [root][: may_be_root(root)], may_run=may_run, is_structured=is_structured)
    for number in {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: _leave(console.EXIT_OF_SIGNALS + number))
    sys.stdin = io.TextIOWrapper(_Messages(sys.stdin.buffer), encoding="utf-8")
    server.run("stdio")
    _leave(console.EXIT_CLEAN)


class _Messages(io.BufferedIOBase):
    """Standard input, one message at a time, without lone surrogates, which the SDK drops without an answer."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def read1(self, size: int | None = -1, /) -> bytes:  # noqa: ARG002 - signature of io
        line = self._source.readline(MESSAGE_SIZE.most)
        if len(line) == MESSAGE_SIZE.most:
            console.complain(f"the connection is given up: a message is larger than {MESSAGE_SIZE}")
            return b""
        if b"\\ud" not in line.lower():
            return line
        try:
            return f"{json_text(json.loads(line))}\n".encode()
        except (ValueError, RecursionError):
            return line


def _leave(status: int) -> NoReturn:
    """End this process with all calls, which may remove their temporary files."""
    calls = multiprocessing.active_children()
    for call in calls:
        call.terminate()
    for call in calls:
        call.join(UNWINDING)
    end_this_process(status, lambda: None)
