"""The inputs of a scan for definitions: a project with its settings, and the files that it has on disk.

What a scan looked at is kept with the fingerprint of its result: while it is as before, nothing has to be listed.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tdls.caching.basis import EVERYTHING, Basis
from tdls.caching.digest import digest
from tdls.files.boundary import boundary_of
from tdls.project.root import Packages, mlir_includes, package_folders
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tdls.caching.user_cache import Cache
    from tdls.settings.model import Exclusion, PathPattern, Settings

Signature = tuple[int, ...]
"""State of a file on disk: size in bytes, modification and change time in nanoseconds, inode.

The content is unchanged while the signature is; of a folder, the names in it are.
"""
_LOOKS = Basis("looks", EVERYTHING)
_READERS = (
    "limits.py",
    "caching",
    "catalogue",
    "files",
    "grammar",
    "grammars.py",
    "project",
    "settings",
    "syntax",
    "processes.py",
    "structs.py",
    "system.py",
    "text",
)
"""Modules on which scan results depend: listing, reading and merging."""
SCANS = Basis("project", _READERS)
READINGS = Basis("project-sources", _READERS)


class ScannedProject(Struct, frozen=True):
    """Input of one scan: the sources of a project, or, without a `root`, the installed packages."""

    root: Path | None
    definitions: tuple[PathPattern, ...] = ()
    include: tuple[PathPattern, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    packages: tuple[Packages, ...] = ()
    """Folders with installed Python packages."""


def projects_for(root: Path | None, settings: Settings) -> tuple[ScannedProject, ...]:
    """Return the scans for scripts of the project in the folder `root`; definitions of later ones take precedence.

    `root` is None for scripts that belong to no project.
    """
    own = settings.project
    if not own.enabled:
        return ()
    packages = package_folders(root, settings.run.backend_choice.python) if own.bindings else ()
    exclusions = tuple(exclusion for exclusion in (settings.exclude, own.exclude) if exclusion is not None)
    installed = (ScannedProject(None, packages=packages),) if packages else ()
    if root is None:
        return installed
    return (*installed, ScannedProject(root, own.definitions, own.include, exclusions))


def signature_of(path: Path | str) -> Signature | None:
    """Return the state of a file on disk, None if it does not exist."""
    try:
        state = os.stat(path)  # noqa: PTH116 - twice as fast as `Path.stat`
    except (OSError, ValueError):
        return None
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


def fingerprint_as_before(project: ScannedProject, cache: Cache) -> str | None:
    """Return the fingerprint of the definitions of `project`; None if an input of its scan may have changed since."""
    kept = cache.get(_name(project), _LOOKS.key())
    if kept is None:
        return None
    fingerprint, state, paths = json.loads(kept)
    return str(fingerprint) if state == _state(map(signature_of, paths)) else None


def keep_fingerprint(
    project: ScannedProject, fingerprint: str, looked_at: Mapping[str, Signature | None], before: int, cache: Cache
) -> None:
    """Keep the fingerprint of the definitions of `project`, which rests on all that the scan `looked_at`.

    What changed after the time `before`, in nanoseconds since the epoch, may have changed again without another time.
    """
    if all(signature is None or max(signature[1:3]) < before for signature in looked_at.values()):
        content = json.dumps([fingerprint, _state(looked_at.values()), list(looked_at)])
        cache.put(_name(project), content.encode("ascii"), _LOOKS.key())


def _name(project: ScannedProject) -> str:
    boundary = boundary_of(project.root) if project.root is not None else None
    return f"{_LOOKS.kind}-{digest(repr((project, boundary, mlir_includes())))}"


def _state(signatures: Iterable[Signature | None]) -> str:
    return digest(repr(list(signatures)))
