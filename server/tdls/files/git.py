"""Starts git, with the programs switched off that the configuration of a repository can name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from tdls.files.boundary import is_inside, is_of_other_host
from tdls.files.reading import text_of
from tdls.system import find_program

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable
    from pathlib import Path

_HARMLESS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "diff.external=", "core.pager=")
_ENVIRONMENT = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
"""Nothing is fetched, by no helper, and nothing is written, for which hooks would run."""
_OF_CALLER = ("GIT_DIR", "GIT_WORK_TREE")
"""Variables of a hook that calls tdls, which name one repository for all folders."""
_COMMAND_LINE = "command line:"
"""Origin of settings in the environment."""
_PARTS_OF_FILTER = ("clean", "smudge", "process", "required")
_SECONDS = 60
"""Maximum time of one call; one that lists files for an editor has less."""
_SECONDS_OF_LIST = 20
_silent: Final[set[Path]] = set()
"""Work trees in which git did not end, such as one whose configuration is a pipe; it is not started there again."""


class GitError(Exception):
    """git cannot be run; the message gives users the reason."""


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run git in the work tree at `root`. Raises GitError if git cannot be started, or must not be, or does not end."""
    return _run_git(root, [*_HARMLESS, *_without_filters(root)], arguments)


def _without_filters(root: Path) -> list[str]:
    """Return the settings that switch off the filters of contents that the repository itself configures.

    Those are all but the user's own. Raises GitError if git does not list them.
    """
    listed = _filters(root)
    if listed is None:
        raise GitError(
            f"git does not say which filters the configuration of {root} has; type `git config --list` there"
        )
    own = {each for scope in ("--global", "--system") for each in _filters(root, scope, "--includes") or ()}
    names = {name for origin, name in listed - own if not origin.startswith(_COMMAND_LINE)}
    filters = sorted({name.rpartition(".")[0] for name in names})
    if any("=" in name or "\n" in name for name in filters):
        raise GitError("the configuration of the repository has a filter whose name cannot be written; remove it")
    return [f"{name}.{part}={'false' if part == 'required' else ''}" for name in filters for part in _PARTS_OF_FILTER]


def _filters(root: Path, *scope: str) -> set[tuple[str, str]] | None:
    """Return the origin and the name of each setting for filters, or None if git does not tell."""
    listing = ("config", *scope, "--null", "--show-origin", "--name-only", "--get-regexp", r"^filter\.")
    listed = _run_git(root, _HARMLESS, listing)
    words = os.fsdecode(listed.stdout).split("\0")
    if listed.returncode not in (0, 1) or len(words) % 2 == 0 or words.pop():
        return None
    return set(zip(words[::2], words[1::2], strict=True))


def _run_git(
    root: Path, settings: Iterable[str], arguments: Iterable[str], seconds: float = _SECONDS
) -> subprocess.CompletedProcess[bytes]:
    import subprocess

    program = find_program("git")
    if program is None:
        raise GitError("git is not on the search path")
    if root in _silent:
        raise GitError(f"git does not end in {root}; type `git status` there to see why")
    _refuse_other_hosts(root)
    options = [word for setting in settings for word in ("-c", setting)]
    command = [program, "--no-pager", "-C", str(root), *options, *arguments]
    environment = {name: value for name, value in os.environ.items() if name not in _OF_CALLER}
    environment.update(_ENVIRONMENT, GIT_CEILING_DIRECTORIES=str(root.parent))
    try:
        return subprocess.run(command, capture_output=True, check=False, env=environment, timeout=seconds)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror or error}") from error
    except subprocess.TimeoutExpired as error:
        _silent.add(root)
        raise GitError(
            f"git did not end within {seconds:.0f} s in {root}; type `git status` there to see why"
        ) from error


def _refuse_other_hosts(root: Path) -> None:
    """Raise GitError where the repository at `root` is a link out of it, or names a folder of another host."""
    place = root / ".git"
    if place.is_symlink():
        is_elsewhere = not is_inside(root, place)
    else:
        text = text_of(place) if os.path.isfile(place) else None
        is_elsewhere = text is not None and is_of_other_host(text.removeprefix("gitdir:").strip())
    if is_elsewhere:
        raise GitError(f"{place} leads to another place, and git is not started there")


def ignored_paths(root: Path, directory: Path) -> frozenset[Path]:
    """Return the files and folders below `directory` that git ignores; `root` is the work tree around it.

    A folder stands for all that is in it. Ignored files that git tracks are left out. Raises GitError.
    """
    listing = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    place = () if directory == root else ("--", directory.relative_to(root).as_posix())
    listed = _run_git(root, _HARMLESS, ("--literal-pathspecs", *listing, *place), seconds=_SECONDS_OF_LIST)
    if listed.returncode != 0:
        raise GitError(" ".join(listed.stderr.decode("utf-8", "replace").split()))
    paths = (root / name for name in os.fsdecode(listed.stdout).split("\0") if name)
    return frozenset(path for path in paths if not directory.is_relative_to(path))
