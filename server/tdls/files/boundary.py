r"""The boundary of a repository: tdls follows no link and no path with ``..`` out of it.

Nothing is asked of the disk about a path that leads out, since that alone may connect to another host: ``/net/HOST``,
``\\HOST\share``, ``//HOST/share``, or a link to one of them.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

OWN_FILE = "tdls.toml"
SHARED_FILE = "pyproject.toml"
SETTINGS_FILES = OWN_FILE, SHARED_FILE
_NO_NAMES = ("", ".", "..")
_LONGEST = 32_767
"""Characters of the longest path that any system opens, that of Windows. Resolving takes quadratic time."""


def real_path(path: str | os.PathLike[str]) -> Path:
    """Return `path`, absolute and with its links followed; links that cannot be followed are kept.

    Raises FileNotFoundError for a relative path where the current folder does not exist.
    """
    return _resolved(path) or Path(path).absolute()


def _resolved(path: str | os.PathLike[str]) -> Path | None:
    """Return `path`, absolute and with its links followed, or None if the system does not tell where it leads.

    A link of another user's process cannot be read, for example, nor can the name of a file contain a NUL.
    """
    if len(os.fspath(path)) > _LONGEST:
        return None
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        if not Path(path).is_absolute():
            Path.cwd()  # raises FileNotFoundError if it is the current folder that is missing
        return None


class RealPaths:
    """Resolves paths and caches the real path of each folder; valid as long as no folder is moved."""

    def __init__(self) -> None:
        self._folders: dict[str, Path] = {}

    def of(self, path: Path) -> Path:
        """Return the same as `real_path`."""
        folder, name = os.path.split(path)
        if name in _NO_NAMES or os.path.islink(path):  # noqa: PTH114 - never raises, for a long name either
            return real_path(path)
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = real_path(folder)
        return real / name


_REPOSITORY = ".git"
_MOST_LINKS = 64
"""More than any system follows."""


def is_inside(root: Path, path: Path) -> bool:
    """Whether `path`, which need not exist, is in the folder `root` after following all symbolic links.

    A path that cannot be resolved is outside, a circle of links in it inside. Only places in `root` are looked at.
    """
    top = _resolved(root)
    if top is None or len(os.fspath(path)) > _LONGEST:
        return False
    place, pending = _begin(root, top, path)
    links = 0
    while pending:
        name = pending.pop()
        if name == os.pardir:
            place = os.path.dirname(place)  # noqa: PTH120 - long paths take linear time as text
            continue
        step = os.path.join(place, name)  # noqa: PTH118
        if _is_below(step, str(top)):
            target = _link_target(step)
            if target is not None:
                links += 1
                if links > _MOST_LINKS:
                    return True
                if not target:
                    return False
                place, names = _begin(root, top, Path(place, target))
                pending += names
                continue
        elif not _is_below(str(top), step):
            return False
        place = step
    return _is_below(place, str(top))


def _begin(root: Path, top: Path, path: Path) -> tuple[str, list[str]]:
    """Return where to begin to follow `path`, and the names from there on, the first one last.

    The user's spelling of `root`, whose real path is `top`, may have links outside of it.
    """
    path = path.absolute()
    if path.is_relative_to(root.absolute()):
        return str(top), [*reversed(path.parts[len(root.absolute().parts) :])]
    return path.anchor, [*reversed(path.parts[1:])]


def _is_below(path: str, folder: str) -> bool:
    """Whether the absolute `path` is `folder` or below it, by their text."""
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _link_target(path: str) -> str | None:
    """Return the target of a link or junction as written, "" for one that cannot be read, None for anything else."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISLNK(status.st_mode) and not _is_junction(status):
        return None
    try:
        target = os.readlink(path)  # noqa: PTH115 - as text, since a path is normalised
    except OSError:
        return ""
    return target if target.startswith("\\\\?\\UNC") else target.removeprefix("\\\\?\\")


def is_of_other_host(written: str) -> bool:
    """Whether the text of a path names a share of another host on any system."""
    return written[:2].replace("\\", "/") == "//"


def repository_of(folder: Path) -> Path | None:
    """Return the git repository that `folder` is in, None without one; a home folder or the root of a disk is none."""
    return next((parent for parent in _possible_roots(folder) if os.path.lexists(parent / _REPOSITORY)), None)


_opened: Final[list[Path]] = []


def set_opened(folders: Iterable[Path]) -> None:
    """Set the folders that the user has given or opened, for the process: boundaries of files without a better one."""
    _opened[:] = map(real_path, folders)


def opened() -> tuple[Path, ...]:
    """Return the folders of `set_opened`, for another process."""
    return tuple(_opened)


def boundary_of(folder: Path) -> Path:
    """Return the folder that paths in the files of `folder` may not lead out of.

    That is its git repository, else the outermost folder around it with settings, else the outermost one that the
    user has given or opened, else `folder` itself.
    """
    repository = repository_of(folder)
    if repository is not None:
        return repository
    around = _possible_roots(folder)
    configured = [each for each in around if any(os.path.lexists(each / name) for name in SETTINGS_FILES)]
    given = [each for each in around if real_path(each) in _opened]
    return (configured or given or [folder])[-1]


def leads_out(script: Path, written: str) -> bool:
    """Whether the path `written` in the text of `script` leads out of the script's boundary."""
    if is_of_other_host(written):
        return True
    return not is_inside(boundary_of(real_path(script).parent), real_path(script.parent) / written)


def _possible_roots(folder: Path) -> list[Path]:
    """Return `folder` and those around it that may be the root of a repository, from the inside out."""
    return [parent for parent in (folder, *folder.parents) if may_be_root(parent)]


def may_be_root(folder: Path) -> bool:
    """Whether `folder` may be the root of a repository: neither a home folder nor the root of a disk."""
    try:
        home = Path.home()
    except RuntimeError:  # the system knows no home folder
        home = Path("/")
    return folder.parent != folder and folder not in (home, *home.parents)


def is_link(entry: os.DirEntry[str]) -> bool:
    """Whether an entry of a folder is a symbolic link, or a junction of Windows."""
    return entry.is_symlink() or _is_junction(entry.stat(follow_symlinks=False))


def _is_junction(status: os.stat_result) -> bool:
    tag = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)
    return tag is not None and getattr(status, "st_reparse_tag", 0) == tag
