"""``textDocument/prepareCallHierarchy`` and the requests about its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.navigation.call_hierarchy import CallItem, incoming_calls, outgoing_calls, prepare_call_hierarchy
from tdls.lsp.protocol.positions import to_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session
    from tdls.text.span import FileSpan


def register(features: Features, session: Session) -> None:
    """Answer which named sequences and functions refer to which."""

    @features.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def text_document_prepare_call_hierarchy(
        params: types.CallHierarchyPrepareParams,
    ) -> list[types.CallHierarchyItem] | None:
        """Return the sequence or function at the position; None where there is none."""
        cursor = session.cursor(params)
        found = prepare_call_hierarchy(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else []
        return [_to_item(session, item) for item in found] or None

    @features.feature(types.CALL_HIERARCHY_INCOMING_CALLS)
    def call_hierarchy_incoming_calls(
        params: types.CallHierarchyIncomingCallsParams,
    ) -> list[types.CallHierarchyIncomingCall]:
        """Return what refers to the item, with the places."""
        item = _from_item(session, params.item)
        found = incoming_calls(session.snapshot(), item) if item is not None else []
        return [
            types.CallHierarchyIncomingCall(
                _to_item(session, calls.item), _ranges(session, calls.item.uri, calls.spans)
            )
            for calls in found
        ]

    @features.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)
    def call_hierarchy_outgoing_calls(
        params: types.CallHierarchyOutgoingCallsParams,
    ) -> list[types.CallHierarchyOutgoingCall]:
        """Return what the item refers to, with the places."""
        item = _from_item(session, params.item)
        found = outgoing_calls(session.snapshot(), item) if item is not None else []
        return [
            types.CallHierarchyOutgoingCall(
                _to_item(session, calls.item), _ranges(session, params.item.uri, calls.spans)
            )
            for calls in found
        ]


def _to_item(session: Session, item: CallItem) -> types.CallHierarchyItem:
    return types.CallHierarchyItem(
        name=f"@{item.name}",
        kind=types.SymbolKind.Function,
        uri=item.uri,
        range=session.range(item.uri, item.span),
        selection_range=session.range(item.uri, item.selection),
        detail=item.kind,
    )


def _from_item(session: Session, item: types.CallHierarchyItem) -> CallItem | None:
    file = session.file(item.uri)
    if file is None:
        return None
    encoding = session.encoding
    span, selection = to_span(file, item.range, encoding), to_span(file, item.selection_range, encoding)
    return CallItem(item.uri, item.name.removeprefix("@"), item.detail or "", span, selection)


def _ranges(session: Session, uri: str, spans: Sequence[FileSpan]) -> list[types.Range]:
    return [session.range(uri, span) for span in spans]
