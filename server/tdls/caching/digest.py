"""Hashes of texts, and texts of values that can be hashed."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from tdls.structs import Struct, as_dict

if TYPE_CHECKING:
    from collections.abc import Container

try:
    from _blake2 import blake2b  # `hashlib` would load OpenSSL first
except ImportError:
    from hashlib import blake2b

_BYTES = 32
DIGITS = 2 * _BYTES


def digest(*parts: str | bytes, secret: bytes = b"") -> str:
    """Return a hash of `parts`, which depends on their order and on the boundaries between them.

    With `secret`, of at most 64 bytes, nobody can compute it who does not have that.
    """
    result = blake2b(digest_size=_BYTES, key=secret)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        result.update(b"%d " % len(data))
        result.update(data)
    return result.hexdigest()


def spelled(value: object, left_out: Container[str] = ()) -> str:
    """Return a text that is the same exactly for equal values; fields of records named `left_out` are skipped.

    An object that is not plain data has a text of its own, its `repr`.
    """
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, Struct):
        fields = [each for name, each in as_dict(value).items() if name not in left_out]
        return f"{type(value).__name__}({', '.join(spelled(each, left_out) for each in fields)})"
    if isinstance(value, tuple):
        return f"({', '.join(spelled(item, left_out) for item in value)})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(spelled(item, left_out) for item in value))}}}"
    return f"/{value.pattern!r}/{value.flags}" if isinstance(value, re.Pattern) else repr(value)
