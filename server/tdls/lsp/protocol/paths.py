"""Between URIs of documents and paths on disk."""

from __future__ import annotations

from pathlib import Path

from pygls.uris import to_fs_path


def path_of(uri: str) -> Path | None:
    """Return the path that a ``file:`` URI names; None for others."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else None
