"""Transformed payloads of the last runs, and locations in them and in their sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.runs.correspondence import Transformed, location
from tdls.interpreter.runs.model import Emit
from tdls.lsp.protocol.conversions import to_range
from tdls.lsp.protocol.run_target import View

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.ide.runs.correspondence import DocumentLine
    from tdls.ide.snapshot import Snapshot
    from tdls.interpreter.runs.model import Place
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.session import Session
    from tdls.text.positions import PositionEncoding


def transformed_payloads(runs: Runs, run_views: RunViews) -> list[Transformed]:
    """Return the payloads after the last runs for which the origins of lines are known."""
    payloads = []
    for run in runs.last_runs():
        result = run.result
        if result is None or not result.origins or Emit.MODULE in result.texts:
            continue
        uri = run_views.uri(run.document(View.AFTER))
        payloads.append(Transformed(uri, run.texts[View.AFTER].split("\n"), result.origins))
    return payloads


def line_location(shown: Iterable[Transformed], line: DocumentLine, encoding: PositionEncoding) -> types.Location:
    """Return the location of a line of a transformed payload, without surrounding white space."""
    text = next(document.lines[line.number] for document in shown if document.uri == line.uri)
    start = encoding.units(text, len(text) - len(text.lstrip()))
    end = encoding.units(text, len(text.rstrip()))
    return types.Location(line.uri, types.Range(types.Position(line.number, start), types.Position(line.number, end)))


def source_location(snapshot: Snapshot, place: Place, encoding: PositionEncoding) -> types.Location | None:
    """Return the location of `place` in a source of the payload, or None for an unknown file."""
    place_in_file = location(snapshot, place)
    file = snapshot.file(place_in_file.uri) if place_in_file is not None else None
    if place_in_file is None or file is None:
        return None
    return types.Location(place_in_file.uri, to_range(file, place_in_file.span, encoding))


def to_location(session: Session, place: Place) -> types.Location | None:
    """Return the location of `place`; in an unknown file the start of its line, None if it is in no file."""
    known = location(session.snapshot(), place)
    if known is not None:
        return session.location(known)
    path = Path(place.file)
    if not path.is_absolute():
        return None
    start = types.Position(max(0, place.line - 1), 0)
    return types.Location(path.as_uri(), types.Range(start, start))
