"""Scanning in a process of its own, which keeps what it read for the next time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tdls.project.scanning.scanner import Scanner
from tdls.system import work_for_parent

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import SynchronizedArray

    from tdls.project.definitions import ProjectDefinitions
    from tdls.project.scanning.listing import ScannedProject


class _ScanProcess:
    """What this process keeps."""

    scanners: ClassVar[dict[ScannedProject, Scanner]] = {}
    counters: SynchronizedArray[int] | None = None


def prepare(counters: SynchronizedArray[int]) -> None:
    """Prepare this process for scans.

    `counters` has three numbers, which the process that asks for scans shares: the files that were read, those that
    are to be read, and 1 if nobody wants to know any more.
    """
    work_for_parent()
    _ScanProcess.counters = counters


def scan(project: ScannedProject) -> ProjectDefinitions:
    """Return what `project` defines now; only what has changed since the last time is read."""
    scanner = _ScanProcess.scanners.get(project)
    if scanner is None:
        scanner = _ScanProcess.scanners[project] = Scanner(project)
    return scanner.scan(_tell)


class ScanGivenUpError(Exception):
    """Nobody wants the result of a scan any more."""


def _tell(done: int, count: int) -> None:
    counters = _ScanProcess.counters
    if counters is None:
        return
    if counters[2]:
        raise ScanGivenUpError
    counters[:2] = [done, count]
