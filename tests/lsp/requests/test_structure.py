"""Symbols, folding, selections, tokens, hints and lenses, as each editor gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from lsp.editor_client import IN_EDITORS, EditorClient
from lsp.opened import Opened
from lsp.scripts import LIBRARY, WITH_IMPLIED_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

pytestmark = IN_EDITORS

Token = tuple[int, str, str, frozenset[str]]


async def test_symbols(client: EditorClient) -> None:
    document = Opened(client, LIBRARY)
    found = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document.identifier))
    assert client.capabilities is not None
    assert client.capabilities.text_document is not None
    claimed = client.capabilities.text_document.document_symbol
    names = []
    for symbol in found or ():
        is_tree = isinstance(symbol, types.DocumentSymbol)
        assert is_tree == bool(claimed and claimed.hierarchical_document_symbol_support)
        names += list(names_of(symbol)) if isinstance(symbol, types.DocumentSymbol) else [symbol.name]
    assert [name for name in names if name.startswith("@")] == ["@tile", "@__transform_main"]


def names_of(symbol: types.DocumentSymbol) -> Iterator[str]:
    yield symbol.name
    for child in symbol.children or ():
        yield from names_of(child)


async def test_folding(client: EditorClient) -> None:
    document = Opened(client, LIBRARY)
    found = await client.text_document_folding_range_async(types.FoldingRangeParams(document.identifier))
    starts = {fold.start_line for fold in found or ()}
    assert {0, 2, 8, 13} <= starts
    assert all(fold.start_line < fold.end_line for fold in found or ())


def tokens_of(document: Opened, data: Sequence[int]) -> list[Token]:
    """Line, text, type and modifiers of semantic tokens."""
    options = document.client.server.capabilities.semantic_tokens_provider
    assert options is not None
    legend = options.legend
    line = character = 0
    tokens: list[Token] = []
    for index in range(0, len(data), 5):
        lines, characters, length, kind, modifiers = data[index : index + 5]
        character = characters if lines else character + characters
        line += lines
        place = types.Range(types.Position(line, character), types.Position(line, character + length))
        named = {name for bit, name in enumerate(legend.token_modifiers) if modifiers >> bit & 1}
        tokens.append((line, document.text_in(place), legend.token_types[kind], frozenset(named)))
    return tokens


async def full_tokens(document: Opened) -> types.SemanticTokens:
    params = types.SemanticTokensParams(document.identifier)
    found = await document.client.text_document_semantic_tokens_full_async(params)
    assert found is not None
    return found


async def test_tokens_of_the_whole_document(client: EditorClient) -> None:
    document = Opened(client, LIBRARY)
    tokens = tokens_of(document, (await full_tokens(document)).data)
    texts = {(line, text) for line, text, _, _ in tokens}
    assert {(9, "%found"), (11, "@tile"), (12, "%small"), (15, "%one")} <= texts
    assert tokens == sorted(tokens, key=lambda token: token[0])


async def test_tokens_of_a_range(client: EditorClient) -> None:
    document = Opened(client, LIBRARY)
    everything = tokens_of(document, (await full_tokens(document)).data)
    range_ = types.Range(types.Position(9, 0), types.Position(12, 0))
    params = types.SemanticTokensRangeParams(document.identifier, range_)
    found = await client.text_document_semantic_tokens_range_async(params)
    assert found is not None
    assert tokens_of(document, found.data) == [token for token in everything if 9 <= token[0] < 12]


async def test_token_delta_leads_to_the_same_tokens(client: EditorClient) -> None:
    document = Opened(client, LIBRARY)
    before = await full_tokens(document)
    assert before.result_id is not None
    document.change("%small", "%smaller")
    params = types.SemanticTokensDeltaParams(document.identifier, before.result_id)
    delta = await client.text_document_semantic_tokens_full_delta_async(params)
    assert isinstance(delta, types.SemanticTokensDelta)
    data = list(before.data)
    for edit in sorted(delta.edits, key=lambda it: it.start, reverse=True):
        data[edit.start : edit.start + edit.delete_count] = edit.data or ()
    assert data == list((await full_tokens(document)).data)


async def test_inlay_hints(client: EditorClient) -> None:
    document = Opened(client, WITH_IMPLIED_TYPES)
    range_ = types.Range(types.Position(0, 0), document.position(len(document.text)))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document.identifier, range_)) or ()
    assert [(hint.position.line, hint.kind) for hint in hints] == [(3, types.InlayHintKind.Type)] * 2
    assert [hint.label for hint in hints] == [": !transform.any_value", ": !transform.any_op"]
    assert document.text_in(types.Range(types.Position(3, 0), hints[0].position)).endswith("%buffer")
