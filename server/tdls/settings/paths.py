"""Resolves the paths and globs of settings to files and folders, and matches excluded paths."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.boundary import OWN_FILE, SHARED_FILE, boundary_of, is_inside, is_of_other_host
from tdls.files.reading import read_text
from tdls.limits import MATCHED_FILES, SETTINGS_SIZE
from tdls.settings.model import SettingsProblem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.files.patterns import PathPatterns
    from tdls.settings.model import Exclusion, PathPattern

_TABLE = ("tool", "tdls")


def find_configuration(start: Path) -> Path | None:
    """Return the configuration file for `start`, a file or folder: that of the nearest folder around it with one.

    In one folder ``tdls.toml`` takes precedence; a ``pyproject.toml`` counts only with a table ``[tool.tdls]``.
    """
    for folder in (start, *start.parents):
        own, shared = folder / OWN_FILE, folder / SHARED_FILE
        if os.path.lexists(own):
            return own
        if os.path.lexists(shared) and _mentions_tdls(shared):
            return shared
    return None


def table_of(file: Path) -> tuple[str, ...]:
    """Return the path of the table of settings in a file; () for the file as a whole."""
    return _TABLE if file.name == SHARED_FILE else ()


def _mentions_tdls(file: Path) -> bool:
    """Whether a ``pyproject.toml`` has settings for tdls; without a parse, a search for the table decides."""
    text, _ = text_or_problem(file)
    if text is None or "tdls" not in text:
        return False
    from tdls.settings.toml import parsed

    try:
        tool = parsed(text).get(_TABLE[0], {})
    except ValueError:
        return bool(re.search(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*tdls\b", text, re.MULTILINE))
    return isinstance(tool, dict) and _TABLE[1] in tool


def text_or_problem(file: Path, *, leads_anywhere: bool = False) -> tuple[str | None, SettingsProblem | None]:
    """Return the text of a file with settings, or None and the reason.

    A link has to stay in its repository, unless it `leads_anywhere` with the user's consent.
    """
    if not leads_anywhere and file.is_symlink() and not is_inside(boundary_of(file.parent), file):
        return None, SettingsProblem("is a link out of the repository, and does not count", "copy the file here", file)
    try:
        return read_text(file, SETTINGS_SIZE, "utf-8-sig"), None
    except UnicodeDecodeError as error:
        return None, SettingsProblem(f"is not UTF-8 at byte {error.start}", "save it as UTF-8", file)
    except OSError as error:
        reason = error.strerror or str(error)
        return None, SettingsProblem(f"cannot be read: {reason}", "check its path and permissions", file)


def named_files(patterns: Iterable[PathPattern]) -> tuple[list[Path], list[SettingsProblem]]:
    """Return the files that `patterns` name, each one once, and a problem for each pattern that names none.

    Patterns keep their order; the files of one glob are sorted. ``**`` stands for any number of folders.
    """
    files: dict[Path, None] = {}
    problems: list[SettingsProblem] = []
    for base, pattern, root in patterns:
        matching, is_complete = _places(base, pattern, root)
        problems += [] if is_complete else [_incomplete(pattern)]
        inside = _inside(matching, root)
        existing = [path for path in inside if os.path.isfile(path)]
        files.update(dict.fromkeys(existing))
        if not existing and len(inside) < len(matching):
            advice = f"remove the link, or name what it leads to; {root} is where it may lead"
            problems.append(SettingsProblem(f"`{pattern}` is a link that leads out of the repository", advice))
        elif not existing:
            problems.append(SettingsProblem(f"`{pattern}` names no file", f"check the path, which counts from {base}"))
    return list(files), problems


def named_libraries(patterns: Iterable[PathPattern]) -> tuple[list[Path], list[SettingsProblem]]:
    """Return the scripts that `patterns` name, as `named_files` does.

    A folder stands for the scripts directly in it, as in MLIR's ``transform-library-paths``.
    """
    return named_files(file for pattern in patterns for file in _with_scripts(pattern))


def named_payload(patterns: Iterable[PathPattern]) -> Path | None:
    """Return the payload of scripts that have no other: the file that `patterns` name, if it is exactly one."""
    files, _ = named_files(patterns)
    return files[0] if len(files) == 1 else None


def _with_scripts(pattern: PathPattern) -> list[PathPattern]:
    from tdls.files.selection import library_files

    folder = pattern.base / home_expanded(pattern.pattern)
    if not os.path.isdir(folder):
        return [pattern]
    try:
        scripts = library_files(folder)
    except OSError:
        return [pattern]
    return [pattern._replace(pattern=str(script)) for script in scripts] or [pattern]


def named_folders(patterns: Iterable[PathPattern]) -> tuple[list[Path], list[SettingsProblem]]:
    """Return the folders that `patterns` name, each one once, as `named_files` does; a pattern may name none."""
    named = [(pattern, root, *_places(base, pattern, root)) for base, pattern, root in patterns]
    places = (place for _, root, matching, _ in named for place in _inside(matching, root))
    problems = [_incomplete(pattern) for pattern, _, _, is_complete in named if not is_complete]
    return list(dict.fromkeys(place for place in places if os.path.isdir(place))), problems


def _incomplete(pattern: str) -> SettingsProblem:
    message = f"`{pattern}` was compared with {MATCHED_FILES.most:,} files and folders, and not with the others"
    return SettingsProblem(message, "name a folder nearer to what it stands for")


def leads_out(base: Path, pattern: str, root: Path) -> bool:
    """Whether a path or glob, relative to the folder `base`, leads out of the folder `root`."""
    if is_of_other_host(pattern):
        return True
    parts = home_expanded(pattern).parts
    fixed = len(list(takewhile(lambda part: not has_magic(part), parts)))
    return ".." in parts[fixed:] or not is_inside(root, base.joinpath(*parts[:fixed]))


def has_magic(pattern: str) -> bool:
    """Whether a path is a pattern, as `glob.has_magic` does."""
    return not {"*", "?", "["}.isdisjoint(pattern)


def _inside(paths: list[Path], root: Path | None) -> list[Path]:
    return paths if root is None else [path for path in paths if is_inside(root, path)]


def is_excluded(path: Path, exclusion: Exclusion | None) -> bool:
    """Whether `path`, or a folder around it, is excluded; paths outside of the exclusion's folder never are."""
    if exclusion is None or not path.is_relative_to(exclusion.base):
        return False
    return _rules(exclusion.patterns).match(path.parts[len(exclusion.base.parts) :])


def unusable_patterns(patterns: Iterable[str]) -> list[str]:
    """Return those of `patterns` that can match no path."""
    from tdls.files.patterns import is_pattern

    return [pattern for pattern in patterns if not is_pattern(pattern)]


def placed_program(program: str, base: Path) -> str:
    """Return the path of `program`, relative to `base`; a bare name stays, since the system searches for it."""
    has_folder = "/" in program or os.sep in program
    return str(base / home_expanded(program)) if has_folder else program


def first_word(command: str) -> re.Match[str] | None:
    """Return the first word of a command; group 1 is one in quotes, which may have blanks."""
    return re.match(r'"([^"]+)"|\S+', command)


def placed_command(command: str, base: Path) -> str:
    """Return `command`, a program with arguments, with `placed_program` applied to the program."""
    first = first_word(command)
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


def _places(base: Path, pattern: str, root: Path | None) -> tuple[list[Path], bool]:
    """Return the path that `pattern` names, or the existing ones that match it, and whether all were compared."""
    path = base / home_expanded(pattern)
    if not has_magic(pattern) or ((root is None or is_inside(root, path)) and os.path.isfile(path)):
        return [path], True
    from tdls.files.selection import matching_paths

    paths, is_complete = matching_paths(path, root)
    return sorted(paths), is_complete


@lru_cache(maxsize=2_000)
def _rules(patterns: tuple[str, ...]) -> PathPatterns:
    from tdls.files.patterns import PathPatterns

    return PathPatterns(patterns)
