"""The Python packages with MLIR's bindings; the worker asks this of its own Python, too."""

from __future__ import annotations

from importlib.machinery import PathFinder
from pathlib import Path

PACKAGES = ("mlir", "torch_mlir", "iree.compiler")
"""Packages that offer the bindings, in the order in which they are looked for."""


def installed_bindings() -> list[str]:
    """Return the packages with bindings that Python would find; none of them is imported."""
    return [package for package in PACKAGES if is_bindings(package)]


def is_bindings(package: str) -> bool:
    """Tell whether `package` holds MLIR's bindings, by its files alone."""
    places: list[str] | None = None
    for name in package.split("."):
        spec = PathFinder.find_spec(name, places)
        if spec is None or spec.submodule_search_locations is None:
            return False
        places = list(spec.submodule_search_locations)
    return any((Path(place) / "ir.py").is_file() and (Path(place) / "_mlir_libs").is_dir() for place in places or ())
