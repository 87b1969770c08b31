"""Doing the same to many files in several processes; everything that passes between processes is plain data."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tdls.cli.checking import Checker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.cli.checking import CheckSettings
    from tdls.cli.rendering.checked import Checked
    from tdls.cli.targets import Target

_Result = TypeVar("_Result")
_MOST_WORKERS = 61
"""Windows can wait for no more."""
_BYTES_WORTH_A_WORKER = 250_000
"""Starting a worker takes about as long as checking a script of this size."""
_BYTES_WORTH_A_RUN = 50_000
"""Running a script takes about as long as checking one of this size."""
_LONGEST_CHUNK = 16


def check_targets(targets: Sequence[Target], settings: CheckSettings, jobs: int | None) -> Iterator[Checked]:
    """Yield what came out of every target, in their order.

    `jobs` is the number of processes, None to choose by the size of targets that nobody has looked at yet. Raises
    InputError for an unusable catalogue file.
    """
    checker = Checker(settings)
    known = list(map(checker.known, targets))
    missing = [target for target, result in zip(targets, known, strict=True) if result is None]
    found = _with_checker(checker, missing, settings, jobs, Checker.check)
    checker.sweep()
    return (result if result is not None else next(found) for result in known)


def on_targets(
    targets: Sequence[Target], settings: CheckSettings, jobs: int | None, task: Callable[[Checker, Target], _Result]
) -> Iterator[_Result]:
    """Yield what `task`, a function of a module, gives for every target, in their order; see `check_targets`."""
    return _with_checker(Checker(settings), targets, settings, jobs, task)


def _with_checker(
    checker: Checker,
    targets: Sequence[Target],
    settings: CheckSettings,
    jobs: int | None,
    task: Callable[[Checker, Target], _Result],
) -> Iterator[_Result]:
    suitable = jobs if jobs is not None else _suitable_jobs(targets, _BYTES_WORTH_A_RUN if settings.runs else 0)
    workers = min(suitable, len(targets), _MOST_WORKERS)
    if workers <= 1:
        return map(partial(task, checker), targets)
    return _in_workers(targets, settings, workers, task)


def _suitable_jobs(targets: Sequence[Target], besides: int) -> int:
    """Return the number of processes for `targets`, each of which costs `besides` its text that many bytes."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, sum(_size(target) + besides for target in targets) // _BYTES_WORTH_A_WORKER)


def _size(target: Target) -> int:
    if target.text is not None or target.path is None:
        return len(target.text or "")
    try:
        return target.path.stat().st_size
    except OSError:
        return 0


def _in_workers(
    targets: Sequence[Target], settings: CheckSettings, workers: int, task: Callable[[Checker, Target], _Result]
) -> Iterator[_Result]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (settings,))
    try:
        chunk = max(1, min(_LONGEST_CHUNK, len(targets) // (workers * 4)))
        yield from pool.map(partial(_in_worker, task), targets, chunksize=chunk)
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


def _in_worker(task: Callable[[Checker, Target], _Result], target: Target) -> _Result:
    return task(_Worker.checker, target)
