"""Descriptions of operations from MLIR's installed Python bindings, read without importing them.

The bindings hold an operation's description as the docstring of a generated class, in modules that are named after
their dialect.
"""

from __future__ import annotations

import os
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.catalogue.sources.python_modules.generated import generated_classes
from tdls.files.reading import text_of
from tdls.limits import SOURCE_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKAGES = (("mlir",), ("torch_mlir",), ("iree", "compiler"))
"""Packages with the bindings of upstream's dialects, as the parts of their dotted names."""


class BindingDescriptions:
    """Descriptions by operation name. Files are read at the first query for their dialect."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """`folders` hold the generated modules; where several describe an operation, the first one counts."""
        self._folders = tuple(folders)
        self._known: dict[str, dict[str, str]] = {}

    @classmethod
    def installed(cls) -> BindingDescriptions:
        """Return the descriptions in the bindings of MLIR on Python's search path."""
        return cls(folder for package in _PACKAGES for folder in _dialect_folders(package))

    def __call__(self, operation_name: str) -> str:
        """Return the description of an operation as Markdown, "" where there is none."""
        dialect = operation_name.partition(".")[0]
        if dialect not in self._known:
            self._known[dialect] = self._read(dialect)
        return self._known[dialect].get(operation_name, "")

    def _read(self, dialect: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for folder in self._folders:
            for file in sorted(folder.glob(f"_*{dialect}*_ops_gen.py")):
                source = text_of(file, SOURCE_SIZE)
                for generated in generated_classes(source) if source is not None else ():
                    if generated.description:
                        found.setdefault(generated.name, generated.description)
        return found


def _dialect_folders(names: tuple[str, ...]) -> Iterator[Path]:
    """Find the folders ``dialects`` of a package by its files alone, since importing it would load native code."""
    places: list[str] | None = None
    for name in names:
        spec = PathFinder.find_spec(name, places)
        if spec is None or spec.submodule_search_locations is None:
            return
        places = list(spec.submodule_search_locations)
    for place in places or ():
        folder = Path(place) / "dialects"
        if os.path.isdir(folder):
            yield folder
