"""Catalogues in JSON files: what a project says of its own operations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tdls.catalogue import codec
from tdls.catalogue.source import MemorySource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FORMAT = 1
_SECTIONS: dict[str, Callable[..., Any]] = {
    "operations": codec.decode_operation,
    "types": codec.decode_type,
    "attributes": codec.decode_attribute_kind,
}


class CatalogueError(Exception):
    """A catalogue file that cannot be used; the message names the file, the place and the remedy."""


def load_json_catalogue(path: Path) -> MemorySource:
    """Read a catalogue file (see docs/catalogue.md). Raises `CatalogueError`."""
    document = _document(path)
    decoded = {section: list(_decoded(path, document, section)) for section in _SECTIONS}
    return MemorySource(path.name, decoded["operations"], decoded["types"], decoded["attributes"])


def _document(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CatalogueError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CatalogueError(f"{path}: not UTF-8 text (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise CatalogueError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise CatalogueError(f"{path}: not a catalogue: nested too deeply") from error
    if not isinstance(document, dict):
        raise CatalogueError(f"{path}: not a catalogue: expected an object with `format` and `operations`")
    if document.get("format") != FORMAT:
        raise CatalogueError(f'{path}: expected `"format": {FORMAT}`, found {document.get("format")!r}')
    unknown = sorted(set(document) - set(_SECTIONS) - {"format", "$schema"})
    if unknown:
        raise CatalogueError(f"{path}: unknown key `{unknown[0]}`; known are {', '.join(_SECTIONS)}")
    return document


def _decoded(path: Path, document: dict[str, Any], section: str) -> Iterator[Any]:
    items = document.get(section, [])
    if not isinstance(items, list):
        raise CatalogueError(f"{path}: `{section}` must be a list")
    for number, item in enumerate(items):
        place = f"{path}: {section}[{number}]"
        if not isinstance(item, dict) or not isinstance(item.get("name"), str) or "." not in item["name"]:
            raise CatalogueError(f'{place}: expected an object with a `name` such as "transform.my.operation"')
        try:
            yield _SECTIONS[section](item, path.name)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CatalogueError(f"{place} (`{item['name']}`): {_explained(error)}") from error


def _explained(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is not one of the values allowed there"
    return f"{error}; see docs/catalogue.md for the keys"
