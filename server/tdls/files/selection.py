"""Which files an invocation means: explicit ones, those below directories, and standard input."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pathspec import GitIgnoreSpec

SUFFIX = ".mlir"


@dataclass(frozen=True, slots=True)
class Problem:
    """What cannot be read, and why."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Selection:
    """The files to read, sorted and without duplicates.

    `problems` are what cannot be found or listed, `empty` are the directories without any file to check.
    """

    files: tuple[Path, ...]
    problems: tuple[Problem, ...] = ()
    empty: tuple[Path, ...] = ()


def select(arguments: Iterable[Path]) -> Selection:
    """Find the files that `arguments` mean.

    A file is taken as it is. Below a directory every ``*.mlir`` is taken, except hidden files and
    directories, what a ``.gitignore`` excludes, and what lies behind a symbolic link to a directory.
    """
    files: dict[Path, Path] = {}
    problems: list[Problem] = []
    empty: list[Path] = []
    for argument in arguments:
        try:
            is_directory = stat.S_ISDIR(argument.stat().st_mode)
        except OSError as error:
            is_missing = isinstance(error, FileNotFoundError)
            message = "no such file or directory" if is_missing else error.strerror or str(error)
            problems.append(Problem(str(argument), message))
            continue
        found = list(files_below(argument, _is_script, problems)) if is_directory else [argument]
        if not found:
            empty.append(argument)
        for file in found:
            files.setdefault(file.resolve(), file)
    return Selection(tuple(sorted(files.values())), tuple(problems), tuple(empty))


def files_below(
    directory: Path,
    is_wanted: Callable[[os.DirEntry[str]], bool],
    problems: list[Problem],
    *,
    is_entered: Callable[[Path], bool] = lambda _: True,
) -> Iterator[Path]:
    """Yield the files below `directory` that git sees and `is_wanted`, folder by folder.

    Hidden files and directories are left out, and so are directories that are not `is_entered` (never asked about
    `directory` itself). What cannot be listed is added to `problems`.
    """
    real = directory.resolve()
    pending = [(directory, real, _inherited_rules(real))]
    while pending:
        current, real, inherited = pending.pop()
        rules = [*inherited, *_rules_in(real)]
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            problems.append(Problem(str(current), error.strerror or str(error)))
            continue
        for entry in entries:
            is_directory = entry.is_dir(follow_symlinks=False)
            if entry.name.startswith(".") or not (is_directory or is_wanted(entry)):
                continue
            path = current / entry.name
            if _is_ignored(real / entry.name, is_directory, rules) or (is_directory and not is_entered(path)):
                continue
            if is_directory:
                pending.append((path, real / entry.name, rules))
            else:
                yield path


def library_files(path: Path) -> list[Path]:
    """Return the files that `path` means where MLIR's ``transform-library-paths`` names it.

    A folder stands for the scripts directly in it, all else for itself, whether it is there or not. Raises OSError for
    a folder that cannot be listed.
    """
    if not path.is_dir():
        return [path]
    with os.scandir(path) as entries:
        return sorted(path / entry.name for entry in entries if _is_script(entry))


@dataclass(frozen=True, slots=True)
class _IgnoreFile:
    """The rules of one ``.gitignore``, which count for what is below `directory`."""

    directory: Path
    rules: GitIgnoreSpec

    def verdict(self, path: Path, is_directory: bool) -> bool | None:
        """Tell whether the last matching rule excludes `path` (absolute); None when no rule matches."""
        relative = path.relative_to(self.directory).as_posix()
        return self.rules.check_file(f"{relative}/" if is_directory else relative).include


def _is_script(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.name.endswith(SUFFIX) and entry.is_file()
    except OSError:  # a link that leads nowhere
        return False


def _is_ignored(path: Path, is_directory: bool, ignore_files: list[_IgnoreFile]) -> bool:
    """Apply the rules of the innermost ``.gitignore`` that says something, as git does."""
    verdicts = (ignore_file.verdict(path, is_directory) for ignore_file in reversed(ignore_files))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _inherited_rules(directory: Path) -> list[_IgnoreFile]:
    """Return the rules above `directory` in its git repository, none when they exclude `directory` itself."""
    root = next((parent for parent in (directory, *directory.parents) if (parent / ".git").exists()), directory)
    rules: list[_IgnoreFile] = []
    inner = root
    for name in directory.relative_to(root).parts:
        rules += _rules_in(inner)
        inner /= name
        if _is_ignored(inner, True, rules):
            return []
    return rules


def _rules_in(directory: Path) -> list[_IgnoreFile]:
    file = directory / ".gitignore"
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    from pathspec import GitIgnoreSpec

    return [_IgnoreFile(directory, GitIgnoreSpec.from_lines(lines))]
