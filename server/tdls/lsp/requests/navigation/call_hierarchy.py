"""``textDocument/prepareCallHierarchy`` and the requests about its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.navigation.call_hierarchy import CallItem, incoming_calls, outgoing_calls, prepare_call_hierarchy
from tdls.lsp.protocol.positions import to_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.lsp.server import TdlsServer
    from tdls.text.span import Span


def register(server: TdlsServer) -> None:
    """Answer which named sequences and functions refer to which."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def text_document_prepare_call_hierarchy(
        params: types.CallHierarchyPrepareParams,
    ) -> list[types.CallHierarchyItem] | None:
        cursor = server.session.cursor(params)
        found = prepare_call_hierarchy(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else []
        return [_to_item(server, item) for item in found] or None

    @server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)
    def call_hierarchy_incoming_calls(
        params: types.CallHierarchyIncomingCallsParams,
    ) -> list[types.CallHierarchyIncomingCall]:
        item = _from_item(server, params.item)
        found = incoming_calls(server.session.snapshot(), item) if item is not None else []
        return [
            types.CallHierarchyIncomingCall(_to_item(server, calls.item), _ranges(server, calls.item.uri, calls.spans))
            for calls in found
        ]

    @server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)
    def call_hierarchy_outgoing_calls(
        params: types.CallHierarchyOutgoingCallsParams,
    ) -> list[types.CallHierarchyOutgoingCall]:
        item = _from_item(server, params.item)
        found = outgoing_calls(server.session.snapshot(), item) if item is not None else []
        return [
            types.CallHierarchyOutgoingCall(_to_item(server, calls.item), _ranges(server, params.item.uri, calls.spans))
            for calls in found
        ]


def _to_item(server: TdlsServer, item: CallItem) -> types.CallHierarchyItem:
    return types.CallHierarchyItem(
        name=f"@{item.name}",
        kind=types.SymbolKind.Function,
        uri=item.uri,
        range=server.session.range(item.uri, item.span),
        selection_range=server.session.range(item.uri, item.selection),
        detail=item.kind,
    )


def _from_item(server: TdlsServer, item: types.CallHierarchyItem) -> CallItem | None:
    file = server.session.file(item.uri)
    if file is None:
        return None
    encoding = server.session.encoding
    span, selection = to_span(file, item.range, encoding), to_span(file, item.selection_range, encoding)
    return CallItem(item.uri, item.name.removeprefix("@"), item.detail or "", span, selection)


def _ranges(server: TdlsServer, uri: str, spans: Sequence[Span]) -> list[types.Range]:
    return [server.session.range(uri, span) for span in spans]
