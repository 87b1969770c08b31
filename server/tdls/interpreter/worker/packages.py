"""The Python packages with MLIR's bindings; the worker asks this of its own Python, too."""

from __future__ import annotations

from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path

PACKAGES = ("mlir", "torch_mlir", "iree.compiler")
"""Packages that offer the bindings, in the order in which they are looked for."""
_DISTRIBUTIONS = {
    "mlir": "mlir-python-bindings",
    "torch_mlir": "torch-mlir",
    "iree.compiler": "iree-base-compiler",
}


def installed_bindings() -> list[str]:
    """Return the packages with bindings that Python would find; none of them is imported."""
    return [package for package in PACKAGES if is_bindings(package)]


def is_bindings(package: str) -> bool:
    """Tell whether `package` holds MLIR's bindings, by its files alone."""
    return place_of(package) is not None


def place_of(package: str) -> Path | None:
    """Return the folder of `package` that holds MLIR's bindings, None if there is none."""
    places: list[str] | None = None
    for name in package.split("."):
        spec = PathFinder.find_spec(name, places)
        if spec is None or spec.submodule_search_locations is None:
            return None
        places = list(spec.submodule_search_locations)
    folders = map(Path, places or ())
    return next(
        (folder for folder in folders if (folder / "ir.py").is_file() and (folder / "_mlir_libs").is_dir()), None
    )


def version_of(package: str) -> str:
    """Return what is installed as `package`, with its version; the name alone where that is not known."""
    distribution = _DISTRIBUTIONS.get(package, package)
    try:
        return f"{distribution} {metadata.version(distribution)}"
    except metadata.PackageNotFoundError:
        return package
