"""The meaning of operations is data of the catalogue: code names an operation in the listed files only."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from checkout.places import ROOT
from tdls.catalogue.catalogue import Catalogue
from tdls.semantic.handle_types import INTERFACES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVER = ROOT / "server" / "tdls"
WITH_NAMES_OF_OPERATIONS = {
    "handles/changes.py": "what operations change in the payload",
    "handles/operations/bodies.py": "rows of operations that run bodies",
    "handles/operations/matchers.py": "rows of operations that apply matchers",
    "handles/operations/navigation.py": "rows of operations that navigate or regroup",
    "handles/operations/rewriting.py": "rows of operations that change the payload",
    "handles/operations/structured_matchers.py": "rows of conditions in matchers",
    "handles/written_payload.py": "what MLIR puts around a payload",
    "meaning/choices.py": "operations with options, and those of constraints between them",
    "meaning/payload_forms.py": "operations that versions write in other forms",
    "refusals/gpu.py": "what operations ask of loops that they map to a GPU",
    "refusals/loops.py": "what operations ask of loops and buffers",
    "refusals/sizes.py": "what operations ask of the sizes of structured payload operations",
    "refusals/structured.py": "what operations ask of structured payload operations",
    "verifying/verifiers.py": "operations whose verifiers are code",
}
WITH_NAMES_OF_INTERFACES = {"semantic/handle_types.py", "catalogue/sources/ods/effects.py"}


def strings_in(folder: Path) -> Iterator[tuple[str, str]]:
    """Strings that are no documentation, each with its file below `folder`."""
    for path in sorted(folder.rglob("*.py")):
        yield from ((path.relative_to(folder).as_posix(), text) for text in strings_of(path))


@cache
def strings_of(path: Path) -> tuple[str, ...]:
    """Strings of a module that are no documentation."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    strings = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return tuple(str(node.value) for node in strings if id(node) not in documentation)


def test_names_of_operations_stand_in_one_place() -> None:
    catalogue = Catalogue.shipped()
    named = [(path, text) for path, text in strings_in(SERVER / "analysis") if catalogue.operation(text) is not None]
    assert {path for path, _ in named} == WITH_NAMES_OF_OPERATIONS.keys()
    assert len(set(named)) == len(named)


def test_interfaces_of_handle_types_stand_in_one_list() -> None:
    interfaces = set(INTERFACES.values())
    assert {path for path, text in strings_in(SERVER) if text in interfaces} == WITH_NAMES_OF_INTERFACES
