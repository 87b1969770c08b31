"""Progress that a server reports of long work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rpc.client import Json, LanguageClient, Notification


def progress_of(client: LanguageClient) -> list[Json]:
    """Return a list that gets the later reports of the server."""
    values: list[Json] = []
    take = client.on_notification

    def listen(notification: Notification) -> None:
        if notification.method == "$/progress":
            values.append(notification.params["value"])
        take(notification)

    client.on_notification = listen
    return values
