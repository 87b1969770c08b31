"""Runs `mlir-opt` over many modules at once and keeps its answers in a cache outside the repository."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from bisect import bisect_right
from collections import defaultdict
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from filelock import FileLock

from oracle.bounded import run_bounded

if TYPE_CHECKING:
    from collections.abc import Sequence

SPLIT_MARKER = "// -----"
_CANDIDATES = ("mlir-opt-22", "mlir-opt")
_BATCH = 400
_LAYOUT = 2
_LAYOUTS = {19: 3}
"""Number of the cache's format, and exceptions by version; a new number discards the entries."""
_TIME_LIMIT = 120.0
_MARKER_LINE = re.compile(rf"^{SPLIT_MARKER}$", re.MULTILINE)
_DIAGNOSTIC = re.compile(
    r"^(?:<stdin>|-|within split at (?:<stdin>|-):(\d+) offset ):(\d+):(\d+): (error|warning|remark|note): (.*)$"
)
"""Up to LLVM 21 lines are counted from where a module begins, which is named before them."""


@dataclass(frozen=True)
class MlirDiagnostic:
    """One line that MLIR printed; `line` (0-based) and `column` (1-based, bytes) count inside the module."""

    level: str
    message: str
    line: int
    column: int


@dataclass(frozen=True)
class Outcome:
    """MLIR's result for one module: `text` is its output, None where it rejected the module or crashed.

    `first_line` (0-based) is the line that locations in `text` give to the first line of the module.
    """

    text: str | None
    diagnostics: tuple[MlirDiagnostic, ...] = ()
    crashed: bool = False
    first_line: int = 0


@cache
def mlir_opt(major: int | None = None) -> Path | None:
    """Return the `mlir-opt` to judge by: that of LLVM `major`, or `TDLS_MLIR_OPT`, or the first of the known names."""
    if major is not None:
        named = shutil.which(f"mlir-opt-{major}")
        return Path(named) if named else None
    configured = os.environ.get("TDLS_MLIR_OPT")
    if configured:
        return Path(configured)
    found = (shutil.which(name) for name in _CANDIDATES)
    return next((Path(path) for path in found if path), None)


@cache
def mlir_version(major: int | None = None) -> str:
    """Return the output of `mlir-opt --version`, which is part of every cache key.

    Builds of projects say the same from month to month: the size of a configured tool is added.
    """
    tool = mlir_opt(major)
    if tool is None:
        return ""
    output = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    is_configured = major is None and "TDLS_MLIR_OPT" in os.environ
    return f"{output}{tool.resolve().stat().st_size}" if is_configured else output


def run(modules: Sequence[str], *options: str, major: int | None = None) -> list[Outcome]:
    """Run `mlir-opt OPTIONS` over `modules`, many to a process; return one outcome a module, in order.

    No module may have a line that is a split marker. The tool is that of `mlir_opt`.
    Raises FileNotFoundError where there is no `mlir-opt`.
    """
    if mlir_opt(major) is None:
        raise FileNotFoundError("no mlir-opt found: install Debian's mlir-22-tools or set TDLS_MLIR_OPT")
    outcomes: list[Outcome] = []
    for start in range(0, len(modules), _BATCH):
        outcomes += _cached_batch(modules[start : start + _BATCH], options, major)
    return outcomes


def _cached_batch(modules: Sequence[str], options: Sequence[str], major: int | None) -> list[Outcome]:
    key = json.dumps([_LAYOUTS.get(major or 0, _LAYOUT), mlir_version(major), list(options), list(modules)])
    path = cache_directory() / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.parent / f"lock-{path.name[0]}") if not path.exists() else nullcontext():
        if path.exists():  # also where another process has just written the same entry
            return [_outcome(stored) for stored in json.loads(path.read_text(encoding="utf-8"))]
        outcomes = _bisected(modules, options, major)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps([asdict(outcome) for outcome in outcomes]), encoding="utf-8")
        partial.replace(path)
    return outcomes


def cache_directory() -> Path:
    """Return where answers are kept: `TDLS_ORACLE_CACHE`, else the user's cache directory."""
    configured = os.environ.get("TDLS_ORACLE_CACHE")
    return Path(configured) if configured else Path(platformdirs.user_cache_dir("tdls")) / "oracle"


def _outcome(stored: dict[str, object]) -> Outcome:
    diagnostics = stored["diagnostics"]
    assert isinstance(diagnostics, list)
    text, first_line = stored["text"], stored["first_line"]
    assert text is None or isinstance(text, str)
    assert isinstance(first_line, int)
    found = tuple(MlirDiagnostic(**entry) for entry in diagnostics)
    return Outcome(text, found, bool(stored["crashed"]), first_line)


def _bisected(modules: Sequence[str], options: Sequence[str], major: int | None) -> list[Outcome]:
    """Run one process; where it dies, halve the batch until the module that kills it is alone."""
    outcomes = _one_process(modules, options, major)
    if outcomes is not None:
        return outcomes
    if len(modules) == 1:
        return [Outcome(None, crashed=True)]
    middle = len(modules) // 2
    return _bisected(modules[:middle], options, major) + _bisected(modules[middle:], options, major)


def _one_process(modules: Sequence[str], options: Sequence[str], major: int | None) -> list[Outcome] | None:
    tool = mlir_opt(major)
    assert tool is not None
    command = [str(tool), "--split-input-file", "--mlir-disable-threading", *options, "-"]
    text = f"\n{SPLIT_MARKER}\n".join(modules)
    try:
        done = run_bounded(command, text.encode(), _TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return None
    errors = done.stderr.decode("utf-8", "replace")
    if "for the --" in errors or "Unknown command line argument" in errors:
        raise ValueError(f"mlir-opt does not take {' '.join(options)}: {errors.strip()}")
    printed = _MARKER_LINE.split(done.stdout.decode("utf-8", "replace"))
    if done.returncode not in (0, 1) or len(printed) != len(modules):
        return None
    first_lines = _first_lines(modules)
    diagnostics = _diagnostics_by_module(errors, first_lines)
    return [
        Outcome(
            text.removeprefix("\n") if text.strip() else None,
            tuple(diagnostics[index]),
            first_line=first_lines[index],
        )
        for index, text in enumerate(printed)
    ]


def _first_lines(modules: Sequence[str]) -> list[int]:
    """Return the lines the modules begin on, once they are joined by split markers."""
    first_lines = [0]
    for module in modules[:-1]:
        first_lines.append(first_lines[-1] + module.count("\n") + 2)
    return first_lines


def _diagnostics_by_module(errors: str, first_lines: Sequence[int]) -> dict[int, list[MlirDiagnostic]]:
    """Assign printed messages to their modules; line numbers are made to count over all of the input."""
    found: dict[int, list[MlirDiagnostic]] = defaultdict(list)
    for line in errors.splitlines():
        match = _DIAGNOSTIC.match(line)
        if not match:
            continue
        number = int(match[1] or 1) - 1 + int(match[2]) - 1
        index = max(bisect_right(first_lines, number) - 1, 0)
        entry = MlirDiagnostic(match[4], match[5], number - first_lines[index], int(match[3]))
        found[index].append(entry)
    return found
