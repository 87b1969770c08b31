"""``textDocument/diagnostic`` and ``workspace/diagnostic``: diagnostics that the editor pulls."""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.checking.findings import Findings
from tdls.lsp.documents.diagnostics import in_time
from tdls.lsp.session.document_queue import DocumentQueue, in_steps
from tdls.lsp.session.requests import LONGEST

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.connection.dispatch import Encoded, Host
    from tdls.lsp.state import State

_IDENTIFIER = "tdls"


def register(host: Host, state: State) -> None:
    """Answer with the diagnostics of the newest version of a document, and of all files of the workspace."""

    @host.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=_IDENTIFIER),
    )
    async def diagnostic(params: types.DocumentDiagnosticParams) -> Encoded:
        """Return the encoded report of one document; an ``unchanged`` report if its items are the same as before."""

        def made(items: list[types.Diagnostic]) -> Encoded:
            """Return the encoded report with `items`."""
            identity = _identity(items)
            if identity == params.previous_result_id:
                return host.encoded(types.RelatedUnchangedDocumentDiagnosticReport(identity))
            return host.encoded(types.RelatedFullDocumentDiagnosticReport(items, result_id=identity))

        return await state.diagnostics.pulled(params.text_document.uri, made)

    @host.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> Encoded:
        """Return the encoded reports of all files, with empty ones for files that no longer exist."""
        deadline = asyncio.get_running_loop().time() + LONGEST
        known = {previous.uri: previous.value for previous in params.previous_result_ids}
        aside = DocumentQueue(apart=True)
        closed, opened = state.closed_files(), list(state.documents)
        reports = []
        for uri, file in closed.items():
            report = partial(_report_of_file, state, uri, file, known.get(uri))
            reports.append(await in_time(state.queues.submit(aside, report), deadline))
        for uri in opened:
            make = partial(_report, uri, previous=known.get(uri))
            reports.append(await state.diagnostics.pulled(uri, make, deadline))
        gone = (uri for uri in known if uri not in closed and uri not in opened)
        answer = types.WorkspaceDiagnosticReport([*reports, *(_report(uri, [], known[uri]) for uri in gone)])
        return await in_time(state.queues.submit(aside, partial(host.encoded, answer)), deadline)


def _report_of_file(
    state: State, uri: str, file: SourceFile, previous: str | None
) -> types.WorkspaceDocumentDiagnosticReport:
    findings = Findings(state.libraries.of_closed(uri, file).added_to(file))
    in_steps(_look_at_all(findings))
    return _report(uri, state.diagnostics.items_of(uri, findings), previous)


def _look_at_all(findings: Findings) -> Generator[None, None, None]:
    while findings.has_work:
        findings.work(lambda: True)
        yield
    while findings.has_heavy:
        findings.check_heavy()
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
