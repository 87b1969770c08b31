"""Hover, signature help and completion, as each editor gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from lsp.editor_client import IN_EDITORS, EditorClient
from lsp.opened import Opened
from lsp.scripts import with_cursor

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = IN_EDITORS


async def hover(document: Opened) -> types.Hover:
    found = await document.client.text_document_hover_async(types.HoverParams(**document.at_cursor()))
    assert found is not None
    return found


async def test_hover_on_an_operation_in_a_format_that_the_editor_shows(client: EditorClient) -> None:
    document = Opened(client, with_cursor("tile_using", "_for"))
    found = await hover(document)
    assert isinstance(found.contents, types.MarkupContent)
    assert "transform.structured.tile_using_for" in found.contents.value
    assert found.range == document.range_of("transform.structured.tile_using_for")
    assert client.capabilities is not None
    assert client.capabilities.text_document is not None
    claimed = client.capabilities.text_document.hover
    assert claimed is not None
    assert found.contents.kind in (claimed.content_format or ())


async def test_hover_on_a_handle_and_on_nothing(client: EditorClient) -> None:
    document = Opened(client, with_cursor("annotate %sma", 'll "'))
    found = await hover(document)
    assert isinstance(found.contents, types.MarkupContent)
    assert "!transform.any_op" in found.contents.value
    assert found.range == document.range_of("%small", 1)
    document = Opened(client, "  $0\n")
    assert await client.text_document_hover_async(types.HoverParams(**document.at_cursor())) is None


async def test_signature_help(client: EditorClient) -> None:
    document = Opened(client, with_cursor("tile_using_for %matmul ", "tile_sizes"))
    found = await client.text_document_signature_help_async(types.SignatureHelpParams(**document.at_cursor()))
    assert found is not None
    assert "tile_sizes" in found.signatures[0].label


async def completion(document: Opened) -> Sequence[types.CompletionItem]:
    found = await document.client.text_document_completion_async(types.CompletionParams(**document.at_cursor()))
    assert found is not None
    return found.items if isinstance(found, types.CompletionList) else found


async def test_completion_of_an_operation(client: EditorClient) -> None:
    document = Opened(
        client, with_cursor("    ", "transform.annotate %small").replace("$0", "transform.loop.unr$0\n    ")
    )
    item = next(item for item in await completion(document) if item.label == "transform.loop.unroll")
    assert item.kind is not None
    assert isinstance(item.text_edit, (types.TextEdit, types.InsertReplaceEdit))
    assert item.text_edit.new_text.startswith("transform.loop.unroll")
    resolved = await client.completion_item_resolve_async(item)
    assert resolved.documentation


async def test_snippets_are_for_editors_that_know_them(client: EditorClient) -> None:
    document = Opened(client, with_cursor("    ", "transform.annotate %small"))
    items = await completion(document)
    assert items
    assert client.capabilities is not None
    assert client.capabilities.text_document is not None
    claimed = client.capabilities.text_document.completion
    knows = bool(claimed and claimed.completion_item and claimed.completion_item.snippet_support)
    assert any(item.insert_text_format == types.InsertTextFormat.Snippet for item in items) == knows


async def test_completion_of_a_handle_and_of_a_symbol(client: EditorClient) -> None:
    document = Opened(client, with_cursor("transform.annotate %", "small"))
    labels = [item.label for item in sorted(await completion(document), key=lambda it: it.sort_text or it.label)]
    assert {"%small", "%root", "%found"} <= set(labels)
    assert labels.index("%small") < labels.index("%found"), "consumed handles come last"
    document = Opened(client, with_cursor("transform.include @", "tile"))
    assert "@tile" in {item.label for item in await completion(document)}
