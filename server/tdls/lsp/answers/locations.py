"""Convert locations and edits of several files to LSP values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol, TypeAlias

from lsprotocol import types

from tdls.files.reading import text_of
from tdls.ide.cursor.target import placed_entity_at
from tdls.limits import SOURCE_SIZE
from tdls.lsp.protocol.conversions import to_range, to_text_edit
from tdls.lsp.protocol.errors import ContentModified
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.model import SourcePlace
    from tdls.ide.snapshot import Location
    from tdls.lsp.session.session import Cursor, Session
    from tdls.text.diagnostic import TextEdit
    from tdls.text.positions import PositionEncoding

_WORD = re.compile(r"\w*")


def source_location(place: SourcePlace, encoding: PositionEncoding) -> types.Location | None:
    """Return the location of the word at `place`, or None if the file does not exist, as with a foreign catalogue."""
    text = text_of(place.path, SOURCE_SIZE) if place.path.is_absolute() else None
    if text is None:
        return None
    index = LineIndex(text)
    line = min(place.line, index.line_count - 1)
    written = index.line_text(line)
    column = min(place.column, len(written))
    word = _WORD.match(written, column)
    columns = (column, word.end() if word is not None else column)
    start, end = (types.Position(line, encoding.units(written, column)) for column in columns)
    return types.Location(place.path.as_uri(), types.Range(start, end))


Answer: TypeAlias = list[types.Location] | list[types.LocationLink]


class ClaimsLinks(Protocol):
    """The editor's capabilities for a request that may be answered with links."""

    @property
    def link_support(self) -> bool | None:
        """True if the editor supports links."""
        ...


def to_answer(
    session: Session,
    cursor: Cursor | None,
    targets: Sequence[Location],
    claimed: ClaimsLinks | None,
    places: Sequence[SourcePlace] = (),
) -> Answer:
    """Return `targets` as locations or links, as the editor supports, for a request at `cursor`.

    `places` are in source files that are not documents of the server; places in missing files are left out.
    """
    if cursor is None:
        return []
    in_sources = (source_location(place, session.encoding) for place in places)
    locations = [*map(session.location, targets), *filter(None, in_sources)]
    if claimed is None or not claimed.link_support:
        return locations
    place = placed_entity_at(cursor.snapshot, cursor.uri, cursor.offset)
    origin = to_range(cursor.file, place.span, session.encoding) if place is not None else None
    return [types.LocationLink(there.uri, there.range, there.range, origin) for there in locations]


def claims_of(capabilities: types.ClientCapabilities) -> types.TextDocumentClientCapabilities:
    """Return the editor's capabilities for text documents, empty ones if it sent none."""
    return capabilities.text_document or types.TextDocumentClientCapabilities()


def to_workspace_edit(
    session: Session, files: Mapping[str, SourceFile], edits: Mapping[str, Sequence[TextEdit]]
) -> types.WorkspaceEdit:
    """Return edits of `files`, by URI; with the documents' versions if the editor supports these.

    Raises ContentModified if the text of one of these files has changed since: the edits would corrupt it.
    """
    converted = {uri: [to_text_edit(files[uri], edit, session.encoding) for edit in edits[uri]] for uri in edits}
    return workspace_edit(session, converted, {uri: version_of(session, uri, files[uri]) for uri in edits})


def workspace_edit(
    session: Session,
    changes: Mapping[str, list[types.TextEdit]],
    versions: Mapping[str, int | None],
    created: str | None = None,
) -> types.WorkspaceEdit:
    """Return changes of files, by URI, in a form that the editor knows; the file `created` is made first.

    Editors that cannot create files open an empty document for an edit of a new one.
    """
    workspace = session.editor.capabilities.workspace
    claimed = (workspace.workspace_edit if workspace is not None else None) or types.WorkspaceEditClientCapabilities()
    creates = types.ResourceOperationKind.Create in (claimed.resource_operations or ())
    if not (claimed.document_changes if created is None else creates):
        return types.WorkspaceEdit(changes=dict(changes))
    new = [types.CreateFile(created, options=types.CreateFileOptions(ignore_if_exists=True))] if created else []
    edited = (
        types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri)), own)
        for uri, own in changes.items()
    )
    return types.WorkspaceEdit(document_changes=[*new, *edited])


def version_of(session: Session, uri: str, file: SourceFile) -> int | None:
    """Return the version of a document that has the text of `file`, None if it is not open.

    The version is read first: it changes after the text, so that at worst the editor refuses the edits.
    """
    document = session.documents.get(uri)
    version = document.version if document is not None else None
    present = session.file(uri)
    if present is None or (present.sections is not file.sections and present.text != file.text):
        raise ContentModified("a document that is to be edited changed")
    return version
