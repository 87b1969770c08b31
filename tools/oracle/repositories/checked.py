"""Runs `tdls check` on a tree, as a maintainer runs it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_BLANKED = (
    (re.compile(r"`[^`]*[\w%@][^`]*`"), "`_`"),
    (re.compile(r"(?<=[ (])[%@^#!][\w$.#-]+"), "_"),
    (re.compile(r"\d+"), "N"),
)
"""The parts in which messages of one shape differ, with their replacements."""


class Finding(NamedTuple):
    """An error or a warning: `offset` counts code points from the start of the file."""

    path: Path
    offset: int
    line: int
    level: str
    rule: str
    message: str

    @property
    def shape(self) -> str:
        """The rule, and the message without names and numbers."""
        return f"{self.rule}: {shape_of(self.message)}"


class CheckedTree(NamedTuple):
    """The findings in one tree."""

    root: Path
    files: int
    findings: list[Finding]
    seconds: float
    complaints: str
    """The text on standard error."""


def shape_of(message: str) -> str:
    """Return `message` with blanks in place of names and numbers. Quoted punctuation stays: causes differ in it."""
    for pattern, blank in _BLANKED:
        message = pattern.sub(blank, message)
    return message


def check_tree(root: Path, options: Sequence[str], limit: float) -> CheckedTree:
    """Run `tdls --check . OPTIONS` in `root`, at most `limit` seconds. Raises TimeoutExpired."""
    command = [sys.executable, "-m", "tdls", "--check", ".", "--format", "jsonl", "--no-cache", *options]
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=False, timeout=limit
    )
    seconds = time.perf_counter() - start
    records = [json.loads(line) for line in done.stdout.splitlines()]
    findings = [_finding(root, record) for record in records if record["level"] in ("error", "warning")]
    files = sum(1 for _ in root.rglob("*.mlir"))
    return CheckedTree(root, files, findings, seconds, done.stderr.strip())


def _finding(root: Path, record: dict[str, object]) -> Finding:
    place = record["range"]
    assert isinstance(place, dict)
    start = place["start"]
    words = (str(record[key]) for key in ("level", "rule", "message"))
    return Finding(root / str(record["path"]), start["offset"], start["line"], *words)
