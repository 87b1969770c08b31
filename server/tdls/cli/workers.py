"""Checking many files in several processes; everything that passes between processes is plain data."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tdls.cli.checking import Checker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.cli.checking import CheckSettings
    from tdls.cli.rendering.checked import Checked
    from tdls.cli.targets import Target

_MOST_WORKERS = 61
"""Windows can wait for no more."""
_BYTES_WORTH_A_WORKER = 250_000
"""Starting a worker takes about as long as checking a script of this size."""
_LONGEST_CHUNK = 16


def check_targets(targets: Sequence[Target], settings: CheckSettings, jobs: int | None) -> Iterator[Checked]:
    """Yield what came out of every target, in their order.

    `jobs` is the number of processes, None to choose by the size of targets. Raises InputError for an
    unusable catalogue file.
    """
    checker = Checker(settings)
    workers = min(jobs if jobs is not None else _suitable_jobs(targets), len(targets), _MOST_WORKERS)
    if workers <= 1:
        return map(checker.check, targets)
    return _check_in_workers(targets, settings, workers)


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


def _check_in_workers(targets: Sequence[Target], settings: CheckSettings, workers: int) -> Iterator[Checked]:
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


def _check_in_worker(target: Target) -> Checked:
    return _Worker.checker.check(target)
