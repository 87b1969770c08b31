"""Ask the user whether settings files may start the programs that they name, see `tdls.settings.consent`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.files.writing import NotWrittenError
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.session.session import Kind
from tdls.settings.consent import Trust, allow, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence
    from pathlib import Path

    from tdls.lsp.session.session import Session
    from tdls.settings.consent import Consent, ConsentRequest

ALLOW = "Allow for this folder"
_NOT_NOW = "Not now"
_TRUST = "trust-workspace"
_NAMESPACE = "tdls"


class Consents:
    """Trusted folders of this session, and the consents that the server has requested of the user."""

    def __init__(self, session: Session, *, trusts_everything: bool) -> None:
        self._session = session
        self._editor = session.editor
        self._trusts_everything = trusts_everything
        self._trusts_workspace = False
        self._asked: set[Consent] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def trust(self) -> Trust:
        """The trust that replaces single consents in this session."""
        folders = tuple(self._workspace_folders()) if self._trusts_workspace else ()
        return Trust(everything=self._trusts_everything, folders=folders)

    def trusts(self, uri: str) -> bool:
        """Return whether the user trusts the workspace, and the document is in it or in no folder of the editor."""
        if self._trusts_everything or not self._trusts_workspace:
            return self._trusts_everything
        path, folders = path_of(uri), list(self._workspace_folders())
        return path is None or not folders or any(map(path.is_relative_to, folders))

    def take(self, client: object) -> None:
        """Read ``trust-workspace`` from the editor's settings or initialization options, which belong to the user."""
        own = client.get(_NAMESPACE, client) if isinstance(client, dict) else None
        if isinstance(own, dict) and isinstance(own.get(_TRUST), bool):
            self._trusts_workspace = own[_TRUST]

    def ask(
        self, questions: Sequence[ConsentRequest], then: Callable[[], Coroutine[Any, Any, object]] | None = None
    ) -> bool:
        """Show that nothing was run, ask once for consent, and call `then` if it is given.

        Return False, without a message, if the server has requested the same consents before.
        """
        consents = {question.consent for question in questions}
        if consents <= self._asked:
            return False
        self._asked |= consents
        window = self._editor.capabilities.window
        if window is not None and window.show_message is not None:
            task = asyncio.get_running_loop().create_task(self._ask(questions, then))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._say(types.MessageType.Warning, refusal(questions))
        return True

    def close(self) -> None:
        """Stop waiting for answers."""
        for task in self._tasks:
            task.cancel()

    async def _ask(
        self, questions: Sequence[ConsentRequest], then: Callable[[], Coroutine[Any, Any, object]] | None
    ) -> None:
        question = f"tdls: {refusal(questions)}"
        answer = await self._editor.ask(types.MessageType.Warning, question, (ALLOW, _NOT_NOW))
        if answer is None:
            self._say(types.MessageType.Warning, refusal(questions))
            return
        if answer != ALLOW:
            return
        try:
            allow(questions)
        except NotWrittenError as error:
            self._say(types.MessageType.Error, f"consent cannot be kept: {error}")
            return
        self._session.changed("", Kind.CONSENT)
        if then is not None:
            await then()

    def _say(self, kind: types.MessageType, message: str) -> None:
        self._editor.say(kind, f"tdls: {message}")

    def _workspace_folders(self) -> Iterator[Path]:
        uris = [folder.uri for folder in self._editor.folders]
        for uri in uris or filter(None, [self._editor.root_uri]):
            path = path_of(uri)
            if path is not None:
                yield path
