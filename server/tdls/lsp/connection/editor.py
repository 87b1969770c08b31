"""The client: its capabilities and folders, notifications and requests to it, and progress reports.

A client may answer a request with an error, or never. So no method raises because of that, and none waits for an
answer except `Editor.ask`, which asks the user: requests are sent, and a callback receives the answer.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.structs import NamedTuple
from tdls.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from concurrent.futures import Future
    from typing import TypeAlias, TypeVar

    from tdls.lsp.connection.dispatch import Encoded, Host

    _T = TypeVar("_T")
    _HowFar: TypeAlias = Callable[[], tuple[str, int]]

_LOGGER = logging.getLogger(__name__)
_LONG = 0.5
"""Seconds of work after which the editor shows progress."""
_PAUSE = 0.3
"""Seconds between two progress reports."""


class Answer(NamedTuple):
    """The successful answer to a request; None is a possible result."""

    result: Any


class Editor:
    """The client. Notifications may be sent from any thread, requests only from the event loop's thread."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.watches_files = False
        """True once the client has accepted to send file changes."""

    # Capabilities and folders

    @property
    def capabilities(self) -> types.ClientCapabilities:
        return self._host.client_capabilities

    def claims(self, name: str) -> bool:
        """Return whether the editor has the experimental capability `name`, one of those that tdls defines."""
        experimental: Any = self.capabilities.experimental
        claimed = experimental.get(name) if isinstance(experimental, dict) else None
        return claimed is True or getattr(experimental, name, None) is True

    @property
    def folders(self) -> list[types.WorkspaceFolder]:
        return list(dict(self._host.workspace.folders).values())

    @property
    def root_uri(self) -> str | None:
        """The root URI, which editors without workspace folders may have."""
        root: str | None = self._host.workspace.root_uri
        return root

    # Notifications

    def say(self, kind: types.MessageType, message: str) -> None:
        """Show a message to the user."""
        self._host.window_show_message(types.ShowMessageParams(kind, message))

    def log(self, message: str) -> None:
        """Write a message to the editor's log."""
        self._host.window_log_message(types.LogMessageParams(types.MessageType.Log, message))

    def publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Publish the diagnostics of a file, without a version."""
        self._host.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def notify(self, method: str, params: Any) -> None:
        """Send a notification that tdls defines."""
        self._host.protocol.notify(method, params)

    def encoded(self, method: str, params: Any) -> Encoded:
        """Return an encoded notification for `send`. Thread-safe."""
        return self._host.protocol.encoded_notification(method, params)

    def send(self, message: bytes) -> None:
        """Send an encoded message; call this in the event loop's thread."""
        self._host.protocol.send(message)

    # Requests

    def request(
        self, method: str, params: Any = None, answered: Callable[[Answer | None], object] | None = None
    ) -> None:
        """Send a request; `answered` gets None if the client refuses it, and is not called if it never answers."""

        def take(future: Future[Any]) -> None:
            if future.cancelled():
                return  # the server is shutting down
            error = future.exception()
            if error is not None:
                _LOGGER.info("the client refuses %s: %s", method, error)
            if answered is not None:
                answered(Answer(future.result()) if error is None else None)

        self._host.protocol.send_request(method, params).add_done_callback(take)

    def refresh(self, method: str, params: Any = None) -> None:
        """Send a refresh request, `method`, after which the editor requests the results again."""
        self.request(method, params)

    def watch_files(self, patterns: Sequence[str]) -> None:
        """Register for changes of files that match one of the glob `patterns`, if the client supports that."""
        workspace = self.capabilities.workspace
        claimed = workspace.did_change_watched_files if workspace is not None else None
        if claimed is None or not claimed.dynamic_registration:
            return
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(it) for it in patterns])
        params = types.RegistrationParams([types.Registration(str(uuid.uuid4()), method, options)])

        def registered(answer: Answer | None) -> None:
            self.watches_files = answer is not None

        self.request(types.CLIENT_REGISTER_CAPABILITY, params, registered)

    def show(self, uri: str, refused: Callable[[], object], *, outside: bool = False) -> None:
        """Show a document without taking the focus, `outside` in a browser; call `refused` if the editor does not."""

        def shown(answer: Answer | None) -> None:
            if answer is None or not answer.result.success:
                refused()

        params = types.ShowDocumentParams(uri, external=outside or None, take_focus=outside)
        self.request(types.WINDOW_SHOW_DOCUMENT, params, shown)

    async def ask(self, kind: types.MessageType, message: str, answers: Sequence[str]) -> str | None:
        """Ask the user, and return the chosen one of `answers`, "" if none, or None if the client refuses."""
        actions = [types.MessageActionItem(answer) for answer in answers]
        params = types.ShowMessageRequestParams(kind, message, actions)
        reply: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def take(answer: Answer | None) -> None:
            if not reply.done():
                reply.set_result(getattr(answer.result, "title", "") if answer is not None else None)

        self.request(types.WINDOW_SHOW_MESSAGE_REQUEST, params, take)
        return await reply

    # Progress

    def progress(
        self, title: str, how_far: _HowFar | None = None, cancel: Callable[[], object] | None = None
    ) -> Progress:
        """Return a progress report for work that begins now; see `Progress` for the parameters."""
        return Progress(self, self._host, title, how_far, cancel)

    async def with_progress(self, title: str, work: Coroutine[None, None, _T]) -> _T | None:
        """Return the result of `work`, None if the user cancelled it. Cancelling this cancels `work`, too."""
        task = asyncio.ensure_future(work)
        try:
            with self.progress(title, cancel=task.cancel):
                await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        return None if task.cancelled() else task.result()


class Progress:
    """Context manager that reports the progress of long work to the editor until it is left.

    Nothing waits for the client: if it refuses the report, or does not answer, no progress is sent.
    """

    def __init__(
        self, editor: Editor, host: Host, title: str, how_far: _HowFar | None, cancel: Callable[[], object] | None
    ) -> None:
        """`how_far` returns a message and a percentage; `cancel` is called when the user cancels the work."""
        self._editor = editor
        self._shown = host.work_done_progress
        self._title = printable(title)
        self._how_far = how_far
        self._cancel = cancel
        self._token = str(uuid.uuid4())
        self._has_begun = self._has_ended = False
        self._percentage = 0
        self._timer: asyncio.TimerHandle | None = None
        window = editor.capabilities.window
        if window is not None and window.work_done_progress:
            self._timer = asyncio.get_running_loop().call_later(_LONG, self._create)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the report in the editor."""
        self._has_ended = True
        if self._timer is not None:
            self._timer.cancel()
        if self._has_begun:
            self._has_begun = False
            self._shown.tokens.pop(self._token, None)
            self._shown.end(self._token, types.WorkDoneProgressEnd())

    def _create(self) -> None:
        params = types.WorkDoneProgressCreateParams(self._token)
        self._editor.request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params, self._begin)

    def _begin(self, answer: Answer | None) -> None:
        if answer is None or self._has_ended:
            return
        self._has_begun = True
        cancellable = True if self._cancel is not None else None
        percentage = 0 if self._how_far is not None else None
        begin = types.WorkDoneProgressBegin(self._title, cancellable=cancellable, percentage=percentage)
        self._shown.begin(self._token, begin)
        self._shown.tokens[self._token].add_done_callback(self._cancelled)
        if self._how_far is not None:
            self._report(self._how_far)

    def _report(self, how_far: _HowFar) -> None:
        message, percentage = how_far()
        self._percentage = max(self._percentage, percentage)
        report = types.WorkDoneProgressReport(message=printable(message), percentage=self._percentage)
        self._shown.report(self._token, report)
        self._timer = asyncio.get_running_loop().call_later(_PAUSE, self._report, how_far)

    def _cancelled(self, reply: Future[Any]) -> None:
        if reply.cancelled() and self._cancel is not None:
            self._cancel()
