"""Measurements of both sides: each gives one or more figures."""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.check import ACCEPTED, write_tree
from benchmarks.compare.sides import ROOT
from benchmarks.compare.swap import swap_catalogue
from benchmarks.lsp.documents import script_only, script_with_payload, small_script
from benchmarks.lsp.measures import edit, open_with_errors, start
from benchmarks.projects.samples import write_project
from benchmarks.run import EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from benchmarks.compare.sides import Side

SCRIPTS, SIZES, TABLEGEN_FILES, CPP_FILES = 1500, range(1, 17), 500, 2000
"""The files of a repository, about 15 MB of scripts, and how many sequences these have."""
OPENED_MEGABYTES = 1.6
RUNS = 5
"""Number of starts of a process that takes a fraction of a second; the fastest counts."""
EDITS = 10
"""Number of times that each edit is made and undone; the median counts."""
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
_numbers = itertools.count()


class NotMeasuredError(Exception):
    """This tdls cannot run the measurement; the message says why."""


class Figure(NamedTuple):
    """A result of one round."""

    what: str
    value: float
    unit: str


class Measure(NamedTuple):
    """A name, and a function that measures one side once, with samples of a scale, in a folder of both sides."""

    name: str
    of: Callable[[Side, Path, float], list[Figure]]


class _Run(NamedTuple):
    """Wall time of a process, and the peak memory of the largest among it and its children."""

    seconds: float
    peak_bytes: int


def _in_process(name: str) -> Measure:
    """Return the measurement of `worker` with that name, in a process of its own."""

    def measure(side: Side, folder: Path, scale: float) -> list[Figure]:
        command = [side.python, "-m", "benchmarks.compare.worker", name, str(scale)]
        environment = side.environment("cache", ROOT)
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise NotMeasuredError(_last_line(done.stderr))
        return [Figure(*figure) for figure in json.loads(done.stdout)]

    return Measure(name, measure)


def _version(side: Side, folder: Path, scale: float) -> list[Figure]:
    del scale
    return [_milliseconds("tdls --version", _fastest(side, folder, "--version"))]


def _small_file(side: Side, folder: Path, scale: float) -> list[Figure]:
    """A file in a small project is checked by a tdls without caches, after edits, and as it was before."""
    del scale
    (folder / ".git").mkdir(exist_ok=True)
    file = folder / EXAMPLE.name
    cache = _new_cache()

    def of_edited() -> float:
        file.write_text(f"// {next(_numbers)}\n{EXAMPLE.read_text(encoding='utf-8')}", encoding="utf-8")
        return of_unchanged()

    def of_unchanged() -> float:
        return _run(side, folder, "--check", file.name, cache=cache).seconds

    first = of_edited()
    edited = min(of_edited() for _ in range(RUNS))
    return [
        _milliseconds("tdls --check, one small file, first use", first),
        _milliseconds("tdls --check, one small file, edited", edited),
        _milliseconds("tdls --check, one small file, unchanged", min(of_unchanged() for _ in range(RUNS))),
    ]


def _start(side: Side, folder: Path, scale: float) -> list[Figure]:
    del folder, scale
    return [_milliseconds("server, started to initialized", min(start(side.server()) for _ in range(RUNS)))]


def _opening(side: Side, folder: Path, scale: float) -> list[Figure]:
    del folder
    megabytes = OPENED_MEGABYTES * scale
    opening = open_with_errors(side.server(), script_with_payload(megabytes))
    return [
        _milliseconds(f"open {megabytes:g} MB, first finding", opening.first),
        _milliseconds(f"open {megabytes:g} MB, last finding", opening.everything),
        _milliseconds(f"open {megabytes:g} MB, slowest hover", opening.slowest_hover),
    ]


def _typing(side: Side, folder: Path, scale: float) -> list[Figure]:
    """Letters are typed, and a brace is deleted and restored, in documents of each kind; each figure is a median."""
    del folder
    megabytes = OPENED_MEGABYTES * scale
    samples = (small_script(), script_with_payload(megabytes), script_only(megabytes))
    return [
        _milliseconds(f"{sample.name}, {kind}", statistics.median(seconds))
        for sample in samples
        for kind, seconds in edit(side.server(), sample, EDITS).seconds.items()
    ]


def _swap(side: Side, folder: Path, scale: float) -> list[Figure]:
    """An operation of the project gets another definition while a large script is open that uses it."""
    megabytes = OPENED_MEGABYTES * scale
    swap = swap_catalogue(side.server(), megabytes, folder / f"project{next(_numbers)}")
    return [
        _milliseconds(f"swap of the catalogue, {megabytes:g} MB open, known", swap.known),
        _milliseconds(f"swap of the catalogue, {megabytes:g} MB open, slowest hover", swap.slowest_hover),
        _milliseconds(f"swap of the catalogue, {megabytes:g} MB open, slowest letter", swap.slowest_letter),
    ]


def _repository(side: Side, folder: Path, scale: float) -> list[Figure]:
    """A repository is checked with nothing kept, again, and after an edit of one script."""
    root = folder / "repository"
    if not root.exists():
        write_project(root, tablegen_files=int(TABLEGEN_FILES * scale) + 1, cpp_files=int(CPP_FILES * scale) + 1)
        write_tree(root / "scripts", int(SCRIPTS * scale) + 1, SIZES)
    cache = _new_cache()
    cold = _run(side, root, "--check", ".", cache=cache)
    unchanged = _run(side, root, "--check", ".", cache=cache)
    script = next((root / "scripts").rglob("*.mlir"))
    script.write_text(f"{script.read_text(encoding='utf-8')}// {next(_numbers)}\n", encoding="utf-8")
    edited = _run(side, root, "--check", ".", cache=cache)
    return [
        _milliseconds("repository, cold", cold.seconds),
        _milliseconds("repository, unchanged", unchanged.seconds),
        _milliseconds("repository, one script changed", edited.seconds),
        Figure("repository, memory of the largest process", cold.peak_bytes / 1e6, "MB"),
    ]


MEASURES = (
    _in_process("reading"),
    _in_process("findings"),
    _in_process("handles"),
    Measure("version", _version),
    Measure("small-file", _small_file),
    Measure("start", _start),
    Measure("opening", _opening),
    Measure("typing", _typing),
    Measure("swap", _swap),
    Measure("repository", _repository),
)


def _fastest(side: Side, folder: Path, *arguments: str) -> float:
    return min(_run(side, folder, *arguments, cache="cache").seconds for _ in range(RUNS))


def _run(side: Side, folder: Path, *arguments: str, cache: str) -> _Run:
    """Run tdls in `folder`. Raises NotMeasuredError if it fails."""
    errors = side.folder / "errors.txt"
    errors.parent.mkdir(exist_ok=True)
    with errors.open("wb") as stream:
        began = time.perf_counter()
        process = subprocess.Popen(
            side.tdls(*arguments), cwd=folder, env=side.environment(cache), stdout=subprocess.DEVNULL, stderr=stream
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ACCEPTED:
        raise NotMeasuredError(_last_line(errors.read_text(encoding="utf-8", errors="replace")))
    return _Run(seconds, usage.ru_maxrss * _RSS_UNIT)


def _new_cache() -> str:
    return f"cache{next(_numbers)}"


def _milliseconds(what: str, seconds: float) -> Figure:
    return Figure(what, 1000 * seconds, "ms")


def _last_line(errors: str) -> str:
    return next(reversed(errors.strip().splitlines()), "it says nothing")
