"""The structure of documents: symbols, also of all files, and ranges to fold and to select."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.document.folding_range import FoldingKind, folding_ranges, read_folds
from tdls.ide.document.symbols import SymbolKind, document_symbols, read_outlines, workspace_symbols
from tdls.lsp.protocol.conversions import to_range
from tdls.lsp.session.document_queue import in_steps

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.document.symbols import DocumentSymbol
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.state import State
    from tdls.text.positions import PositionEncoding

KINDS = {
    SymbolKind.MODULE: types.SymbolKind.Module,
    SymbolKind.SEQUENCE: types.SymbolKind.Method,
    SymbolKind.MATCHER: types.SymbolKind.Interface,
    SymbolKind.FUNCTION: types.SymbolKind.Function,
    SymbolKind.SCRIPT: types.SymbolKind.Method,
    SymbolKind.BODY: types.SymbolKind.Namespace,
    SymbolKind.HANDLE: types.SymbolKind.Variable,
    SymbolKind.OTHER: types.SymbolKind.Object,
}
_FOLDING_KINDS = {
    FoldingKind.CODE: None,
    FoldingKind.COMMENT: types.FoldingRangeKind.Comment,
    FoldingKind.PART: types.FoldingRangeKind.Region,
}


def register(host: Host, state: State) -> None:
    """Answer with symbols and folding ranges."""

    @host.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def text_document_document_symbol(
        params: types.DocumentSymbolParams,
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        """Return the symbols of a document as a tree, or as a list if the state.editor does not support trees."""
        uri = params.text_document.uri
        file = state.file(uri)
        if file is None:
            return []
        in_steps(read_outlines(file))
        outline = document_symbols(state.snapshot(), uri)
        documents = state.editor.capabilities.text_document
        claimed = documents.document_symbol if documents is not None else None
        if claimed is not None and claimed.hierarchical_document_symbol_support:
            return in_steps(_tree(file, outline, state.encoding))
        return [
            types.SymbolInformation(types.Location(uri, state.range(uri, symbol.span)), symbol.name, KINDS[symbol.kind])
            for symbol in _flat(outline)
        ]

    @host.feature(types.WORKSPACE_SYMBOL)
    def workspace_symbol(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        """Return the symbols of all files that match the query."""
        snapshot = state.snapshot()
        for file in snapshot.files.values():
            in_steps(read_outlines(file))
        return [
            types.WorkspaceSymbol(
                state.location(symbol.location),
                symbol.name,
                KINDS[symbol.kind],
                container_name=symbol.container or None,
            )
            for symbol in workspace_symbols(snapshot, params.query)
        ]

    @host.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def text_document_folding_range(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        """Return the foldable ranges of lines of a document."""
        uri = params.text_document.uri
        file = state.file(uri)
        if file is not None:
            in_steps(read_folds(file))
        folds = folding_ranges(state.snapshot(), uri)
        return [types.FoldingRange(fold.first, fold.last, kind=_FOLDING_KINDS[fold.kind]) for fold in folds]


def _tree(
    file: SourceFile, symbols: Sequence[DocumentSymbol], encoding: PositionEncoding
) -> Generator[None, None, list[types.DocumentSymbol]]:
    """Return the symbols with their children; yields after each one."""
    outline: list[types.DocumentSymbol] = []
    for symbol in symbols:
        children = yield from _tree(file, symbol.children, encoding)
        span, selection = (to_range(file, place, encoding) for place in (symbol.span, symbol.selection))
        detail = symbol.detail or None
        outline.append(
            types.DocumentSymbol(symbol.name, KINDS[symbol.kind], span, selection, detail=detail, children=children)
        )
        yield
    return outline


def _flat(symbols: Sequence[DocumentSymbol]) -> Iterator[DocumentSymbol]:
    for symbol in symbols:
        yield symbol
        yield from _flat(symbol.children)
