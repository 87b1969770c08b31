"""What is written by hand: summaries, renames and interfaces that C++ adds to types."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facts.records import FactsError
from tdls.catalogue.codec import decode_rename, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from facts.installation import Installation
    from tdls.catalogue.model import Rename

_FOLDER = Path(__file__).parent
_TYPE_INTERFACES = {"pdl.operation": "TransformHandleTypeInterface"}
"""Interfaces that an extension of the transform dialect attaches to other dialects' types."""


def completed(installation: Installation) -> Installation:
    """The installation with summaries, former names and attached interfaces."""
    summaries: dict[str, str] = json.loads((_FOLDER / "summaries.json").read_text(encoding="utf-8"))
    former_names: dict[str, list[str]] = {}
    for rename in _read_renames():
        if rename.name is not None:
            former_names.setdefault(rename.name, []).append(rename.former)
    for name, definition in installation.operations.items():
        installation.operations[name] = replace(
            definition, summary=summaries.get(name, ""), former_names=tuple(former_names.get(name, ()))
        )
    for name, interface in _TYPE_INTERFACES.items():
        kind = installation.types.get(name)
        if kind is not None:
            installation.types[name] = replace(kind, interfaces=kind.interfaces | {interface})
    return installation


def renames(installations: Sequence[Installation]) -> list[dict[str, Any]]:
    """All renames as JSON objects; each new name must exist in some version."""
    known = {name for one in installations for name in one.operations}
    found = _read_renames()
    for rename in found:
        if rename.name is not None and rename.name not in known:
            raise FactsError(f"renames.json: '{rename.former}' became '{rename.name}', which no version has")
    return [encode(rename) for rename in found]


def _read_renames() -> list[Rename]:
    document = json.loads((_FOLDER / "renames.json").read_text(encoding="utf-8"))
    return [decode_rename(item) for item in document]
