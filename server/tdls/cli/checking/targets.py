"""What an invocation of ``tdls --check`` checks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.checking.configured import without_excluded
from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, read_argument
from tdls.files.reading import read_text
from tdls.files.selection import UnreadablePath, select
from tdls.settings.paths import boundary_of
from tdls.settings.sources import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.settings.sources import Overrides

_NAMED = 3


@dataclass(frozen=True, slots=True)
class CheckTarget:
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
) -> tuple[list[CheckTarget], list[UnreadablePath]]:
    """Return what to check, standard input first and files sorted, and what cannot be checked.

    Settings, with `overrides`, exclude files that are not named; with `forces_exclude` named ones, too. Below folders
    Python programs are taken `with_programs`, and where settings say so. Says on
    standard error which directories have nothing to check, unless it is to be `quiet`. Raises InputError if standard
    input cannot be read.
    """

    def takes_programs(folder: Path) -> bool:
        return with_programs or load_settings(folder, {}, overrides=overrides).settings.python.check

    selection = select((Path(name) for name in names if name != STANDARD_INPUT), boundary_of, takes_programs)
    for directory in () if quiet else selection.empty:
        kinds = "*.mlir or *.py" if takes_programs(directory) else "*.mlir"
        console.complain(f"{directory}: no {kinds} file to check here", level="warning")
    if selection.outside and not quiet:
        console.complain(_not_followed(selection.outside), level="warning")
    for problem in () if quiet else selection.unread_rules:
        console.complain(f"{problem.path}: {problem.message}", level="warning")
    named = set() if forces_exclude else {Path(name) for name in names}
    found = set(without_excluded((file for file in selection.files if file not in named), overrides))
    targets = [CheckTarget(str(file), file) for file in selection.files if file in named or file in found]
    if STANDARD_INPUT in names:
        path = Path(stdin_filename) if stdin_filename is not None else None
        targets.insert(0, CheckTarget(stdin_filename or "<stdin>", path, read_argument(STANDARD_INPUT)))
    return targets, list(selection.problems)


def without_payload(targets: Iterable[CheckTarget], names: Iterable[str]) -> tuple[list[CheckTarget], int]:
    """Return the `targets` that are among `names` or have scripts in them, and how many others there are.

    What cannot be read is kept: it is reported where it is checked.
    """
    named = set(map(Path, names))
    found = list(targets)
    kept = [target for target in found if target.path is None or target.path in named or _may_have_scripts(target)]
    return kept, len(found) - len(kept)


def _may_have_scripts(target: CheckTarget) -> bool:
    from tdls.analysis.file.prefilter import has_scripts

    try:
        return has_scripts(target.read())
    except (OSError, UnicodeDecodeError):
        return True


def _not_followed(links: Sequence[Path]) -> str:
    """Say that links were not followed; a few are named."""
    named = ", ".join(map(str, links[:_NAMED])) + (f" and {len(links) - _NAMED} more" if len(links) > _NAMED else "")
    return f"{named}: not followed, since it leads out of the repository; what is named on the command line is checked"
