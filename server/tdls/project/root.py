"""Find the project folder of a file, the Python environments of a project, and installed MLIR headers."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.boundary import OWN_FILE, SHARED_FILE, boundary_of, is_inside, may_be_root
from tdls.settings.paths import find_configuration
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_REPOSITORY = ".git"


def project_root(path: Path) -> Path | None:
    """Return the folder of the project that `path`, a file or folder, belongs to, or None if it belongs to none.

    The project folder is the nearest folder above `path`, or `path` itself, with settings of tdls or a git repository;
    failing that, the nearest one with a ``pyproject.toml``. A home folder is not a project, even if it is kept in git.
    """
    folders = [folder for folder in (path, *path.parents) if may_be_root(folder)]
    marked = next((folder for folder in folders if is_project(folder)), None)
    return marked or next((folder for folder in folders if os.path.lexists(folder / SHARED_FILE)), None)


def is_project(folder: Path) -> bool:
    """Return whether `folder` has settings of tdls or is a git repository."""
    if os.path.lexists(folder / OWN_FILE) or os.path.lexists(folder / _REPOSITORY):
        return True
    shared = folder / SHARED_FILE
    return os.path.lexists(shared) and find_configuration(folder) == shared


_ENVIRONMENTS = (".venv", "venv")
_INTERPRETERS = (Path("bin", "python"), Path("bin", "python3"), Path("Scripts", "python.exe"))
_BINDINGS = "_*_ops_gen.py"
_DIALECTS = "dialects"
_DEEPER = "python"
"""Name of the subfolder in which some packages keep their modules."""
_MLIR_INCLUDES = "/usr/lib/llvm-*/include", "/usr/local/lib/llvm-*/include", "/opt/homebrew/opt/llvm*/include"
_MLIR_FILE = Path("mlir", "IR", "OpBase.td")


class Packages(NamedTuple):
    """A folder with installed Python packages.

    Links in it are followed within the folder `boundary`; if that is None, all are.
    """

    folder: Path
    boundary: Path | None = None


def package_folders(root: Path | None, python: str | None) -> tuple[Packages, ...]:
    """Return the folders with the packages of a project, in lookup order.

    `python` is the interpreter that the settings name, None if they name none; its packages come first. Then follow
    the environments in the folder `root`, the active environment, and the Python that tdls runs in. Links in an
    environment of the repository are followed within the repository only, unless the user chose that environment in
    settings or activated it.
    """
    active = os.environ.get("VIRTUAL_ENV")
    named = list(_packages_of(Path(python).parent.parent)) if python is not None else []
    own = (Path(place) for place in sys.path if place.endswith(("site-packages", "dist-packages")))
    others = [*(_packages_of(Path(active)) if active else ()), *own]
    local = _environments_in(root, {*named, *others}) if root is not None else ()
    return tuple(dict.fromkeys((*map(Packages, named), *local, *map(Packages, others))))


def project_python(root: Path | None) -> str:
    """Return the Python for the programs of a project: that of the first environment with MLIR's bindings.

    The order is that of `package_folders`. If none has bindings, it is the first one that has an interpreter. The
    interpreter may lie in the folder `root`, which is untrusted: call this only with consent to run its programs.
    """
    folders = package_folders(root, None)
    with_bindings = [packages for packages in folders if bindings_below(packages)]
    interpreters = (_interpreter(packages.folder) for packages in (*with_bindings, *folders))
    return next((str(python) for python in interpreters if python is not None), sys.executable)


def _interpreter(packages: Path) -> Path | None:
    """Return the interpreter of the environment with the folder `packages`, None if it has none."""
    if str(packages) in sys.path:
        return Path(sys.executable)
    environments = list(packages.parents)[:3]
    places = (folder / place for folder in environments for place in _INTERPRETERS)
    return next((place for place in places if os.path.isfile(place)), None)


def bindings_below(packages: Packages) -> tuple[Path, ...]:
    """Return the generated modules with operations in a folder of packages, sorted."""
    try:
        changed = packages.folder.stat().st_mtime_ns
    except OSError:
        return ()
    return _bindings_below(packages, changed)


def mlir_includes() -> tuple[Path, ...]:
    """Return the folders with MLIR's own TableGen files that are installed, the newest version first."""
    named = (os.environ.get(name) for name in ("MLIR_DIR", "LLVM_DIR"))
    builds = [Path(place).parents[2] / "include" for place in named if place and len(Path(place).parents) > 2]
    installed = sorted(chain.from_iterable(map(_matching, _MLIR_INCLUDES)), key=_version, reverse=True)
    return tuple(folder for folder in dict.fromkeys((*builds, *installed)) if os.path.isfile(folder / _MLIR_FILE))


def _environments_in(root: Path, trusted: set[Path]) -> Iterator[Packages]:
    """Yield the package folders of environments in `root`; links of those in `trusted` are followed without limit."""
    boundary = boundary_of(root)
    for environment in (root / name for name in _ENVIRONMENTS):
        yield from (Packages(place) for place in trusted if place.is_relative_to(environment))
        yield from (Packages(place, boundary) for place in _packages_of(environment, boundary) if place not in trusted)


def _packages_of(environment: Path, boundary: Path | None = None) -> Iterator[Path]:
    """Yield the folders of packages in an environment, without links that lead out of `boundary`."""
    try:
        is_followed = boundary is None or is_inside(boundary, environment / "lib")
        names = sorted(os.listdir(environment / "lib")) if is_followed else []  # noqa: PTH208
    except OSError:
        names = []
    places = ("Lib", *(os.path.join("lib", name) for name in names if name.startswith("python3")))  # noqa: PTH118
    for packages in (environment / place / "site-packages" for place in places):
        if (boundary is None or is_inside(boundary, packages)) and os.path.isdir(packages):
            yield packages


@lru_cache(maxsize=16)
def _bindings_below(packages: Packages, changed: int) -> tuple[Path, ...]:
    del changed  # part of the cache key: installing a package changes the folder
    homes = (home / _DIALECTS for home in _homes(packages))
    files = (
        file for home in homes if _is_followed(home, packages) and os.path.isdir(home) for file in home.glob(_BINDINGS)
    )
    return tuple(sorted(file for file in files if _is_followed(file, packages)))


def _homes(packages: Packages) -> Iterator[Path]:
    """Yield the folders that may be the Python package of a build of MLIR: ``mlir``, ``iree/compiler``."""
    for top in _folders(packages.folder, packages):
        yield top
        for second in _folders(top, packages):
            yield second
            if second.name == _DEEPER:
                yield from _folders(second, packages)


def _folders(folder: Path, packages: Packages) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            folders = [folder / entry.name for entry in entries if "." not in entry.name and entry.is_dir()]
    except OSError:
        return []
    return [path for path in folders if _is_followed(path, packages)]


def _is_followed(path: Path, packages: Packages) -> bool:
    return packages.boundary is None or is_inside(packages.boundary, path)


def _matching(pattern: str) -> Iterator[Path]:
    """Return the existing paths that match `pattern`, which has wildcards in its second to last component."""
    path = Path(pattern)
    folders = list(path.parents[1].glob(path.parent.name))
    return (folder / path.name for folder in folders if os.path.exists(folder / path.name))


def _version(folder: Path) -> int:
    return int("".join(character for character in folder.parent.name if character.isdecimal())[:9] or 0)
