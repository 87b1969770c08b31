"""Scan a project: list its sources, read those that changed, and merge their definitions.

The readers are imported only if there are files to read, so that the scan of an unchanged project is cheap.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from tdls.caching.kept_files import KeptFile
from tdls.caching.user_cache import Cache
from tdls.project.definitions import SourceKind
from tdls.project.inputs import READINGS, SCANS, fingerprint_as_before, keep_fingerprint, signature_of
from tdls.structs import NamedTuple, Struct
from tdls.system import garbage_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.sharedctypes import SynchronizedArray
    from pathlib import Path

    from tdls.project.definitions import ProjectDefinitions
    from tdls.project.inputs import ScannedProject, Signature
    from tdls.project.scanning.assembly import Assembler
    from tdls.project.scanning.listing import DefinitionSource, Listing
    from tdls.project.scanning.reading import FileReading

_SAFE_AGE = 2_000_000_000
"""Nanoseconds after which two changes of a file have different times on every file system."""
_QUICK = 150_000
"""Bytes of TableGen whose scan takes about as long as the start of a process."""
_EFFORT_OF_OTHERS = 0.1
"""Reading time of a byte of other sources, as a fraction of that of a byte of TableGen."""


class _FileState(NamedTuple):
    """State of a file when it was read. `digest` is empty for a file that defines nothing."""

    signature: Signature
    digest: str


class _ScanState(Struct, frozen=True):
    """Inputs and result of a scan."""

    files: Mapping[Path, _FileState]
    consulted: Mapping[Path, Signature | None]
    """Files that are not sources and that ``include`` looked for, or None for those that did not exist."""
    include_folders: tuple[Path, ...]
    began: int
    """Nanoseconds since the epoch."""
    definitions: ProjectDefinitions

    def still_holds(self, path: Path, signature: Signature | None) -> bool:
        """Return whether a file certainly has the same content as in the scan.

        A file that changed just before the scan may have changed again without another time.
        """
        state = self.files.get(path)
        return state is not None and state.signature == signature and self._is_old(state.signature)

    def _is_old(self, signature: Signature) -> bool:
        return max(signature[1:3]) < self.began - _SAFE_AGE

    def consulted_the_same(self) -> bool:
        """Return whether the `consulted` files are unchanged."""
        known = self.consulted.items()
        return all(
            signature_of(path) == signature and (signature is None or self._is_old(signature))
            for path, signature in known
        )


class Scanner:
    """Scans one project repeatedly. Readings are kept in memory and in the user's cache folder."""

    def __init__(self, project: ScannedProject) -> None:
        key = repr(project)
        self._project = project
        self._cache = Cache.of_user()
        self._result_file = KeptFile(SCANS, key)
        self._readings_file = KeptFile(READINGS, key)
        kept = self._result_file.load()
        self._last = kept if isinstance(kept, _ScanState) else None
        self._readings: dict[Path, FileReading] | None = None
        self._assembler: Assembler | None = None

    def known(self) -> ProjectDefinitions | None:
        """Return the result of the last scan, None if any input may have changed since. Reads no source."""
        listing = self._listing()
        return self._last.definitions if self._last is not None and _is_as_before(self._last, listing) else None

    def _listing(self) -> Listing:
        from tdls.project.scanning.listing import list_sources

        return list_sources(self._project)

    def is_quick(self) -> bool:
        """Return whether a scan takes no longer than starting a process for it."""
        return sum(map(self._effort, self._listing().sources)) < _QUICK

    def _effort(self, source: DefinitionSource) -> float:
        """Return the cost of a source in bytes of TableGen, which is evaluated anew in each scan."""
        if source.kind is SourceKind.TABLEGEN:
            return source.signature[0]
        return 0 if self._holds(source) else source.signature[0] * _EFFORT_OF_OTHERS

    def scan(self, progress: Callable[[int, int], None] = lambda _done, _all: None) -> ProjectDefinitions:
        """Return the present definitions of the project.

        `progress` is called from time to time with the number of files read so far and the number of files to read.
        """
        with garbage_kept():
            return self._scan(progress)

    def _scan(self, progress: Callable[[int, int], None]) -> ProjectDefinitions:
        began, last = time.time_ns(), self._last
        if last is not None and fingerprint_as_before(self._project, self._cache) == last.definitions.fingerprint:
            return last.definitions
        listing = self._listing()
        if last is not None and _is_as_before(last, listing):
            self._keep_looks(listing, last, began)
            return last.definitions
        files = self._read(listing, progress)
        if last is not None and _has_same_content(last, listing, files) and last.consulted_the_same():
            definitions, consulted = last.definitions, last.consulted
        else:
            from tdls.project.scanning.assembly import Assembler

            if self._assembler is None:
                self._assembler = Assembler(self._project.root)
            definitions, consulted = self._assembler.assemble(listing, self._readings or {})
        self._last = _ScanState(files, consulted, listing.include_folders, began, definitions)
        self._result_file.store(self._last)
        self._keep_looks(listing, self._last, began)
        return definitions

    def _keep_looks(self, listing: Listing, state: _ScanState, began: int) -> None:
        if listing.looked_at:
            consulted = {str(path): signature for path, signature in state.consulted.items()}
            looked_at = {**listing.looked_at, **consulted}
            fingerprint = state.definitions.fingerprint
            keep_fingerprint(self._project, fingerprint, looked_at, began - _SAFE_AGE, self._cache)

    def _read(self, listing: Listing, progress: Callable[[int, int], None]) -> dict[Path, _FileState]:
        """Read the files that may have changed; afterwards `_readings` holds the readings of `listing`."""
        from tdls.project.scanning.reading import read_all

        known = self._readings
        if known is None:
            kept = self._readings_file.load()
            known = kept if isinstance(kept, dict) else {}
        files: dict[Path, _FileState] = {}
        unread: list[DefinitionSource] = []
        for source in listing.sources:
            state = self._last.files[source.path] if self._holds(source) and self._last is not None else None
            reading = known.get(source.path)
            if state is not None and (not state.digest or (reading is not None and reading.digest == state.digest)):
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


def _is_as_before(last: _ScanState, listing: Listing) -> bool:
    return (
        len(listing.sources) == len(last.files)
        and listing.include_folders == last.include_folders
        and all(last.still_holds(source.path, source.signature) for source in listing.sources)
        and last.consulted_the_same()
    )


def _has_same_content(last: _ScanState, listing: Listing, files: Mapping[Path, _FileState]) -> bool:
    digests = {path: state.digest for path, state in files.items() if state.digest}
    digests_before = {path: state.digest for path, state in last.files.items() if state.digest}
    return digests == digests_before and listing.include_folders == last.include_folders


class _ScanProcess:
    """Global state of this process."""

    scanners: ClassVar[dict[ScannedProject, Scanner]] = {}
    counters: SynchronizedArray[int] | None = None


def prepare(counters: SynchronizedArray[int]) -> None:
    """Initialize this process for scans.

    `counters` has three numbers, shared with the parent process: the number of files read so far, the number of files
    to read, and 1 once the parent cancels the scan.
    """
    from tdls.processes import work_for_parent

    work_for_parent()
    _ScanProcess.counters = counters


def scan(project: ScannedProject) -> ProjectDefinitions:
    """Return the present definitions of `project`; reads only files that changed since the last scan.

    Raises ScanGivenUpError if the parent process cancels the scan.
    """
    scanner = _ScanProcess.scanners.get(project)
    if scanner is None:
        scanner = _ScanProcess.scanners[project] = Scanner(project)
    return scanner.scan(_report_progress)


class ScanGivenUpError(Exception):
    """The parent process cancelled the scan."""


def _report_progress(done: int, count: int) -> None:
    counters = _ScanProcess.counters
    if counters is None:
        return
    if counters[2]:
        raise ScanGivenUpError
    counters[:2] = [done, count]
