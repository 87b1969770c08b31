"""``textDocument/declaration``: declarations of symbols, and from a transformed payload what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.cursor.source_places import places_of_definition
from tdls.ide.navigation.definition import declaration
from tdls.ide.runs.correspondence import of_place
from tdls.lsp.answers.location_links import claims_of, to_answer
from tdls.lsp.runs.shown import source_location, transformed_payloads

if TYPE_CHECKING:
    from tdls.lsp.answers.location_links import Answer
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.session import Cursor, Session


def register(features: Features, session: Session, editor: Editor, runs: Runs, run_views: RunViews) -> None:
    """Answer where things are declared, and where the operation came from that a transformed payload's line holds."""

    @features.feature(types.TEXT_DOCUMENT_DECLARATION)
    def text_document_declaration(params: types.DeclarationParams) -> Answer:
        """Return where what stands at the position is declared; in a transformed payload, where its line came from."""
        cursor = session.cursor(params)
        if cursor is None:
            return []
        if run_views.document(cursor.uri) is not None:
            return _before_run(session, cursor, runs, run_views)
        found = declaration(cursor.snapshot, cursor.uri, cursor.offset)
        places = places_of_definition(cursor.snapshot, cursor.uri, cursor.offset)
        return to_answer(session, cursor, found, claims_of(editor.capabilities).declaration, places)


def _before_run(session: Session, cursor: Cursor, runs: Runs, run_views: RunViews) -> list[types.Location]:
    """Return where in scripts and payloads the line of a transformed payload came from."""
    found = of_place(cursor.snapshot, transformed_payloads(runs, run_views), cursor.uri, cursor.offset)
    places = (source_location(cursor.snapshot, place, session.encoding) for place in found.source)
    return [place for place in places if place is not None]
