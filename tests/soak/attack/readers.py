"""Measures each reader and editor feature of tdls by itself on an attack, in a process that has tdls loaded already."""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from projects.scanning import scanned
from soak.attack.checking import MOST_GROWTH, write
from soak.attack.model import SCRIPT
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.cli.checking.baseline import BaselinePlan, known_findings
from tdls.cli.checking.file import Checker, CheckSettings
from tdls.cli.checking.targets import CheckTarget
from tdls.cli.console.console import InputError
from tdls.files.selection import select
from tdls.ide.changes.code_actions import code_actions
from tdls.ide.changes.rename import RenameError, prepare_rename, rename
from tdls.ide.completion.completion import completion
from tdls.ide.completion.signature_help import signature_help
from tdls.ide.document.folding_range import folding_ranges
from tdls.ide.document.semantic_tokens import semantic_tokens
from tdls.ide.document.symbols import document_symbols
from tdls.ide.formatting.formatting import format_file, format_range
from tdls.ide.hover.hover import hover
from tdls.ide.snapshot import Snapshot
from tdls.semantic.run_lines import instructions, options_of, run_lines
from tdls.settings.paths import is_excluded
from tdls.settings.selection import levels
from tdls.settings.sources import Overrides, load_settings
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from soak.attack.model import Attack, Files
    from tdls.project.catalogue import ProjectCatalogue

LONGEST_ANSWER = 2.0
"""Seconds of processor time."""
_LONGEST_ATTACK = 60
"""Seconds of processor time; an attack that takes longer in all counts as endless."""
_MEASURABLE = 0.1
"""Seconds; the growth of shorter times is not measured."""
_ATTEMPTS = 3
"""Maximum number of measurements of an answer that seems to grow too fast."""
_SMALL = (8, 16, 32)
"""Sizes at which no text is too deep to be read, and exponential work does not end."""
_MEDIUM = (64, 150, 400)
"""Sizes that are deep for functions that call themselves, and not too deep for a limit that counts something else."""
_LENGTH = 16_000
"""Of the longest text, in code points, about."""
_URI = "file:///script.mlir"


def _check(snapshot: Snapshot, _: int) -> object:
    return findings_in_file(snapshot.files[_URI])


def _rename(snapshot: Snapshot, offset: int) -> object:
    if prepare_rename(snapshot, _URI, offset) is None:
        return None
    try:
        return rename(snapshot, _URI, offset, "other")
    except RenameError:
        return None


def _actions(snapshot: Snapshot, offset: int) -> object:
    return code_actions(snapshot, _URI, FileSpan(offset, offset))


def _commands(snapshot: Snapshot, _: int) -> object:
    text = snapshot.files[_URI].text
    options = [list(options_of(command)) for line in run_lines(text) for command in line.commands]
    return instructions(text), options


def _range_formatting(snapshot: Snapshot, offset: int) -> object:
    return format_range(snapshot.files[_URI], FileSpan(offset, offset))


ANSWERS: dict[str, Callable[[Snapshot, int], object]] = {
    "check": _check,
    "completion": lambda snapshot, offset: completion(snapshot, _URI, offset),
    "hover": lambda snapshot, offset: hover(snapshot, _URI, offset),
    "tokens": lambda snapshot, _: list(semantic_tokens(snapshot, _URI)),
    "formatting": lambda snapshot, _: format_file(snapshot.files[_URI]),
    "range formatting": _range_formatting,
    "rename": _rename,
    "actions": _actions,
    "symbols": lambda snapshot, _: document_symbols(snapshot, _URI),
    "commands": _commands,
    "folds": lambda snapshot, _: folding_ranges(snapshot, _URI),
    "signature": lambda snapshot, offset: signature_help(snapshot, _URI, offset),
}
"""All requests about a script and a place in it."""


def answers(text: str, catalogue: Catalogue) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield each question about the script `text`, by name, in the order in which they have to be sent.

    The places are in the middle, and at the end. Facts computed for one answer are kept for the next, as in a server.
    """
    snapshot = Snapshot({_URI: SourceFile.of(text, catalogue)}, catalogue)
    for name, ask in ANSWERS.items():
        for offset in (len(text) // 2, len(text)):
            yield name, partial(ask, snapshot, offset)


def questions(files: Files, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield requests about the files of an attack, by name; those of projects are written to `folder`."""
    if files.keys() == {SCRIPT}:
        yield from answers(files[SCRIPT], Catalogue.shipped())
        return
    write(folder, files)
    sources: list[ProjectCatalogue] = []
    yield "scan", lambda: sources.append(scanned(folder))
    yield "selection", lambda: _selected(folder)
    yield "command line", lambda: _checked(folder / SCRIPT)
    yield from answers(files[SCRIPT], Catalogue.shipped().with_source(sources[0]))


def _selected(folder: Path) -> object:
    settings = load_settings(folder, {}).settings
    return [(is_excluded(path, settings.exclude), levels(settings, path)) for path in select([folder]).files]


def _checked(path: Path) -> None:
    """Check a file with the settings, libraries and baseline of its project. Raises AssertionError for a mistake."""
    target, overrides = CheckTarget(str(path), path), Overrides(inline=("project.bindings = false",))
    with contextlib.suppress(InputError):
        known_findings(BaselinePlan(), [target], overrides)
    with contextlib.suppress(InputError):
        checked = Checker(CheckSettings(overrides=overrides, uses_cache=False)).check(target)
        assert checked.crash is None, checked.crash
        assert not checked.failures, checked.failures[0].trace


class Reading(NamedTuple):
    """Results of an attack: problems in words, and the longest answer in seconds of processor time."""

    problems: tuple[str, ...]
    longest: float
    growth: float


def read(attack: Attack, *, is_timed: bool = True) -> Reading:
    """Ask everything about an attack that grows, in a process of its own; only while it is small unless `is_timed`."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        resource.setrlimit(resource.RLIMIT_CPU, (_LONGEST_ATTACK, _LONGEST_ATTACK + 1))
        _answer_and_exit(attack, sending, is_timed=is_timed)
    os.close(sending)
    with os.fdopen(receiving, "rb") as stream:
        content = stream.read()
    _, status = os.waitpid(child, 0)
    if content:
        found: Reading = pickle.loads(content)  # written by the process that was just started
        return found
    code = os.waitstatus_to_exitcode(status)
    return Reading(("does not end" if code == -signal.SIGXCPU else f"ends with {code}",), _LONGEST_ATTACK, 0.0)


def _answer_and_exit(attack: Attack, descriptor: int, *, is_timed: bool) -> NoReturn:
    try:
        with tempfile.TemporaryDirectory(prefix="tdls-attack-") as folder:
            os.environ["XDG_CACHE_HOME"] = folder
            found = _measured(attack, Path(folder), is_timed=is_timed)
    except BaseException as error:
        found = Reading((f"{type(error).__name__}: {str(error)[:200]}",), 0.0, 0.0)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(pickle.dumps(found))
    os._exit(0)


def _measured(attack: Attack, folder: Path, *, is_timed: bool) -> Reading:
    for size in _SMALL:
        _seconds(attack.files(size), folder / f"small{size}")
    if not is_timed:
        return Reading((), 0.0, 0.0)
    for size in _MEDIUM:
        _seconds(attack.files(size), folder / f"medium{size}")
    length = sum(map(len, attack.files(64).values())) - sum(map(len, attack.files(32).values()))
    size = min(attack.largest // 4, max(64, 8 * _LENGTH // max(length, 1)))
    seconds = [_seconds(attack.files(factor * size), folder / f"large{factor}") for factor in (1, 2, 4)]
    problems, largest = [], 0.0
    for name, last in seconds[2].items():
        growth = min(last / max(seconds[1][name], 1e-9), seconds[1][name] / max(seconds[0][name], 1e-9))
        if last > LONGEST_ANSWER:
            problems.append(f"{name} takes {last:.1f} s for {4 * size}")
        if last > _MEASURABLE:
            largest = max(largest, growth)
            if growth > MOST_GROWTH:
                problems.append(f"{name} grows by {growth:.1f}: {last:.2f} s for {4 * size}")
    return Reading(tuple(problems), max(seconds[2].values()), largest)


def _seconds(files: Files, folder: Path) -> Mapping[str, float]:
    """Return the seconds of the slowest answer to each question."""
    longest: dict[str, float] = {}
    for name, ask in questions(files, folder):
        began = time.process_time()
        ask()
        longest[name] = max(longest.get(name, 0.0), time.process_time() - began)
    return longest


def read_again(attack: Attack) -> Reading:
    """Do as `read` does, several times: a time that grows too fast does so each time."""
    best = read(attack)
    for _ in range(_ATTEMPTS - 1):
        if not any("grows" in problem for problem in best.problems):
            break
        best = min(best, read(attack), key=lambda reading: len(reading.problems))
    return best
