"""The files that settings name, and those that they exclude."""

from __future__ import annotations

import glob
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.settings.model import SettingsProblem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pathspec import GitIgnoreSpec

    from tdls.settings.model import Exclusion, PathPattern

FIRST_WORD = re.compile(r'"([^"]+)"|\S+')
"""The first word of a command; one with blanks stands in quotes."""


def named_files(patterns: Iterable[PathPattern]) -> tuple[list[Path], list[SettingsProblem]]:
    """Return the files that `patterns` name, each one once, and what names none.

    Patterns keep their order; the files of one glob are sorted. ``**`` stands for any number of folders.
    """
    files: dict[Path, None] = {}
    problems: list[SettingsProblem] = []
    for base, pattern in patterns:
        found = _matches(base, pattern)
        files.update(dict.fromkeys(found))
        if not found:
            advice = "check the path, which counts from " + str(base)
            problems.append(SettingsProblem(f"`{pattern}` names no file", advice))
    return list(files), problems


def named_folders(patterns: Iterable[PathPattern]) -> list[Path]:
    """Return the folders that `patterns` name, each one once, in the order of `named_files`."""
    places = (place for base, pattern in patterns for place in _places(base, pattern))
    return list(dict.fromkeys(place for place in places if _is_folder(place)))


def is_excluded(path: Path, exclusion: Exclusion | None) -> bool:
    """Tell whether `path`, or a folder that it is in, is excluded; nothing outside of the exclusion's folder is."""
    if exclusion is None or not path.is_relative_to(exclusion.base):
        return False
    return _spec(exclusion.patterns).match_file(path.relative_to(exclusion.base).as_posix())


def unusable_patterns(patterns: Iterable[str]) -> list[str]:
    """Return those of `patterns` that are no patterns of a ``.gitignore`` file."""
    return [pattern for pattern in patterns if not _is_usable(pattern)]


def placed_program(program: str, base: Path) -> str:
    """Return the path of `program` counting from `base`; a bare name stays, to be looked for where programs are."""
    has_folder = "/" in program or os.sep in program
    return str(base / home_expanded(program)) if has_folder else program


def placed_command(command: str, base: Path) -> str:
    """Return `command`, a program with arguments, with `placed_program`."""
    first = FIRST_WORD.match(command)
    if first is None:
        return command
    path = placed_program(first[1] or first[0], base)
    return f'"{path}"{command[first.end() :]}' if " " in path else f"{path}{command[first.end() :]}"


def home_expanded(pattern: str) -> Path:
    """Return a path as written, with the home folder of a known user in place of ``~``."""
    try:
        return Path(pattern).expanduser()
    except RuntimeError:  # no such user
        return Path(pattern)


def is_file(path: Path) -> bool:
    """Tell whether `path` is known to be a file; False where one may not look."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _matches(base: Path, pattern: str) -> list[Path]:
    path = base / home_expanded(pattern)
    if is_file(path):
        return [path]
    if not glob.has_magic(pattern):
        return []
    names = glob.glob(str(path), recursive=True)  # noqa: PTH207 - `Path.glob` takes no absolute patterns
    return sorted(found for name in names if is_file(found := Path(name)))


def _places(base: Path, pattern: str) -> list[Path]:
    path = base / home_expanded(pattern)
    if not glob.has_magic(pattern):
        return [path]
    return sorted(map(Path, glob.glob(str(path), recursive=True)))  # noqa: PTH207 - as in `_matches`


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_usable(pattern: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except (ValueError, re.error):
        return False
    return True


@lru_cache(maxsize=256)
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)
