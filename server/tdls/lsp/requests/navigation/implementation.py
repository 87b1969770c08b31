"""``textDocument/implementation``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.cursor.source_places import places_of_implementation
from tdls.ide.navigation.implementation import implementation
from tdls.ide.runs.correspondence import of_place
from tdls.lsp.answers.location_links import claims_of, to_answer
from tdls.lsp.runs.shown import line_location, transformed_payloads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.ide.runs.correspondence import Transformed
    from tdls.lsp.answers.location_links import Answer
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.session import Cursor, Session
    from tdls.text.positions import PositionEncoding


def register(features: Features, session: Session, editor: Editor, runs: Runs, run_views: RunViews) -> None:
    """Answer where declared and called named sequences have their bodies, and a project's operations their C++.

    Where there is neither, the answer is what became of the payload in a run.
    """

    @features.feature(types.TEXT_DOCUMENT_IMPLEMENTATION)
    def text_document_implementation(params: types.ImplementationParams) -> Answer:
        """Return the bodies of what stands at the position, or what became of it in a run."""
        cursor = session.cursor(params)
        if cursor is None:
            return []
        found = implementation(cursor.snapshot, cursor.uri, cursor.offset)
        places = places_of_implementation(cursor.snapshot, cursor.uri, cursor.offset)
        if not found and not places:
            return _after_run(cursor, transformed_payloads(runs, run_views), session.encoding)
        return to_answer(session, cursor, found, claims_of(editor.capabilities).implementation, places)


def _after_run(cursor: Cursor, shown: Sequence[Transformed], encoding: PositionEncoding) -> list[types.Location]:
    """Return the lines of transformed payloads, the `shown` ones, that came from the line at the cursor."""
    lines = of_place(cursor.snapshot, shown, cursor.uri, cursor.offset).after if shown else ()
    return [line_location(shown, line, encoding) for line in lines]
