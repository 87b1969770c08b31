"""``textDocument/declaration``: from a transformed payload to what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.runs.correspondence import of_place
from tdls.lsp.runs.shown import source_location, transformed_payloads

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session, runs: Runs, run_views: RunViews) -> None:
    """Answer where the operation came from that a line of a transformed payload holds."""

    @features.feature(types.TEXT_DOCUMENT_DECLARATION)
    def text_document_declaration(params: types.DeclarationParams) -> list[types.Location]:
        """Return where in scripts and payloads the line of a transformed payload came from."""
        cursor = session.cursor(params)
        if cursor is None or run_views.document(cursor.uri) is None:
            return []
        found = of_place(cursor.snapshot, transformed_payloads(runs, run_views), cursor.uri, cursor.offset)
        places = (source_location(cursor.snapshot, place, session.encoding) for place in found.source)
        return [place for place in places if place is not None]
