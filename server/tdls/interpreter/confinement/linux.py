"""Confines a thread with Linux's Landlock, and takes its capabilities.

Root's capabilities have to go: with them a thread could raise its limits again, and look into other processes, such as
the environment of its parent with the variables that `reduced_environment` withholds.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import signal
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SET_NO_NEW_PRIVILEGES = 38
_SET_SIGNAL_OF_PARENT = 1
_SET_CHILD_SUBREAPER = 36
_library = ctypes.CDLL(None, use_errno=True)


def system_call(number: int, *arguments: ctypes.c_long | ctypes.c_void_p) -> int:
    """Carry out the system call `number` and return its result. Raises OSError."""
    return _checked(_library.syscall(ctypes.c_long(number), *arguments))


def control_process(option: int, *arguments: ctypes.c_long | ctypes.c_void_p) -> int:
    """Call ``prctl``, which takes five arguments, and return its result. Raises OSError."""
    missing = [ctypes.c_long(0)] * (4 - len(arguments))
    return _checked(_library.prctl(ctypes.c_int(option), *arguments, *missing))


def give_up_new_privileges() -> None:
    """Prevent this thread and its children from gaining privileges by exec, as confinement requires."""
    control_process(_SET_NO_NEW_PRIVILEGES, ctypes.c_long(1))


def end_with_parent_thread() -> None:
    """Let the kernel kill this process when the thread that started it ends. Raises OSError."""
    control_process(_SET_SIGNAL_OF_PARENT, ctypes.c_long(signal.SIGKILL))


def adopt_orphans() -> None:
    """Become the parent of descendants whose parents have ended. Raises OSError."""
    control_process(_SET_CHILD_SUBREAPER, ctypes.c_long(1))


def address(data: ctypes.Structure | ctypes.Array[ctypes.c_char]) -> ctypes.c_void_p:
    """Return the address of `data`, which must be kept until it has been used."""
    return ctypes.cast(ctypes.byref(data), ctypes.c_void_p)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


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
"""Rights below a writable folder."""
_WRITING = _IN_FOLDER | _MAKE_DEVICE | _MAKE_SOCKET | _MAKE_BLOCK_DEVICE | _CONTROL_DEVICE
_NEWER_RIGHTS = ((_MOVE, 2), (_TRUNCATE, 3), (_CONTROL_DEVICE, 5))
"""Rights to files that not all versions have, each with its first version."""
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
    """Return the version of Landlock's ABI, 0 where the kernel does not offer it."""
    try:
        return system_call(_CREATE_RULESET, ctypes.c_void_p(), ctypes.c_long(0), ctypes.c_long(_ASK_FOR_VERSION))
    except OSError:
        return 0


def restrict_thread(folders: Iterable[str], devices: Iterable[str], programs: Iterable[str] | None) -> None:
    """Restrict this thread to writing below `folders` and to `devices`, and to starting `programs`.

    None allows all programs. Missing paths are left out. The kernel must have Landlock. Raises OSError.
    """
    writing = _WRITING & (~sum(right for right, first in _NEWER_RIGHTS if version() < first))
    handled = writing | (_EXECUTE if programs is not None else 0)
    network = _BIND_TCP | _CONNECT_TCP if version() >= _FIRST_WITH_NETWORK else 0
    scopes = _SCOPE_OF_SOCKETS | _SCOPE_OF_SIGNALS if version() >= FIRST_WITH_SIGNALS else 0
    rules = _Ruleset(handled, network, scopes)
    size = ctypes.c_long(ctypes.sizeof(rules))
    ruleset = system_call(_CREATE_RULESET, address(rules), size, ctypes.c_long(0))
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


def _allow(ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = _Rule(rights, parent)
            system_call(
                _ADD_RULE, ctypes.c_long(ruleset), ctypes.c_long(_BENEATH_PATH), address(rule), ctypes.c_long(0)
            )
        finally:
            os.close(parent)


_DROP_FROM_BOUND = 24
_CAPABILITY_SETS_VERSION = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


def give_up_capabilities() -> None:
    """Give up all capabilities, for this thread and its children. Raises OSError."""
    give_up_new_privileges()
    with contextlib.suppress(OSError):  # EINVAL behind the last one; EPERM where there are none to begin with
        for capability in itertools.count():
            control_process(_DROP_FROM_BOUND, ctypes.c_long(capability))
    header, nothing = _Header(_CAPABILITY_SETS_VERSION, 0), (ctypes.c_uint32 * 6)()
    _checked(_library.capset(ctypes.byref(header), ctypes.byref(nothing)))
