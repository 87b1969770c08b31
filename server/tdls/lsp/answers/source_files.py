"""Finds the source files that locations of a payload name: ``loc("kernel.py":12:8)``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.boundary import boundary_of, is_inside, is_of_other_host, real_path
from tdls.lsp.protocol.conversions import path_of
from tdls.settings.paths import named_folders

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.settings.model import Settings


def source_files(uri: str, settings: Settings) -> Callable[[str], Path | None]:
    """Return the function that finds the file of a path in the document `uri`.

    A path is relative to the folder of the document, to one around it up to the boundary of the repository, or to one
    of the setting `locations`. One that leads out of these is not followed, nor looked at.
    """
    document = path_of(uri)
    if document is None:
        return lambda _: None
    folder = real_path(document).parent
    boundary = boundary_of(folder)
    around = [each for each in (folder, *folder.parents) if each.is_relative_to(boundary)]
    named, _ = named_folders(settings.locations)
    searched = [*((each, boundary) for each in around), *((each, each) for each in named)]

    def find(written: str) -> Path | None:
        if "\0" in written or is_of_other_host(written):
            return None
        candidates = (base / written for base, limit in searched if is_inside(limit, base / written))
        return next((Path(os.path.normpath(path)) for path in candidates if os.path.isfile(path)), None)

    return find
