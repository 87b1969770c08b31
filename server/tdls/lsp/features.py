"""The list of all adapters: what is registered here is what the server can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.lsp import (
    call_hierarchy,
    definition,
    document_highlight,
    implementation,
    pull_diagnostics,
    references,
    rename,
    type_definition,
)

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer

_FEATURES = (
    call_hierarchy,
    definition,
    document_highlight,
    implementation,
    pull_diagnostics,
    references,
    rename,
    type_definition,
)


def register_features(server: TdlsServer) -> None:
    """Register every adapter with `server`, which advertises exactly these."""
    for feature in _FEATURES:
        feature.register(server)
