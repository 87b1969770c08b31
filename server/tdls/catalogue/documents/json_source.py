"""A catalogue source from a JSON file that people write. ``docs/catalogue.md`` describes the format."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

from tdls.bounds.limits import CATALOGUE_SIZE
from tdls.caching.digest import digest
from tdls.catalogue.documents.codec import decode_attribute_kind, decode_operation, decode_rename, decode_type
from tdls.catalogue.documents.schema import problems
from tdls.catalogue.source import MemorySource
from tdls.files.reading import read_text
from tdls.text.numbers import integer

SCHEMA_FILE = Path(__file__).resolve().parent / "catalogue.schema.json"

_MOST_PROBLEMS = 10


class CatalogueError(Exception):
    """A catalogue file cannot be used. The message is for people: file, place, what is wrong, what to do."""


def load_json_catalogue(path: Path | str) -> MemorySource:
    """Read a catalogue file.

    Where a name has several definitions, they are its variants, from the newest to the oldest LLVM version.

    Raises:
        CatalogueError: the file cannot be read, is no JSON, or is not a catalogue.
    """
    file = Path(path)
    text = _text(file)
    document = _parsed(file, text)
    _check(file, document)
    return MemorySource(
        file.name,
        [decode_operation(item, file.name) for item in document.get("operations", ())],
        [decode_type(item, file.name) for item in document.get("types", ())],
        [decode_attribute_kind(item, file.name) for item in document.get("attributes", ())],
        [decode_rename(item) for item in document.get("renames", ())],
        fingerprint=digest(file.name, text),
    )


def _text(file: Path) -> str:
    try:
        return read_text(file, CATALOGUE_SIZE, "utf-8-sig")
    except UnicodeDecodeError as error:
        raise CatalogueError(f"{file}: is not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogueError(f"{file}: cannot be read: {reason}; check the path of the catalogue") from error


def _parsed(file: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{file}:{error.lineno}:{error.colno}"
        raise CatalogueError(f"{place}: is not JSON: {error.msg}; correct it there or just before") from error
    except ValueError as error:
        raise CatalogueError(f"{file}: is not JSON: {error}; correct it") from error
    except RecursionError as error:
        raise CatalogueError(f"{file}: is nested too deeply; a catalogue has no such nesting") from error


def _check(file: Path, document: Any) -> None:
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    found = list(islice(problems(document, schema), _MOST_PROBLEMS + 1))
    if not found:
        return
    lines = [f"{file}: {_place(document, place)}{problem}" for place, problem in found[:_MOST_PROBLEMS]]
    if len(found) > _MOST_PROBLEMS:
        lines.append(f"{file}: there is more; correct these first")
    lines.append(f"The format is described in docs/catalogue.md and, for editors, in {SCHEMA_FILE.name}.")
    raise CatalogueError("\n".join(lines))


def _place(document: Any, place: str) -> str:
    """``operations[3].effect (my.op): ``: the place, with the definition's name where it has one."""
    if not place:
        return ""
    section, _, rest = place.partition("[")
    number = rest.partition("]")[0]
    index = integer(number)
    if index is None:
        return f"{place}: "
    item = document[section][index]
    name = item.get("name") if isinstance(item, dict) else None
    return f"{place} ({name}): " if isinstance(name, str) else f"{place}: "
