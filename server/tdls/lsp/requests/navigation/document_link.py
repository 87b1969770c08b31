"""``textDocument/documentLink``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls import uris

from tdls.ide.navigation.document_link import document_links
from tdls.lsp.protocol.positions import to_range

if TYPE_CHECKING:
    from pathlib import PurePath

    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session) -> None:
    """Answer which paths in a document lead to files."""

    @features.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def text_document_document_link(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        """Return the paths in a document, with the files that they lead to."""
        uri = params.text_document.uri
        file, path = session.file(uri), uris.to_fs_path(uri)
        if file is None or not path:
            return []
        links = document_links(session.snapshot(), uri, Path(path), _is_file)
        return [
            types.DocumentLink(to_range(file, link.span, session.encoding), Path(link.target).as_uri())
            for link in links
        ]


def _is_file(path: PurePath) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False
