"""The files and folders of this checkout, as pages of the documentation name them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("server", "grammar", "tools", "tests", "docs", "benchmarks", "integrations", ".github", ".ci")
EXTENSION = ROOT / "vscode-extension"
EXTENSION_FOLDERS = ("src", "e2e", "scripts", "tests")
PLAYGROUND = ROOT / "playground"
NAMED = re.compile(r"`([\w./-]+(?:\.(?:py|pyi|lark|td|mlir|json|toml|ts|mjs|yml)|/))`")
OF_OTHER_PROJECTS = frozenset({"tdls.toml", "pyproject.toml"})
"""Files that other projects have."""


def named_in(page: str) -> list[str]:
    """Return the files and folders that a page names as such, but for those of other projects."""
    return sorted(set(NAMED.findall(page)) - OF_OTHER_PROJECTS)


def is_there(name: str) -> bool:
    """Whether there is a file or folder whose path ends so; names of folders end with a slash."""
    return any(entry.endswith(f"/{name}") for entry in _entries())


@cache
def _entries() -> frozenset[str]:
    """Return every file and, with a slash behind it, every folder, with a slash in front."""
    folders = [ROOT / name for name in FOLDERS] + [EXTENSION / name for name in EXTENSION_FOLDERS]
    below = (path for folder in folders for path in (folder, *folder.rglob("*")))
    files = (path for folder in (ROOT, EXTENSION, PLAYGROUND) for path in folder.iterdir() if path.is_file())
    found = (*below, *files, EXTENSION, PLAYGROUND)
    return frozenset(f"/{path.relative_to(ROOT).as_posix()}{'/' if path.is_dir() else ''}" for path in found)
