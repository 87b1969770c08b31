"""Scripts that a program built, as texts for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.text.printable import printable

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.building.model import BuiltModule
    from tdls.building.places import Workspace

_COLUMN = 80
"""Where comments begin, if there is room."""


def annotated(module: BuiltModule, workspace: Workspace, folder: Path) -> str:
    """Return the text of `module` with a comment at each line that says which call made the operation there.

    Paths count from `folder` where they are below it. The text is as good a script as it is without.
    """
    lines = module.text.rstrip("\n").split("\n")
    return "".join(f"{_with_comment(line, row, module, workspace, folder)}\n" for row, line in enumerate(lines))


def _with_comment(line: str, row: int, module: BuiltModule, workspace: Workspace, folder: Path) -> str:
    places = workspace.places(module.stack_of_row(row))
    if not places:
        return line
    called = []
    for place in places:
        path = place.path.relative_to(folder) if place.path.is_relative_to(folder) else place.path
        called.append(printable(f"{path}:{workspace.line(place)}"))
    return f"{line.rstrip():{_COLUMN}} // {' < '.join(called)}"
