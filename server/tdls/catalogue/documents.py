"""Catalogue files, hand-written JSON with definitions. ``docs/catalogue.md`` describes the format."""

from __future__ import annotations

import json
import re
from enum import Enum
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tdls.caching.digest import digest
from tdls.catalogue import model
from tdls.catalogue.changed_operations import Rename
from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, TypeDefinition
from tdls.catalogue.source import MemorySource
from tdls.files.reading import read_text
from tdls.limits import CATALOGUE_SIZE
from tdls.structs import Struct, defaults_of
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_S = TypeVar("_S", bound=Struct)
JsonObject = dict[str, Any]

_PLACES = frozenset(("defined_at", "implemented_at"))


def encode(definition: Struct) -> JsonObject:
    """Return the JSON object of any definition of the model.

    Fields with their default value are left out, and so are places in sources, which are valid on one machine only.
    """
    encoded: JsonObject = {}
    for name, default in defaults_of(definition).items():
        value = getattr(definition, name)
        if value is not None and value != default and name not in _PLACES:
            encoded[name] = encode_value(value)
    return encoded


def decode(kind: type[_S], item: JsonObject, **more: Any) -> _S:
    """Return the definition of a valid JSON object (see ``catalogue.schema.json``); `more` has fields beyond it."""
    decoders = _decoders(kind)
    own = {key: decoders[key](value) if key in decoders else value for key, value in item.items()}
    return kind(**{**more, **own})


def encode_value(value: Any) -> Any:
    """Return the JSON value of any value of the model's fields."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [encode_value(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    return encode(value) if isinstance(value, Struct) else value


@cache
def _decoders(kind: type[Struct]) -> dict[str, Callable[[Any], Any]]:
    """Return what makes a field's value of its JSON value, by the annotations of the fields; nothing for plain ones."""
    decoders = {name: _decoder(annotation) for name, annotation in vars(kind)["__annotations__"].items()}
    return {name: decode_field for name, decode_field in decoders.items() if decode_field is not None}


def _decoder(annotation: str) -> Callable[[Any], Any] | None:
    outer, _, inner = annotation.removesuffix(" | None").partition("[")
    if inner:
        element = _decoder(inner.removesuffix("]").removesuffix(", ..."))
        collection = tuple if outer == "tuple" else frozenset
        return collection if element is None else lambda items: collection([element(item) for item in items])
    kind = getattr(model, outer, None)
    if kind is None:
        return None
    return {member.value: member for member in kind}.__getitem__ if issubclass(kind, Enum) else partial(decode, kind)


_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "object": ((dict,), "an object"),
    "array": ((list,), "a list"),
    "string": ((str,), "a string"),
    "integer": ((int,), "a whole number"),
    "boolean": ((bool,), "true or false"),
}


def problems(value: Any, schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield pairs of place (``operations[3].name``, empty for the whole value) and problem."""
    return _problems(value, schema, schema, "")


def _problems(value: Any, rule: Any, root: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    while "$ref" in rule:
        rule = root["$defs"][rule["$ref"].rpartition("/")[2]]
    complaint = _complaint(value, rule)
    if complaint is not None:
        yield place, complaint
    elif isinstance(value, dict):
        yield from _object_problems(value, rule, root, place)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _problems(item, rule["items"], root, f"{place}[{index}]")


def _complaint(value: Any, rule: Any) -> str | None:
    is_truth = rule.get("type") == "integer" and isinstance(value, bool)  # which Python has as an integer, too
    if "type" in rule and (is_truth or not isinstance(value, _KINDS[rule["type"]][0])):
        return f"expected {_KINDS[rule['type']][1]}, found {_shown(value)}"
    if "const" in rule and (value != rule["const"] or isinstance(value, bool)):
        return f"expected {_shown(rule['const'])}, found {_shown(value)}"
    if "enum" in rule and value not in rule["enum"]:
        return f"expected one of {', '.join(map(_shown, rule['enum']))}; found {_shown(value)}"
    if "pattern" in rule and not re.search(rule["pattern"], value):
        return f"{_shown(value)} is not {rule['title']}"
    return None


def _object_problems(
    value: dict[str, Any], rule: Any, root: Mapping[str, Any], place: str
) -> Iterator[tuple[str, str]]:
    known = rule["properties"]
    for key in rule.get("required", ()):
        if key not in value:
            yield place, f'"{key}" is missing'
    for key, item in value.items():
        if key in known:
            yield from _problems(item, known[key], root, f"{place}.{key}" if place else key)
        else:
            yield place, f'unknown key "{key}"; known are {", ".join(sorted(known))}'


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool) or value is None:
        return str(value).lower().replace("none", "null")
    return f'"{value}"' if isinstance(value, str) else str(value)


SCHEMA_FILE = Path(__file__).resolve().parent / "catalogue.schema.json"

_MOST_PROBLEMS = 10


class CatalogueError(Exception):
    """A catalogue file cannot be used. The message is for people: file, place, problem and advice."""


def load_json_catalogue(path: Path | str) -> MemorySource:
    """Read a catalogue file.

    Where a name has several definitions, they are its variants, from the newest to the oldest LLVM version.

    Raises:
        CatalogueError: the file cannot be read, is not JSON, or is not a catalogue.
    """
    file = Path(path)
    text = _text(file)
    document = _parsed(file, text)
    _check(file, document)
    return MemorySource(
        file.name,
        [decode(OperationDefinition, item, source=file.name) for item in document.get("operations", ())],
        [decode(TypeDefinition, item, source=file.name) for item in document.get("types", ())],
        [decode(AttributeKindDefinition, item, source=file.name) for item in document.get("attributes", ())],
        [decode(Rename, item, name=None) for item in document.get("renames", ())],
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
    mistakes = [f"{_place(document, place)}{problem}" for place, problem in found[:_MOST_PROBLEMS]]
    if len(found) > _MOST_PROBLEMS:
        mistakes.append("there is more, correct these first")
    described = f"the format is described in docs/catalogue.md and, for editors, in {SCHEMA_FILE.name}"
    raise CatalogueError(f"{file}: {'; also '.join(mistakes)} ({described})")


def _place(document: Any, place: str) -> str:
    """Return ``operations[3].effect (my.op): ``, the place with the definition's name, if it has one."""
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
