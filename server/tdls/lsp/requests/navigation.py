"""Definitions, declarations, implementations, references, highlights and document links."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.catalogue.model import SourcePlace
from tdls.files.boundary import leads_out
from tdls.ide.cursor.navigation import (
    declaration,
    definition,
    document_highlight,
    document_links,
    implementation,
    references,
    type_definition,
)
from tdls.ide.cursor.occurrences import Role
from tdls.ide.cursor.source_locations import location_links, origin_of_definition
from tdls.ide.cursor.target import operation_at, places_of_definition, places_of_implementation
from tdls.ide.runs.correspondence import of_place
from tdls.lsp.answers.locations import claims_of, to_answer
from tdls.lsp.answers.source_files import source_files
from tdls.lsp.protocol.conversions import path_of, to_range
from tdls.lsp.runs.shown import line_location, source_location, transformed_payloads
from tdls.lsp.runs.views import kept_file

if TYPE_CHECKING:
    from tdls.lsp.answers.locations import Answer
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.session.session import Cursor
    from tdls.lsp.state import State


_KINDS = {
    Role.DEFINITION: types.DocumentHighlightKind.Write,
    Role.CONSUMPTION: types.DocumentHighlightKind.Write,
    Role.USE: types.DocumentHighlightKind.Read,
}
"""Consuming a handle invalidates it, so it is shown like writing a variable."""


def register(host: Host, state: State) -> None:
    """Answer with places of the entity at the cursor."""
    _register_definitions(host, state)
    _register_occurrences(host, state)


def _register_definitions(host: Host, state: State) -> None:
    """Answer with definitions of values, blocks, symbols and aliases, and of operations and types.

    Those of a project are in its sources, those of upstream have a page. What has a location leads there, too.
    Implementations are bodies of declared and called named sequences, and the C++ of a project's operations; without
    these, they are the lines of transformed payloads that originate from the line at the cursor.
    """

    @host.feature(types.TEXT_DOCUMENT_DEFINITION)
    def text_document_definition(params: types.DefinitionParams) -> Answer:
        """Return the definitions of the entity at the position."""
        cursor = state.settled_cursor(params, in_window=True)
        if cursor is None:
            return []
        at = cursor.snapshot, cursor.uri, cursor.offset
        origins, find = origin_of_definition(*at), source_files(cursor.uri, state.configuration.settings(cursor.uri))
        files = [(path, origin) for origin in origins if (path := find(origin.path)) is not None]
        sources = [SourcePlace(path, max(origin.line, 1) - 1, max(origin.column, 1) - 1) for path, origin in files]
        targets = [
            each
            for each in definition(*at)
            if not sources or each.uri != cursor.uri or not each.span.start <= cursor.offset <= each.span.end
        ]
        places = (*sources, *places_of_definition(*at))
        answer = to_answer(state, cursor, targets, claims_of(state.editor.capabilities).definition, places)
        return answer or _page_of_operation(cursor)

    @host.feature(types.TEXT_DOCUMENT_DECLARATION)
    def text_document_declaration(params: types.DeclarationParams) -> Answer:
        """Return the declarations of the entity at the position; in a transformed payload, the origins of the line."""
        cursor = state.cursor(params)
        if cursor is None:
            return []
        if state.run_views.document(cursor.uri) is not None:
            shown = transformed_payloads(state.runs, state.run_views)
            origins = of_place(cursor.snapshot, shown, cursor.uri, cursor.offset).source
            located = (source_location(cursor.snapshot, origin, state.encoding) for origin in origins)
            return [location for location in located if location is not None]
        targets = declaration(cursor.snapshot, cursor.uri, cursor.offset)
        places = places_of_definition(cursor.snapshot, cursor.uri, cursor.offset)
        return to_answer(state, cursor, targets, claims_of(state.editor.capabilities).declaration, places)

    @host.feature(types.TEXT_DOCUMENT_IMPLEMENTATION)
    def text_document_implementation(params: types.ImplementationParams) -> Answer:
        """Return the implementations of the entity at the position, or the transformed lines of the payload there."""
        cursor = state.cursor(params)
        if cursor is None:
            return []
        targets = implementation(cursor.snapshot, cursor.uri, cursor.offset)
        places = places_of_implementation(cursor.snapshot, cursor.uri, cursor.offset)
        if not targets and not places:
            shown = transformed_payloads(state.runs, state.run_views)
            lines = of_place(cursor.snapshot, shown, cursor.uri, cursor.offset).after if shown else ()
            return [line_location(shown, line, state.encoding) for line in lines]
        return to_answer(state, cursor, targets, claims_of(state.editor.capabilities).implementation, places)

    @host.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    def text_document_type_definition(params: types.TypeDefinitionParams) -> Answer:
        """Return the definitions of the aliases in the type at the position."""
        cursor = state.cursor(params)
        targets = type_definition(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else []
        return to_answer(state, cursor, targets, claims_of(state.editor.capabilities).type_definition)


def _register_occurrences(host: Host, state: State) -> None:
    @host.feature(types.TEXT_DOCUMENT_REFERENCES)
    def text_document_references(params: types.ReferenceParams) -> list[types.Location]:
        """Return the references to the entity at the position, with its definition if the request includes it."""
        cursor = state.settled_cursor(params, in_window=True)
        if cursor is None:
            return []
        with_definition = params.context.include_declaration
        targets = references(cursor.snapshot, cursor.uri, cursor.offset, include_definition=with_definition)
        return [state.location(location) for location in targets]

    @host.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def text_document_document_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        """Return the occurrences of the entity at the position in the document, with their roles."""
        cursor = state.cursor(params, in_window=True)
        if cursor is None:
            return []
        targets = document_highlight(cursor.snapshot, cursor.uri, cursor.offset)
        encoding = state.encoding
        return [types.DocumentHighlight(to_range(cursor.file, span, encoding), _KINDS[role]) for span, role in targets]

    @host.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def text_document_document_link(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        """Return the paths in a document with their target files."""
        uri = params.text_document.uri
        file, path = state.file(uri), path_of(uri)
        if file is None or path is None:
            return []

        def is_file(written: str) -> bool:
            return not leads_out(path, written) and os.path.isfile(path.parent / written)

        snapshot, encoding = state.snapshot(), state.encoding
        links = [(each.span, Path(each.target).as_uri()) for each in document_links(snapshot, uri, path, is_file)]
        links += (
            (link.span, f"{link.target.as_uri()}#L{link.location.line},{max(link.location.column, 1)}")
            for link in location_links(snapshot, uri, source_files(uri, state.configuration.settings(uri)))
        )
        return [types.DocumentLink(to_range(file, span, encoding), target) for span, target in links]


def _page_of_operation(cursor: Cursor) -> list[types.Location]:
    """Return the place of a read-only file that describes the operation at the cursor, as one of upstream."""
    from tdls.ide.forms.operation_page import operation_page
    from tdls.ide.hover.operation import definition_text
    from tdls.ide.markdown import fenced

    operation, catalogue = operation_at(cursor.snapshot, cursor.uri, cursor.offset), cursor.file.catalogue
    if operation is None:
        return []
    text = definition_text(operation, catalogue, cursor.snapshot.descriptions(operation.name))
    facts = "\n".join(operation_page(operation, catalogue))
    text += f"\n\n## All facts\n\n{fenced(facts, 'text')}\n"
    path = kept_file(text, f"{_NO_FILE_NAME.sub('_', operation.name)}.operation.md", text)
    begin = types.Position(0, 0)
    return [types.Location(path.as_uri(), types.Range(begin, begin))]


_NO_FILE_NAME = re.compile(r"[^\w.$]")
