"""``textDocument/typeDefinition``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.navigation.type_definition import type_definition
from tdls.lsp.answers.location_links import claims_of, to_answer

if TYPE_CHECKING:
    from tdls.lsp.answers.location_links import Answer
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session, editor: Editor) -> None:
    """Answer where the aliases are defined that spell a value's type."""

    @features.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    def text_document_type_definition(params: types.TypeDefinitionParams) -> Answer:
        """Return where the aliases are defined that the type at the position is spelled with."""
        cursor = session.cursor(params)
        found = type_definition(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else []
        return to_answer(session, cursor, found, claims_of(editor.capabilities).type_definition)
