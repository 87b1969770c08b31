"""Calls of commands in processes that are reused: MLIR stays warm in them. One that takes too long is ended."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import signal
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.cli.commands.session import Sessions
from tdls.cli.console import console
from tdls.cli.console.signals import status_of
from tdls.cli.main import main
from tdls.interpreter.backend import keep_backends
from tdls.processes import spawn_context, work_for_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

_MOST_OUTPUT = 50_000_000
"""Maximum number of bytes of a document that an answer is cut from."""
_LONGEST_ARGUMENTS = 8_192
"""Maximum number of characters of all arguments of a call but a text."""
_LONGEST_CALL = 120.0
"""Maximum seconds of a call."""
_MOST_CALLS = 4
"""Maximum number of calls at a time; others wait."""
UNWINDING = 1.0
"""Seconds in which a process may remove its temporary files before it is killed."""


class CallError(Exception):
    """A call that gave no document, with the message of the command."""


class Ended(NamedTuple):
    """A command that ended: its exit status, and what it wrote."""

    status: int
    output: bytes
    complaint: str


class Calls:
    """Calls commands of tdls, a few at a time."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(_MOST_CALLS)
        self._idle: list[_Worker] = []
        """Processes without a call, the last used one last."""
        self._turn = asyncio.Semaphore()
        self._with_sessions: list[_Worker] = []
        """The process with all sessions, unless it has a request."""

    async def document(self, arguments: Sequence[str], text: str | None = None) -> dict[str, Any]:
        """Return the JSON document of a command. Raises CallError."""
        ended = await self.ended(arguments, text)
        try:
            document: dict[str, Any] = json.loads(ended.output)
        except ValueError:
            document = {"error": f"tdls ended with status {ended.status}"}
        if "error" in document:
            raise CallError(ended.complaint or document["error"])
        return {**document, "complaint": ended.complaint} if ended.complaint else document

    async def ended(self, arguments: Sequence[str], text: str | None = None) -> Ended:
        """Return the result of a command with `text` as its input. Raises CallError if it takes too much."""
        if sum(map(len, arguments)) > _LONGEST_ARGUMENTS:
            raise CallError(f"the arguments have more than {_LONGEST_ARGUMENTS:,} characters")
        async with self._free:
            return Ended(*await _exchanged(self._idle, _serve_calls, (arguments, text or "")))

    async def in_session(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the result of a request of ``tdls session``, whose sessions stay. Raises CallError."""
        request = json.dumps({"id": 0, "method": method, "params": parameters})
        async with self._turn:
            answer = json.loads(await _exchanged(self._with_sessions, _serve_sessions, request))
        if "error" in answer:
            raise CallError(answer["error"]["message"])
        result: dict[str, Any] = answer["result"]
        return result


async def _exchanged(idle: list[_Worker], serve: Callable[[Connection], None], request: Any) -> Any:
    """Return the answer of a process of `idle`, or of a new one; it is ended if it takes too long. Raises CallError."""
    worker = idle.pop() if idle else _Worker(serve)
    answer = None
    try:
        answer = await asyncio.wait_for(asyncio.to_thread(worker.exchange, request), _LONGEST_CALL)
    except asyncio.TimeoutError:
        raise CallError(f"the call was ended after {_LONGEST_CALL:g} seconds; ask for less") from None
    except (EOFError, OSError):
        raise CallError("the process of the call was ended by a crash of Python or by the system") from None
    finally:
        if answer is None:
            threading.Thread(target=worker.end, daemon=True).start()
        else:
            idle.append(worker)
    return answer


class _Worker:
    """A process that carries out calls one after the other. It ends with the server."""

    def __init__(self, serve: Callable[[Connection], None]) -> None:
        context = spawn_context()
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,))
        self._process.start()
        theirs.close()

    def exchange(self, request: Any) -> Any:
        """Send a request and return its answer. Raises EOFError or OSError if the process ends before."""
        self._connection.send(request)
        return self._connection.recv()

    def end(self) -> None:
        """End the process, and what it carries out."""
        self._process.terminate()
        self._process.join(UNWINDING)
        self._process.kill()
        self._process.join()
        self._connection.close()


def _serve_calls(connection: Connection) -> None:
    """Run the command lines that the server sends, as the only work of this process, and send the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides
    work_for_parent()
    keep_backends()
    status_of(partial(_serve, connection))


def _serve_sessions(connection: Connection) -> None:
    """Carry out requests of ``tdls session`` that the server sends, and send their answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work_for_parent()
    sessions = Sessions(connection.send)
    with contextlib.suppress(EOFError):
        while True:
            sessions.take(connection.recv())
    sessions.finish()


def _serve(connection: Connection) -> int:
    """Carry out calls until the server closes `connection`, or a signal ends one."""
    status = console.EXIT_CLEAN
    while status < console.EXIT_OF_SIGNALS:
        try:
            arguments, text = connection.recv()
        except EOFError:
            break
        ended = _called(arguments, text)
        connection.send(ended)
        status = ended.status
    return status


def _called(arguments: Sequence[str], text: str) -> Ended:
    given, written, complaints = io.BytesIO(text.encode("utf-8", "surrogatepass")), io.BytesIO(), io.BytesIO()
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(stream, encoding="utf-8", newline="") for stream in (given, written, complaints)
    )
    sys.argv = ["tdls", *arguments]
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    output, complaint = written.getvalue(), complaints.getvalue().decode("utf-8", "replace").strip()
    if len(output) > _MOST_OUTPUT:
        output, complaint = b"", f"the document has {len(output):,} bytes, which is too much; ask for less"
    return Ended(status, output, complaint)
