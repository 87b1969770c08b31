"""Effects of operations that are defined in Python: read from their text, or asked of the registered operations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from python_builders.effect_ways import WAYS, Way, files
from tdls.catalogue.sources.python_modules import linked, read_module

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition

UNKNOWN = "unknown"


def read() -> dict[str, OperationDefinition]:
    """Return the operations of the ways, as the static reader understands them."""
    modules = linked([read_module(Path(path), text) for path, text in files().items()])
    return {operation.name: operation for module in modules for operation in module.operations}


def effects(operation: OperationDefinition) -> list[str]:
    """Return the effects on operands, results and payload, as a way has them."""
    values = (*operation.operands, *operation.results)
    return [*(value.effect.value for value in values), operation.payload_effect.value]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_ways_that_are_read_without_running_them(way: Way) -> None:
    found, expected = effects(read()[way.operation]), way.effects.split()
    assert (found == expected) == way.is_static
    assert all(own in (told, UNKNOWN) for own, told in zip(found, expected, strict=True))


def test_most_ways_are_asked() -> None:
    known = [way for way in WAYS if UNKNOWN not in way.effects]
    assert (len(WAYS), len(known)) == (41, 39)
    assert sum(way.is_static for way in known) >= 17
