"""``textDocument/definition``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.cursor.source_places import places_of_definition
from tdls.ide.navigation.definition import definition
from tdls.lsp.answers.location_links import claims_of, to_answer

if TYPE_CHECKING:
    from tdls.lsp.answers.location_links import Answer
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session, editor: Editor) -> None:
    """Answer where values, blocks, symbols and aliases are defined, and a project's operations and types."""

    @features.feature(types.TEXT_DOCUMENT_DEFINITION)
    def text_document_definition(params: types.DefinitionParams) -> Answer:
        """Return where what stands at the position is defined."""
        cursor = session.settled_cursor(params)
        if cursor is None:
            return []
        found = definition(cursor.snapshot, cursor.uri, cursor.offset)
        places = places_of_definition(cursor.snapshot, cursor.uri, cursor.offset)
        return to_answer(session, cursor, found, claims_of(editor.capabilities).definition, places)
