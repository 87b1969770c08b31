"""The JSON schema of ``tdls.toml``, made from the settings that the reader knows; docs/tdls.schema.json is its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.settings.keys import Key, keys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.settings.keys import Table


def json_schema(rules: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema for a project with `rules` (codes by name)."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of tdls",
        "description": "tdls.toml, or the table [tool.tdls] of pyproject.toml",
        **_table(keys(rules)),
    }


def _table(table: Table) -> dict[str, Any]:
    properties = {name: _key(entry) if isinstance(entry, Key) else _table(entry) for name, entry in table.items()}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _key(key: Key) -> dict[str, Any]:
    default = {} if is_described(key.default) else {"default": key.default}
    return {"description": key.meaning, **key.kind.schema, **default}


def is_described(default: object) -> bool:
    """Tell whether a default is given in words, since it depends on something."""
    return isinstance(default, str) and default.startswith("(")
