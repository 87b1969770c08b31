"""JSON that every reader accepts, also for file names that are not Unicode."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from tdls.text.printable import well_formed


def json_text(value: Any, *, indent: int | None = None, ensure_ascii: bool = True) -> str:
    """Return `value` as JSON. Lone surrogates, which many readers refuse, are written as `well_formed` writes them.

    A member ``uri`` joins each ``path`` that has some, since it names the file exactly.
    """
    text = json.dumps(value, indent=indent, ensure_ascii=ensure_ascii)
    may_have_surrogates = "\\ud" in text if ensure_ascii else well_formed(text) != text
    return json.dumps(_well_formed(value), indent=indent, ensure_ascii=ensure_ascii) if may_have_surrogates else text


def _well_formed(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        members = {well_formed(key): _well_formed(inner) for key, inner in value.items()}
        path = value.get("path")
        if isinstance(path, str) and members["path"] != path:
            with suppress(UnicodeEncodeError):  # the name is of no file
                members["uri"] = Path(os.path.abspath(path)).as_uri()  # noqa: PTH100 - links stay as they are written
        return members
    return list(map(_well_formed, value)) if isinstance(value, (list, tuple)) else value
