"""Reading scripts from disk."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LOGGER = logging.getLogger(__name__)


def text_of(path: Path, *, limit: int | None = None) -> str | None:
    """Return the text of a file with its line ends; None if it cannot be read or has more than `limit` bytes.

    What is not UTF-8 is replaced.
    """
    try:
        if limit is not None and path.stat().st_size > limit:
            return None
        return path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        _LOGGER.info("%s cannot be read: %s", path, error)
        return None
