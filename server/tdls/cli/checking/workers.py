"""Runs one task on many files in several processes; everything that passes between processes is plain data."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tdls.cli.checking.file import Checker
from tdls.cli.rendering.checked import CheckedFile
from tdls.files.boundary import opened, set_opened
from tdls.system import WORKER_ENDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tdls.cli.checking.file import CheckSettings
    from tdls.cli.checking.targets import CheckTarget

_Result = TypeVar("_Result")
_MOST_WORKERS = 61
"""Maximum number of processes: Windows cannot wait for more."""
_BYTES_WORTH_A_WORKER = 100_000
"""Two workers take as long as one process for scripts of twice this size: a start takes 0.25 s, 100 kB take 0.4 s."""
_BYTES_WORTH_A_RUN = 50_000
"""Running a script takes about as long as checking one of this size."""
_LONGEST_CHUNK = 16


def check_targets(targets: Sequence[CheckTarget], settings: CheckSettings, jobs: int | None) -> Iterator[CheckedFile]:
    """Yield the result for every target, in their order.

    There are as many processes as the size of the targets that are not cached pays for, at most `jobs`, or one per
    core. Raises InputError for an unusable catalogue file.
    """
    checker = Checker(settings)
    known = list(map(checker.known, targets))
    missing = [target for target, result in zip(targets, known, strict=True) if result is None]
    results = on_targets(
        missing, settings, jobs, Checker.check, lambda target, why: CheckedFile(target.name, crash=why), checker
    )
    return (result if result is not None else next(results) for result in known)


def on_targets(
    targets: Sequence[CheckTarget],
    settings: CheckSettings,
    jobs: int | None,
    task: Callable[[Checker, CheckTarget], _Result],
    lost: Callable[[CheckTarget, str], _Result],
    checker: Checker | None = None,
) -> Iterator[_Result]:
    """Yield the result of `task`, a function of a module, for every target, in their order; see `check_targets`.

    `lost` makes the result for a target whose worker process ended, from the reason.
    """
    checker = checker or Checker(settings)
    extra = _BYTES_WORTH_A_RUN if settings.runs else 0
    suitable = sum(_size(target) + extra for target in targets) // _BYTES_WORTH_A_WORKER
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = min(suitable, jobs or cores, len(targets), _MOST_WORKERS)
    if workers <= 1:
        return map(partial(task, checker), targets)
    return _in_workers(targets, settings, workers, task, lost)


def _size(target: CheckTarget) -> int:
    if target.text is not None or target.path is None:
        return len(target.text or "")
    try:
        return target.path.stat().st_size
    except OSError:
        return 0


def _in_workers(
    targets: Sequence[CheckTarget],
    settings: CheckSettings,
    workers: int,
    task: Callable[[Checker, CheckTarget], _Result],
    lost: Callable[[CheckTarget, str], _Result],
) -> Iterator[_Result]:
    """Yield results in the order of targets.

    After a process has died, the remaining targets run one by one in a process, so that it is known which one ends it.
    """
    from concurrent.futures.process import BrokenProcessPool

    done = 0
    chunk = max(1, min(_LONGEST_CHUNK, len(targets) // (workers * 4)))
    while done < len(targets):
        try:
            for result in _pooled(targets[done:], settings, workers, task, chunk):
                yield result
                done += 1
        except BrokenProcessPool:  # noqa: PERF203 - one a process
            if workers == 1:
                yield lost(targets[done], WORKER_ENDED)
                done += 1
            workers = chunk = 1


def _pooled(
    targets: Sequence[CheckTarget],
    settings: CheckSettings,
    workers: int,
    task: Callable[[Checker, CheckTarget], _Result],
    chunk: int,
) -> Iterator[_Result]:
    """Yield results of other processes in the order of targets. Raises BrokenProcessPool if one of these dies."""
    from concurrent.futures import ProcessPoolExecutor

    from tdls.processes import spawn_context, without_interrupts

    pool = ProcessPoolExecutor(workers, spawn_context(), _start_worker, (settings, opened()))
    left = len(targets)
    try:
        with without_interrupts():
            results = pool.map(partial(_in_worker, task), targets, chunksize=chunk)
        for result in results:
            left -= 1
            yield result
    finally:
        # A pool that is still ending when Python exits prints a complaint, so wait for one without work left.
        pool.shutdown(wait=left == 0, cancel_futures=True)


class _CheckWorker:
    """The checker of a worker process, made when the process starts."""

    checker: Checker


def _start_worker(settings: CheckSettings, folders: tuple[Path, ...]) -> None:
    """Prepare a worker: the parent handles interrupts, and the worker ends with it."""
    import signal

    from tdls.cli.console.streams import prepare_streams
    from tdls.processes import work_for_parent

    prepare_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work_for_parent()
    set_opened(folders)
    _CheckWorker.checker = Checker(settings)


def _in_worker(task: Callable[[Checker, CheckTarget], _Result], target: CheckTarget) -> _Result:
    return task(_CheckWorker.checker, target)
