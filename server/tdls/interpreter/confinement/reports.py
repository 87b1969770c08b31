"""What confined processes report, read like the text of a stranger: sizes, types and numbers are checked before use.

A process may be cut off in the middle of a report, and what runs in it may write where its report goes.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

_T = TypeVar("_T")


class ReportError(Exception):
    """A report that cannot be one; the message says which, and what is wrong with it."""

    def __init__(self, report: str, problem: str) -> None:
        super().__init__(f"{report} cannot be read: {problem}; nothing of it counts")


def decoded(data: bytes, kind: type[_T], report: str) -> _T:
    """Return the JSON `data` as a value of `kind`, whose annotations are checked. Raises ReportError."""
    try:
        value = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise ReportError(report, str(error)) from error
    return checked(value, kind, report)


def checked(value: Any, kind: type[_T], report: str) -> _T:
    """Return what JSON gave as a value of `kind`, whose annotations are checked. Raises ReportError."""
    import msgspec  # which the Python of a worker need not have

    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ReportError(report, str(error)) from error


def decoded_lines(data: bytes, kind: type[_T], report: str) -> Iterator[_T]:
    """Yield the lines of JSON in `data`; a last line that is not complete does not count. Raises ReportError."""
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        yield decoded(line, kind, f"line {number} of {report}")


def decompressed(data: bytes, most: int, report: str) -> bytes:
    """Return what `zlib` compressed, which is no more than `most` bytes. Raises ReportError."""
    reader = zlib.decompressobj()
    try:
        content = reader.decompress(data, most)
    except zlib.error as error:
        raise ReportError(report, str(error)) from error
    if not reader.eof:
        raise ReportError(report, "it is too large, or cut off")
    return content


def expect(condition: bool, report: str, problem: str) -> None:
    """Raise ReportError unless `condition` holds."""
    if not condition:
        raise ReportError(report, problem)
