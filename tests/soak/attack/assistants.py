"""Calls every tool of ``tdls mcp`` with arguments that grow, as a broken or hostile assistant would."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from command_line import STARTED
from processes import descendants, leftovers, processor_time
from soak.attack.checking import MOST_GROWTH, write
from soak.attack.model import PLAIN, SCRIPT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Arguments = Callable[[int], dict[str, Any]]

SIZES = (4_000, 40_000, 80_000)
"""Lengths of the argument that grows, in characters; the last two are compared."""
_LONGEST = 2.0
"""Seconds of processor time, in addition to those of the simplest call, for which a process starts as well."""
_MEASURABLE = 0.5
_PATIENCE = 30.0
"""Seconds in which the server has to end."""
_NESTED = '"a.b"() ({'
_TEXTS: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("a script", lambda n: PLAIN * (1 + n // len(PLAIN))),
    ("regions", lambda n: _NESTED * (n // len(_NESTED))),
    ("brackets", lambda n: "[" * n),
    ("a line", lambda n: "x " * (n // 2)),
    ("NULs", lambda n: "\0" * n),
    ("half characters", lambda n: "\ud800" * (n // 6)),
)
_VALUES: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("letters", lambda n: "a" * n),
    ("words", lambda n: "tile reduction " * (n // 15)),
    ("dots", lambda n: "transform." * (n // 10)),
    ("folders", lambda n: "../" * (n // 3)),
    ("options", lambda n: "--help " * (n // 7)),
    ("escapes", lambda n: "\x1b[2J" * (n // 4)),
)


class Call(NamedTuple):
    """A call of a tool whose arguments grow."""

    name: str
    tool: str
    arguments: Arguments


def _calls() -> Iterator[Call]:
    for kind, text in _TEXTS:
        for tool in ("check", "fix", "migrate", "versions", "run"):
            yield Call(f"{tool}: {kind}", tool, lambda n, text=text: {"path": SCRIPT, "text": text(n)})  # type: ignore[misc]
    for tool, fixed, growing in (
        ("check", {}, "path"),
        ("check", {"path": SCRIPT}, "target_llvm"),
        ("migrate", {"path": SCRIPT}, "to"),
        ("explain_rule", {}, "rule"),
        ("explain_operation", {}, "name"),
        ("explain_operation", {"name": "transform.yield"}, "llvm"),
        ("search_operations", {}, "words"),
        ("check_python", {}, "entry"),
        ("run", {}, "path"),
        ("run", {"path": SCRIPT}, "function"),
        ("steps", {"path": SCRIPT}, "payload"),
        ("compare", {"old": SCRIPT}, "new"),
        ("run", {"path": SCRIPT}, "payload"),
        ("state", {"line": 3}, "path"),
        ("why_not_matched", {"path": SCRIPT}, "payload"),
    ):
        for kind, value in _VALUES:
            name = f"{tool}: {kind} as {growing}"
            yield Call(name, tool, lambda n, f=fixed, g=growing, value=value: {**f, g: value(n)})  # type: ignore[misc]
    for number in (0, -1, 10**30):
        yield Call(f"state: line {number}", "state", lambda _, line=number: {"path": SCRIPT, "line": line})  # type: ignore[misc]


CALLS: tuple[Call, ...] = tuple(_calls())


class Assistant:
    """A server of tools in a project of its own; a context manager, behind which `left` says what it left."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tdls-attack-", ignore_cleanup_errors=True)
        project, self._temporary = Path(self._folder.name, "project"), Path(self._folder.name, "temporary")
        write(project, {SCRIPT: PLAIN})
        self._temporary.mkdir()
        self._server = subprocess.Popen(
            [*STARTED, "mcp", "--runs"],
            cwd=project,
            env=os.environ | {"TMPDIR": str(self._temporary)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._last = 0
        self.left: list[str] = []

    def __enter__(self) -> Assistant:
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self._answer("initialize", client)
        self._send(method="notifications/initialized")
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._server.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            self.left.append("the server itself, which does not end")
            self._server.kill()
        self.left += leftovers(self._temporary)
        self._folder.cleanup()

    def seconds(self, tool: str, arguments: dict[str, Any]) -> tuple[float, str]:
        """Return the processor time of a call, and its answer."""
        began = self._processor_time()
        answer = self._answer("tools/call", {"name": tool, "arguments": arguments})
        return self._processor_time() - began, answer

    def _processor_time(self) -> float:
        """Return that of the server and its processes, which it keeps for the next calls."""
        seconds = 0.0
        for process in (self._server.pid, *descendants(self._server.pid)):
            with contextlib.suppress(FileNotFoundError):  # it ended meanwhile, and counts for its parent
                seconds += processor_time(process)
        return seconds

    def _send(self, **message: Any) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._server.stdin.flush()

    def _answer(self, method: str, params: dict[str, Any]) -> str:
        self._last += 1
        self._send(id=self._last, method=method, params=params)
        assert self._server.stdout is not None
        for line in self._server.stdout:
            if json.loads(line).get("id") == self._last:
                return line.decode("utf-8")
        return "internal error: the server ended"


def problems_of_tools(calls: Iterable[Call], sizes: tuple[int, ...] = SIZES) -> list[str]:
    """Make all calls with each size, and return the problems in words."""
    problems = []
    with Assistant() as assistant:
        simplest = min(assistant.seconds("explain_rule", {"rule": "TD302"})[0] for _ in range(3))
        for call in calls:
            times = []
            for size in sizes:
                seconds, answer = assistant.seconds(call.tool, call.arguments(size))
                times.append(max(seconds - simplest, 0.0))
                if "internal error" in answer or "mistake in tdls" in answer:
                    problems.append(f"{call.name}: {answer[-300:]}")
            if max(times) > _LONGEST:
                problems.append(f"{call.name}: a call takes {max(times):.1f} s longer than the simplest one")
            elif (
                len(times) > 1 and times[-1] > _MEASURABLE and times[-1] > MOST_GROWTH * max(times[-2], _MEASURABLE / 2)
            ):
                problems.append(f"{call.name}: time grows from {times[-2]:.2f} to {times[-1]:.2f} s")
    return [*problems, *(f"the server leaves {each}" for each in assistant.left)]
