"""Parameters of requests that are not part of the protocol: pygls hands them on as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

if TYPE_CHECKING:
    from collections.abc import Mapping


def text_document_position(params: Any) -> types.TextDocumentPositionParams:
    """Return ``{textDocument: {uri}, position: {line, character}}``. Raises JsonRpcInvalidParams for all else."""
    try:
        document, position = _field(params, "textDocument"), _field(params, "position")
        place = types.Position(int(_field(position, "line")), int(_field(position, "character")))
        return types.TextDocumentPositionParams(types.TextDocumentIdentifier(str(_field(document, "uri"))), place)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise JsonRpcInvalidParams("the parameters are {textDocument: {uri}, position: {line, character}}") from error


def _field(params: Any, name: str) -> Any:
    """pygls makes objects with attributes of parameters that it has no type for."""
    mapping: Mapping[str, Any] | None = params if isinstance(params, dict) else None
    return mapping[name] if mapping is not None else getattr(params, name)
