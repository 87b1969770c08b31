"""``tdls mcp``: serves commands of tdls as tools of the Model Context Protocol, for coding assistants.

Each tool calls a command in a process of its own and returns its JSON document, so that a tool knows and may do exactly
as much as the command. A call ends with its process when it is cancelled, takes too long, or the server ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import multiprocessing
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn

import click

import tdls
from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT
from tdls.cli.main import main
from tdls.cli.rendering.json_text import json_text
from tdls.files.boundary import is_inside, may_be_root, root_of_files
from tdls.files.reading import read_text
from tdls.limits import MESSAGE_SIZE
from tdls.processes import end_this_process, spawn_context, work_for_parent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    _Tool = Callable[..., Awaitable[dict[str, Any]]]

_MOST_OUTPUT = 2_000_000
"""Maximum number of bytes of an answer."""
_LONGEST_ARGUMENTS = 8_192
"""Maximum number of characters of all arguments of a call but a text to check."""
_LONGEST_CALL = 120.0
"""Maximum seconds of a call."""
_MOST_CALLS = 4
"""Maximum number of calls at a time; others wait."""
_UNWINDING = 1.0
"""Seconds in which a process may remove its temporary files before it is killed."""
_INSTRUCTIONS = """\
Tools for MLIR Transform dialect scripts. Call check before and after each edit of a script; explain_operation before \
writing an operation; run once check has no errors; why_not_matched if a match found nothing; state to see payload and \
handles behind a line.\
"""
_NO_RUNS = "the user has not allowed runs: the server has to be started as `tdls mcp --runs`"


@click.command("mcp")
@click.argument(
    "folders", nargs=-1, metavar="[FOLDER]...", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--runs", "may_run", is_flag=True, help="Let the client run scripts, confined as by 'tdls run'.")
def command(folders: tuple[Path, ...], may_run: bool) -> int:
    """Serve coding assistants on standard input and output with the Model Context Protocol.

    Tools: check, migrate, explain_rule, explain_operation, search_operations; with --runs also run, state,
    why_not_matched. They read files below each FOLDER; without one, in the git repository of the current folder, or in
    the current folder.
    Settings that start programs count only after 'tdls allow', as for all commands.

    Needs the package of 'pip install tdls[mcp]'.
    """
    try:
        from mcp.server.mcpserver import MCPServer
    except ImportError as error:
        raise console.InputError(f"the package mcp is not installed ({error.name}): pip install 'tdls[mcp]'") from error
    tools = _Tools(folders or _workspace_here())
    server = MCPServer("tdls", instructions=_INSTRUCTIONS, version=tdls.__version__, log_level="ERROR")
    always: list[_Tool] = [
        tools.check,
        tools.migrate,
        tools.explain_rule,
        tools.explain_operation,
        tools.search_operations,
    ]
    runs: list[_Tool] = [tools.run, tools.state, tools.why_not_matched]
    for tool in [*always, *(runs if may_run else map(_refused, runs))]:
        server.add_tool(tool)
    for number in {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: _leave(console.EXIT_OF_SIGNALS + number))
    sys.stdin = io.TextIOWrapper(_Messages(sys.stdin.buffer), encoding="utf-8")
    server.run("stdio")
    _leave(console.EXIT_CLEAN)


def _workspace_here() -> tuple[Path, ...]:
    root = root_of_files(Path.cwd())
    return (root,) if may_be_root(root) else ()


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
        call.join(_UNWINDING)
    end_this_process(status, lambda: None)


class _Ended(NamedTuple):
    """A command that ended: its exit status, and what it wrote."""

    status: int
    output: bytes
    complaint: str


class _Tools:
    """The tools, whose docstrings are descriptions for assistants."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """`folders` are those whose files tools may read."""
        self._folders = tuple(map(Path.absolute, folders))
        self._free = asyncio.Semaphore(_MOST_CALLS)

    async def check(self, path: str, text: str = "", target_llvm: str = "") -> dict[str, Any]:
        """Find mistakes in a Transform dialect script without running it: stale handles, wrong types, unknown names.

        `path` is a file or a folder. `text`, if given, is checked in place of the contents of the file. `target_llvm`
        is a version such as 22 or main. Each finding has a range, a message, a help, notes with the places that caused
        it, and fixes as edits; level hint means that it is possible, not certain.
        """
        target = ["--target-llvm", target_llvm] if target_llvm else []
        files = ["--stdin-filename", self._inside(path), "--", "-"] if text else ["--", self._inside(path)]
        return await self._document(["check", *target, "--format", "json", *files], text)

    async def migrate(self, path: str, to: str = "main", text: str = "") -> dict[str, Any]:
        """Write a script as a version of LLVM does (`to`, such as 22 or main), where its meaning stays the same.

        Nothing is written: the answer has the new `text`, and in `left` each place that cannot be migrated with
        certainty, with the reason. `text`, if given, is migrated in place of the contents of the file.
        """
        if not text:
            try:
                text = read_text(Path(self._inside(path)))
            except (OSError, ValueError) as error:
                raise _tool_error(f"{path} cannot be read: {error}") from None
        ended = await self._ended(["migrate", "--to", to, "--stdin-filename", self._inside(path), "--", "-"], text)
        if ended.status not in (console.EXIT_CLEAN, console.EXIT_FINDINGS):
            raise _tool_error(ended.complaint or f"tdls ended with status {ended.status}")
        left = [line for line in ended.complaint.splitlines() if not line.startswith("note:")]
        return {"text": ended.output.decode("utf-8"), "left": left}

    async def explain_rule(self, rule: str) -> dict[str, Any]:
        """Explain a finding by the name or code of its rule, with an example that is wrong and one that is right."""
        return await self._document(["explain", "--format", "json", "--", rule])

    async def explain_operation(self, name: str, llvm: str = "") -> dict[str, Any]:
        """Describe an operation: operands with their effects (consumes or reads), results, attributes, assembly format.

        `llvm` is a version such as 22 or main, the newest one if it is not given.
        """
        return await self._document(
            ["catalogue", "show", *(["--llvm", llvm] if llvm else []), "--format", "json", "--", name]
        )

    async def search_operations(self, words: str) -> dict[str, Any]:
        """Find operations by words of their names and summaries, such as "tile reduction"."""
        return await self._document(["catalogue", "search", "--format", "json", "--", *words.split()])

    async def run(self, path: str, payload: str = "") -> dict[str, Any]:
        """Apply a script to its payload, or to the file `payload`, and return the transformed payload.

        A script that fails has MLIR's diagnostics, with their places.
        """
        return await self._document(["run", "--format", "json", *self._payload(payload), "--", self._inside(path)])

    async def state(self, path: str, line: int, execution: int = 1, payload: str = "") -> dict[str, Any]:
        """Return payload and handles behind the operation in a line (from 1) of a script.

        `execution` counts the times that the operation is executed, from 1.
        """
        return await self._document(
            [
                "trace",
                "--at",
                f"{line}#{execution}",
                "--format",
                "json",
                *self._payload(payload),
                "--",
                self._inside(path),
            ]
        )

    async def why_not_matched(self, path: str, payload: str = "") -> dict[str, Any]:
        """Run a script and explain its matches.

        For each matcher and search: the numbers of operations, the conditions at which operations failed with the
        requested and the compared values, and the reason why handles are empty.
        """
        return await self._document(
            ["run", "--explain-matches", "--format", "json", *self._payload(payload), "--", self._inside(path)]
        )

    def _inside(self, path: str) -> str:
        """Return `path` as an argument. Raises ToolError if it is not below the folders of the server."""
        if len(path) > _LONGEST_ARGUMENTS or "\0" in path:
            raise _tool_error("this is no path")
        if not any(is_inside(folder, Path(path)) for folder in self._folders):
            folders = ", ".join(map(str, self._folders)) or "none: name it as `tdls mcp FOLDER`"
            raise _tool_error(f"{path} is outside of the folder of the server ({folders}); it reads no files elsewhere")
        return f".{os.sep}-" if path == STANDARD_INPUT else path

    def _payload(self, path: str) -> list[str]:
        return ["--payload", self._inside(path)] if path else []

    async def _document(self, arguments: Sequence[str], text: str = "") -> dict[str, Any]:
        """Call a command of tdls and return its JSON document. Raises ToolError with the messages of the command."""
        ended = await self._ended(arguments, text)
        try:
            document = json.loads(ended.output)
        except ValueError:
            raise _tool_error(ended.complaint or f"tdls ended with status {ended.status}") from None
        if not isinstance(document, dict):
            return {"answer": document}
        return {**document, "complaint": ended.complaint} if ended.complaint else document

    async def _ended(self, arguments: Sequence[str], text: str) -> _Ended:
        """Return the result of a command with `text` as its input, in a process that does not outlive this call.

        Raises ToolError if it takes too much.
        """
        if sum(map(len, arguments)) > _LONGEST_ARGUMENTS:
            raise _tool_error(f"the arguments have more than {_LONGEST_ARGUMENTS:,} characters")
        async with self._free:
            context = spawn_context()
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve_call, args=(theirs,))
            process.start()
            theirs.close()
            try:
                return await asyncio.wait_for(asyncio.to_thread(_exchange, ours, (arguments, text)), _LONGEST_CALL)
            except asyncio.TimeoutError:
                raise _tool_error(f"the call was ended after {_LONGEST_CALL:g} seconds; ask for less") from None
            except (EOFError, OSError):
                raise _tool_error("the process of the call was ended by a crash of Python or by the system") from None
            finally:
                threading.Thread(target=_end, args=(process,), daemon=True).start()


def _exchange(connection: Connection, request: tuple[Sequence[str], str]) -> _Ended:
    """Send a request to the process of a call and return its answer. Raises EOFError or OSError if it ends before."""
    with connection:
        connection.send(request)
        return _Ended(*connection.recv())


def _end(process: BaseProcess) -> None:
    process.terminate()
    process.join(_UNWINDING)
    process.kill()
    process.join()


def _serve_call(connection: Connection) -> None:
    """Run the command line that the server sends, as the only work of this process, and send the result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides
    work_for_parent()
    arguments, text = connection.recv()
    given, written, complaints = io.BytesIO(text.encode("utf-8", "surrogatepass")), io.BytesIO(), io.BytesIO()
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(stream, encoding="utf-8", newline="") for stream in (given, written, complaints)
    )
    sys.argv = ["tdls", *arguments]
    status = main()
    sys.stderr.flush()
    output, complaint = written.getvalue(), complaints.getvalue().decode("utf-8", "replace").strip()
    if len(output) > _MOST_OUTPUT:
        output, complaint = b"", f"the answer has {len(output):,} bytes, which is too much for a message; ask for less"
    with contextlib.suppress(OSError):
        connection.send(_Ended(status, output, complaint[:_MOST_OUTPUT]))


def _refused(tool: _Tool) -> _Tool:
    """Return a tool of the same name that says why it does nothing, so that an assistant can pass that on."""

    async def refused() -> dict[str, Any]:
        raise _tool_error(_NO_RUNS)

    refused.__name__, refused.__doc__ = tool.__name__, f"{tool.__doc__}\nNot available: {_NO_RUNS}."
    return refused


def _tool_error(message: str) -> Exception:
    """Return the error of the SDK, which is imported late, whose message reaches the client."""
    from mcp.server.mcpserver.exceptions import ToolError

    error: Exception = ToolError(message)
    return error
