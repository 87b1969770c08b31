"""JSON that every reader accepts, also for file names that are not Unicode."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tdls.text.printable import well_formed


def json_text(value: Any, *, indent: int | None = None, ensure_ascii: bool = True) -> str:
    """Return `value` as JSON. Lone surrogates, which many readers refuse, are written as `well_formed` writes them."""
    text = json.dumps(value, indent=indent, ensure_ascii=ensure_ascii)
    may_have_surrogates = "\\ud" in text if ensure_ascii else well_formed(text) != text
    return json.dumps(_well_formed(value), indent=indent, ensure_ascii=ensure_ascii) if may_have_surrogates else text


def path_members(name: str) -> dict[str, str]:
    """Return the member ``path`` for a file, and ``uri`` if its name is no Unicode, which ``path`` cannot express."""
    if well_formed(name) == name:
        return {"path": name}
    return {"path": name, "uri": Path(os.path.abspath(name)).as_uri()}  # noqa: PTH100 - links stay as they are written


def _well_formed(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {well_formed(key): _well_formed(inner) for key, inner in value.items()}
    return list(map(_well_formed, value)) if isinstance(value, (list, tuple)) else value
