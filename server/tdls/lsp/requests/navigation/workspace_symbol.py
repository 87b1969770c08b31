"""``workspace/symbol``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.symbols.outline import read_outlines
from tdls.ide.symbols.workspace_symbol import workspace_symbols
from tdls.lsp.requests.display.document_symbol import KINDS
from tdls.lsp.session.lanes import in_steps

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session) -> None:
    """Answer which symbols of all files have some letters in their names."""

    @features.feature(types.WORKSPACE_SYMBOL)
    def workspace_symbol(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        """Return the symbols of all files that the query fits."""
        snapshot = session.snapshot()
        for file in snapshot.files.values():
            in_steps(read_outlines(file))
        return [
            types.WorkspaceSymbol(
                session.location(symbol.location),
                symbol.name,
                KINDS[symbol.kind],
                container_name=symbol.container or None,
            )
            for symbol in workspace_symbols(snapshot, params.query)
        ]
