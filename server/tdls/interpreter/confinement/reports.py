"""Reads what confined processes leave behind: reports, and the folders that they may write to. All of it is untrusted.

A process may be ended within a report, and code that runs in it may write to the report's file: sizes, types and
numbers are checked before use. In a folder, only regular files directly in it are opened, no links are
followed, and tdls writes to no file there: any name may be a link to a file of the user.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import secrets
import shutil
import stat
import tempfile
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from tdls.structs import Struct, defaults_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from cattrs import Converter

_T = TypeVar("_T")
_SHOWN = 60


class ReportError(Exception):
    """An invalid report; the message names the report and the problem."""

    def __init__(self, report: str, problem: str) -> None:
        super().__init__(f"{report} cannot be read: {problem}; nothing of it counts")


def decoded(data: bytes, kind: type[_T], report: str, parse: Callable[[bytes], Any] | None = None) -> _T:
    """Return JSON, or what `parse` reads, as a value of `kind`, checked against its annotations. Raises ReportError."""
    try:
        value = parse(data) if parse is not None else json.loads(data.decode("utf-8", "surrogatepass"))
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

    @converter.register_structure_hook_factory(
        lambda kind: getattr(kind, "__origin__", None) is tuple or hasattr(kind, "_fields")
    )
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


def _exactly(value: Any, kind: type[_T]) -> _T:
    if type(value) is not kind:
        raise TypeError(f"{str(value)[:_SHOWN]!r} is no {kind.__name__}")
    return value


def expect(condition: bool, report: str, problem: str) -> None:
    """Raise ReportError unless `condition` holds."""
    if not condition:
        raise ReportError(report, problem)


_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0) | _AS_IT_IS
_HAS_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_LINK_ERRORS = (errno.ELOOP, errno.EMLINK)
"""Errors for links that must not be followed."""
_ENTRY_SIZE = 4096
"""Minimum number of bytes that each file and folder counts."""
_BLOCK = 512
"""The unit of `st_blocks`."""


class WritableFolder:
    """A new folder, for one confined process and its children."""

    def __init__(self, place: str | None = None) -> None:
        """Create the folder in `place`, None for the system's temporary folder. Raises OSError."""
        self.path = tempfile.mkdtemp(prefix="tdls-", dir=place)
        self._descriptor = os.open(self.path, _READING | os.O_DIRECTORY) if _HAS_DESCRIPTORS else None

    def __enter__(self) -> WritableFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def file(self, name: str) -> str:
        """Return the path of `name`, for a process that writes there."""
        return os.path.join(self.path, name)  # noqa: PTH118 - processes get paths as texts

    def read(self, name: str, most: int) -> bytes | None:
        """Return the content of a file, or None.

        Raises ReportError if it is not a regular file, or has more than `most` bytes.
        """
        try:
            descriptor = self._opened(name, _READING)
        except FileNotFoundError:
            return None
        except OSError as error:
            problem = "it is a symbolic link" if error.errno in _LINK_ERRORS else error.strerror or str(error)
            raise ReportError(f"the file `{name}` of the run", problem) from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ReportError(f"the file `{name}` of the run", "it is not a regular file")
        with os.fdopen(descriptor, "rb") as stream:
            content = stream.read(most + 1)
        if len(content) > most:
            raise ReportError(f"the file `{name}` of the run", f"it has more than {most:,} bytes")
        return content

    def size(self) -> float:
        """Return the total size of the folder in bytes; infinity if it cannot be measured."""
        size = 0
        folders = [self.path]
        try:
            while folders:
                with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        with contextlib.suppress(FileNotFoundError):
                            status = entry.stat(follow_symlinks=False)
                            size += max(_ENTRY_SIZE, getattr(status, "st_blocks", 0) * _BLOCK)
                            if stat.S_ISDIR(status.st_mode):
                                folders.append(entry.path)
        except OSError:  # names are too long, or a folder is not readable
            return math.inf
        return size

    def close(self) -> None:
        """Remove the folder and its contents at any depth; its processes must have ended."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with contextlib.suppress(OSError):
                _empty(descriptor)
            os.close(descriptor)
        with contextlib.suppress(RecursionError):
            shutil.rmtree(self.path, ignore_errors=True)

    def _opened(self, name: str, flags: int) -> int:
        """Open a file directly in the folder. Raises OSError."""
        if self._descriptor is not None:
            return os.open(name, flags, dir_fd=self._descriptor)
        path = self.file(name)
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise OSError(None, "it is not a regular file")
        return os.open(path, flags)


def _empty(folder: int) -> None:
    """Remove the contents of a folder, given by its descriptor; nested folders are moved up, so that any depth works.

    Raises OSError.
    """
    while names := os.listdir(folder):
        for name in names:
            if not stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
                os.unlink(name, dir_fd=folder)
                continue
            os.chmod(name, stat.S_IRWXU, dir_fd=folder)
            inner = os.open(name, _READING | os.O_DIRECTORY, dir_fd=folder)
            try:
                for nested in os.listdir(inner):  # noqa: PTH208 - a descriptor
                    if stat.S_ISDIR(os.lstat(nested, dir_fd=inner).st_mode):
                        os.chmod(nested, stat.S_IRWXU, dir_fd=inner)
                        os.rename(nested, secrets.token_hex(), src_dir_fd=inner, dst_dir_fd=folder)
                    else:
                        os.unlink(nested, dir_fd=inner)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=folder)
