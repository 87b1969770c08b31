"""Checks a JSON value against a JSON Schema, with messages for the people who wrote the value.

It knows the keywords that ``catalogue.schema.json`` uses, so that file is the only description of the format.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "object": ((dict,), "an object"),
    "array": ((list,), "a list"),
    "string": ((str,), "a string"),
    "integer": ((int,), "a whole number"),
    "boolean": ((bool,), "true or false"),
}


def problems(value: Any, schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Pairs of place (``operations[3].name``, empty for the whole value) and what is wrong there."""
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
    if "type" in rule and not _is_kind(value, rule["type"]):
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


def _is_kind(value: Any, kind: str) -> bool:
    if kind == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, _KINDS[kind][0])


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool) or value is None:
        return str(value).lower().replace("none", "null")
    return f'"{value}"' if isinstance(value, str) else str(value)
