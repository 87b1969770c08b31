"""Values as bytes that may be kept in files: reading them makes data and nothing else, whoever wrote the bytes.

The bytes are pickles that name only classes of plain data; `pickle` itself would call whatever they name.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

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
"""What may be named besides the classes of tdls."""
_PACKAGES: Final = ("tdls.catalogue.", "tdls.project.", "tdls.syntax.parser.assembly.")
"""Where tdls keeps the classes of what it keeps."""


class UnreadableError(Exception):
    """Bytes are damaged, of another version, or name what is no plain data."""


def dumps(value: object) -> bytes:
    """Return the bytes that `loads` makes the same value of."""
    content = io.BytesIO()
    _Writer(content, pickle.HIGHEST_PROTOCOL).dump(value)
    return content.getvalue()


def loads(content: bytes) -> Any:
    """Return the value that `dumps` was given. Raises UnreadableError."""
    try:
        return _Reader(io.BytesIO(content)).load()
    except Exception as error:  # whatever pickle raises for damaged data
        raise UnreadableError(str(error)) from error


class _Writer(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Write a dataclass as a call of its constructor, which is read faster than its `__setstate__`."""
        if not is_dataclass(value) or isinstance(value, type):
            return NotImplemented
        return type(value), tuple([getattr(value, field.name) for field in fields(value)])


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
    return is_dataclass(class_) or hasattr(class_, "_fields") or issubclass(class_, Enum)
