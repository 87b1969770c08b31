"""Validates the reports of confined processes, which are untrusted: sizes, types and numbers are checked before use.

A process may be ended within a report, and code that runs in it may write to the report's file.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

_T = TypeVar("_T")


class ReportError(Exception):
    """An invalid report; the message names the report and the problem."""

    def __init__(self, report: str, problem: str) -> None:
        super().__init__(f"{report} cannot be read: {problem}; nothing of it counts")


def decoded(data: bytes, kind: type[_T], report: str) -> _T:
    """Parse the JSON `data` as a value of `kind`, checked against its annotations. Raises ReportError."""
    try:
        value = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise ReportError(report, str(error)) from error
    return checked(value, kind, report)


def checked(value: Any, kind: type[_T], report: str) -> _T:
    """Return a parsed JSON value as a value of `kind`, checked against its annotations. Raises ReportError."""
    from msgspec import ValidationError, convert  # not required in a worker's Python

    try:
        return convert(value, kind)
    except (ValidationError, RecursionError) as error:
        raise ReportError(report, str(error)) from error


def decoded_lines(data: bytes, kind: type[_T], report: str) -> Iterator[_T]:
    """Parse `data` as lines of JSON and yield their values; an incomplete last line is ignored. Raises ReportError."""
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        yield decoded(line, kind, f"line {number} of {report}")


def decompressed(data: bytes, most: int, report: str) -> bytes:
    """Decompress zlib `data`, at most `most` bytes. Raises ReportError."""
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
