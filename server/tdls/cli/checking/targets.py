"""The files that ``tdls --check`` checks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, read_argument
from tdls.files.boundary import RealPaths, boundary_of, set_opened
from tdls.files.reading import read_text
from tdls.files.selection import NOTEBOOK_SUFFIX, UnreadablePath, select
from tdls.settings.paths import is_excluded
from tdls.settings.sources import Overrides, load_settings
from tdls.structs import NamedTuple, Struct, replace

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
_SIGN = "transform."
"""Text in every cell with scripts."""


class CheckTarget(Struct, frozen=True):
    """A file to check: `text` is None where it has yet to be read from `path`."""

    name: str
    path: Path | None
    text: str | None = None
    is_named: bool = True
    """Whether the command line names the file, rather than a directory above it."""
    is_cell: bool = False
    """Whether it is a cell of the notebook `path`, which is never written."""

    def read(self) -> str:
        """Return the text. Raises OSError, UnicodeDecodeError."""
        return self.text if self.text is not None else read_text(Path(self.name))


class Targets(NamedTuple):
    """The files to check, standard input first and files sorted, and the paths that cannot be read."""

    files: list[CheckTarget]
    problems: list[UnreadablePath]
    left_out: int
    """Number of files left out, since they have no transform operations and are not named."""


def find_targets(
    names: Sequence[str],
    stdin_filename: str | None,
    overrides: Overrides,
    *,
    forces_exclude: bool = False,
    quiet: bool = False,
    with_payload: bool = False,
    with_programs: bool = False,
    allows_empty: bool = False,
) -> Targets:
    """Return the files to check.

    Settings, with `overrides`, exclude files that are not named; with `forces_exclude` named ones, too. Files without
    transform operations that are not named are included `with_payload`. Python programs below folders are included
    `with_programs`, and where settings enable that; each cell of a notebook is a file. Directories without a file to
    check cannot be checked; with `allows_empty` they only bring a warning, unless `quiet`. Raises InputError if
    standard input cannot be read.
    """

    def takes_programs(folder: Path) -> bool:
        return with_programs or load_settings(folder, {}, overrides=overrides).settings.python.check

    paths = [Path(name) for name in names if name != STANDARD_INPUT]
    set_opened(filter(os.path.isdir, paths))
    selection = select(paths, boundary_of, takes_programs)
    nothing = "no *.mlir file to check here (`--python` also checks the scripts in *.py and *.ipynb files)"
    of_programs = {True: "no *.mlir, *.py or *.ipynb file to check here", False: nothing}
    empty = [UnreadablePath(str(folder), of_programs[takes_programs(folder)]) for folder in selection.empty]
    for problem in empty if allows_empty and not quiet else ():
        console.complain(f"{problem.path}: {problem.message}", level="warning")
    if (links := selection.outside) and not quiet:
        named_links = ", ".join(map(str, links[:_NAMED]))
        more = f" and {len(links) - _NAMED} more" if len(links) > _NAMED else ""
        reason = "not followed, since it leads out of the repository; what is named on the command line is checked"
        console.complain(f"{named_links}{more}: {reason}", level="warning")
    for problem in () if quiet else selection.unasked:
        console.complain(f"{problem.path}: {problem.message}", level="warning")
    named = set(map(Path, names))
    included = set() if forces_exclude else named
    included = {*included, *without_excluded((file for file in selection.files if file not in included), overrides)}
    targets = [CheckTarget(str(file), file, None, file in named) for file in selection.files if file in included]
    if STANDARD_INPUT in names:
        path = Path(stdin_filename) if stdin_filename is not None else None
        targets.insert(0, CheckTarget(stdin_filename or "<stdin>", path, read_argument(STANDARD_INPUT)))
    problems = [*selection.problems, *(() if allows_empty else empty)]
    targets = [part for target in targets for part in _parts(target, problems)]
    kept = [target for target in targets if with_payload or target.is_named or _may_have_scripts(target)]
    return Targets(kept, problems, len(targets) - len(kept))


def _parts(target: CheckTarget, problems: list[UnreadablePath]) -> list[CheckTarget]:
    """Return the cells of a notebook that may have scripts, and any other file as it is. Raises InputError."""
    if target.path is None or target.path.suffix != NOTEBOOK_SUFFIX:
        return [target]
    if target.text is not None:
        raise console.InputError(f"{target.name}: a notebook is read from its file, not from standard input")
    from tdls.syntax.embedded.notebook import NotebookError, code_cells, name_of_cell

    try:
        text = target.read()
        cells = code_cells(text) if target.is_named or _SIGN in text else {}
    except NotebookError as error:
        problems.append(UnreadablePath(target.name, str(error)))
        return []
    except (OSError, UnicodeDecodeError):
        return [target]
    cells = {number: text for number, text in cells.items() if _SIGN in text} or {1: ""}
    named = ((name_of_cell(target.name, number), text) for number, text in cells.items())
    return [replace(target, name=name, text=text, is_cell=True) for name, text in named]


def _may_have_scripts(target: CheckTarget) -> bool:
    """Whether a file contains scripts; unreadable ones are reported by the check."""
    from tdls.analysis.file.prefilter import has_scripts

    try:
        return has_scripts(target.read())
    except (OSError, UnicodeDecodeError):
        return True
