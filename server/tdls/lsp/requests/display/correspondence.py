"""``tdls/correspondence``: the handles and payload operations that belong to a place of a script or payload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.ide.runs.correspondence import of_place
from tdls.lsp.protocol.custom_parameters import text_document_position
from tdls.lsp.runs.shown import line_location, source_location, transformed_payloads

if TYPE_CHECKING:
    from lsprotocol import types

    from tdls.lsp.connection.registration import Features
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.session import Session

METHOD = "tdls/correspondence"


def register(features: Features, session: Session, runs: Runs, run_views: RunViews) -> None:
    """Answer what the last runs know of a handle, or of an operation before or after a run."""

    @features.feature(METHOD)
    def correspondence(params: Any) -> dict[str, list[types.Location]]:
        """Return the handles, the lines of the source, and those after a run that go with the position in `params`."""
        cursor = session.cursor(text_document_position(params))
        if cursor is None:
            return {"handles": [], "source": [], "after": []}
        shown = transformed_payloads(runs, run_views)
        found = of_place(cursor.snapshot, shown, cursor.uri, cursor.offset)
        source = (source_location(cursor.snapshot, place, session.encoding) for place in found.source)
        return {
            "handles": [session.location(handle) for handle in found.handles],
            "source": [place for place in source if place is not None],
            "after": [line_location(shown, line, session.encoding) for line in found.after],
        }
