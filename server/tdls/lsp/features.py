"""Register all adapters. The server advertises exactly the methods registered here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.lsp.connection.registration import defer
from tdls.lsp.requests import (
    check_command,
    code_action,
    code_lens,
    completion,
    correspondence,
    editing,
    hover,
    inlay_hint,
    migration,
    navigation,
    notifications,
    overview,
    pull_diagnostics,
    run_command,
    semantic_tokens,
    symbols,
    text_document_content,
)

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import DeferredMethods, Features
    from tdls.lsp.state import State

RECORDING_METHODS = (
    "tdls/stateAt", "tdls/recording", "tdls/lineOrigin", "tdls/emptySince", "tdls/handleLines", "tdls/matches",
)  # fmt: skip
"""Methods about recordings and matches; their adapters are imported at the first such request."""
_ADAPTERS = (
    check_command, code_action, code_lens, completion, correspondence, editing, hover, inlay_hint, migration,
    navigation, notifications, overview, pull_diagnostics, run_command, semantic_tokens, symbols,
    text_document_content,
)  # fmt: skip


def register_features(features: Features, state: State) -> None:
    """Register every adapter."""
    for adapter in _ADAPTERS:
        adapter.register(features, state)

    def register_states(methods: DeferredMethods) -> None:
        from tdls.lsp.requests import matches, recording, state_at, state_documents

        for adapter in (matches, recording, state_at, state_documents):
            adapter.register(methods, state)

    defer(features, RECORDING_METHODS, register_states)
