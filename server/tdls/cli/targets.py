"""What an invocation of ``tdls --check`` checks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli import console
from tdls.cli.configured import without_excluded
from tdls.cli.loading import STANDARD_INPUT, read_argument, read_text
from tdls.files.selection import Problem, select

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.settings.sources import Overrides


@dataclass(frozen=True, slots=True)
class Target:
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
) -> tuple[list[Target], list[Problem]]:
    """Return what to check, standard input first and files sorted, and what cannot be checked.

    Settings, with `overrides`, exclude files that are not named; with `forces_exclude` named ones, too. Says on
    standard error which directories have nothing to check, unless it is to be `quiet`. Raises InputError if standard
    input cannot be read.
    """
    selection = select(Path(name) for name in names if name != STANDARD_INPUT)
    for directory in () if quiet else selection.empty:
        console.complain(f"{directory}: no *.mlir file to check here", level="warning")
    named = set() if forces_exclude else {Path(name) for name in names}
    found = set(without_excluded((file for file in selection.files if file not in named), overrides))
    targets = [Target(str(file), file) for file in selection.files if file in named or file in found]
    if STANDARD_INPUT in names:
        path = Path(stdin_filename) if stdin_filename is not None else None
        targets.insert(0, Target(stdin_filename or "<stdin>", path, read_argument(STANDARD_INPUT)))
    return targets, list(selection.problems)
