"""``tdls session``: sessions for programs in any language, as lines of JSON on standard input and output."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.console import console
from tdls.cli.console.streams import OutputClosedError, OutputLostError
from tdls.ide.runs.next_steps import SECONDS, steps_from
from tdls.interpreter.confinement.reports import ReportError, checked
from tdls.interpreter.errors import BackendError, RecordingError
from tdls.interpreter.session import PayloadError, ReplayError, Session
from tdls.structs import NamedTuple, Struct, as_dict, defaults_of, field
from tdls.text.similarity import most_similar
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.session import Diagnostic, State

_MOST_SESSIONS = 64


class _Open(Struct, frozen=True):
    """Open a session on the text `payload`, or on the file `path`; see `Session`."""

    payload: str | None = None
    path: str | None = None
    libraries: tuple[str, ...] = ()
    backend: str | None = None
    seconds: float = 10.0
    memory: int = 4096
    names: bool = True


class _Run(Struct, frozen=True):
    """Run `text` from `state`; the flags ask for more of the new state."""

    state: str
    text: str
    choices: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    explain: bool = False
    operations: bool = False
    changes: bool = False
    payload: bool = False


class _Show(Struct, frozen=True):
    """Show `state`; `changes` are those since the state `since`, else since the one before."""

    state: str
    since: str | None = None
    operations: bool = False
    changes: bool = False
    payload: bool = False


class _Try(Struct, frozen=True):
    """Try operations from `state` for some `seconds`, and list those that work."""

    state: str
    seconds: float = SECONDS


class _Forget(Struct, frozen=True):
    """Forget `states`, which frees their memory; states that come from them stay."""

    states: tuple[str, ...]


class _Close(Struct, frozen=True):
    """Close `session`, after the requests that it still has."""

    session: str


class _Cancel(Struct, frozen=True):
    """End the request with the id `request`: a waiting one, or the one that is carried out."""

    request: Any


_METHODS: dict[str, type[Any]] = {
    "open": _Open,
    "run": _Run,
    "show": _Show,
    "try": _Try,
    "forget": _Forget,
    "close": _Close,
    "cancel": _Cancel,
}


class RequestError(Exception):
    """A request that cannot be carried out; `kind` is one word for programs, the message is for people."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Request(NamedTuple):
    """A request, and what it asks for."""

    id: int | str | None
    parameters: Any


@click.command("session")
def command() -> int:
    """Serve programs that try scripts on payloads: requests are lines of JSON on standard input.

    \b
      {"id": 1, "method": "open", "params": {"path": "matmul.mlir"}}
      {"id": 2, "method": "run", "params": {"state": "1.0", "text": "%m = transform.structured.match ..."}}

    Each request has one answer, a line on standard output with its id: a result, or an error. docs/python-api.md
    describes the methods. At the end of the input the remaining requests are answered, unless nobody reads answers.

    Exit status: 0.
    """

    def write(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    server = Sessions(write)
    for line in sys.stdin:
        if line.strip():
            server.take(line)
    server.finish()
    return console.EXIT_CLEAN


class Sessions:
    """The open sessions, each with a thread of its own that carries out its requests in turn."""

    def __init__(self, write: Callable[[str], None]) -> None:
        """`write` is called with the line of each answer, by one thread at a time."""
        self._write = write
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._sessions: dict[str, _OpenSession] = {}
        self._is_abandoned = False

    def take(self, line: str) -> None:
        """Carry out a request, or give it to its session."""
        identity: int | str | None = None
        try:
            message = _object(line)
            identity = message.get("id")
            if not _is_identity(identity):
                identity = None
                raise RequestError("usage", "a request needs an `id`, a number or a string")
            self._begin(_Request(identity, _parameters(message)))
        except RequestError as error:
            self.answer(identity, error)

    def _begin(self, request: _Request) -> None:
        parameters = request.parameters
        if isinstance(parameters, _Open):
            self._sessions = {name: each for name, each in self._sessions.items() if each.thread.is_alive()}
            if sum(each.is_open for each in self._sessions.values()) >= _MOST_SESSIONS:
                raise RequestError("limit", f"{_MOST_SESSIONS} sessions are open; close one")
            name = str(next(self._numbers))
            self._sessions[name] = _OpenSession(name, self.answer)
            self._put(name, request)
        elif isinstance(parameters, _Close):
            self._put(parameters.session, request)
        elif isinstance(parameters, _Cancel):
            if not _is_identity(parameters.request):
                raise RequestError("usage", "`request` is the id of a request, a number or a string")
            cancelled = [each for each in self._sessions.values() if each.cancel(parameters.request)]
            self.answer(request.id, {"cancelled": bool(cancelled)})
        else:
            states = parameters.states if isinstance(parameters, _Forget) else (parameters.state,)
            names = {state.partition(".")[0] for state in states}
            if len(names) != 1:
                raise RequestError("usage", "the states of a request belong to one session")
            self._put(names.pop(), request)

    def _put(self, name: str, request: _Request) -> None:
        session = self._sessions.get(name)
        if session is None or not session.put(request):
            raise _no_session(name)

    def answer(self, identity: int | str | None, content: dict[str, Any] | RequestError) -> None:
        """Write the answer to a request; for any thread."""
        if isinstance(content, RequestError):
            body: dict[str, Any] = {"error": {"kind": content.kind, "message": str(content)}}
        else:
            body = {"result": content}
        line = json.dumps({"id": identity, **body})
        with self._lock:
            try:
                self._write(line)
            except (OSError, ValueError, OutputClosedError, OutputLostError):
                if not self._is_abandoned:
                    self._is_abandoned = True
                    threading.Thread(target=self._abandon, daemon=True).start()

    def finish(self) -> None:
        """Wait until all requests are answered."""
        for session in self._sessions.values():
            session.finish()
        for session in self._sessions.values():
            session.thread.join()

    def _abandon(self) -> None:
        """End all sessions and this process, whose client is gone, though its input may be open."""
        for session in list(self._sessions.values()):
            session.end()
        os._exit(console.EXIT_CLEAN)


class _OpenSession:
    """A session, its states by name, and a thread that carries out its requests one by one."""

    def __init__(self, name: str, answer: Callable[[int | str | None, dict[str, Any] | RequestError], None]) -> None:
        self._name = name
        self._answer = answer
        self._states: dict[str, State] = {}
        self._numbers = count()
        self._session: Session | None = None
        self._requests: queue.Queue[_Request | None] = queue.Queue()
        self._lock = threading.Lock()
        self.is_open = True
        self._current: int | str | None = None
        self._cancelled: set[int | str | None] = set()
        self._waiting: list[int | str | None] = []
        self.thread = threading.Thread(target=self._serve, name=f"tdls-session-{name}", daemon=True)
        self.thread.start()

    def put(self, request: _Request) -> bool:
        """Carry out `request` after those before it; False if the session was closed, or could not be opened."""
        with self._lock:
            if not self.is_open:
                return False
            self._waiting.append(request.id)
            self._requests.put(request)
        if isinstance(request.parameters, _Close):
            self.finish()
        return True

    def cancel(self, identity: int | str) -> bool:
        """End the request `identity` if it is of this session."""
        with self._lock:
            if identity != self._current and identity not in self._waiting:
                return False
            self._cancelled.add(identity)
            if identity == self._current and self._session is not None:
                self._session.cancel()
        return True

    def finish(self) -> None:
        """Take no more requests, and end the session after those that it still has."""
        with self._lock:
            self.is_open = False
            self._requests.put(None)

    def end(self) -> None:
        """End the session at once, and what it carries out."""
        if self._session is not None:
            self._session.close()

    def _serve(self) -> None:
        while (request := self._requests.get()) is not None:
            with self._lock:
                self._current = request.id
                self._waiting.remove(request.id)
                is_cancelled = request.id in self._cancelled
            try:
                if is_cancelled:
                    raise RequestError("cancelled", "the request was cancelled")
                content: dict[str, Any] | RequestError = self._carried_out(request)
            except RequestError as error:
                content = error
            except (PayloadError, BackendError, ReplayError, RecordingError, OSError, ValueError) as error:
                content = RequestError(_KINDS.get(type(error), "input"), str(error))
            with self._lock:
                self._current = None
                self._cancelled.discard(request.id)
            if self._session is None:
                self.finish()
            self._answer(request.id, content)
        if self._session is not None:
            self._session.close()

    def _carried_out(self, request: _Request) -> dict[str, Any]:
        parameters = request.parameters
        if isinstance(parameters, _Open):
            return self._open(parameters)
        if self._session is None:
            raise _no_session(self._name)
        if isinstance(parameters, _Close):
            return {}
        if isinstance(parameters, _Forget):
            for name in parameters.states:
                self._states.pop(name, None)
            return {}
        state = self._state(parameters.state)
        if isinstance(parameters, _Show):
            since = self._state(parameters.since) if parameters.since is not None else None
            return _described(parameters.state, state, parameters, since)
        if isinstance(parameters, _Try):
            return steps_from(state, parameters.seconds).document()
        choices, seconds, explain = parameters.choices, parameters.seconds, parameters.explain
        attempt = state.run(parameters.text, choices=choices, seconds=seconds, explain=explain)
        told = {
            "outcome": attempt.outcome.value,
            "reason": attempt.reason,
            "detail": attempt.detail,
            "explanation": attempt.explanation,
            "seconds": round(attempt.seconds, 6),
            "diagnostics": [_diagnostic(each) for each in attempt.diagnostics],
            "printed": attempt.printed,
        }
        if attempt.state is not None:
            told |= _described(self._named(attempt.state), attempt.state, parameters)
        return told

    def _open(self, parameters: _Open) -> dict[str, Any]:
        if (parameters.payload is None) == (parameters.path is None):
            raise RequestError("usage", "`open` takes either `payload`, a text, or `path`, a file")
        self._session = Session(
            parameters.payload if parameters.payload is not None else Path(parameters.path or ""),
            libraries=parameters.libraries,
            backend=parameters.backend,
            seconds=parameters.seconds,
            memory=parameters.memory,
            names=parameters.names,
        )
        name = self._named(self._session.state)
        return {
            "session": self._name,
            "backend": self._session.backend,
            **_described(name, self._session.state, _Show(name)),
        }

    def _named(self, state: State) -> str:
        name = f"{self._name}.{next(self._numbers)}"
        self._states[name] = state
        return name

    def _state(self, name: str) -> State:
        if name not in self._states:
            raise RequestError("unknown", f"there is no state `{name}`")
        return self._states[name]


_KINDS: dict[type[Exception], str] = {PayloadError: "payload", BackendError: "backend", ReplayError: "replay"}


def _no_session(name: str) -> RequestError:
    return RequestError("unknown", f"there is no open session `{name}`")


def _is_identity(value: object) -> bool:
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def _object(line: str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RequestError("usage", f"a request is a line of JSON: {error}") from None
    if not isinstance(message, dict):
        raise RequestError("usage", "a request is a JSON object")
    return message


def _parameters(message: dict[str, Any]) -> Any:
    """Return the parameters of a request as a record of its method. Raises RequestError."""
    method, given = message.get("method"), message.get("params", {})
    kind = _METHODS.get(method) if isinstance(method, str) else None
    if kind is None:
        raise RequestError("usage", f"there is no method `{method}`; there are {enumerated(list(_METHODS))}")
    if not isinstance(given, dict):
        raise RequestError("usage", f"the `params` of `{method}` are an object")
    known = list(defaults_of(kind))
    for name in given:
        if name not in known:
            close = most_similar(name, known)
            advice = f"did you mean `{close}`?" if close is not None else f"it has {enumerated(known)}"
            raise RequestError("usage", f"`{method}` has no parameter `{name}`; {advice}")
    try:
        return checked(given, kind, f"the request `{method}`")
    except ReportError as error:
        raise RequestError("usage", str(error)) from None


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return {**as_dict(diagnostic), "notes": [_diagnostic(note) for note in diagnostic.notes]}


def _described(name: str, state: State, wishes: _Run | _Show, since: State | None = None) -> dict[str, Any]:
    """Return a state as a request wishes to see it."""
    operations = state.operations if wishes.operations else {}
    handles = [
        {"name": each.name, "type": each.type, "count": each.count}
        | ({"operations": list(operations[each.name])} if each.name in operations else {})
        for each in state.handles.values()
    ]
    described: dict[str, Any] = {"state": name, "handles": handles}
    if wishes.changes:
        changes = state.changes(since)
        described["changes"] = {
            "added": len(changes.added),
            "removed": len(changes.removed),
            "lines": [line for hunk in changes.hunks() for line in changes.lines(hunk)],
        }
    if wishes.payload:
        described |= {"payload": state.payload, "summary": state.summary}
    return described
