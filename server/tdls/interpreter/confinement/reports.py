"""Validates the reports of confined processes, which are untrusted: sizes, types and numbers are checked before use.

A process may be ended within a report, and code that runs in it may write to the report's file.
"""

from __future__ import annotations

import json
import zlib
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from tdls.structs import Struct, defaults_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cattrs import Converter

_T = TypeVar("_T")
_SHOWN = 60


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
    try:
        return _converter().structure(value, kind)
    except Exception as error:  # cattrs passes on the errors of constructors
        raise ReportError(report, f"{type(error).__name__}: {error}") from error


@cache
def _converter() -> Converter:
    """Return a converter that accepts exact types only; cattrs alone would convert numbers to texts, for example."""
    from cattrs import Converter  # not required in a worker's Python

    converter = Converter(detailed_validation=False)
    for plain in (bool, int, str):
        converter.register_structure_hook(plain, _exactly)
    converter.register_structure_hook(float, lambda value, _: _exactly(value + 0.0, float))

    @converter.register_structure_hook_factory(lambda kind: isinstance(kind, type) and issubclass(kind, Struct))
    def of_record(kind: Any, converter: Converter) -> Callable[[Any, Any], Any]:
        kinds = [(name, known) for name, known in get_type_hints(kind).items() if name in defaults_of(kind)]
        return lambda value, _: kind(
            **{name: converter.structure(value[name], known) for name, known in kinds if name in _exactly(value, dict)}
        )

    @converter.register_structure_hook_factory(lambda kind: getattr(kind, "__origin__", None) is list)
    def of_list(kind: Any, converter: Converter) -> Callable[[Any, Any], Any]:
        (item,) = get_args(kind)
        hook = converter.get_structure_hook(item)
        return lambda value, _: [hook(each, item) for each in _exactly(value, list)]

    @converter.register_structure_hook_factory(_is_tuple)
    def of_tuple(kind: Any, converter: Converter) -> Callable[[Any, Any], Any]:
        items = tuple(get_type_hints(kind).values()) if hasattr(kind, "_fields") else get_args(kind)
        if items[-1] is Ellipsis:
            hook = converter.get_structure_hook(items[0])
            return lambda value, _: tuple(hook(each, items[0]) for each in _exactly(value, list))
        hooks = [(converter.get_structure_hook(item), item) for item in items]
        make = kind._make if hasattr(kind, "_fields") else tuple
        return lambda value, _: make(
            hook(each, item) for (hook, item), each in zip(hooks, _exactly(value, list), strict=True)
        )

    return converter


def _is_tuple(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is tuple or hasattr(kind, "_fields")


def _exactly(value: Any, kind: type[_T]) -> _T:
    if type(value) is not kind:
        raise TypeError(f"{str(value)[:_SHOWN]!r} is no {kind.__name__}")
    return value


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
