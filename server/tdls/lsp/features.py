"""The list of all adapters: what is registered here is what the server can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.lsp.requests.display import (
    code_lens,
    correspondence,
    document_symbol,
    folding_range,
    hover,
    inlay_hint,
    overview,
    pull_diagnostics,
    selection_range,
    semantic_tokens,
    signature_help,
    status,
)
from tdls.lsp.requests.editing import code_action, completion, formatting, rename
from tdls.lsp.requests.navigation import (
    call_hierarchy,
    declaration,
    definition,
    document_highlight,
    document_link,
    implementation,
    references,
    type_definition,
    workspace_symbol,
)
from tdls.lsp.runs import run_command, text_document_content
from tdls.lsp.workspace import configuration
from tdls.lsp.workspace import files as workspace

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer

_FEATURES = (
    call_hierarchy,
    code_action,
    code_lens,
    completion,
    configuration,
    correspondence,
    declaration,
    definition,
    document_highlight,
    document_link,
    document_symbol,
    folding_range,
    formatting,
    hover,
    implementation,
    inlay_hint,
    overview,
    pull_diagnostics,
    references,
    rename,
    run_command,
    selection_range,
    semantic_tokens,
    signature_help,
    status,
    text_document_content,
    type_definition,
    workspace,
    workspace_symbol,
)


def register_features(server: TdlsServer) -> None:
    """Register every adapter with `server`, which advertises exactly these."""
    for feature in _FEATURES:
        feature.register(server)
