"""Checking one file, or many in several processes; everything that passes between processes is plain data."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.configured import Configurations
from tdls.cli.loading import read_text
from tdls.cli.rendering.source import Source
from tdls.text.diagnostic import Diagnostic, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.cli.configured import Configured

_MOST_WORKERS = 61
"""Windows can wait for no more."""
_BYTES_WORTH_A_WORKER = 250_000
"""Starting a worker takes about as long as checking a script of this size."""
_LONGEST_CHUNK = 16
VERIFICATION_RULE = "verify-diagnostics"


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What every file of an invocation is checked with; `split` is the name of a `SplitMode`."""

    output: str = "full"
    coloured: bool = False
    catalogues: tuple[Path, ...] = ()
    split: str = "AUTO"
    verify: bool = False
    possible: bool = False
    """Whether findings count of rules that report what is only possible."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check: `text` is None where it has yet to be read from `path`."""

    name: str
    path: Path | None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of one file: rendered findings and their number by level.

    `complaints` are about the settings of its project.
    `unreadable` says why the file could not be read; `crash` is the traceback of a mistake in tdls.
    """

    name: str
    findings: tuple[str, ...] = ()
    levels: dict[Level, int] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()
    unreadable: str | None = None
    crash: str | None = None


def check_targets(targets: Sequence[Target], settings: CheckSettings, jobs: int | None) -> Iterator[Outcome]:
    """Yield the outcome of every target, in their order.

    `jobs` is the number of processes, None to choose by the size of targets. Raises InputError for an
    unusable catalogue file.
    """
    checker = Checker(settings)
    workers = min(jobs if jobs is not None else _suitable_jobs(targets), len(targets), _MOST_WORKERS)
    if workers <= 1:
        return map(checker.check, targets)
    return _check_in_workers(targets, settings, workers)


class Checker:
    """Checks files with the same settings one after the other."""

    def __init__(self, settings: CheckSettings) -> None:
        """Load the catalogue. Raises InputError for an unusable catalogue file."""
        self._settings = settings
        self._configurations = Configurations(settings.catalogues)

    def check(self, target: Target) -> Outcome:
        """Check one file; never raises."""
        try:
            text = target.text if target.text is not None else read_text(Path(target.name))
        except OSError as error:
            return Outcome(target.name, unreadable=error.strerror or str(error))
        except UnicodeDecodeError as error:
            return Outcome(target.name, unreadable=f"not UTF-8 text (byte {error.start})")
        try:
            configured = self._configurations.of(target.path)
            found = self._diagnostics(text, target.path, configured)
            return self._render(Source(target.name, text), found, configured.complaints)
        except Exception:
            import traceback

            return Outcome(target.name, crash=traceback.format_exc())

    def _diagnostics(self, text: str, path: Path | None, configured: Configured) -> Sequence[Diagnostic]:
        from tdls.analysis.levels import with_levels
        from tdls.analysis.source_file import SourceFile
        from tdls.syntax.runs import SplitMode

        file = SourceFile.of(text, configured.catalogue, split=SplitMode[self._settings.split])
        file = file.with_libraries(self._configurations.libraries(path, file, configured))
        found = with_levels(file.findings(), configured.settings.rules)
        if not self._settings.possible:
            found = [finding for finding in found if not _is_only_possible(finding)]
        return _differences(text, found) if self._settings.verify else found

    def _render(self, source: Source, diagnostics: Sequence[Diagnostic], complaints: tuple[str, ...]) -> Outcome:
        levels: dict[Level, int] = {}
        for diagnostic in diagnostics:
            levels[diagnostic.level] = levels.get(diagnostic.level, 0) + 1
        findings = tuple(self._rendered(item, source) for item in diagnostics)
        return Outcome(source.name, findings, levels, complaints)

    def _rendered(self, diagnostic: Diagnostic, source: Source) -> str:
        if self._settings.output == "concise":
            from tdls.cli.rendering import concise

            return concise.render(diagnostic, source)
        if self._settings.output == "json":
            from tdls.cli.rendering import document

            return document.render(diagnostic, source, _open_source)
        from tdls.cli.rendering import full

        return full.render(diagnostic, source, _open_source, self._settings.coloured)


def _is_only_possible(finding: Diagnostic) -> bool:
    """Tell whether a finding is a hint by the nature of its rule, not since somebody wants it to be one."""
    from tdls.analysis.rules import find_rule

    rule = find_rule(finding.rule)
    return finding.level is Level.HINT and rule is not None and rule.level is Level.HINT


def _differences(text: str, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the differences between what was found and what the file expects, as findings themselves."""
    from tdls.cli.verification import verify

    return [
        Diagnostic(VERIFICATION_RULE, Level.ERROR, mismatch.message, mismatch.span) for mismatch in verify(text, found)
    ]


def _open_source(path: Path) -> Source | None:
    """Return the text of another file that a note points into, None if it cannot be read."""
    try:
        return Source(str(path), read_text(path))
    except (OSError, UnicodeDecodeError):
        return None


def _suitable_jobs(targets: Sequence[Target]) -> int:
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, sum(map(_size, targets)) // _BYTES_WORTH_A_WORKER)


def _size(target: Target) -> int:
    if target.text is not None or target.path is None:
        return len(target.text or "")
    try:
        return target.path.stat().st_size
    except OSError:
        return 0


def _check_in_workers(targets: Sequence[Target], settings: CheckSettings, workers: int) -> Iterator[Outcome]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (settings,))
    try:
        chunk = max(1, min(_LONGEST_CHUNK, len(targets) // (workers * 4)))
        yield from pool.map(_check_in_worker, targets, chunksize=chunk)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Worker:
    """The checker of a worker process, made when the process starts."""

    checker: Checker


def _start_worker(settings: CheckSettings) -> None:
    """Prepare a worker; interrupts are the parent's business."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.checker = Checker(settings)


def _check_in_worker(target: Target) -> Outcome:
    return _Worker.checker.check(target)
