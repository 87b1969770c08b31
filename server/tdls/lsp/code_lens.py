"""``textDocument/codeLens`` and ``codeLens/resolve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.ide.code_lenses import code_lenses, lens_references
from tdls.lsp.convert import to_offset, to_range

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer

_SHOW_REFERENCES = "tdls.showReferences"
"""A command of the editor's extension; editors without it show the title alone."""


def register(server: TdlsServer) -> None:
    """Answer how often named sequences are referred to; counted when the editor shows a lens."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def text_document_code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        session, uri = server.session, params.text_document.uri
        file = session.file(uri)
        if file is None or not server.configuration.settings(uri).code_lens.references:
            return []
        found = code_lenses(session.snapshot(), uri)
        return [
            types.CodeLens(to_range(file, lens.span, session.encoding), data=[lens.kind.value, uri]) for lens in found
        ]

    @server.feature(types.CODE_LENS_RESOLVE)
    def code_lens_resolve(lens: types.CodeLens) -> types.CodeLens:
        uri = _uri(lens.data)
        session = server.session
        file = session.file(uri)
        offset = to_offset(file, lens.range.start, session.encoding) if file is not None else 0
        found = lens_references(session.snapshot(), uri, offset)
        locations = [session.location(location) for location in found]
        title = f"{len(found)} reference{'' if len(found) == 1 else 's'}"
        lens.command = types.Command(title, _SHOW_REFERENCES, arguments=[uri, lens.range.start, locations])
        return lens


def _uri(data: Any) -> str:
    return str(data[1]) if isinstance(data, (list, tuple)) and len(data) == 2 else ""
