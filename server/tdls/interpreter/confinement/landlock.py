"""Landlock, by which a thread of Linux gives up rights to files, for itself and all that it starts; since Linux 5.13.

See https://docs.kernel.org/userspace-api/landlock.html. Rights that a kernel does not know yet are not asked for, by
the version of its interface (ABI).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from functools import cache
from typing import TYPE_CHECKING

from tdls.interpreter.confinement.system_calls import address, give_up_new_privileges, system_call

if TYPE_CHECKING:
    from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_FOR_VERSION = 1
_BENEATH_PATH = 1

_EXECUTE = 1 << 0
_WRITE_FILE = 1 << 1
_REMOVE_DIRECTORY, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DEVICE, _MAKE_DIRECTORY, _MAKE_FILE, _MAKE_SOCKET, _MAKE_PIPE = 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 10
_MAKE_BLOCK_DEVICE, _MAKE_LINK = 1 << 11, 1 << 12
_MOVE, _TRUNCATE, _CONTROL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_SCOPE_OF_SOCKETS, _SCOPE_OF_SIGNALS = 1 << 0, 1 << 1

_IN_FOLDER = (
    _WRITE_FILE
    | _REMOVE_DIRECTORY
    | _REMOVE_FILE
    | _MAKE_DIRECTORY
    | _MAKE_FILE
    | _MAKE_PIPE
    | _MAKE_LINK
    | _MOVE
    | _TRUNCATE
)
"""What may be done below a folder that may be written to."""
_WRITING = _IN_FOLDER | _MAKE_DEVICE | _MAKE_SOCKET | _MAKE_BLOCK_DEVICE | _CONTROL_DEVICE
_NEWER_RIGHTS = ((_MOVE, 2), (_TRUNCATE, 3), (_CONTROL_DEVICE, 5))
"""Rights to files that not all versions have, each with the first one that does."""
_FIRST_WITH_NETWORK = 4
FIRST_WITH_SIGNALS = 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Rule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("rights", ctypes.c_uint64), ("parent", ctypes.c_int32))


@cache
def version() -> int:
    """Return the version of the interface, 0 where the kernel does not offer it."""
    try:
        return system_call(_CREATE_RULESET, ctypes.c_void_p(), ctypes.c_long(0), ctypes.c_long(_ASK_FOR_VERSION))
    except OSError:
        return 0


def restrict_thread(folders: Iterable[str], devices: Iterable[str], programs: Iterable[str] | None) -> None:
    """Let this thread write to nothing but what is below `folders`, and `devices`, and start nothing but `programs`.

    None are all programs. What is not there is left out. The kernel has to have Landlock. Raises OSError.
    """
    writing = _WRITING & _known_rights()
    handled = writing | (_EXECUTE if programs is not None else 0)
    ruleset = _created(handled)
    try:
        for folder in folders:
            _allow(ruleset, folder, _IN_FOLDER & writing)
        for device in devices:
            _allow(ruleset, device, (_WRITE_FILE | _TRUNCATE) & writing)
        for program in programs or ():
            _allow(ruleset, program, _EXECUTE)
        give_up_new_privileges()
        system_call(_RESTRICT_SELF, ctypes.c_long(ruleset), ctypes.c_long(0))
    finally:
        os.close(ruleset)


def _known_rights() -> int:
    return ~sum(right for right, first in _NEWER_RIGHTS if version() < first)


def _created(files: int) -> int:
    network = _BIND_TCP | _CONNECT_TCP if version() >= _FIRST_WITH_NETWORK else 0
    scopes = _SCOPE_OF_SOCKETS | _SCOPE_OF_SIGNALS if version() >= FIRST_WITH_SIGNALS else 0
    ruleset = _Ruleset(files, network, scopes)
    return system_call(_CREATE_RULESET, address(ruleset), ctypes.c_long(ctypes.sizeof(ruleset)), ctypes.c_long(0))


def _allow(ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = _Rule(rights, parent)
            system_call(
                _ADD_RULE,
                ctypes.c_long(ruleset),
                ctypes.c_long(_BENEATH_PATH),
                address(rule),
                ctypes.c_long(0),
            )
        finally:
            os.close(parent)
