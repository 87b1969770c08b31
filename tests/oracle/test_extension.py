"""The operations of upstream's test extension of the Transform dialect, as a catalogue source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.codec import decode_operation

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition, Rename

_FILE = Path(__file__).with_name("test_extension.json")


class _Operations:
    def __init__(self) -> None:
        entries = json.loads(_FILE.read_text(encoding="utf-8"))["operations"]
        self.by_name = {entry["name"]: decode_operation(entry, "test extension") for entry in entries}

    def variants(self, name: str) -> tuple[OperationDefinition, ...]:
        found = self.by_name.get(name)
        return (found,) if found else ()

    def names(self, dialect: str) -> tuple[str, ...]:
        return tuple(sorted(name for name in self.by_name if name.startswith(f"{dialect}.")))

    def dialects(self) -> frozenset[str]:
        return frozenset({"transform"})


class _Nothing:
    def variants(self, name: str) -> tuple[()]:  # noqa: ARG002
        return ()

    def names(self, dialect: str) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    def dialects(self) -> frozenset[str]:
        return frozenset()


class _Source:
    name = "test extension"

    def __init__(self) -> None:
        self.operations = _Operations()
        self.types = _Nothing()
        self.attribute_kinds = _Nothing()

    def renamed(self, former: str) -> Rename | None:  # noqa: ARG002
        return None


def catalogue_with_test_extension() -> Catalogue:
    """Return the shipped catalogue with those test operations that the generated scripts use."""
    return Catalogue.shipped().with_source(_Source())
