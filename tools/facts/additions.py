"""What is written by hand: summaries, renames, relations of handles, and interfaces that C++ adds to types."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facts.records import FactsError
from tdls.catalogue.codec import decode_rename, encode
from tdls.catalogue.model import Relation, RelationKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from facts.installation import Installation
    from tdls.catalogue.model import OperationDefinition, Rename

_FOLDER = Path(__file__).parent
_TYPE_INTERFACES = {"pdl.operation": "TransformHandleTypeInterface"}
"""Interfaces that an extension of the transform dialect attaches to other dialects' types."""


def completed(installation: Installation) -> Installation:
    """The installation with summaries, former names, relations and attached interfaces."""
    summaries: dict[str, str] = _read("summaries.json")
    relations: dict[str, Any] = _read("relations.json")
    former_names: dict[str, list[str]] = {}
    for rename in _read_renames():
        if rename.name is not None:
            former_names.setdefault(rename.name, []).append(rename.former)
    for name, definition in installation.operations.items():
        installation.operations[name] = replace(
            definition,
            summary=summaries.get(name, ""),
            former_names=tuple(former_names.get(name, ())),
            **_related(definition, relations.get(name, {})),
        )
    for name, interface in _TYPE_INTERFACES.items():
        kind = installation.types.get(name)
        if kind is not None:
            installation.types[name] = replace(kind, interfaces=kind.interfaces | {interface})
    return installation


def _related(definition: OperationDefinition, item: dict[str, Any]) -> dict[str, Any]:
    """The fields of a definition that `item` of relations.json is about; results that a version lacks are left out."""
    groups = {operand.name for operand in definition.operands} | {result.name for result in definition.results}
    results = tuple(
        replace(
            result,
            relations=tuple(filter(lambda one: one.other in groups, map(_relation, _of(item, "results", result.name)))),
            stands_for=tuple(_of(item, "stands_for", result.name)),
        )
        for result in definition.results
    )
    flags = {name: item.get(name, False) for name in ("local", "takes_repeated")}
    return {"results": results, **flags}


def _of(item: dict[str, Any], key: str, result: str) -> list[str]:
    found: list[str] = item.get(key, {}).get(result, [])
    return found


def _relation(text: str) -> Relation:
    kind, other = text.split()
    return Relation(RelationKind(kind), other)


def renames(installations: Sequence[Installation]) -> list[dict[str, Any]]:
    """All renames as JSON objects; each new name must exist in some version."""
    known = {name for one in installations for name in one.operations}
    found = _read_renames()
    for rename in found:
        if rename.name is not None and rename.name not in known:
            raise FactsError(f"renames.json: '{rename.former}' became '{rename.name}', which no version has")
    return [encode(rename) for rename in found]


def _read_renames() -> list[Rename]:
    return [decode_rename(item) for item in _read("renames.json")]


def _read(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))
