"""Places in a project's sources, which the server does not keep as documents, as the protocol has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.files.reading import text_of
from tdls.limits import SOURCE_SIZE
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from tdls.catalogue.model import SourcePlace
    from tdls.text.positions import PositionEncoding

_WORD = re.compile(r"\w*")


def source_location(place: SourcePlace, encoding: PositionEncoding) -> types.Location | None:
    """Return the word at `place`; None where the file is not there, as with a catalogue from another machine."""
    text = text_of(place.path, SOURCE_SIZE) if place.path.is_absolute() else None
    if text is None:
        return None
    index = LineIndex(text)
    line = min(place.line, index.line_count - 1)
    written = index.line_text(line)
    word = _WORD.match(written, place.column)
    columns = (place.column, word.end() if word is not None else place.column)
    start, end = (types.Position(line, encoding.units(written, column)) for column in columns)
    return types.Location(place.path.as_uri(), types.Range(start, end))
