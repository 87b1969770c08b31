"""Scanning in a process of its own, which keeps what it read for the next time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tdls.child_process import end_with_parent
from tdls.memory import collect_garbage_rarely
from tdls.project.scanner import Scanner

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import SynchronizedArray

    from tdls.project.definitions import ProjectDefinitions
    from tdls.project.listing import Project


class _Process:
    """What this process keeps."""

    scanners: ClassVar[dict[Project, Scanner]] = {}
    counters: SynchronizedArray[int] | None = None


def prepare(counters: SynchronizedArray[int]) -> None:
    """Prepare this process for scans.

    `counters` has two numbers, which the process that asks for scans may look at: the files that were read, and those
    that are to be read.
    """
    collect_garbage_rarely()
    end_with_parent()
    _Process.counters = counters


def scan(project: Project) -> ProjectDefinitions:
    """Return what `project` defines now; only what has changed since the last time is read."""
    scanner = _Process.scanners.get(project)
    if scanner is None:
        scanner = _Process.scanners[project] = Scanner(project)
    return scanner.scan(_tell)


def _tell(done: int, count: int) -> None:
    if _Process.counters is not None:
        _Process.counters[:] = [done, count]
