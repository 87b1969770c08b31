"""List the files that may define a project's operations, without reading them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.sources import upstream
from tdls.files.boundary import SHARED_FILE, boundary_of, is_inside, is_link, real_path, repository_of
from tdls.files.selection import IGNORE_FILE, UnreadablePath, files_below
from tdls.limits import SOURCE_SIZE
from tdls.project.definitions import SourceKind, kind_of
from tdls.project.inputs import signature_of
from tdls.project.root import bindings_below, is_project, mlir_includes
from tdls.settings.paths import is_excluded, named_files, named_folders
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tdls.project.inputs import ScannedProject, Signature

_INCLUDE = "include"
_NESTED_INCLUDES = ("include", "mlir/include", "llvm/include")
_ENVIRONMENT_FILE = "pyvenv.cfg"
_EXCLUDED_BY_GIT = ".git/info/exclude"
_MOST_SOURCES = 50_000


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
    looked_at: Mapping[str, Signature | None]
    """The files and folders that decide what is listed, None for missing ones; empty if patterns of settings do."""


def list_sources(project: ScannedProject) -> Listing:
    """Find the sources of `project`: below its folder without ignored files, at the paths of settings, in packages."""
    walk = _Walk(project)
    (folders, incomplete), (include_folders, others) = map(named_folders, (project.definitions, project.include))
    roots = [*([project.root] if project.root is not None else []), *folders]
    paths = dict.fromkeys(path for root in roots for path in walk.below(root))
    files, problems = named_files(pattern for pattern in project.definitions if not named_folders([pattern])[0])
    paths.update(dict.fromkeys(files))
    for packages in project.packages:
        bindings = bindings_below(packages)
        for folder in dict.fromkeys((packages.folder, *(path.parent for path in bindings))):
            walk.look_at(folder)
        paths.update(dict.fromkeys(bindings))
    said = dict.fromkeys((*problems, *incomplete, *others))
    walk.problems += [UnreadablePath(str(project.root), f"{each.message}; {each.help}") for each in said]
    return Listing(
        tuple(walk.sources(paths)),
        tuple(dict.fromkeys((*include_folders, *walk.include_folders, *mlir_includes()))),
        tuple(dict.fromkeys((*roots, *files, *(packages.folder for packages in project.packages)))),
        tuple(walk.problems),
        walk.looked_at if not (project.definitions or project.include) else {},
    )


class _Walk(Struct):
    """Walks through folders, and collects include folders and problems on the way."""

    project: ScannedProject
    include_folders: list[Path] = field(default_factory=list)
    problems: list[UnreadablePath] = field(default_factory=list)
    looked_at: dict[str, Signature | None] = field(default_factory=dict)
    copies_of_llvm: list[Path] = field(default_factory=list)

    def look_at(self, path: Path | str) -> Signature | None:
        """Return the state of a file or folder, and record that the listing depends on it."""
        signature = self.looked_at[str(path)] = signature_of(path)
        return signature

    def below(self, root: Path) -> Iterator[Path]:
        """Yield the sources below `root` that no setting excludes."""
        self.include_folders.append(root)
        self._note_copy(root)
        self.look_at(root)
        repository, boundary = repository_of(real := real_path(root)), boundary_of(real)
        ignoring = [folder / IGNORE_FILE for folder in (real, *real.parents)] if repository is not None else []
        for file in (*ignoring, (repository or real) / _EXCLUDED_BY_GIT):
            if is_inside(boundary, file):
                self.look_at(file)
        paths = files_below(
            root,
            self._may_be_source,
            self.problems,
            is_entered=self._is_entered,
            root=boundary_of(root),
            unasked=self.problems,
        )
        return (path for path in paths if not self._is_excluded(path))

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
        kind, signature = kind_of(path.name), self.look_at(path)
        if signature is None:
            return None
        if kind is None:
            self.problems.append(UnreadablePath(str(path), "is not a file that tdls reads definitions from"))
            return None
        if signature[0] > SOURCE_SIZE.most:
            self.problems.append(UnreadablePath(str(path), f"is not read: it has more than {SOURCE_SIZE.most:,} bytes"))
            return None
        return DefinitionSource(path, kind, signature)

    def _note_copy(self, folder: Path) -> None:
        if os.path.lexists(folder / upstream.MARK):
            self.copies_of_llvm.append(folder)
            self.include_folders.append(folder / "llvm" / _INCLUDE)

    def _is_entered(self, folder: Path) -> bool:
        if self._is_excluded(folder):
            return False
        self.look_at(folder)
        for name in (IGNORE_FILE, SHARED_FILE):  # the state of the folder tells of a new one, but not of its content
            if os.path.lexists(file := folder / name) and not file.is_symlink():
                self.look_at(file)
        if is_project(folder):
            for path in (folder / name for name in _NESTED_INCLUDES):
                if is_inside(folder, path) and self.look_at(path) is not None and os.path.isdir(path):
                    self.include_folders.append(path)
            return False
        if self._is_of_llvm(folder):
            return False
        self._note_copy(folder)
        if folder.name == _INCLUDE:
            self.include_folders.append(folder)
        return not os.path.lexists(folder / _ENVIRONMENT_FILE)

    def _is_of_llvm(self, path: Path) -> bool:
        """Whether the shipped facts say what a folder or a source in a copy of LLVM defines."""
        copies = [copy for copy in self.copies_of_llvm if path.is_relative_to(copy)]
        return any(upstream.is_known(path.relative_to(copy)) for copy in copies)

    def _may_be_source(self, entry: os.DirEntry[str]) -> bool:
        if kind_of(entry.name) is None or self._is_of_llvm(Path(entry.path)):
            return False
        if is_link(entry) and is_inside(boundary_of(self.project.root or Path(entry.path).parent), Path(entry.path)):
            self.look_at(entry.path)  # where a link leads, there may be a file later
        return is_link(entry) or entry.is_file()

    def _is_excluded(self, path: Path) -> bool:
        return any(is_excluded(path, exclusion) for exclusion in self.project.exclusions)
