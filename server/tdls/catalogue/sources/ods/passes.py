"""Passes and their options, from TableGen records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.catalogue.model import PassDefinition, PassOption
from tdls.catalogue.sources.ods.definitions import is_a, without_colons

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.sources.ods.definitions import RecordFields, RecordIndex

_FIELDS = ("argument", "type", "defaultValue", "description")


def pass_definition(definitions: RecordIndex, definition: RecordFields) -> PassDefinition | None:
    """A pass by the name that it is registered by; None where that is not known."""
    name = definition["argument"]
    if not isinstance(name, str) or not name:
        return None
    options = definition["options"]
    known = tuple(_options(definitions, options)) if isinstance(options, (list, tuple)) else None
    return PassDefinition(name, runs_on=_runs_on(definition["baseClass"]), options=known)


def _runs_on(base: Any) -> str:
    """What stands between the brackets of ``::mlir::OperationPass<mlir::ModuleOp>``."""
    inside = base.partition("<")[2].rpartition(">")[0].strip() if isinstance(base, str) else ""
    return without_colons(inside)


def _options(definitions: RecordIndex, options: Sequence[Any]) -> Iterator[PassOption]:
    for record in map(definitions.follow, options):
        if record is not None and isinstance(record.get("argument"), str):
            name, written, default, summary = (_text(record, field) for field in _FIELDS)
            yield PassOption(name, written, default, is_a(record, "ListOption"), summary)


def _text(record: RecordFields, field: str) -> str:
    """A field in one line; empty where it is not known."""
    text = record.get(field)
    return " ".join(text.split()) if isinstance(text, str) else ""
