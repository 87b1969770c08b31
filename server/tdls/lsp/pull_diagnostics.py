"""``textDocument/diagnostic`` and ``workspace/diagnostic``: the editor asks for diagnostics when it wants them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.findings import Findings
from tdls.lsp.slices import in_slices

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tdls.analysis.source_file import SourceFile
    from tdls.lsp.server import TdlsServer

_IDENTIFIER = "tdls"


def register(server: TdlsServer) -> None:
    """Answer with what is found in the newest version of a document, and in the files of the workspace."""

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=_IDENTIFIER),
    )
    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        items = await server.documents.diagnostics.pulled(params.text_document.uri)
        identity = _identity(items)
        if identity == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(identity)
        return types.RelatedFullDocumentDiagnosticReport(items, result_id=identity)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        known = {previous.uri: previous.value for previous in params.previous_result_ids}
        closed = {uri: file for uri, file in server.session.files.items() if uri not in server.session.documents}
        reports = []
        for uri, file in closed.items():
            items = await _items_of_file(server, uri, file)
            reports.append(_report(uri, items, known.get(uri)))
        for uri in list(server.session.documents):
            items = await server.documents.diagnostics.pulled(uri)
            reports.append(_report(uri, items, known.get(uri)))
        gone = (uri for uri in known if uri not in closed and uri not in server.session.documents)
        return types.WorkspaceDiagnosticReport([*reports, *(_report(uri, [], known[uri]) for uri in gone)])


async def _items_of_file(server: TdlsServer, uri: str, file: SourceFile) -> list[types.Diagnostic]:
    findings = Findings(file.with_libraries(server.libraries.of_closed(uri, file)))
    await in_slices(_look_at_all(findings), lambda: True)
    return server.documents.diagnostics.items_of(uri, findings)


def _look_at_all(findings: Findings) -> Generator[None, None, None]:
    while not findings.is_complete:
        findings.work(lambda: True)
        yield


def _report(
    uri: str, items: Sequence[types.Diagnostic], previous: str | None
) -> types.WorkspaceDocumentDiagnosticReport:
    identity = _identity(items)
    if identity == previous:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, identity)
    return types.WorkspaceFullDocumentDiagnosticReport(uri, list(items), result_id=identity)


def _identity(items: Sequence[types.Diagnostic]) -> str:
    return hashlib.sha256(repr(items).encode("utf-8", "surrogatepass")).hexdigest()[:16]
