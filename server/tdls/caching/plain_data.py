"""Values as bytes, for the cache and for other processes: plain data only, so that reading bytes runs nothing."""

from __future__ import annotations

import io
import pickle
from enum import Enum
from typing import Any, Final

from tdls.structs import Struct

_PLAIN: Final = frozenset(
    {
        ("array", "_array_reconstructor"),
        ("array", "array"),
        ("builtins", "frozenset"),
        ("builtins", "set"),
        ("lark.lexer", "Token"),
        ("re", "RegexFlag"),
        *(
            (module, name)
            for module in ("pathlib", "pathlib._local")
            for name in ("PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath")
        ),
    }
)
"""Classes and functions outside of tdls that data may name, by module and name."""
_PACKAGES: Final = ("tdls.catalogue.", "tdls.project.", "tdls.syntax.parser.assembly.")
"""Packages of the tdls classes that data may name."""


def dumps(value: object) -> bytes | None:
    """Return the bytes from which `loads` restores `value`, or None if it has no bytes, as it is nested too deeply."""
    stream = io.BytesIO()
    try:
        _Writer(stream, pickle.HIGHEST_PROTOCOL).dump(value)
    except (RecursionError, TypeError, pickle.PicklingError) as error:
        _log("a %s is not kept: %s", type(value).__name__, error)
        return None
    return stream.getvalue()


def loads(content: bytes | None) -> Any:
    """Return the value that `dumps` encoded; None for other bytes: damaged ones, and those that name other classes."""
    try:
        return _Reader(io.BytesIO(content)).load() if content is not None else None
    except Exception as error:  # pickle may raise any error for damaged data
        _log("what is kept cannot be read: %s", error)
        return None


def _log(message: str, *arguments: object) -> None:
    import logging

    logging.getLogger(__name__).info(message, *arguments)


class _Writer(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Write an enumeration as its class and value; Python 3.11 before 3.11.4 would write a call of `getattr`."""
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        known = _CLASSES.get((module, name))
        if known is None:
            known = _CLASSES[module, name] = self._plain_class(module, name)
        return known

    def _plain_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        found = super().find_class(module, name) if module.startswith(_PACKAGES) and "." not in name else None
        if not isinstance(found, type) or found.__module__ != module or not _is_plain(found):
            raise pickle.UnpicklingError(f"{module}.{name} is no plain data")
        return found


_CLASSES: Final[dict[tuple[str, str], Any]] = {}


def _is_plain(class_: type) -> bool:
    return issubclass(class_, (Struct, Enum)) or hasattr(class_, "_fields")
