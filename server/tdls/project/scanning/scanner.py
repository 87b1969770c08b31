"""Scanning a project: finding its sources, reading those that changed, and putting together what they say.

The readers are imported when there is something to read, so that a project which did not change costs little.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from tdls.caching.kept_files import KeptFile
from tdls.project.definitions import SourceKind
from tdls.project.scanning.assembly import READINGS, SCANS
from tdls.project.scanning.listing import list_sources, signature_of
from tdls.system import garbage_kept, work_for_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.sharedctypes import SynchronizedArray
    from pathlib import Path

    from tdls.project.definitions import ProjectDefinitions
    from tdls.project.scanning.assembly import Assembler
    from tdls.project.scanning.listing import DefinitionSource, Listing, ScannedProject, Signature
    from tdls.project.scanning.reading import FileReading

_SAFE_AGE = 2_000_000_000
"""Nanoseconds after which a change of a file has another time than the one before, on every file system."""
_QUICK = 150_000
"""Bytes of TableGen that take about as long as starting a process."""
_EFFORT_OF_OTHERS = 0.1
"""How long a byte of other sources takes, in bytes of TableGen."""


class _FileState(NamedTuple):
    """Of a file when it was read. `digest` is empty for a file that says nothing."""

    signature: Signature
    digest: str


@dataclass(frozen=True, slots=True)
class _ScanState:
    """What a scan rests on and what it found."""

    files: Mapping[Path, _FileState]
    consulted: Mapping[Path, Signature | None]
    """Files besides the sources that were looked for on the way; None for those that were not there."""
    include_folders: tuple[Path, ...]
    began: int
    """Nanoseconds since the epoch."""
    definitions: ProjectDefinitions

    def still_holds(self, path: Path, signature: Signature | None) -> bool:
        """Tell whether a file is known to have the content that it had. What changed just before may change again."""
        state = self.files.get(path)
        return state is not None and state.signature == signature and self._is_old(state.signature)

    def _is_old(self, signature: Signature) -> bool:
        return max(signature[1:3]) < self.began - _SAFE_AGE

    def consulted_the_same(self) -> bool:
        """Tell whether the files that were looked for are as they were."""
        known = self.consulted.items()
        return all(
            signature_of(path) == signature and (signature is None or self._is_old(signature))
            for path, signature in known
        )


class Scanner:
    """Reads one project, again and again. What was read is kept in memory, and in the user's cache folder."""

    def __init__(self, project: ScannedProject) -> None:
        key = repr(project)
        self._project = project
        self._result_file = KeptFile(SCANS, key)
        self._readings_file = KeptFile(READINGS, key)
        kept = self._result_file.load()
        self._last = kept if isinstance(kept, _ScanState) else None
        self._readings: dict[Path, FileReading] | None = None
        self._assembler: Assembler | None = None

    def known(self) -> ProjectDefinitions | None:
        """Return what the last scan found, None if anything may have changed since. Reads no source."""
        listing = list_sources(self._project)
        return self._last.definitions if self._last is not None and _is_as_before(self._last, listing) else None

    def is_quick(self) -> bool:
        """Tell whether a scan takes no longer than starting a process for it."""
        return sum(map(self._effort, list_sources(self._project).sources)) < _QUICK

    def _effort(self, source: DefinitionSource) -> float:
        """Return how long a source takes, as bytes of TableGen: that is evaluated whatever has changed."""
        if source.kind is SourceKind.TABLEGEN:
            return source.signature[0]
        return 0 if self._holds(source) else source.signature[0] * _EFFORT_OF_OTHERS

    def scan(self, progress: Callable[[int, int], None] = lambda _done, _all: None) -> ProjectDefinitions:
        """Return what the project defines now.

        `progress` is told from time to time how many files were read, and how many there are to read.
        """
        with garbage_kept():
            return self._scan(progress)

    def _scan(self, progress: Callable[[int, int], None]) -> ProjectDefinitions:
        began = time.time_ns()
        listing = list_sources(self._project)
        last = self._last
        if last is not None and _is_as_before(last, listing):
            return last.definitions
        files = self._read(listing, progress)
        if last is not None and _says_the_same(last, listing, files) and last.consulted_the_same():
            definitions, consulted = last.definitions, last.consulted
        else:
            from tdls.project.scanning.assembly import Assembler

            if self._assembler is None:
                self._assembler = Assembler(self._project.root)
            definitions, consulted = self._assembler.assemble(listing, self._readings or {})
        self._last = _ScanState(files, consulted, listing.include_folders, began, definitions)
        self._result_file.store(self._last)
        return definitions

    def _read(self, listing: Listing, progress: Callable[[int, int], None]) -> dict[Path, _FileState]:
        """Read what may have changed; afterwards the readings are those of `listing`."""
        from tdls.project.scanning.reading import read_all

        known = self._readings if self._readings is not None else self._kept_readings()
        files: dict[Path, _FileState] = {}
        unread: list[DefinitionSource] = []
        for source in listing.sources:
            state = self._last.files[source.path] if self._holds(source) and self._last is not None else None
            if state is not None and _has(known, source.path, state.digest):
                files[source.path] = state
            else:
                unread.append(source)
        signatures = {source.path: source.signature for source in unread}
        readings = {path: known[path] for path, state in files.items() if state.digest}
        for reading in read_all(unread, known, lambda done: progress(done, len(unread))):
            files[reading.path] = _FileState(signatures[reading.path], reading.digest)
            if reading.digest:
                readings[reading.path] = reading
        if readings != known:
            self._readings_file.store(readings)
        self._readings = readings
        return files

    def _holds(self, source: DefinitionSource) -> bool:
        return self._last is not None and self._last.still_holds(source.path, source.signature)

    def _kept_readings(self) -> dict[Path, FileReading]:
        kept = self._readings_file.load()
        return kept if isinstance(kept, dict) else {}


def _has(readings: Mapping[Path, FileReading], path: Path, digest: str) -> bool:
    """Tell whether it is known what a file says; without a digest it says nothing."""
    return not digest or (path in readings and readings[path].digest == digest)


def _is_as_before(last: _ScanState, listing: Listing) -> bool:
    return (
        len(listing.sources) == len(last.files)
        and listing.include_folders == last.include_folders
        and all(last.still_holds(source.path, source.signature) for source in listing.sources)
        and last.consulted_the_same()
    )


def _says_the_same(last: _ScanState, listing: Listing, files: Mapping[Path, _FileState]) -> bool:
    said = {path: state.digest for path, state in files.items() if state.digest}
    said_before = {path: state.digest for path, state in last.files.items() if state.digest}
    return said == said_before and listing.include_folders == last.include_folders


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
