"""Selects the files of an invocation: named files, files below directories, and matches of patterns."""

from __future__ import annotations

import fnmatch
import glob
import os
import stat
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.boundary import RealPaths, boundary_of, is_inside, is_link, real_path, repository_of
from tdls.limits import MATCHED_FILES, Budget, OverBudget
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ANY_FOLDERS = "**"


def matching_paths(pattern: Path, root: Path | None = None) -> tuple[list[Path], bool]:
    """Return the existing paths that match `pattern`, an absolute path with ``*``, ``?``, ``[...]`` and ``**``.

    Names that begin with a dot match only a part that begins with a dot. ``**`` enters no links, so it terminates on
    circular links. No link is followed out of the folder `root`, unless that is None. False: too many to compare all.
    """
    parts = pattern.parts
    fixed = list(takewhile(lambda part: not glob.has_magic(part), parts))
    found = [Path(*fixed)]
    budget = Budget(MATCHED_FILES)
    for number, part in enumerate(parts[len(fixed) :], len(fixed)):
        is_last = number == len(parts) - 1
        found = [path for path in found if root is None or not path.is_symlink() or is_inside(root, path)]
        found = list(dict.fromkeys(_step(found, part, is_last=is_last, budget=budget)))
    return found, budget.left >= 0


def _step(places: Iterable[Path], part: str, *, is_last: bool, budget: Budget) -> Iterator[Path]:
    """Yield the paths in `places` that match `part` of a pattern, until the budget is spent."""
    try:
        for place in places:
            if part == _ANY_FOLDERS:
                yield from _below(place, budget, with_files=is_last)
            elif glob.has_magic(part):
                yield from _matching(place, part, budget)
            elif os.path.lexists(place / part):
                yield place / part
    except OverBudget:
        return


def _below(folder: Path, budget: Budget, *, with_files: bool) -> Iterator[Path]:
    for current, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        budget.spend(1 + len(folders) + len(files))
        yield Path(current)
        if with_files:
            yield from (Path(current, name) for name in files if not name.startswith("."))


def _matching(folder: Path, part: str, budget: Budget) -> Iterator[Path]:
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names alone are compared
    except OSError:
        return
    budget.spend(1 + len(names))
    for name in fnmatch.filter(names, part):
        if part.startswith(".") or not name.startswith("."):
            yield folder / name


IGNORE_FILE = ".gitignore"
SUFFIX = ".mlir"
_SUFFIXES = (SUFFIX, ".ttir", ".ttgir")
"""Suffixes of files with MLIR; Triton writes two of its stages to files with the others."""
NOTEBOOK_SUFFIX = ".ipynb"
_PROGRAM_SUFFIXES = (".py", NOTEBOOK_SUFFIX)
_REPOSITORY = ".git"


class UnreadablePath(Struct, frozen=True):
    """A path that cannot be read, with the reason."""

    path: str
    message: str


class FileSelection(Struct, frozen=True):
    """The files to read, sorted and without duplicates.

    `problems` are arguments that cannot be found and directories that cannot be listed, `empty` are the directories
    without any file to check. `outside` are links below directories that lead out of the repository; they are not
    followed. `unasked` are the repositories whose ignored files are not known, with the reasons.
    """

    files: tuple[Path, ...]
    problems: tuple[UnreadablePath, ...] = ()
    empty: tuple[Path, ...] = ()
    outside: tuple[Path, ...] = ()
    unasked: tuple[UnreadablePath, ...] = ()


def is_program(path: Path) -> bool:
    """Whether a file is a Python program or a notebook, whose strings may hold scripts."""
    return path.suffix in _PROGRAM_SUFFIXES


def split_of(path: Path | None, otherwise: str) -> str:
    """Return the name of the `SplitMode` for the file at `path`: `otherwise` for all files but Python programs."""
    return "PYTHON" if path is not None and is_program(path) else otherwise


def select(
    arguments: Iterable[Path],
    root_of: Callable[[Path], Path] = boundary_of,
    takes_programs: Callable[[Path], bool] = lambda _: False,
) -> FileSelection:
    """Find the files that `arguments` name.

    A file is taken as it is. Below a directory every ``*.mlir``, ``*.ttir`` and ``*.ttgir`` is taken, and every
    ``*.py`` and ``*.ipynb`` if `takes_programs` holds for the directory. Excluded are hidden files and
    directories, paths that git ignores, symbolic links to directories, and symbolic links to files outside of the
    folder that `root_of` returns for the directory.
    """
    files: dict[Path, Path] = {}
    real_paths = RealPaths()
    problems: list[UnreadablePath] = []
    empty: list[Path] = []
    outside: list[Path] = []
    unasked: list[UnreadablePath] = []
    for argument in arguments:
        try:
            is_directory = stat.S_ISDIR(argument.stat().st_mode)
        except OSError as error:
            is_missing = isinstance(error, FileNotFoundError)
            message = "no such file or directory" if is_missing else error.strerror or str(error)
            problems.append(UnreadablePath(str(argument), message))
            continue
        if is_directory:
            root = root_of(real_path(argument))
            suffixes = (*_SUFFIXES, *_PROGRAM_SUFFIXES) if takes_programs(argument) else _SUFFIXES
            is_wanted = partial(_is_file_with, suffixes)
            found = list(files_below(argument, is_wanted, problems, root=root, outside=outside, unasked=unasked))
        else:
            found = [argument]
        if not found:
            empty.append(argument)
        for file in found:
            files.setdefault(real_paths.of(file), file)
    return FileSelection(
        tuple(sorted(files.values())), tuple(problems), tuple(empty), tuple(outside), tuple(dict.fromkeys(unasked))
    )


def files_below(
    directory: Path,
    is_wanted: Callable[[os.DirEntry[str]], bool],
    problems: list[UnreadablePath],
    *,
    is_entered: Callable[[Path], bool] = lambda _: True,
    root: Path | None = None,
    outside: list[Path] | None = None,
    unasked: list[UnreadablePath] | None = None,
) -> Iterator[Path]:
    """Yield the files below `directory` that `is_wanted` accepts and git does not ignore, folder by folder.

    `is_wanted` judges links by their names: it must not follow them.

    Hidden files and directories are skipped, as are directories that `is_entered` rejects (it is not called for
    `directory` itself). An ignored `directory` is searched all the same. Folders that cannot be listed are added to
    `problems`. Links to directories are not followed; links to files are followed only into the folder `root`, by
    default `directory`, else added to `outside`. Repositories in which git does not say what it ignores are added to
    `unasked`; nothing is left out there.
    """
    real = real_path(directory)
    repository = repository_of(real)
    ignored = _ignored_in(repository, real, unasked) if repository is not None else frozenset()
    pending = [(directory, real, ignored)]
    while pending:
        current, real, ignored = pending.pop()
        if real != repository and os.path.lexists(real / _REPOSITORY):
            ignored = _ignored_in(real, real, unasked)
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            problems.append(UnreadablePath(str(current), error.strerror or str(error)))
            continue
        for entry in entries:
            is_directory = entry.is_dir(follow_symlinks=False) and not is_link(entry)
            if entry.name.startswith(".") or not (is_directory or is_wanted(entry)) or real / entry.name in ignored:
                continue
            path = current / entry.name
            if is_directory and is_entered(path):
                pending.append((path, real / entry.name, ignored))
            elif is_directory:
                continue
            elif not is_link(entry):
                yield path
            elif is_inside(root or directory, real / entry.name):
                if os.path.isfile(path):
                    yield path
            elif outside is not None:
                outside.append(path)


def _ignored_in(repository: Path, directory: Path, unasked: list[UnreadablePath] | None) -> frozenset[Path]:
    place = repository / _REPOSITORY
    if not place.is_symlink() and os.path.isdir(place) and not os.path.exists(place / "HEAD"):
        return frozenset()  # no repository of git, whatever its name
    from tdls.files.git import GitError, ignored_paths

    try:
        return ignored_paths(repository, directory)
    except GitError as error:
        if unasked is not None:
            message = f"what git ignores is not known, and is not left out: {error}"
            unasked.append(UnreadablePath(str(repository), message))
        return frozenset()


def library_files(path: Path) -> list[Path]:
    """Return the files that an entry `path` of MLIR's ``transform-library-paths`` names.

    A folder names the scripts directly in it, without links out of its boundary; any other path names itself, whether
    it exists or not. Raises OSError for a folder that cannot be listed.
    """
    if not os.path.isdir(path):
        return [path]
    with os.scandir(path) as entries:
        scripts = [(path / entry.name, is_link(entry)) for entry in entries if _is_script(entry)]
    root = boundary_of(path)
    return sorted(
        file for file, is_linked in scripts if not is_linked or (is_inside(root, file) and os.path.isfile(file))
    )


def _is_script(entry: os.DirEntry[str]) -> bool:
    return _is_file_with(_SUFFIXES, entry)


def _is_file_with(suffix: tuple[str, ...], entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(suffix) and (is_link(entry) or entry.is_file())
