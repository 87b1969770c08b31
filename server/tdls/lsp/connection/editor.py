"""The client: its capabilities and folders, messages and requests to it, and the progress that it shows.

A client may answer a request with an error, or never. So no method raises because of that, and none waits for an answer
but `Editor.ask`, which is a question to people: requests are sent, and a function takes the answer when it comes.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from concurrent.futures import Future
    from typing import TypeAlias, TypeVar

    from tdls.lsp.connection.dispatch import Encoded, Host

    _T = TypeVar("_T")
    _HowFar: TypeAlias = Callable[[], tuple[str, int]]

_LOGGER = logging.getLogger(__name__)
_LONG = 0.5
"""Seconds after which the editor shows that work goes on."""
_PAUSE = 0.3
"""Seconds between two reports of progress."""


class Answer(NamedTuple):
    """The answer to a request, where the client did not refuse it; None is one of the possible results."""

    result: Any


class Editor:
    """The one client. Notifications are for any thread, requests for the event loop's only."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._refused: set[str] = set()
        """Methods of requests that were answered with an error."""
        self.watches_files = False
        """True once the client has agreed to send changes of files."""

    # What it said of itself

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """What the editor understands."""
        return self._host.client_capabilities

    def claims(self, name: str) -> bool:
        """Tell whether it has an experimental capability, one of tdls's own."""
        experimental: Any = self.capabilities.experimental
        claimed = experimental.get(name) if isinstance(experimental, dict) else None
        return claimed is True or getattr(experimental, name, None) is True

    @property
    def folders(self) -> list[types.WorkspaceFolder]:
        """The folders that the editor has open."""
        return list(dict(self._host.workspace.folders).values())

    @property
    def root_uri(self) -> str | None:
        """What editors without folders may have open."""
        root: str | None = self._host.workspace.root_uri
        return root

    # Notifications

    def say(self, kind: types.MessageType, message: str) -> None:
        """Show a message to people."""
        self._host.window_show_message(types.ShowMessageParams(kind, message))

    def log(self, message: str) -> None:
        """Have a message kept where people can look for it."""
        self._host.window_log_message(types.LogMessageParams(types.MessageType.Log, message))

    def publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Show what is found in a file, whatever its version."""
        self._host.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def notify(self, method: str, params: Any) -> None:
        """Send a notification of tdls's own."""
        self._host.protocol.notify(method, params)

    def encoded(self, method: str, params: Any) -> Encoded:
        """Return a notification as it is sent; for any thread."""
        return self._host.protocol.encoded_notification(method, params)

    def send(self, message: bytes) -> None:
        """Send a message that is encoded already; in the event loop's thread."""
        self._host.protocol.send(message)

    # Requests

    def request(
        self, method: str, params: Any = None, answered: Callable[[Answer | None], object] | None = None
    ) -> None:
        """Send a request; `answered` gets None where the client refuses it, and is not called if it never answers."""

        def take(future: Future[Any]) -> None:
            if future.cancelled():
                return  # the server ends
            error = future.exception()
            if error is not None:
                self._refused.add(method)
                _LOGGER.info("the client refuses %s: %s", method, error)
            if answered is not None:
                answered(Answer(future.result()) if error is None else None)

        self._host.protocol.send_request(method, params).add_done_callback(take)

    def refuses(self, method: str) -> bool:
        """Tell whether the client has answered such a request with an error, whatever its capabilities are."""
        return method in self._refused

    def refresh(self, method: str, params: Any = None) -> None:
        """Let the editor ask again for something; `method` is that of the request."""
        self.request(method, params)

    def watch_files(self, patterns: Sequence[str]) -> None:
        """Have the client send changes of files that fit one of some patterns, if it can."""
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

    def show(self, uri: str, refused: Callable[[], object]) -> None:
        """Let the editor show a document, and leave the cursor where it is; call `refused` if it does not."""

        def shown(answer: Answer | None) -> None:
            if answer is None or not answer.result.success:
                refused()

        params = types.ShowDocumentParams(uri, take_focus=False)
        self.request(types.WINDOW_SHOW_DOCUMENT, params, shown)

    async def ask(self, kind: types.MessageType, message: str, answers: Sequence[str]) -> str | None:
        """Wait for people, and return which of `answers` they give, "" if none; None if the client refuses."""
        actions = [types.MessageActionItem(answer) for answer in answers]
        params = types.ShowMessageRequestParams(kind, message, actions)
        asked: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def take(answer: Answer | None) -> None:
            if not asked.done():
                asked.set_result(getattr(answer.result, "title", "") if answer is not None else None)

        self.request(types.WINDOW_SHOW_MESSAGE_REQUEST, params, take)
        return await asked

    # Progress

    def progress(
        self, title: str, how_far: _HowFar | None = None, cancel: Callable[[], object] | None = None
    ) -> Progress:
        """Return the progress of work that begins now."""
        return Progress(self, self._host, title, how_far, cancel)

    async def with_progress(self, title: str, work: Coroutine[None, None, _T]) -> _T | None:
        """Return the result of `work`, None if people ended it. Cancelling this cancels it, too."""
        task = asyncio.ensure_future(work)
        try:
            with self.progress(title, cancel=task.cancel):
                await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        return None if task.cancelled() else task.result()


class Progress:
    """Shows people that work goes on which takes long; left as a context manager, it has ended.

    Nothing waits for the client: one that refuses to show progress, or does not answer, is sent none.
    """

    def __init__(
        self,
        editor: Editor,
        host: Host,
        title: str,
        how_far: _HowFar | None,
        cancel: Callable[[], object] | None,
    ) -> None:
        """`how_far` returns a message and a percentage; `cancel` is called when people want the work to end."""
        self._editor = editor
        self._shown = host.work_done_progress
        self._title = title
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
        """Show no more of it."""
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
        self._shown.report(self._token, types.WorkDoneProgressReport(message=message, percentage=self._percentage))
        self._timer = asyncio.get_running_loop().call_later(_PAUSE, self._report, how_far)

    def _cancelled(self, asked: Future[Any]) -> None:
        if asked.cancelled() and self._cancel is not None:
            self._cancel()
