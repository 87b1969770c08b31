"""Parameters of requests that are not part of the protocol: pygls hands them on as they come."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams


def text_document_position(params: Any) -> types.TextDocumentPositionParams:
    """Return ``{textDocument: {uri}, position: {line, character}}``. Raises JsonRpcInvalidParams for all else."""
    try:
        position, uri = params["position"], params["textDocument"]["uri"]
        place = types.Position(position["line"], position["character"])
        if not isinstance(uri, str) or isinstance(place.line, bool) or isinstance(place.character, bool):
            raise TypeError
        return types.TextDocumentPositionParams(types.TextDocumentIdentifier(uri), place)
    except (KeyError, TypeError, ValueError) as error:
        raise JsonRpcInvalidParams("the parameters are {textDocument: {uri}, position: {line, character}}") from error


def optional_uri(params: Any) -> str:
    """Return ``uri`` of ``{uri?}``, "" where it is not given. Raises JsonRpcInvalidParams for what is no text."""
    uri = params.get("uri") if isinstance(params, dict) else params
    if uri is not None and not (isinstance(params, dict) and isinstance(uri, str)):
        raise JsonRpcInvalidParams("the parameters are {uri?}, and `uri` is a text")
    return uri or ""
