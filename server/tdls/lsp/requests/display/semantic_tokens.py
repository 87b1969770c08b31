"""``textDocument/semanticTokens``: of a document, of a range, and what changed since the last time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.lsp.answers.token_encoding import encode_file, encode_span
from tdls.lsp.answers.token_legend import TOKEN_MODIFIERS, TOKEN_TYPES
from tdls.lsp.protocol.positions import to_span
from tdls.lsp.session.lanes import in_steps
from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from array import array

    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session

_LEGEND = types.SemanticTokensLegend(TOKEN_TYPES, TOKEN_MODIFIERS)


def register(features: Features, session: Session) -> None:
    """Answer what each token stands for."""
    tokens = _Tokens(session)

    @features.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
    def semantic_tokens_full(params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        """Return the tokens of a whole document; None where it is not known."""
        return tokens.full(params.text_document.uri)

    @features.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, _LEGEND)
    def semantic_tokens_full_delta(
        params: types.SemanticTokensDeltaParams,
    ) -> types.SemanticTokens | types.SemanticTokensDelta | None:
        """Return what changed since the tokens of the previous answer, or all of them."""
        return tokens.delta(params.text_document.uri, params.previous_result_id)

    @features.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, _LEGEND)
    def semantic_tokens_range(params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
        """Return the tokens in a range of a document; None where it is not known."""
        file = session.file(params.text_document.uri)
        if file is None:
            return None
        span = to_span(file, params.range, session.encoding)
        return types.SemanticTokens(in_steps(encode_span(file, span, session.encoding)).tolist())


class _Tokens:
    """Remembers the last answer for each open document."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._answers: dict[str, tuple[str, array[int]]] = {}
        self._numbers = itertools.count()

    def full(self, uri: str) -> types.SemanticTokens | None:
        """Return all tokens of a document; None if it is not known."""
        data = self._data(uri)
        return types.SemanticTokens(data.tolist(), self._remember(uri, data)) if data is not None else None

    def delta(self, uri: str, previous: str) -> types.SemanticTokens | types.SemanticTokensDelta | None:
        """Return what changed since the answer `previous`, or all tokens where that is not known any more."""
        data = self._data(uri)
        known = self._answers.get(uri)
        if data is None or known is None or known[0] != previous:
            return types.SemanticTokens(data.tolist(), self._remember(uri, data)) if data is not None else None
        begin, end_before, end_after = ChangedRange.between(known[1], data)
        edit = types.SemanticTokensEdit(begin, end_before - begin, data[begin:end_after].tolist())
        return types.SemanticTokensDelta([edit] if known[1] != data else [], self._remember(uri, data))

    def _data(self, uri: str) -> array[int] | None:
        file = self._session.file(uri)
        return in_steps(encode_file(file, self._session.encoding)) if file is not None else None

    def _remember(self, uri: str, data: array[int]) -> str:
        """Keep an answer, and return its identity; answers for documents that were closed are forgotten."""
        identity = str(next(self._numbers))
        for known in list(self._answers):
            if known not in self._session.documents:
                self._answers.pop(known, None)
        self._answers[uri] = (identity, data)
        return identity
