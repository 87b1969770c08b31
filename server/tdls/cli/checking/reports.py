"""Outputs of ``tdls --check``: standard output, and files in other formats at the same time."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tdls.cli.console.console import InputError
from tdls.cli.rendering.renderer import FORMATS, renderer
from tdls.files.boundary import real_path
from tdls.files.reading import first_bytes
from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.cli.rendering.checked import CheckedFile, RenderOptions, Tally
    from tdls.cli.rendering.renderer import Renderer


_BEGINNING = 2_000
"""Bytes of a file that tell whether it is a report."""
_REPORT = re.compile(
    rb"""
    \Z
    | no[ ]findings[ ]in[ ]\d | (?:error|warning|hint|info|note)\[[\w-]+\]:[ ]
    | (?:[A-Za-z]:)?[^\n:]+:\d+:\d+:[ ](?:error|warning|hint|info|note):[ ]
    | [ ]*\d+[ ]+TD\d{3}[ ]
    | \{\n[ ]+"version":[ ]1,\n[ ]+"tool":[ ]\{"name":[ ]"tdls" | \{"path":[ ]"[^\n]*"rule":[ ]
    | \{\n[ ]+"\$schema":[ ]"[^"\n]+",[^}]*\{"name":[ ]"tdls"
    | ::(?:error|warning|notice)[ ]title=tdls
    | \[\]\n?\Z | \[\n[ ]+\{"description":[ ][^\n]*"check_name":[ ]
    """,
    re.VERBOSE,
)
"""Matches the beginning of each format, also without findings."""


class Report(NamedTuple):
    """One output: a format, and the file to write, None for standard output."""

    format: str
    path: Path | None = None


def reports_of(format_: str, output_files: Sequence[str], inputs: Iterable[Path | None]) -> list[Report]:
    """Return the outputs of the command line; the first one may be for standard output.

    `output_files` are ``PATH``, which replaces standard output, or ``FORMAT=PATH``. Raises InputError for two outputs
    to one file, for a directory, for one of the `inputs`, and for another file that is not a report, which would be
    lost.
    """
    reports = [_report(text, format_) for text in output_files]
    if all(map(_names_format, output_files)):
        reports.insert(0, Report(format_))
    paths = [real_path(report.path) for report in reports if report.path is not None]
    taken = {real_path(path) for path in inputs if path is not None} if paths else set()
    for number, path in enumerate(paths):
        if path in paths[:number]:
            raise InputError(f"--output-file: {path} is given for two outputs; each one needs a file of its own")
        if path in taken:
            raise InputError(f"--output-file: {path} is one of the files to check, and would be overwritten")
        if os.path.isdir(path):
            raise InputError(f"--output-file: {path} is a directory; name a file")
        if not _may_replace(path):
            raise InputError(
                f"--output-file: {path} is not a report of tdls, and stays; remove it, or name another file"
            )
    return reports


def _may_replace(path: Path) -> bool:
    """Whether `path` is a report, an empty file, a device or no file at all."""
    try:
        return not os.path.isfile(path) or _REPORT.match(first_bytes(path, _BEGINNING)) is not None
    except OSError as error:
        raise InputError(f"--output-file: {path}: {error.strerror or error}") from error


def rendered(
    results: Iterable[CheckedFile], reports: Sequence[Report], options: RenderOptions, tally: Tally
) -> Iterator[str]:
    """Yield the text for standard output, and write the files; `tally` is complete afterwards.

    Files, and documents that can only be read as a whole, appear when they are complete. Raises InputError for a file
    that cannot be written.
    """
    with ExitStack() as stack:
        outputs = [_RenderedOutput(report, options, stack) for report in reports]
        for output in outputs:
            yield from output.put(output.renderer.begin())
        for checked in results:
            tally.add(checked)
            for output in outputs:
                yield from output.put(_of_file(output.renderer, checked, tally))
        for output in outputs:
            yield from output.put(output.renderer.end(tally))
            yield from output.kept


class _RenderedOutput:
    """A renderer and its stream; the pieces of a document for standard output are `kept` until it is complete."""

    def __init__(self, report: Report, options: RenderOptions, stack: ExitStack) -> None:
        is_file = report.path is not None
        self.kept: list[str] = []
        self._path = report.path
        self.renderer = renderer(report.format, options._replace(coloured=False) if is_file else options)
        self._stream = stack.enter_context(_written(report.path)) if report.path is not None else None

    def put(self, pieces: Iterable[str]) -> Iterator[str]:
        """Write `pieces` to the file, keep them, or yield them for standard output."""
        if self._stream is None and self.renderer.is_document:
            self.kept += pieces
            return
        if self._stream is None:
            yield from pieces
            return
        with _blaming(self._path):
            self._stream.writelines(list(pieces))


def _of_file(output: Renderer, checked: CheckedFile, tally: Tally) -> list[str]:
    """Return the pieces of `output` for a file; a mistake in tdls is recorded in `tally` and spoils no other file."""
    if checked.crash is not None or checked.unreadable is not None:
        return []
    try:
        return list(output.file(checked))
    except Exception:
        import traceback

        tally.crashes[checked.name] = traceback.format_exc()
        return []


def _report(text: str, format_: str) -> Report:
    name, _, path = text.partition("=")
    if not _names_format(text):
        name, path = format_, text
    if not path:
        raise InputError(f"--output-file: '{text}' names no file")
    return Report(name, Path(path))


def _names_format(text: str) -> bool:
    name, separator, _ = text.partition("=")
    return bool(separator) and name in FORMATS


@contextmanager
def _written(path: Path) -> Iterator[TextIO]:
    """Yield a stream whose text replaces the file at `path` in the end, and is dropped after an exception."""
    is_special = os.path.exists(path) and not os.path.isfile(path)
    target = path if is_special else real_path(path)
    temporary = target if is_special else target.with_name(f".{target.name}.{os.getpid()}.tmp")
    with _blaming(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        stream = temporary.open("w", encoding="utf-8", newline="\n", errors="backslashreplace")
    try:
        yield stream
        with _blaming(path):
            stream.close()
            if not is_special:
                temporary.replace(target)
    finally:
        with suppress(OSError):
            stream.close()
        if not is_special:
            temporary.unlink(missing_ok=True)


@contextmanager
def _blaming(path: Path | None) -> Iterator[None]:
    """Turn the operating system's errors into InputErrors about `path`."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


class OutputPlan(Struct, frozen=True):
    """Output options of the command line; `files` are as in `reports.reports_of`."""

    format: str = "full"
    files: tuple[str, ...] = ()
    colour: str = "auto"
    quiet: bool = False
    exit_zero: bool = False
