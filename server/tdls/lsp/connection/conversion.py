"""Convert JSON messages of the client to typed values, strictly except for ``initialize``."""

from __future__ import annotations

import json
import logging
import re
from enum import Enum
from typing import TYPE_CHECKING, Any

from lsprotocol.converters import get_converter
from lsprotocol.types import INITIALIZE, METHOD_TO_TYPES
from pygls.exceptions import JsonRpcInvalidRequest, JsonRpcMethodNotFound
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage

from tdls.structs import Struct
from tdls.text.printable import printable_lines

if TYPE_CHECKING:
    from cattrs import Converter

_LOGGER = logging.getLogger(__name__)
_VERSION = "2.0"
_SHOWN = 60
_KINDS = {int: "whole number", str: "string", bool: "truth value", float: "number"}


_CONTROL = re.compile(r"\\(?:[bfr]|u00[0189]|u20[26]|ufeff)")
"""Signs, in JSON, of text with characters that `printable` escapes."""
_FOR_PEOPLE = frozenset(("message", "name", "detail", "containerName", "title"))
_FOR_PROGRAMS = frozenset(("data", "arguments"))
"""Members that come back as they were sent."""


def inert(text: str) -> str:
    """Return a message, as JSON, in which texts that editors show in one line or a log have no control characters."""
    return json.dumps(_without_controls(json.loads(text))) if _CONTROL.search(text) else text


def _without_controls(value: Any) -> Any:
    """Return a value of JSON with the texts for people escaped."""
    if isinstance(value, dict):
        return {
            key: inner
            if key in _FOR_PROGRAMS
            else printable_lines(inner)
            if key in _FOR_PEOPLE and isinstance(inner, str)
            else _without_controls(inner)
            for key, inner in value.items()
        }
    return list(map(_without_controls, value)) if isinstance(value, (list, tuple)) else value


class Unreadable(Struct, frozen=True):
    """Placeholder for parameters of the wrong type; `reason` is a one-line message."""

    reason: str


def identity_of(message: dict[str, Any]) -> int | str | None:
    """Return the ``id`` of a request or response, None if it is missing or has the wrong type."""
    identity = message.get("id")
    return identity if isinstance(identity, (int, str)) and not isinstance(identity, bool) else None


class MessageConverter:
    """Converts JSON strictly, except for ``initialize``: editors send values there that lsprotocol does not know."""

    def __init__(self, lenient: Converter) -> None:
        """`lenient` is lsprotocol's own converter; it is shared, since making one takes 10 ms."""
        self.lenient = lenient
        self._strict = get_converter()
        for kind in (int, str, bool, float):
            self._strict.register_structure_hook(kind, _exactly)

    def structured(self, message: dict[str, Any]) -> Any:
        """Return a request or notification with typed parameters, or with `Unreadable` ones.

        Parameters of methods outside the protocol stay unconverted. Raises JsonRpcInvalidRequest for a message that is
        neither a request nor a notification, and JsonRpcMethodNotFound for a request with the name of a notification.
        """
        method, identity = message.get("method"), identity_of(message)
        if not isinstance(method, str) or ("id" in message and identity is None):
            raise JsonRpcInvalidRequest("`method` is a string, and `id` a number or a string")
        known = METHOD_TO_TYPES.get(method)
        if identity is not None and known is not None and known[1] is None:
            raise JsonRpcMethodNotFound.of(method)
        if known is not None:
            try:
                return (self.lenient if method == INITIALIZE else self._strict).structure(message, known[0])
            except Exception as error:
                _LOGGER.info("the parameters of %s cannot be understood", method, exc_info=True)
                parameters: Any = Unreadable(_reason(method, error))
        else:
            parameters = message.get("params")
        if identity is None:
            return JsonRPCNotification(method, _VERSION, parameters)
        return JsonRPCRequestMessage(identity, method, _VERSION, parameters)


def _exactly(value: Any, kind: type) -> Any:
    """Return `value` if it has the type `kind`; ``1.0`` is a valid integer.

    cattrs calls this for enumerations of numbers and strings, too. Raises TypeError, or ValueError for a value that is
    no case of an enumeration.
    """
    if issubclass(kind, Enum):
        return kind(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise TypeError(f"{str(value)[:_SHOWN]} is no {_KINDS[kind]}")
    return value


def _reason(method: str, error: BaseException) -> str:
    """Return a message for invalid parameters from the innermost error, which names the value."""
    while getattr(error, "exceptions", None):
        error = error.exceptions[0]  # type: ignore[attr-defined]
    words = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) and error.args else str(error)
    words = (words.splitlines() or ["wrong type"])[0]
    return f"the parameters of {method} are not as the protocol has them: {words}"
