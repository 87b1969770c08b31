"""Selects the files of an invocation: named files, files below directories, and matches of patterns."""

from __future__ import annotations

import fnmatch
import glob
import os
import stat
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.boundary import RealPaths, is_inside, is_link, real_path, root_of_files
from tdls.files.reading import text_of
from tdls.limits import IGNORE_FILE_SIZE, MATCHED_FILES, Budget, OverBudget
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.files.ignoring import IgnoreRules


_ANY_FOLDERS = "**"


def matching_paths(pattern: Path) -> list[Path]:
    """Return the existing paths that match `pattern`, an absolute path with ``*``, ``?``, ``[...]`` and ``**``.

    Names that begin with a dot match only a part that begins with a dot. ``**`` enters no links, so it terminates on
    circular links.
    """
    parts = pattern.parts
    fixed = list(takewhile(lambda part: not glob.has_magic(part), parts))
    found = [Path(*fixed)]
    budget = Budget(MATCHED_FILES)
    for number, part in enumerate(parts[len(fixed) :], len(fixed)):
        is_last = number == len(parts) - 1
        found = list(dict.fromkeys(_step(found, part, is_last=is_last, budget=budget)))
    return found


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
_PROGRAM_SUFFIX = ".py"
_REPOSITORY = ".git"


class UnreadablePath(Struct, frozen=True):
    """A path or rule that cannot be read, with the reason."""

    path: str
    message: str


class FileSelection(Struct, frozen=True):
    """The files to read, sorted and without duplicates.

    `problems` are arguments that cannot be found and directories that cannot be listed, `empty` are the directories
    without any file to check. `outside` are links below directories that lead out of the repository; they are not
    followed. `unread_rules` are the ignored lines of ``.gitignore`` files, with the reasons.
    """

    files: tuple[Path, ...]
    problems: tuple[UnreadablePath, ...] = ()
    empty: tuple[Path, ...] = ()
    outside: tuple[Path, ...] = ()
    unread_rules: tuple[UnreadablePath, ...] = ()


def is_program(path: Path) -> bool:
    """Tell whether a file is a Python program, whose strings may hold scripts."""
    return path.suffix == _PROGRAM_SUFFIX


def split_of(path: Path | None, otherwise: str) -> str:
    """Return the name of the `SplitMode` for the file at `path`: `otherwise` for all files but Python programs."""
    return "PYTHON" if path is not None and is_program(path) else otherwise


def select(
    arguments: Iterable[Path],
    root_of: Callable[[Path], Path] = root_of_files,
    takes_programs: Callable[[Path], bool] = lambda _: False,
) -> FileSelection:
    """Find the files that `arguments` name.

    A file is taken as it is. Below a directory every ``*.mlir``, ``*.ttir`` and ``*.ttgir`` is taken, and every
    ``*.py`` if `takes_programs` holds for the directory. Excluded are hidden files and directories, paths that a
    ``.gitignore`` excludes, symbolic links to directories, and symbolic links to files outside of the folder that
    `root_of` returns for the directory.
    """
    files: dict[Path, Path] = {}
    real_paths = RealPaths()
    problems: list[UnreadablePath] = []
    empty: list[Path] = []
    outside: list[Path] = []
    unread: list[UnreadablePath] = []
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
            is_wanted = _is_script_or_program if takes_programs(argument) else _is_script
            found = list(
                files_below(
                    argument, is_wanted, problems, root=root, outside=outside, unread=unread, keeps_tracked=True
                )
            )
        else:
            found = [argument]
        if not found:
            empty.append(argument)
        for file in found:
            files.setdefault(real_paths.of(file), file)
    return FileSelection(
        tuple(sorted(files.values())), tuple(problems), tuple(empty), tuple(outside), tuple(dict.fromkeys(unread))
    )


def files_below(
    directory: Path,
    is_wanted: Callable[[os.DirEntry[str]], bool],
    problems: list[UnreadablePath],
    *,
    is_entered: Callable[[Path], bool] = lambda _: True,
    root: Path | None = None,
    outside: list[Path] | None = None,
    unread: list[UnreadablePath] | None = None,
    keeps_tracked: bool = False,
) -> Iterator[Path]:
    """Yield the files below `directory` that `is_wanted` accepts and no ``.gitignore`` excludes, folder by folder.

    Hidden files and directories are skipped, as are directories that `is_entered` rejects (it is not called for
    `directory` itself). Folders that cannot be listed are added to `problems`. Links to directories are not followed;
    links to files are followed only into the folder `root`, by default `directory`, else added to `outside`. Ignored
    lines of ``.gitignore`` files are added to `unread`. With `keeps_tracked` git lists, once something is excluded,
    the files that it tracks all the same, and these are yielded, too.
    """
    real = real_path(directory)
    unread = unread if unread is not None else []
    tracked = _Tracked(real) if keeps_tracked else None
    pending = [(directory, real, _inherited_rules(real, unread), False)]
    while pending:
        current, real, inherited, is_excluded = pending.pop()
        rules = [*inherited, *_rules_in(real, unread)]
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            problems.append(UnreadablePath(str(current), error.strerror or str(error)))
            continue
        for entry in entries:
            is_directory = entry.is_dir(follow_symlinks=False) and not is_link(entry)
            if entry.name.startswith(".") or not (is_directory or is_wanted(entry)):
                continue
            path = current / entry.name
            is_ignored = is_excluded or _is_ignored(real / entry.name, is_directory, rules)
            if is_ignored and (tracked is None or not tracked.holds(real / entry.name, is_directory=is_directory)):
                continue
            if is_directory and is_entered(path):
                pending.append((path, real / entry.name, rules, is_ignored))
            elif is_directory:
                continue
            elif not is_link(entry) or is_inside(root or directory, path):
                yield path
            elif outside is not None:
                outside.append(path)


class _Tracked:
    """The files below a folder that git tracks although they are ignored; git runs on first use."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files: frozenset[Path] | None = None
        self._folders: set[Path] = set()

    def holds(self, path: Path, *, is_directory: bool) -> bool:
        """Tell whether `path` is such a file, or a directory with such a file in it."""
        if self._files is None:
            from tdls.files.git import tracked_though_ignored

            root = repository_of(self._directory)
            self._files = tracked_though_ignored(root) if root is not None else frozenset()
            self._folders = {folder for file in self._files for folder in file.parents}
        return path in (self._folders if is_directory else self._files)


def repository_of(directory: Path) -> Path | None:
    """Return the root of the git work tree that an absolute directory is in; None if it is in none."""
    return next((parent for parent in (directory, *directory.parents) if os.path.exists(parent / _REPOSITORY)), None)


def library_files(path: Path) -> list[Path]:
    """Return the files that an entry `path` of MLIR's ``transform-library-paths`` names.

    A folder names the scripts directly in it; any other path names itself, whether it exists or not. Raises OSError
    for a folder that cannot be listed.
    """
    if not os.path.isdir(path):
        return [path]
    with os.scandir(path) as entries:
        return sorted(path / entry.name for entry in entries if _is_script(entry))


class _IgnoreFile(Struct, frozen=True):
    """The rules of one ``.gitignore``, which apply to paths below `directory`."""

    directory: Path
    rules: IgnoreRules

    def verdict(self, path: Path, is_directory: bool) -> bool | None:
        """Tell whether the last matching rule excludes `path` (absolute); None when no rule matches."""
        return self.rules.verdict(path.parts[len(self.directory.parts) :], is_directory=is_directory)


def _is_script(entry: os.DirEntry[str]) -> bool:
    return _is_file_with(_SUFFIXES, entry)


def _is_script_or_program(entry: os.DirEntry[str]) -> bool:
    return _is_file_with((*_SUFFIXES, _PROGRAM_SUFFIX), entry)


def _is_file_with(suffix: tuple[str, ...], entry: os.DirEntry[str]) -> bool:
    try:
        return entry.name.endswith(suffix) and entry.is_file()
    except OSError:  # a broken link
        return False


def _is_ignored(path: Path, is_directory: bool, ignore_files: list[_IgnoreFile]) -> bool:
    """Apply the rules of the innermost ``.gitignore`` that matches, as git does."""
    verdicts = (ignore_file.verdict(path, is_directory) for ignore_file in reversed(ignore_files))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _inherited_rules(directory: Path, unread: list[UnreadablePath]) -> list[_IgnoreFile]:
    """Return the rules above `directory` in its git repository; empty if they exclude `directory` itself."""
    root = repository_of(directory) or directory
    rules: list[_IgnoreFile] = []
    inner = root
    for name in directory.relative_to(root).parts:
        rules += _rules_in(inner, unread)
        inner /= name
        if _is_ignored(inner, True, rules):
            return []
    return rules


def _rules_in(directory: Path, unread: list[UnreadablePath]) -> list[_IgnoreFile]:
    """Return the rules of a folder's ``.gitignore``; its ignored lines are added to `unread`."""
    file = directory / IGNORE_FILE
    if not os.path.lexists(file):
        return []
    text = text_of(file, IGNORE_FILE_SIZE)
    if text is None:
        unread.append(
            UnreadablePath(str(file), f"does not count: it cannot be read, or has more than {IGNORE_FILE_SIZE}")
        )
        return []
    from tdls.files.ignoring import IgnoreRules

    rules = IgnoreRules(line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n"))
    if rules.malformed:
        number, *others = rules.malformed
        which = f"line {number} and {len(others):,} more do" if others else f"line {number} does"
        unread.append(UnreadablePath(str(file), f"{which} not count: it is no pattern, and matches nothing"))
    return [_IgnoreFile(directory, rules)]
