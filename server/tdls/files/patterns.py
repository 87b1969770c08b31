"""Patterns of paths that others wrote: what they name, found in bounded time."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.bounds.budget import Budget, OverBudget
from tdls.bounds.limits import MATCHED_FILES, PATTERN_STARS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ANY_FOLDERS = "**"
_STARS = re.compile(r"\*+")


def unusable_reason(pattern: str) -> str | None:
    """Return why a line of a ``.gitignore`` does not count; None if it does.

    Such a line takes too long to be compared with some path, or is none that pathspec can read. git reads lines such
    as ``!``, ``\\`` and ``[z-a]``, and matches nothing by them.
    """
    parts = pattern.split("/")
    folders = sum(_ANY_FOLDERS in part for part in parts)
    if max(folders, *(len(_STARS.findall(part)) for part in parts)) > PATTERN_STARS.most:
        return f"a part asks for more than {PATTERN_STARS}"
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except Exception:  # whatever a library raises about the text of a stranger
        return "it is no pattern, and matches nothing"
    return None


def matching_paths(pattern: Path) -> list[Path]:
    """Return what is there and matches `pattern`, an absolute path with ``*``, ``?``, ``[...]`` and ``**``.

    Names that begin with a dot match only what says so. ``**`` enters no links, so circles of them end.
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
    """Yield what `part` of a pattern names in `places`, as far as the budget goes."""
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
