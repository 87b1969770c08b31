"""Lines of Python in each folder have ceilings, which fall and never rise: what is added is paid for by a removal."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import pytest

ROOT = Path(__file__).parents[2]
CEILINGS = Path(__file__).with_name("ceilings.json")
TOTAL = "total"
Ceilings: TypeAlias = dict[str, dict[str, int]]


def read_ceilings(text: str) -> Ceilings:
    return dict(json.loads(text))


NOW = read_ceilings(CEILINGS.read_text(encoding="utf-8"))


def lines_by_folder(tree: Path) -> Counter[str]:
    """Count the lines below each folder of `tree`; ``.`` has the files that are directly in it."""
    lines: Counter[str] = Counter()
    for file in tree.rglob("*.py"):
        folder, *inner = file.relative_to(tree).parts
        lines[folder if inner else "."] += len(file.read_text(encoding="utf-8").splitlines())
    return lines


@pytest.mark.parametrize("tree", NOW)
def test_no_folder_grows_beyond_its_ceiling(tree: str) -> None:
    lines = lines_by_folder(ROOT / tree)
    lines[TOTAL] = lines.total()
    assert lines.keys() == NOW[tree].keys()
    excess = {folder: count - NOW[tree][folder] for folder, count in lines.items() if count > NOW[tree][folder]}
    assert excess == {}, "remove as much as you add, here or elsewhere: a ceiling may be lowered, and never raised"


def test_no_ceiling_rises() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("git knows the former ceilings")
    name = CEILINGS.relative_to(ROOT).as_posix()
    commits = git("log", "--reverse", "--format=%H", "--", name).split()
    versions = [*(read_ceilings(git("show", f"{commit}:{name}")) for commit in commits), NOW]
    raised = [
        (tree, folder)
        for before, after in pairwise(versions)
        for tree in before.keys() & after.keys()
        for folder in before[tree].keys() & after[tree].keys()
        if after[tree][folder] > before[tree][folder]
    ]
    assert raised == []


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=True, encoding="utf-8")
    return done.stdout
