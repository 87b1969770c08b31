"""``tdls mcp``: serves commands of tdls as tools of the Model Context Protocol, for coding assistants.

Each tool calls a command in a process of its own and returns its JSON document, so that a tool knows and may do exactly
as much as the command.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import tdls
from tdls.cli.console import console
from tdls.files.reading import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MOST_OUTPUT = 2_000_000
"""Maximum number of characters of an answer."""
_INSTRUCTIONS = """\
Tools for MLIR Transform dialect scripts. Call check before and after each edit of a script; explain_operation before \
writing an operation; run once check has no errors; why_not_matched if a match found nothing; state to see payload and \
handles behind a line.\
"""
_NO_RUNS = "the user has not allowed runs: the server has to be started as `tdls mcp --runs`"


@click.command("mcp", short_help="Run a server of the Model Context Protocol.")
@click.option("--runs", "may_run", is_flag=True, help="Let the client run scripts, confined as by 'tdls run'.")
def command(may_run: bool) -> int:
    """Serve coding assistants on standard input and output with the Model Context Protocol.

    Tools: check, migrate, explain_rule, explain_operation, search_operations; with --runs also run, state,
    why_not_matched.
    Settings that start programs count only after 'tdls allow', as for all commands.

    Needs the package of 'pip install tdls[mcp]'.
    """
    try:
        from mcp.server.mcpserver import MCPServer
    except ImportError as error:
        raise console.InputError(f"the package mcp is not installed ({error.name}): pip install 'tdls[mcp]'") from error
    server = MCPServer("tdls", instructions=_INSTRUCTIONS, version=tdls.__version__, log_level="ERROR")
    tools: list[Callable[..., dict[str, Any]]] = [check, migrate, explain_rule, explain_operation, search_operations]
    runs: list[Callable[..., dict[str, Any]]] = [run, state, why_not_matched]
    for tool in [*tools, *(runs if may_run else map(_refused, runs))]:
        server.add_tool(tool)
    server.run("stdio")
    return console.EXIT_CLEAN


def check(path: str, text: str = "", target_llvm: str = "") -> dict[str, Any]:
    """Find mistakes in a Transform dialect script without running it: stale handles, wrong types, unknown names.

    `path` is a file or a folder. `text`, if given, is checked in place of the contents of the file. `target_llvm` is a
    version such as 22 or main. Each finding has a range, a message, a help, notes with the places that caused it, and
    fixes as edits; level hint means that it is possible, not certain.
    """
    target = ["--target-llvm", target_llvm] if target_llvm else []
    files = ["--stdin-filename", path, "--", "-"] if text else ["--", path]
    return _document(["check", *target, "--format", "json", *files], text or None)


def migrate(path: str, to: str = "main", text: str = "") -> dict[str, Any]:
    """Write a script as a version of LLVM does (`to`, such as 22 or main), where its meaning stays the same.

    Nothing is written: the answer has the new `text`, and in `left` each place that cannot be migrated with certainty,
    with the reason. `text`, if given, is migrated in place of the contents of the file.
    """
    if not text:
        try:
            text = read_text(Path(path))
        except (OSError, ValueError) as error:
            raise _tool_error(f"{path} cannot be read: {error}") from None
    ended = _ended(["migrate", "--to", to, "--stdin-filename", path, "--", "-"], text)
    complaints = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    if ended.returncode not in (console.EXIT_CLEAN, console.EXIT_FINDINGS):
        raise _tool_error("\n".join(complaints) or f"tdls ended with status {ended.returncode}")
    return {"text": ended.stdout.decode("utf-8", "surrogatepass"), "left": complaints}


def explain_rule(rule: str) -> dict[str, Any]:
    """Explain a finding by the name or code of its rule, with an example that is wrong and one that is right."""
    return _document(["explain", "--format", "json", "--", rule])


def explain_operation(name: str, llvm: str = "") -> dict[str, Any]:
    """Describe an operation: operands with their effects (consumes or reads), results, attributes, assembly format.

    `llvm` is a version such as 22 or main, the newest one if it is not given.
    """
    return _document(["catalogue", "show", *(["--llvm", llvm] if llvm else []), "--format", "json", "--", name])


def search_operations(words: str) -> dict[str, Any]:
    """Find operations by words of their names and summaries, such as "tile reduction"."""
    return _document(["catalogue", "search", "--format", "json", "--", *words.split()])


def run(path: str, payload: str = "") -> dict[str, Any]:
    """Apply a script to its payload, or to the file `payload`, and return the transformed payload.

    A script that fails has MLIR's diagnostics, with their places.
    """
    return _document(["run", "--format", "json", *_payload(payload), "--", path])


def state(path: str, line: int, execution: int = 1, payload: str = "") -> dict[str, Any]:
    """Return payload and handles behind the operation in a line (from 1) of a script.

    `execution` counts the times that the operation is executed, from 1.
    """
    return _document(["trace", "--at", f"{line}#{execution}", "--format", "json", *_payload(payload), "--", path])


def why_not_matched(path: str, payload: str = "") -> dict[str, Any]:
    """Run a script and explain its matches.

    For each matcher and search: the numbers of operations, the conditions at which operations failed with the requested
    and the compared values, and the reason why handles are empty.
    """
    return _document(["run", "--explain-matches", "--format", "json", *_payload(payload), "--", path])


def _payload(path: str) -> list[str]:
    return ["--payload", path] if path else []


def _refused(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Return a tool of the same name that says why it does nothing, so that an assistant can pass that on."""

    def refused() -> dict[str, Any]:
        raise _tool_error(_NO_RUNS)

    refused.__name__, refused.__doc__ = tool.__name__, f"{tool.__doc__}\nNot available: {_NO_RUNS}."
    return refused


def _document(arguments: Sequence[str], text: str | None = None) -> dict[str, Any]:
    """Call a command of tdls and return its JSON document. Raises ToolError with the messages of the command."""
    ended = _ended(arguments, text or "")
    complaint = ended.stderr.decode("utf-8", "replace").strip()
    try:
        document = json.loads(ended.stdout)
    except ValueError:
        raise _tool_error(complaint or f"tdls ended with status {ended.returncode}") from None
    if len(ended.stdout) > _MOST_OUTPUT:
        raise _tool_error(f"the answer has {len(ended.stdout)} characters, which is too much for a message")
    if not isinstance(document, dict):
        return {"answer": document}
    return {**document, "complaint": complaint} if complaint else document


def _ended(arguments: Sequence[str], text: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "tdls", *arguments]
    return subprocess.run(command, input=text.encode("utf-8", "surrogatepass"), capture_output=True, check=False)


def _tool_error(message: str) -> Exception:
    """Return the error of the SDK, which is imported late, whose message reaches the client."""
    from mcp.server.mcpserver.exceptions import ToolError

    error: Exception = ToolError(message)
    return error
