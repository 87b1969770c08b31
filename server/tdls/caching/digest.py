"""One short text that stands for others."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # `hashlib` would load OpenSSL first
except ImportError:
    from hashlib import blake2b

_BYTES = 32
DIGITS = 2 * _BYTES


def digest(*parts: str | bytes) -> str:
    """Return what stands for `parts` in their order; where one ends and the next begins counts, too."""
    result = blake2b(digest_size=_BYTES)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        result.update(b"%d " % len(data))
        result.update(data)
    return result.hexdigest()
