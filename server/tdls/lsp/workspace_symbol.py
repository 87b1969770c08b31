"""``workspace/symbol``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.workspace_symbols import workspace_symbols
from tdls.lsp.document_symbol import KINDS

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer which symbols of all files have some letters in their names."""

    @server.feature(types.WORKSPACE_SYMBOL)
    def workspace_symbol(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        return [
            types.WorkspaceSymbol(
                server.session.location(symbol.location),
                symbol.name,
                KINDS[symbol.kind],
                container_name=symbol.container or None,
            )
            for symbol in workspace_symbols(server.session.snapshot(), params.query)
        ]
