"""Read single source files, each on its own, in several processes if there are many.

The scanner imports this module only for files that changed, and the readers of languages are imported only for files
that define something: after most edits, only a script has changed, which defines nothing.
"""

from __future__ import annotations

import gc
import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.caching.digest import digest
from tdls.caching.plain_data import dumps
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.source import all_definitions
from tdls.catalogue.sources.upstream import defines_more
from tdls.catalogue.sources.work import SourceProblem
from tdls.files.reading import read_bytes
from tdls.limits import SOURCE_SIZE
from tdls.project.definitions import FileDefinitions, SourceKind
from tdls.structs import as_dict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tdls.project.inputs import Signature
    from tdls.project.scanning.listing import DefinitionSource

_GENERATED_NAME = re.compile(r'^  OPERATION_NAME = "([^"\n]+)"', re.MULTILINE)


def said_by(path: Path, kind: SourceKind, text: str) -> Any:
    """Return the content of the file `path` as a value that `dumps` takes, or None if it defines nothing."""
    if kind is SourceKind.TABLEGEN:
        from tdls.catalogue.sources.tablegen import parse

        return parse(text)
    if kind is SourceKind.CPP:
        from tdls.catalogue.sources.cpp import read_source

        facts = read_source(path, text)
        return facts if facts.functions or facts.bases else None
    if kind is SourceKind.CATALOGUE:
        return _catalogue(path)
    if kind is SourceKind.PATCH:
        from tdls.catalogue.sources.patches import read_patch

        return read_patch(text) or None
    if kind is SourceKind.BINDINGS and _repeats_upstream(text):
        return None
    from tdls.catalogue.sources.python_modules import read_module

    module = read_module(path, text)
    return module if any(value for name, value in as_dict(module).items() if name != "path") else None


def _repeats_upstream(text: str) -> bool:
    """Return whether tdls ships all operations of a generated module, as is so for most installed ones."""
    names = set(_GENERATED_NAME.findall(text))
    operations = Catalogue.shipped()
    dialects = {name.partition(".")[0] for name in names}
    return names <= {name for dialect in dialects for name in operations.operation_names(dialect)}


def _catalogue(path: Path) -> FileDefinitions | SourceProblem:
    from tdls.catalogue.documents import CatalogueError, load_json_catalogue

    try:
        source = load_json_catalogue(path)
    except CatalogueError as error:
        return SourceProblem(path, 0, str(error))
    return FileDefinitions(
        path,
        SourceKind.CATALOGUE,
        tuple(all_definitions(source.operations)),
        tuple(all_definitions(source.types)),
        tuple(all_definitions(source.attribute_kinds)),
        renames=source.renames,
    )


_WORTH_A_PROCESS = 2_000_000
"""Bytes of sources whose reading takes about as long as the start of a process."""
_MOST_PROCESSES = 4
_BATCHES_PER_PROCESS = 8


class FileReading(NamedTuple):
    """The content of a file as bytes of `dumps`.

    `digest` is the hash of the text; it is empty for a file that defines nothing.
    """

    path: Path
    digest: str
    content: bytes = b""


def read_all(
    sources: Sequence[DefinitionSource], known: Mapping[Path, FileReading], done: Callable[[int], None]
) -> Iterator[FileReading]:
    """Yield the readings of `sources` in any order; those of unchanged files come from `known`.

    `done` is called from time to time with the number of files read so far.
    """
    count = 0
    tasks = [_ReadingTask(*source, known[source.path].digest if source.path in known else "") for source in sources]
    for batch in _in_batches(tasks):
        yield from (reading if reading.content or not reading.digest else known[reading.path] for reading in batch)
        count += len(batch)
        done(count)


class _ReadingTask(NamedTuple):
    """A file to read, unless its text still has the `digest` of an earlier reading."""

    path: Path
    kind: SourceKind
    signature: Signature
    digest: str


def _read(task: _ReadingTask) -> FileReading:
    """Read a file; the reading has no `content` if the digest is unchanged. An unreadable file defines nothing."""
    try:
        content = read_bytes(task.path, SOURCE_SIZE)
    except OSError:
        return FileReading(task.path, "")
    is_known = task.kind is SourceKind.TABLEGEN and not defines_more(task.path, content)
    if is_known:
        return FileReading(task.path, "")
    known = digest(content)
    if known == task.digest:
        return FileReading(task.path, known)

    claims = said_by(task.path, task.kind, content.decode("utf-8", errors="replace"))
    packed = dumps(claims) if claims is not None else None
    return FileReading(task.path, known, packed) if packed is not None else FileReading(task.path, "")


def _in_batches(tasks: Sequence[_ReadingTask]) -> Iterator[list[FileReading]]:
    processes = min(_MOST_PROCESSES, os.cpu_count() or 1, sum(map(_size, tasks)) // _WORTH_A_PROCESS)
    if processes <= 1:
        yield from ([_read(task)] for task in tasks)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    from tdls.processes import spawn_context

    read: set[Path] = set()
    try:
        with ProcessPoolExecutor(processes, spawn_context(), _prepare) as pool:
            for batch in pool.map(_read_batch, _batches(tasks, processes * _BATCHES_PER_PROCESS)):
                read.update(reading.path for reading in batch)
                yield batch
    except (BrokenProcessPool, OSError):  # a process was killed, or none can be started
        yield from ([_read(task)] for task in tasks if task.path not in read)
    except RuntimeError as error:
        # The pool cannot be shut down if a signal interrupts the start of its thread. The caller ends its processes.
        if error.__context__ is None or isinstance(error.__context__, Exception):
            raise
        raise error.__context__ from None


def _batches(tasks: Sequence[_ReadingTask], count: int) -> list[list[_ReadingTask]]:
    """Distribute `tasks` round-robin, largest first, so that no batch takes much longer than the others."""
    ordered = sorted(tasks, key=_size, reverse=True)
    return [ordered[number::count] for number in range(count)]


def _prepare() -> None:
    """Initialize a worker process. It ends after one scan, so garbage collection is off."""
    from tdls.processes import work_for_parent

    work_for_parent()
    gc.disable()


def _read_batch(batch: Sequence[_ReadingTask]) -> list[FileReading]:
    return list(map(_read, batch))


def _size(task: _ReadingTask) -> int:
    return task.signature[0]
