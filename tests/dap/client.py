"""A client of the Debug Adapter Protocol for tests."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any, TypeVar

from command_line import STARTED
from rpc.client import framed, read_message

if TYPE_CHECKING:
    from pathlib import Path

_Client = TypeVar("_Client", bound="DebugClient")


class RequestFailedError(Exception):
    """The adapter refused a request."""


class DebugClient:
    """A process of ``tdls dap`` with the events that it has sent. It has to exit with 0."""

    def __init__(self, folder: Path) -> None:
        command = [*STARTED, "dap"]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.events: list[dict[str, Any]] = []
        self._number = 0

    def __enter__(self: _Client) -> _Client:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.call("disconnect")
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        status = self.process.wait(20)
        self.process.stdout.close()
        assert status == 0

    def call(self, command: str, **arguments: object) -> Any:
        """Send a request, and return the body of the response. Raises RequestFailedError."""
        self._number += 1
        number = self._number
        self.send({"seq": number, "type": "request", "command": command, "arguments": arguments})
        while True:
            message = self._read()
            if message["type"] == "event":
                self.events.append(message)
                continue
            assert (message["request_seq"], message["command"]) == (number, command)
            if not message["success"]:
                raise RequestFailedError(message["message"])
            return message["body"]

    def wait_for(self, event: str) -> Any:
        """Return the body of the next event of that name."""
        while True:
            found = next((each for each in self.events if each["event"] == event), None)
            if found is not None:
                self.events.remove(found)
                return found["body"]
            message = self._read()
            assert message["type"] == "event", message
            self.events.append(message)

    def begin(self, launch: dict[str, object], *breakpoints: dict[str, object]) -> Any:
        """Launch a script with breakpoints, and return why it stopped first."""
        assert self.call("initialize", adapterID="tdls")["supportsStepBack"]
        self.call("launch", **launch)
        self.wait_for("initialized")
        if breakpoints:
            source = {"path": launch["script"]}
            answer = self.call("setBreakpoints", source=source, breakpoints=list(breakpoints))
            assert len(answer["breakpoints"]) == len(breakpoints)
        self.call("setExceptionBreakpoints", filters=[])
        self.call("configurationDone")
        return self.wait_for("stopped")

    def go(self, command: str) -> Any:
        """Move, and return why that stopped."""
        self.call(command, threadId=1)
        return self.wait_for("stopped")

    def frames(self) -> list[dict[str, Any]]:
        """Return the frames, innermost first."""
        return list(self.call("stackTrace", threadId=1)["stackFrames"])

    def where(self) -> str:
        """Return the operation that the run is in front of."""
        return str(self.frames()[0]["name"]).removeprefix("transform.")

    def handles(self, frame: int = 0) -> dict[str, dict[str, Any]]:
        """Return the handles that a frame shows, by name."""
        [scope] = self.call("scopes", frameId=self.frames()[frame]["id"])["scopes"]
        found = self.call("variables", variablesReference=scope["variablesReference"])["variables"]
        return {variable["name"]: variable for variable in found}

    def send(self, message: dict[str, Any]) -> None:
        """Send a message as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(framed(message))
        self.process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = read_message(self.process.stdout)
        return message
