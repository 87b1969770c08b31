"""``textDocument/diagnostic`` and ``workspace/diagnostic``: the editor asks for diagnostics when it wants them."""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.checking.findings import Findings
from tdls.lsp.documents.answering import LONGEST
from tdls.lsp.documents.diagnostics import in_time
from tdls.lsp.documents.lanes import Lane, in_steps

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.server import Encoded, TdlsServer

_IDENTIFIER = "tdls"


def register(server: TdlsServer) -> None:
    """Answer with what is found in the newest version of a document, and in the files of the workspace."""

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=_IDENTIFIER),
    )
    async def diagnostic(params: types.DocumentDiagnosticParams) -> Encoded:
        request = server.protocol.msg_id

        def made(items: list[types.Diagnostic]) -> Encoded:
            return server.protocol.encoded(request, _document_report(items, params.previous_result_id))

        return await server.documents.diagnostics.pulled(params.text_document.uri, made)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> Encoded:
        request = server.protocol.msg_id
        deadline = asyncio.get_running_loop().time() + LONGEST
        known = {previous.uri: previous.value for previous in params.previous_result_ids}
        aside = Lane(apart=True)
        closed, opened = server.session.closed_files(), list(server.session.documents)
        reports = []
        for uri, file in closed.items():
            report = partial(_report_of_file, server, uri, file, known.get(uri))
            reports.append(await in_time(server.lanes.submit(aside, report), deadline))
        for uri in opened:
            make = partial(_report, uri, previous=known.get(uri))
            reports.append(await server.documents.diagnostics.pulled(uri, make, deadline))
        gone = (uri for uri in known if uri not in closed and uri not in opened)
        answer = types.WorkspaceDiagnosticReport([*reports, *(_report(uri, [], known[uri]) for uri in gone)])
        return await in_time(server.lanes.submit(aside, partial(server.protocol.encoded, request, answer)), deadline)


def _document_report(items: list[types.Diagnostic], previous: str | None) -> types.DocumentDiagnosticReport:
    identity = _identity(items)
    if identity == previous:
        return types.RelatedUnchangedDocumentDiagnosticReport(identity)
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=identity)


def _report_of_file(
    server: TdlsServer, uri: str, file: SourceFile, previous: str | None
) -> types.WorkspaceDocumentDiagnosticReport:
    findings = Findings(file.with_libraries(server.libraries.of_closed(uri, file)))
    in_steps(_look_at_all(findings))
    return _report(uri, server.documents.diagnostics.items_of(uri, findings), previous)


def _look_at_all(findings: Findings) -> Generator[None, None, None]:
    while findings.has_work:
        findings.work(lambda: True)
        yield
    for section in findings.heavy():
        findings.file.look_at(findings.file.context_of(section))
        yield
        findings.set_aside([section])
        findings.return_([section])
    while findings.has_work:
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
