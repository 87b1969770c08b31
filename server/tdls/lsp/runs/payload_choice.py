"""``workspace/executeCommand``: ``tdls.setPayload``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from tdls.lsp.protocol.paths import path_of
from tdls.lsp.runs.run_command import only_argument

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tdls.lsp.connection.registration import Features

SET_PAYLOAD = "tdls.setPayload"


def register(features: Features, payload_chosen: Callable[[str, Path | None], None]) -> None:
    """Check scripts with the payload that people choose in the editor, before anything is run.

    `payload_chosen` gets the URI of a script and the payload; None leaves that to the script.
    """

    @features.command(SET_PAYLOAD)
    async def set_payload(*arguments: Any) -> None:
        """Take what the argument names as the payload of a document, until that is closed or run on another one."""
        given = only_argument(arguments)
        uri, payload = given.get("uri"), given.get("payload")
        path = path_of(payload) if isinstance(payload, str) else None
        if not isinstance(uri, str) or (payload is not None and path is None):
            raise JsonRpcInvalidParams("`uri` is that of a script, and `payload` that of a file, or null")
        payload_chosen(uri, path)
