"""Convert positions, ranges, edits and paths between tdls and LSP, and parse parameters of tdls's own requests.

pygls passes parameters of methods outside the protocol on unparsed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.uris import to_fs_path

from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.diagnostic import TextEdit
    from tdls.text.positions import PositionEncoding

OF_CUT = "it would write one of the large literals again, of which tdls reads the beginning only"


def path_of(uri: str) -> Path | None:
    """Return the path of a ``file:`` URI, or None for other URIs, and for a path that no file of this system has."""
    try:
        path = Path(to_fs_path(uri) or "") if uri.startswith("file:") else None
    except ValueError:  # its host is none
        return None
    return path if path is not None and path.root and "\0" not in str(path) else None


def to_offset(file: SourceFile, position: types.Position, encoding: PositionEncoding) -> int:
    """Return the offset (code points) of `position`, clamped to the end of its line and of the file."""
    line = file.line_text(position.line)
    return file.offset(Position(position.line, encoding.column(line, position.character)))


def to_position(file: SourceFile, offset: int, encoding: PositionEncoding) -> types.Position:
    """Return the position of `offset` (code points), which is clamped to the file."""
    line, column = file.position(offset)
    if column and not encoding.is_trivial and not file.is_ascii(FileSpan(offset - column, offset)):
        column = encoding.units(file.line_text(line), column)
    return types.Position(line, column)


def to_range(file: SourceFile, span: FileSpan, encoding: PositionEncoding) -> types.Range:
    """Return the LSP range of `span`."""
    return types.Range(to_position(file, span.start, encoding), to_position(file, span.end, encoding))


def to_span(file: SourceFile, range_: types.Range, encoding: PositionEncoding) -> FileSpan:
    """Return the span of `range_`; empty for a range that ends before it begins."""
    start = to_offset(file, range_.start, encoding)
    return FileSpan(start, max(start, to_offset(file, range_.end, encoding)))


def to_text_edit(file: SourceFile, edit: TextEdit, encoding: PositionEncoding) -> types.TextEdit:
    """Return `edit` as an LSP text edit. Raises JsonRpcException if a literal that is read shortened is in its way."""
    if file.cuts.are_copied((edit,)):
        raise JsonRpcException(OF_CUT, types.LSPErrorCodes.RequestFailed)
    return types.TextEdit(to_range(file, edit.span, encoding), edit.new_text)


def text_document_position(params: Any) -> types.TextDocumentPositionParams:
    """Parse ``{textDocument: {uri}, position: {line, character}}``. Raises JsonRpcInvalidParams for anything else."""
    try:
        position, uri = params["position"], params["textDocument"]["uri"]
        place = types.Position(position["line"], position["character"])
        if not isinstance(uri, str) or isinstance(place.line, bool) or isinstance(place.character, bool):
            raise TypeError
        return types.TextDocumentPositionParams(types.TextDocumentIdentifier(uri), place)
    except (KeyError, TypeError, ValueError) as error:
        raise JsonRpcInvalidParams("the parameters are {textDocument: {uri}, position: {line, character}}") from error


def optional_uri(params: Any) -> str:
    """Return ``uri`` of ``{uri?}``, "" if it is missing. Raises JsonRpcInvalidParams if it is not a string."""
    uri = params.get("uri") if isinstance(params, dict) else params
    if uri is not None and not (isinstance(params, dict) and isinstance(uri, str)):
        raise JsonRpcInvalidParams("the parameters are {uri?}, and `uri` is a text")
    return uri or ""
