"""``textDocument/diagnostic``: the editor asks for diagnostics when it wants them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer with what is found in the newest version of a document."""

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="tdls"),
    )
    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        items = await server.documents.diagnostics.pulled(params.text_document.uri)
        identity = _identity(items)
        if identity == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(identity)
        return types.RelatedFullDocumentDiagnosticReport(items, result_id=identity)


def _identity(items: Sequence[types.Diagnostic]) -> str:
    return hashlib.sha256(repr(items).encode("utf-8", "surrogatepass")).hexdigest()[:16]
