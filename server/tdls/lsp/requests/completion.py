"""``textDocument/completion`` and ``completionItem/resolve``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.completion.items import ItemKind
from tdls.lsp.protocol.conversions import to_range
from tdls.lsp.runs.tries import place_at
from tdls.structs import Struct, replace
from tdls.text.diagnostic import TextEdit

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.completion.items import CompletionItem
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.session.session import Cursor
    from tdls.lsp.state import State

_TRIGGERS = ("%", "@", "!", "#", "^", '"', ".", ":", "{", "[")
_KINDS = {
    ItemKind.OPERATION: types.CompletionItemKind.Function,
    ItemKind.KEYWORD: types.CompletionItemKind.Keyword,
    ItemKind.ATTRIBUTE: types.CompletionItemKind.Property,
    ItemKind.ENUM_CASE: types.CompletionItemKind.EnumMember,
    ItemKind.VALUE: types.CompletionItemKind.Variable,
    ItemKind.SYMBOL: types.CompletionItemKind.Method,
    ItemKind.TYPE: types.CompletionItemKind.Class,
    ItemKind.ALIAS: types.CompletionItemKind.TypeParameter,
    ItemKind.PAYLOAD_OPERATION: types.CompletionItemKind.Value,
    ItemKind.PASS: types.CompletionItemKind.Value,
    ItemKind.BLOCK: types.CompletionItemKind.Reference,
    ItemKind.DIALECT: types.CompletionItemKind.Module,
    ItemKind.SNIPPET: types.CompletionItemKind.Snippet,
    ItemKind.PUNCTUATION: types.CompletionItemKind.Operator,
}


def register(host: Host, state: State) -> None:
    """Answer with completion items at the cursor, and with the documentation of an item."""
    options = types.CompletionOptions(trigger_characters=_TRIGGERS, resolve_provider=True)
    shown_in = ""
    """The URI of the document of the last list: editors resolve items of the list that they show."""

    @host.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    def text_document_completion(params: types.CompletionParams) -> types.CompletionList | None:
        """Return the items for the position, or None for an unknown document."""
        nonlocal shown_in
        cursor = state.cursor(params, in_window=True)
        if cursor is None:
            return None
        shown_in = cursor.uri
        from tdls.ide.completion.completion import completion

        offer = completion(cursor.snapshot, cursor.uri, cursor.offset)
        client = _Client.of(state.editor.capabilities)
        tried = _tried(state, cursor)
        spans = {item.span for item in (*tried, *offer.items)}
        ranges = {span: to_range(cursor.file, span, state.encoding) for span in spans}
        written = (_as_written(cursor.file, item) for item in offer.items)
        sayable = [*tried, *(item for item in written if item is not None)]
        items = [_to_item(client, number, item, ranges[item.span]) for number, item in enumerate(sayable)]
        return types.CompletionList(offer.is_incomplete, items)

    @host.feature(types.COMPLETION_ITEM_RESOLVE)
    def completion_item_resolve(item: types.CompletionItem) -> types.CompletionItem:
        if isinstance(item.data, (list, tuple)) and len(item.data) == 2:
            from tdls.ide.completion.completion import resolve

            snapshot = state.snapshot(state.projects.catalogue(shown_in))
            text = resolve(snapshot, (str(item.data[0]), str(item.data[1])))
            client = _Client.of(state.editor.capabilities)
            item.documentation = (
                types.MarkupContent(client.format, text) if client.format is not None and text else text or None
            )
        return item


def _tried(state: State, cursor: Cursor) -> list[CompletionItem]:
    """Return items for the steps that were tried at the line of the cursor."""
    target, place = place_at(cursor.uri, cursor.file, cursor.offset) or (None, None)
    if target is None or place is None or not place.is_line:
        return []
    steps = state.tries.known(target, place, begins=True)
    from tdls.ide.changes.step_place import step_items

    return list(step_items(place, cursor.offset, steps)) if steps is not None else []


class _Client(Struct, frozen=True):
    """Completion capabilities of the editor."""

    snippets: bool
    label_details: bool
    tags: bool
    deprecated: bool
    preselect: bool
    format: types.MarkupKind | None
    """Format of documentation, or None for editors that support plain strings only."""

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> _Client:
        documents = capabilities.text_document
        claimed = documents.completion.completion_item if documents and documents.completion else None
        claimed = claimed or types.ClientCompletionItemOptions()
        tags = claimed.tag_support.value_set if claimed.tag_support else ()
        formats = claimed.documentation_format or ()
        markdown = types.MarkupKind.Markdown in formats
        return cls(
            bool(claimed.snippet_support),
            bool(claimed.label_details_support),
            types.CompletionItemTag.Deprecated in tags,
            bool(claimed.deprecated_support),
            bool(claimed.preselect_support),
            types.MarkupKind.Markdown if markdown else next(iter(formats), None),
        )


def _as_written(file: SourceFile, item: CompletionItem) -> CompletionItem | None:
    """Return an item with its text escaped for a string of a program, or None if the string cannot express it."""
    if file.program is None:
        return item
    from tdls.syntax.embedded.masking import written_edit

    written = written_edit(file.program, TextEdit(item.span, item.text))
    if written is None:
        return None
    is_same = written.new_text == item.text
    return replace(item, text=written.new_text, snippet=item.snippet if is_same else None)


def _to_item(client: _Client, number: int, item: CompletionItem, range_: types.Range) -> types.CompletionItem:
    """Return the LSP item; `number` becomes the sort text, so that editors keep the order."""
    use_snippet = client.snippets and item.snippet is not None
    details = types.CompletionItemLabelDetails(description=item.note) if client.label_details and item.note else None
    shown = item.detail if details is not None or not item.note else f"{item.detail} ({item.note})".strip()
    return types.CompletionItem(
        item.label,
        label_details=details,
        kind=_KINDS[item.kind],
        tags=[types.CompletionItemTag.Deprecated] if item.deprecated and client.tags else None,
        detail=shown or None,
        documentation=item.summary or None,
        deprecated=True if item.deprecated and client.deprecated and not client.tags else None,
        preselect=True if item.preselect and client.preselect else None,
        sort_text=f"{number:05}",
        filter_text=item.filter_text if item.filter_text != item.label else None,
        insert_text_format=types.InsertTextFormat.Snippet if use_snippet else None,
        text_edit=types.TextEdit(range_, item.snippet if use_snippet and item.snippet is not None else item.text),
        data=item.data,
    )
