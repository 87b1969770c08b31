"""The files that ``tdls --check`` checks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, read_argument
from tdls.files.boundary import RealPaths, boundary_of, set_opened
from tdls.files.reading import read_text
from tdls.files.selection import UnreadablePath, select
from tdls.settings.paths import is_excluded
from tdls.settings.sources import Overrides, load_settings
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.settings.model import Settings


def without_excluded(paths: Iterable[Path], overrides: Overrides) -> list[Path]:
    """Return those of `paths`, found below directories, that the settings of their project do not exclude."""
    real_paths = RealPaths()
    exclusions: dict[Path, Settings] = {}
    kept: list[Path] = []
    for path in paths:
        real = real_paths.of(path)
        folder = real.parent
        if folder not in exclusions:
            exclusions[folder] = load_settings(folder, {}, overrides=overrides).settings
        if not is_excluded(real, exclusions[folder].exclude):
            kept.append(path)
    return kept


_NAMED = 3


class CheckTarget(Struct, frozen=True):
    """A file to check: `text` is None where it has yet to be read from `path`."""

    name: str
    path: Path | None
    text: str | None = None

    def read(self) -> str:
        """Return the text. Raises OSError, UnicodeDecodeError."""
        return self.text if self.text is not None else read_text(Path(self.name))


def find_targets(
    names: Sequence[str],
    stdin_filename: str | None,
    overrides: Overrides,
    *,
    forces_exclude: bool = False,
    quiet: bool = False,
    with_programs: bool = False,
    allows_empty: bool = False,
) -> tuple[list[CheckTarget], list[UnreadablePath]]:
    """Return the files to check, standard input first and files sorted, and the paths that cannot be read.

    Settings, with `overrides`, exclude files that are not named; with `forces_exclude` named ones, too. Python programs
    below folders are included `with_programs`, and where settings enable that. Directories without a file to check
    cannot be checked; with `allows_empty` they only bring a warning, unless `quiet`. Raises InputError if standard
    input cannot be read.
    """

    def takes_programs(folder: Path) -> bool:
        return with_programs or load_settings(folder, {}, overrides=overrides).settings.python.check

    paths = [Path(name) for name in names if name != STANDARD_INPUT]
    set_opened(filter(os.path.isdir, paths))
    selection = select(paths, boundary_of, takes_programs)
    empty = [UnreadablePath(str(folder), _nothing_to_check(takes_programs(folder))) for folder in selection.empty]
    for problem in empty if allows_empty and not quiet else ():
        console.complain(f"{problem.path}: {problem.message}", level="warning")
    if selection.outside and not quiet:
        console.complain(_not_followed(selection.outside), level="warning")
    for problem in () if quiet else selection.unasked:
        console.complain(f"{problem.path}: {problem.message}", level="warning")
    named = set() if forces_exclude else {Path(name) for name in names}
    found = set(without_excluded((file for file in selection.files if file not in named), overrides))
    targets = [CheckTarget(str(file), file) for file in selection.files if file in named or file in found]
    if STANDARD_INPUT in names:
        path = Path(stdin_filename) if stdin_filename is not None else None
        targets.insert(0, CheckTarget(stdin_filename or "<stdin>", path, read_argument(STANDARD_INPUT)))
    return targets, [*selection.problems, *(() if allows_empty else empty)]


def _nothing_to_check(takes_programs: bool) -> str:
    if takes_programs:
        return "no *.mlir or *.py file to check here"
    return "no *.mlir file to check here (`--python` also checks the scripts in *.py files)"


def without_payload(targets: Iterable[CheckTarget], names: Iterable[str]) -> tuple[list[CheckTarget], int]:
    """Return the `targets` that are among `names` or contain scripts, and the number of the others.

    Standard input is kept, since it is named; unreadable files are, too: the check reports them.
    """
    named = set(map(Path, names))
    found = list(targets)
    kept = [target for target in found if target.text is not None or target.path in named or _may_have_scripts(target)]
    return kept, len(found) - len(kept)


def _may_have_scripts(target: CheckTarget) -> bool:
    from tdls.analysis.file.prefilter import has_scripts

    try:
        return has_scripts(target.read())
    except (OSError, UnicodeDecodeError):
        return True


def _not_followed(links: Sequence[Path]) -> str:
    """Return the warning that links were not followed; it names the first few."""
    named = ", ".join(map(str, links[:_NAMED])) + (f" and {len(links) - _NAMED} more" if len(links) > _NAMED else "")
    return f"{named}: not followed, since it leads out of the repository; what is named on the command line is checked"
