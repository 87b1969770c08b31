"""Merges the definitions of several LLVM versions and writes one file per dialect."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from tdls.catalogue.documents import encode
from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, TypeDefinition
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from facts.installation import Installation


_D = TypeVar("_D", OperationDefinition, TypeDefinition, AttributeKindDefinition)


def merged(tables: Sequence[Mapping[str, _D]]) -> dict[str, list[_D]]:
    """Variants by name, newest first; definitions that differ in nothing but the version become one.

    `tables` come from the newest to the oldest version.
    """
    variants: dict[str, list[_D]] = {}
    for table in tables:
        for name, definition in table.items():
            _add_variant(variants.setdefault(name, []), definition)
    return dict(sorted(variants.items()))


def write_dialect(folder: Path, dialect: str, installations: Sequence[Installation]) -> None:
    """Write ``<dialect>.json``: one definition a line, so that a reader can decode a single line."""
    document: dict[str, list[Any]] = {
        "types": _of_dialect(dialect, [installation.types for installation in installations]),
        "attributes": _of_dialect(dialect, [installation.attributes for installation in installations]),
        "operations": _of_dialect(
            dialect, [table for each in installations for table in (each.operations, each.others)]
        ),
    }
    write_document(folder / f"{dialect}.json", {key: value for key, value in document.items() if value})


def write_document(path: Path, document: Mapping[str, Any]) -> None:
    """Write a JSON object with one line per list element."""
    lines = ['{"format": 1']
    for key, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            elements = ",\n".join(_compact(element) for element in value)
            lines.append(f"{_compact(key)}: [\n{elements}\n]")
        else:
            lines.append(f"{_compact(key)}: {_compact(value)}")
    path.write_text(",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def _of_dialect(dialect: str, tables: Sequence[Mapping[str, _D]]) -> list[dict[str, Any]]:
    own = [{name: item for name, item in table.items() if name.partition(".")[0] == dialect} for table in tables]
    return [encode(variant) for variants in merged(own).values() for variant in variants]


def _add_variant(variants: list[_D], definition: _D) -> None:
    index: int
    variant: _D
    for index, variant in enumerate(variants):
        if replace(variant, versions=definition.versions) == definition:
            versions = tuple(sorted({*variant.versions, *definition.versions}))
            variants[index] = replace(variant, versions=versions)
            return
    variants.append(definition)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
