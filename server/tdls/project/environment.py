"""What is installed that a project's sources rest on: Python bindings of MLIR, and MLIR's own TableGen files."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENVIRONMENTS = (".venv", "venv")
_BINDINGS = "_*_ops_gen.py"
_DIALECTS = "dialects"
_DEEPER = "python"
"""Packages may keep what they install one folder deeper, under this name."""
_MLIR_INCLUDES = "/usr/lib/llvm-*/include", "/usr/local/lib/llvm-*/include", "/opt/homebrew/opt/llvm*/include"
_MLIR_FILE = Path("mlir", "IR", "OpBase.td")


def package_folders(root: Path | None, python: str | None) -> tuple[Path, ...]:
    """Return the folders with the packages of a project, the first one first to be asked.

    `python` is the interpreter that the settings name, None if they name none. Environments in the folder `root`
    follow, the active one, and the Python that tdls runs in.
    """
    active = os.environ.get("VIRTUAL_ENV")
    environments = [
        *([Path(python).parent.parent] if python is not None else []),
        *([root / name for name in _ENVIRONMENTS] if root is not None else []),
        *([Path(active)] if active else []),
    ]
    found = chain.from_iterable(map(_packages_of, environments))
    own = (Path(place) for place in sys.path if place.endswith(("site-packages", "dist-packages")))
    return tuple(dict.fromkeys((*found, *own)))


def bindings_below(packages: Path) -> tuple[Path, ...]:
    """Return the generated modules with operations in a folder of packages, sorted."""
    try:
        changed = packages.stat().st_mtime_ns
    except OSError:
        return ()
    return _bindings_below(packages, changed)


def mlir_includes() -> tuple[Path, ...]:
    """Return the folders with MLIR's own TableGen files that are installed, the newest version first."""
    named = (os.environ.get(name) for name in ("MLIR_DIR", "LLVM_DIR"))
    builds = [Path(place).parents[2] / "include" for place in named if place and len(Path(place).parents) > 2]
    installed = sorted(chain.from_iterable(map(_matching, _MLIR_INCLUDES)), key=_version, reverse=True)
    return tuple(folder for folder in dict.fromkeys((*builds, *installed)) if _is_file(folder / _MLIR_FILE))


def _packages_of(environment: Path) -> Iterator[Path]:
    places = [environment / "Lib" / "site-packages", *sorted(environment.glob("lib/python3*/site-packages"))]
    return (place for place in places if place.is_dir())


@lru_cache(maxsize=16)
def _bindings_below(packages: Path, changed: int) -> tuple[Path, ...]:
    del changed  # a package that is installed changes the folder
    homes = (home / _DIALECTS for home in _homes(packages))
    return tuple(sorted(file for home in homes if home.is_dir() for file in home.glob(_BINDINGS)))


def _homes(packages: Path) -> Iterator[Path]:
    """Yield the folders that may be the Python package of a build of MLIR: ``mlir``, ``iree/compiler``."""
    for top in _folders(packages):
        yield top
        for second in _folders(top):
            yield second
            if second.name == _DEEPER:
                yield from _folders(second)


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [folder / entry.name for entry in entries if "." not in entry.name and entry.is_dir()]
    except OSError:
        return []


def _matching(pattern: str) -> Iterator[Path]:
    path = Path(pattern)
    return Path(path.anchor).glob(str(path.relative_to(path.anchor)))


def _version(folder: Path) -> int:
    digits = "".join(character for character in folder.parent.name if character.isdigit())
    return int(digits) if digits else 0


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
