"""Which files the system needs to start a program."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO

_MAGIC = b"\x7fELF"
_ORDERS = {1: "<", 2: ">"}
_HEAD_SIZE = 64
_CLASS_64 = 2
_INTERPRETER = 3
_MOST_HEADERS = 256
_LONGEST_PATH = 4096


def needed_programs(program: str) -> tuple[str, ...] | None:
    """Return the file `program` and the loader that it names; None if it is a script, which may start anything.

    Linux only: others have other files.
    """
    try:
        with Path(program).open("rb") as file:
            loader = _loader(file)
    except (OSError, ValueError, struct.error):
        return None
    return (program, loader) if loader else (program,)


def _loader(file: IO[bytes]) -> str:
    """Return the loader that an ELF file names, "" if it names none. Raises ValueError for other files."""
    head = file.read(_HEAD_SIZE)
    if len(head) < _HEAD_SIZE or head[:4] != _MAGIC or head[5] not in _ORDERS:
        raise ValueError("this is not an ELF file")
    order, is_64 = _ORDERS[head[5]], head[4] == _CLASS_64
    (start,) = struct.unpack_from(f"{order}{'Q' if is_64 else 'I'}", head, 32 if is_64 else 28)
    size, count = struct.unpack_from(f"{order}HH", head, 54 if is_64 else 42)
    for number in range(min(count, _MOST_HEADERS)):
        file.seek(start + number * size)
        header = file.read(size)
        (kind,) = struct.unpack_from(f"{order}I", header)
        if kind == _INTERPRETER:
            place, length = _extent(header, order, is_64)
            file.seek(place)
            return file.read(min(length, _LONGEST_PATH)).rstrip(b"\0").decode("utf-8", "surrogateescape")
    return ""


def _extent(header: bytes, order: str, is_64: bool) -> tuple[int, int]:
    """Return where the segment of a program header is in the file, and its size in bytes."""
    if is_64:
        place, _, _, size = struct.unpack_from(f"{order}4Q", header, 8)
    else:
        place, _, _, size = struct.unpack_from(f"{order}4I", header, 4)
    return place, size
