"""Symbol references inside attribute values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.syntax.tree import SymbolUse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.syntax.tree import NamedAttribute

_NAME = r'@(?:[A-Za-z_][\w$.]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*")'
_REFERENCE = re.compile(rf'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|({_NAME}(?:\s*::\s*{_NAME})*)', re.ASCII)
_PART = re.compile(_NAME, re.ASCII)


def symbols_in_attributes(attributes: Iterable[NamedAttribute]) -> Iterator[SymbolUse]:
    """Yield the symbol references that the values of `attributes` spell."""
    for attribute in attributes:
        if attribute.value is not None and "@" in attribute.value:
            yield from symbols_in(attribute.value, attribute.value_start)


def symbols_in(text: str, start: int) -> Iterator[SymbolUse]:
    """Yield the symbol references in `text`, which stands at offset `start`; strings are no references."""
    for match in _REFERENCE.finditer(text):
        if match[1] is None:
            continue
        path = tuple(part.lstrip("@").strip('"') for part in _PART.findall(match[1]))
        yield SymbolUse(start + match.start(), start + match.end(), path)
