"""A language client that is nothing but framed JSON over a process's standard streams.

Measurements must not measure the client, so this one keeps JSON as it came (`dict`), never validates it, and
answers requests of servers in the simplest way that the protocol allows; or refuses them, or never answers.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import queue
import subprocess
import threading
import time
from dataclasses import dataclass, field
from enum import Enum
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

Json = Any
"""A JSON value as the `json` module decodes it."""


class Mode(Enum):
    """A client's answers to requests of the server: results, errors, or none."""

    FRIENDLY = "friendly"
    REFUSING = "refusing"
    SILENT = "silent"


DEFAULT_TIMEOUT = 60.0
"""Seconds within which a server has to answer."""


class ResponseError(Exception):
    """The error with which a server answered a request; `code` is the protocol's."""

    def __init__(self, method: str, error: Json):
        super().__init__(f"{method}: {error.get('message')} ({error.get('code')})")
        self.code: int = error.get("code", 0)


class ServerGoneError(Exception):
    """The server closed its output before it answered."""


@dataclass(frozen=True)
class Notification:
    """A notification of the server; `received_at` is in seconds of `time.perf_counter`."""

    method: str
    params: Json
    received_at: float


@dataclass
class PendingResponse:
    """The answer to a request that was sent at `sent_at`, in seconds of `time.perf_counter`."""

    id: int
    method: str
    sent_at: float
    received_at: float = 0.0
    _answer: Json = None
    _arrived: threading.Event = field(default_factory=threading.Event)

    def result(self, timeout: float = DEFAULT_TIMEOUT) -> Json:
        """Wait for the answer and return it; raises ResponseError, ServerGoneError or TimeoutError."""
        if not self._arrived.wait(timeout):
            raise TimeoutError(f"{self.method} was not answered in {timeout:.0f} s")
        if self._answer is None:
            raise ServerGoneError(f"the server ended before it answered {self.method}")
        if "error" in self._answer:
            raise ResponseError(self.method, self._answer["error"])
        return self._answer.get("result")

    def is_put_off(self, timeout: float) -> bool:
        """Wait for the answer, and return whether the server was too busy to give one."""
        self._arrived.wait(timeout)
        error = (self._answer or {}).get("error") or {}
        return str(error.get("message")).endswith("seconds: ask again")

    @property
    def seconds(self) -> float:
        """Seconds until the answer; only after `result` returned."""
        return self.received_at - self.sent_at

    def arrive(self, answer: Json) -> None:
        """Hand over the message that answers the request; None where there will be none."""
        self.received_at = time.perf_counter()
        self._answer = answer
        self._arrived.set()


class LanguageClient:
    """One server process and the connection to it; a context manager that ends the process."""

    default_mode = Mode.FRIENDLY

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        mode: Mode | None = None,
    ):
        self.mode = mode or self.default_mode
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
        )
        self.stderr = bytearray()
        self.server_capabilities: dict[str, Json] = {}
        self.notifications: queue.SimpleQueue[Notification] = queue.SimpleQueue()
        self.on_notification: Callable[[Notification], None] = self.notifications.put
        self.settings: Json = None
        """Settings of the editor's user; the answer to ``workspace/configuration``."""
        self.choice: str | None = None
        """The button that the editor's user presses in a question of the server; None closes the question."""
        self.applies_edits = True
        """Whether the editor's user lets it apply the edits that the server sends."""
        self.asked: list[Json] = []
        """The requests of the server, oldest first, with id, method and params."""
        self.unasked: list[Json] = []
        """Answers to no request that was sent with `request`."""
        self._pending: dict[int, PendingResponse] = {}
        self._identities = itertools.count(1)
        """Several threads may ask at once, and each question has its own."""
        self._write_lock = threading.Lock()
        self._threads = [threading.Thread(target=self._read_messages, daemon=True)]
        self._threads.append(threading.Thread(target=self._read_errors, daemon=True))
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> LanguageClient:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            _close(stream)

    def initialize(self, capabilities: Json, **others: Json) -> Json:
        """Perform the handshake with the client's `capabilities` and return the server's answer."""
        params = {"processId": None, "rootUri": None, "capabilities": capabilities, **others}
        answer = self.call("initialize", params)
        self.server_capabilities = answer["capabilities"]
        self.notify("initialized", {})
        return answer

    def shut_down(self, timeout: float = DEFAULT_TIMEOUT) -> int:
        """End the server as the protocol wants it and return its exit status."""
        self.call("shutdown", None, timeout=timeout)
        self.notify("exit", None)
        return self.process.wait(timeout)

    def call(self, method: str, params: Json, *, timeout: float = DEFAULT_TIMEOUT) -> Json:
        """Send a request and wait for its result; raises as `PendingResponse.result` does.

        A request that was refused since the server is busy is sent again, as users of an editor do.
        """
        deadline = time.monotonic() + timeout
        pending = self.request(method, params)
        while pending.is_put_off(timeout) and time.monotonic() < deadline:
            pending = self.request(method, params)
        return pending.result(timeout)

    def request(self, method: str, params: Json) -> PendingResponse:
        """Send a request and return at once."""
        identity = next(self._identities)
        message = encode(_without_null_params({"id": identity, "method": method, "params": params}))
        pending = PendingResponse(identity, method, time.perf_counter())
        self._pending[pending.id] = pending
        self.send(message)
        return pending

    def notify(self, method: str, params: Json) -> float:
        """Send a notification and return when it was handed to the system."""
        return self.send(encode(_without_null_params({"method": method, "params": params})))

    def send(self, message: bytes) -> float:
        """Send bytes as they are and return when that began, in seconds of `time.perf_counter`."""
        assert self.process.stdin is not None
        with self._write_lock:
            began = time.perf_counter()
            self.process.stdin.write(message)
            self.process.stdin.flush()
        return began

    def wait_for_errors(self) -> None:
        """Wait until all is read that a process which ended wrote to standard error."""
        self._threads[1].join(5)

    def _read_messages(self) -> None:
        assert self.process.stdout is not None
        while (message := read_message(self.process.stdout)) is not None:
            self._dispatch(message)
        for pending in list(self._pending.values()):
            pending.arrive(None)

    def _dispatch(self, message: Json) -> None:
        if "method" not in message:
            pending = self._pending.pop(message.get("id"), None)
            if pending is not None:
                pending.arrive(message)
            else:
                self.unasked.append(message)
        elif "id" in message:
            self._answer(message)
        else:
            self.on_notification(Notification(message["method"], message.get("params"), time.perf_counter()))

    def _answer(self, request: Json) -> None:
        """Answer requests of the server by default: all registrations and documents are accepted."""
        self.asked.append({"id": request["id"], "method": request["method"], "params": request.get("params")})
        if self.mode is Mode.REFUSING:
            self.reply(request["id"], {"error": {"code": -32601, "message": "this client has no such method"}})
        elif self.mode is Mode.FRIENDLY:
            self.reply(request["id"], {"result": self._result(request)})

    def _result(self, request: Json) -> Json:
        result: Json = None
        if request["method"] == "workspace/configuration":
            result = [self.settings] * len(request["params"]["items"])
        elif request["method"] == "window/showMessageRequest":
            result = next((action for action in request["params"]["actions"] if action["title"] == self.choice), None)
        elif request["method"] == "window/showDocument":
            result = {"success": True}
        elif request["method"] == "workspace/applyEdit":
            result = {"applied": self.applies_edits}
        return result

    def reply(self, identity: Json, answer: Json) -> None:
        """Answer a request of the server with a `result` or an `error`."""
        with contextlib.suppress(OSError, ValueError):  # the server may be gone, or a test may have closed its input
            self.send(encode({"id": identity, **answer}))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while chunk := self.process.stderr.read1(65536):  # type: ignore[attr-defined]
            self.stderr += chunk


def encode(message: Json) -> bytes:
    """Return `message` with the header that the protocol wants."""
    return framed({"jsonrpc": "2.0", **message})


def framed(message: Json) -> bytes:
    """Return a message of any protocol with the header that has its length."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _without_null_params(message: dict[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in message.items() if key != "params" or value is not None}


def read_message(stream: IO[bytes]) -> Json:
    """Read one message; None at the end of the stream."""
    length = 0
    while line := stream.readline():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        elif not line.strip():
            return json.loads(stream.read(length))
    return None


def _close(stream: IO[bytes] | None) -> None:
    """Close a stream whose other end may be gone."""
    if stream is None:
        return
    with contextlib.suppress(OSError):
        stream.close()
