"""List the files that may define a project's operations, without reading them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tdls.files.boundary import is_inside
from tdls.files.selection import UnreadablePath, files_below
from tdls.limits import SOURCE_SIZE
from tdls.project.definitions import SourceKind, kind_of
from tdls.project.root import Packages, bindings_below, is_project, mlir_includes, package_folders
from tdls.settings.paths import boundary_of, is_excluded, named_files, named_folders
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tdls.settings.model import Exclusion, PathPattern, Settings

Signature = tuple[int, ...]
"""State of a file on disk: size in bytes, modification and change time in nanoseconds, inode.

The content is unchanged while the signature is.
"""
_INCLUDE = "include"
_NESTED_INCLUDES = ("include", "mlir/include", "llvm/include")
_ENVIRONMENT_FILE = "pyvenv.cfg"
_MOST_SOURCES = 50_000


class ScannedProject(Struct, frozen=True):
    """Input of one scan: the sources of a project, or, without a `root`, the installed packages."""

    root: Path | None
    definitions: tuple[PathPattern, ...] = ()
    include: tuple[PathPattern, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    packages: tuple[Packages, ...] = ()
    """Folders with installed Python packages."""


def projects_for(root: Path | None, settings: Settings) -> tuple[ScannedProject, ...]:
    """Return the scans for scripts of the project in the folder `root`; definitions of later ones take precedence.

    `root` is None for scripts that belong to no project.
    """
    own = settings.project
    if not own.enabled:
        return ()
    packages = package_folders(root, settings.run.backend_choice.python) if own.bindings else ()
    exclusions = tuple(exclusion for exclusion in (settings.exclude, own.exclude) if exclusion is not None)
    installed = (ScannedProject(None, packages=packages),) if packages else ()
    if root is None:
        return installed
    return (*installed, ScannedProject(root, own.definitions, own.include, exclusions))


class DefinitionSource(NamedTuple):
    """A file that may define operations."""

    path: Path
    kind: SourceKind
    signature: Signature


class Listing(Struct, frozen=True):
    """The sources of a project, and the search path of TableGen's ``include``."""

    sources: tuple[DefinitionSource, ...]
    include_folders: tuple[Path, ...]
    places: tuple[Path, ...]
    """The searched folders and files."""
    problems: tuple[UnreadablePath, ...]


def list_sources(project: ScannedProject) -> Listing:
    """Find the sources of `project`: below its folder without ignored files, at the paths of settings, in packages."""
    walk = _Walk(project)
    folders = named_folders(project.definitions)
    roots = [*([project.root] if project.root is not None else []), *folders]
    found = dict.fromkeys(path for root in roots for path in walk.below(root))
    files, problems = named_files(pattern for pattern in project.definitions if not named_folders([pattern]))
    found.update(dict.fromkeys(files))
    found.update(dict.fromkeys(path for packages in project.packages for path in bindings_below(packages)))
    walk.problems += [UnreadablePath(str(project.root), f"{problem.message}; {problem.help}") for problem in problems]
    return Listing(
        tuple(walk.sources(found)),
        tuple(dict.fromkeys((*named_folders(project.include), *walk.include_folders, *mlir_includes()))),
        tuple(dict.fromkeys((*roots, *files, *(packages.folder for packages in project.packages)))),
        tuple(walk.problems),
    )


def signature_of(path: Path) -> Signature | None:
    """Return the state of a file on disk, None if it does not exist."""
    try:
        state = os.stat(path)  # noqa: PTH116 - twice as fast as `Path.stat`
    except (OSError, ValueError):
        return None
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


class _Walk(Struct):
    """Walks through folders, and collects include folders and problems on the way."""

    project: ScannedProject
    include_folders: list[Path] = field(default_factory=list)
    problems: list[UnreadablePath] = field(default_factory=list)

    def below(self, root: Path) -> Iterator[Path]:
        """Yield the sources below `root` that no setting excludes."""
        self.include_folders.append(root)
        found = files_below(
            root,
            _may_be_source,
            self.problems,
            is_entered=self._is_entered,
            root=boundary_of(root),
            unread=self.problems,
        )
        return (path for path in found if not self._is_excluded(path))

    def sources(self, paths: Iterable[Path]) -> Iterator[DefinitionSource]:
        """Yield `paths` with their signatures, except for files that are too large.

        C++ files are left out if there is no TableGen: they only add facts to operations defined there.
        """
        kept = list(paths)
        if not any(kind_of(path.name) is SourceKind.TABLEGEN for path in kept):
            kept = [path for path in kept if kind_of(path.name) is not SourceKind.CPP]
        for number, path in enumerate(kept):
            if number == _MOST_SOURCES:
                self.problems.append(UnreadablePath(str(path), f"only {_MOST_SOURCES} files are read"))
                return
            source = self._source(path)
            if source is not None:
                yield source

    def _source(self, path: Path) -> DefinitionSource | None:
        kind, signature = kind_of(path.name), signature_of(path)
        if signature is None:
            return None
        if kind is None:
            self.problems.append(UnreadablePath(str(path), "is no file that tdls reads definitions from"))
            return None
        if signature[0] > SOURCE_SIZE.most:
            self.problems.append(UnreadablePath(str(path), f"is not read: it has more than {SOURCE_SIZE.most:,} bytes"))
            return None
        return DefinitionSource(path, kind, signature)

    def _is_entered(self, folder: Path) -> bool:
        if self._is_excluded(folder):
            return False
        if is_project(folder):
            self.include_folders += (
                path for name in _NESTED_INCLUDES if os.path.isdir(path := folder / name) and is_inside(folder, path)
            )
            return False
        if folder.name == _INCLUDE:
            self.include_folders.append(folder)
        return not os.path.isfile(folder / _ENVIRONMENT_FILE)

    def _is_excluded(self, path: Path) -> bool:
        return any(is_excluded(path, exclusion) for exclusion in self.project.exclusions)


def _may_be_source(entry: os.DirEntry[str]) -> bool:
    try:
        return kind_of(entry.name) is not None and entry.is_file()
    except OSError:  # a broken link
        return False
