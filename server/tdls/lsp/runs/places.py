"""Places that runs name, as editors take them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.runs.correspondence import location

if TYPE_CHECKING:
    from tdls.interpreter.model import Place
    from tdls.lsp.session.session import Session


def to_location(session: Session, place: Place) -> types.Location | None:
    """Return where a place is; the beginning of its line in a file that is not known, None for what is in no file."""
    known = location(session.snapshot(), place)
    if known is not None:
        return session.location(known)
    path = Path(place.file)
    if not path.is_absolute():
        return None
    start = types.Position(max(0, place.line - 1), 0)
    return types.Location(path.as_uri(), types.Range(start, start))
