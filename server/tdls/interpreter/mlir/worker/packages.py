"""Finds the Python packages with MLIR's bindings; also used in the worker's own Python."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder
from pathlib import Path

PACKAGES = ("mlir", "torch_mlir", "iree.compiler")
"""Packages with the bindings, in search order."""
NO_THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""For numpy, which bindings import: jobs are forked without its threads, which take a quarter of the startup time."""
_DISTRIBUTIONS = {"mlir": "mlir-python-bindings", "torch_mlir": "torch-mlir", "iree.compiler": "iree-base-compiler"}


def installed_bindings() -> list[str]:
    """Return the packages with bindings on the module search path, without importing any."""
    return [package for package in PACKAGES if is_bindings(package)]


def is_bindings(package: str) -> bool:
    """Whether `package` has MLIR's bindings, by its files alone."""
    return place_of(package) is not None


def place_of(package: str) -> Path | None:
    """Return the folder of `package` with MLIR's bindings, or None."""
    places: list[str] | None = None
    for name in package.split("."):
        spec = PathFinder.find_spec(name, places)
        if spec is None or spec.submodule_search_locations is None:
            return None
        places = list(spec.submodule_search_locations)
    folders = map(Path, places or ())
    return next(
        (folder for folder in folders if os.path.isfile(folder / "ir.py") and os.path.isdir(folder / "_mlir_libs")),
        None,
    )


def version_of(package: str) -> str:
    """Return name and version of the distribution of `package`; the package name if the version is unknown."""
    from importlib import metadata

    distribution = _DISTRIBUTIONS.get(package, package)
    try:
        return f"{distribution} {metadata.version(distribution)}"
    except metadata.PackageNotFoundError:
        return package
