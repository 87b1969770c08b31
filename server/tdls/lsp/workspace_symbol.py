"""``workspace/symbol``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.outline import read_outlines
from tdls.ide.workspace_symbols import workspace_symbols
from tdls.lsp.document_symbol import KINDS
from tdls.lsp.slices import in_slices

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer which symbols of all files have some letters in their names."""

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbol(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        for file in server.session.snapshot().files.values():
            await in_slices(read_outlines(file), lambda: True)
        return [
            types.WorkspaceSymbol(
                server.session.location(symbol.location),
                symbol.name,
                KINDS[symbol.kind],
                container_name=symbol.container or None,
            )
            for symbol in workspace_symbols(server.session.snapshot(), params.query)
        ]
