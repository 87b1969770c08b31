"""The list of all adapters: what is registered here is what the server can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.lsp import (
    call_hierarchy,
    completion,
    definition,
    document_highlight,
    document_link,
    folding_range,
    formatting,
    hover,
    implementation,
    pull_diagnostics,
    references,
    rename,
    selection_range,
    signature_help,
    type_definition,
    workspace,
)

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer

_FEATURES = (
    call_hierarchy,
    completion,
    definition,
    document_highlight,
    document_link,
    folding_range,
    formatting,
    hover,
    implementation,
    pull_diagnostics,
    references,
    rename,
    selection_range,
    signature_help,
    type_definition,
    workspace,
)


def register_features(server: TdlsServer) -> None:
    """Register every adapter with `server`, which advertises exactly these."""
    for feature in _FEATURES:
        feature.register(server)
