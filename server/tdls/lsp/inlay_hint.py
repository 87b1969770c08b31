"""``textDocument/inlayHint``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.inlay_hints import HintKind, InlayHintOptions, inlay_hints
from tdls.lsp.convert import to_position, to_span

if TYPE_CHECKING:
    from tdls.ide.inlay_hints import InlayHint
    from tdls.lsp.server import TdlsServer

_KINDS = {
    HintKind.TYPE: types.InlayHintKind.Type,
    HintKind.ATTRIBUTE: types.InlayHintKind.Parameter,
    HintKind.EFFECT: None,
}


def register(server: TdlsServer) -> None:
    """Answer what a script leaves out."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def text_document_inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        session, uri = server.session, params.text_document.uri
        file = session.file(uri)
        if file is None:
            return []
        span = to_span(file, params.range, session.encoding)
        settings = server.configuration.settings(uri).inlay_hints
        options = InlayHintOptions(settings.types, settings.operand_names, settings.consumed)
        found = inlay_hints(session.snapshot(), uri, span, options)
        return [_item(hint, to_position(file, hint.offset, session.encoding)) for hint in found]


def _item(hint: InlayHint, position: types.Position) -> types.InlayHint:
    return types.InlayHint(
        position,
        hint.label,
        _KINDS[hint.kind],
        tooltip=hint.tooltip,
        padding_left=hint.kind is HintKind.EFFECT,
        padding_right=hint.kind is HintKind.ATTRIBUTE,
    )
