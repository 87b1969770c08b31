"""The editor, as the rest of the server sees it: what it said of itself, and what is said to it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.lsp.connection.dispatch import Encoded, Host


class Editor:
    """The one client. What is said may be said in any thread, what is asked and awaited in the event loop's only."""

    def __init__(self, host: Host) -> None:
        self._host = host

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

    # What people see

    def say(self, kind: types.MessageType, message: str) -> None:
        """Show a message to people."""
        self._host.window_show_message(types.ShowMessageParams(kind, message))

    def log(self, message: str) -> None:
        """Have a message kept where people can look for it."""
        self._host.window_log_message(types.LogMessageParams(types.MessageType.Log, message))

    async def ask(self, kind: types.MessageType, message: str, answers: Sequence[str]) -> str | None:
        """Return which of `answers` people give, None if none. Raises JsonRpcException if the editor cannot ask."""
        actions = [types.MessageActionItem(answer) for answer in answers]
        params = types.ShowMessageRequestParams(kind, message, actions)
        answer = await self._host.window_show_message_request_async(params)
        return answer.title if answer is not None else None

    async def show(self, uri: str) -> None:
        """Let the editor show a document, and leave the cursor where it is."""
        await self._host.window_show_document_async(types.ShowDocumentParams(uri, take_focus=False))

    def publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Show what is found in a file, whatever its version."""
        self._host.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def notify(self, method: str, params: Any) -> None:
        """Send a notification of tdls's own."""
        self._host.protocol.notify(method, params)

    # Progress

    async def begin_progress(
        self, title: str, *, percentage: int | None = None, cancel: Callable[[], object] | None = None
    ) -> str | None:
        """Tell that something takes a while, and return its token; None where the editor shows no progress.

        `cancel` is called when people want it to end.
        """
        window = self.capabilities.window
        if window is None or not window.work_done_progress:
            return None
        token, progress = str(uuid.uuid4()), self._host.work_done_progress
        await progress.create_async(token)
        cancellable = True if cancel is not None else None
        progress.begin(token, types.WorkDoneProgressBegin(title, cancellable=cancellable, percentage=percentage))
        if cancel is not None:
            progress.tokens[token].add_done_callback(lambda ended: cancel() if ended.cancelled() else None)
        return token

    def report_progress(self, token: str, message: str, percentage: int) -> None:
        """Tell how far it is."""
        report = types.WorkDoneProgressReport(message=message, percentage=percentage)
        self._host.work_done_progress.report(token, report)

    def end_progress(self, token: str, message: str | None = None) -> None:
        """Tell that it has ended."""
        self._host.work_done_progress.end(token, types.WorkDoneProgressEnd(message=message))

    # What it asks and is asked for

    async def settings(self, section: str) -> Any:
        """Return what the editor has in a section of its settings."""
        params = types.ConfigurationParams([types.ConfigurationItem(section=section)])
        answer = await self._host.workspace_configuration_async(params)
        return answer[0] if answer else None

    async def register(self, method: str, options: Any) -> None:
        """Have the editor send `method` from now on."""
        registration = types.Registration(str(uuid.uuid4()), method, options)
        await self._host.client_register_capability_async(types.RegistrationParams([registration]))

    def refresh(self, method: str, params: Any = None) -> None:
        """Let the editor ask again for something; `method` is that of the request."""
        self._host.protocol.send_request(method, params)

    # What is encoded in other threads

    def encoded(self, method: str, params: Any) -> Encoded:
        """Return a notification as it is sent; for any thread."""
        return self._host.protocol.encoded_notification(method, params)

    def send(self, message: bytes) -> None:
        """Send a message that is encoded already; in the event loop's thread."""
        self._host.protocol.send(message)
