"""Starts git, with the programs switched off that the configuration of a repository can name."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from tdls.system import find_program

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_HARMLESS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "diff.external=", "core.pager=")
_ENVIRONMENT = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
"""Nothing is fetched, by no helper, and nothing is written, for which hooks would run."""
_OF_REPOSITORY = ("local", "worktree")
_PARTS_OF_FILTER = ("clean", "smudge", "process", "required")


class GitError(Exception):
    """git cannot be run; the message gives users the reason."""


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run git in the work tree at `root`. Raises GitError if git cannot be started, or must not be."""
    return _run_git(root, [*_HARMLESS, *_without_filters(root)], arguments)


def _without_filters(root: Path) -> list[str]:
    """Return the settings that switch off the filters of contents that the repository itself configures."""
    listed = _run_git(
        root, _HARMLESS, ("config", "--null", "--show-scope", "--name-only", "--get-regexp", r"^filter\.")
    )
    if listed.returncode not in (0, 1):
        return []  # the next call of git reports the same failure
    words = os.fsdecode(listed.stdout).split("\0")
    names = {name for scope, name in zip(words[::2], words[1::2], strict=False) if scope in _OF_REPOSITORY}
    filters = sorted({name.rpartition(".")[0] for name in names})
    if any("=" in name or "\n" in name for name in filters):
        raise GitError("the configuration of the repository has a filter whose name cannot be written; remove it")
    return [f"{name}.{part}={'false' if part == 'required' else ''}" for name in filters for part in _PARTS_OF_FILTER]


def _run_git(
    root: Path,
    settings: Iterable[str],
    arguments: Iterable[str],
    seconds: float | None = None,
) -> subprocess.CompletedProcess[bytes]:
    program = find_program("git")
    if program is None:
        raise GitError("git is not on the search path")
    options = [word for setting in settings for word in ("-c", setting)]
    command = [program, "--no-pager", "-C", str(root), *options, *arguments]
    try:
        return subprocess.run(
            command, capture_output=True, check=False, env={**os.environ, **_ENVIRONMENT}, timeout=seconds
        )
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror or error}") from error


_SECONDS = 20
"""Maximum time that listing files may take; a list that takes longer is not used."""


def tracked_though_ignored(root: Path) -> frozenset[Path]:
    """Return the files below the work tree `root` that git tracks although a ``.gitignore`` matches them.

    Empty where git cannot say.
    """
    try:
        listing = ("ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
        listed = _run_git(root, _HARMLESS, listing, seconds=_SECONDS)
    except (GitError, subprocess.TimeoutExpired):
        return frozenset()
    names = os.fsdecode(listed.stdout).split("\0") if listed.returncode == 0 else []
    return frozenset(root / name for name in names if name)
