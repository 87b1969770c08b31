"""Confines a thread with Linux's Landlock, a seccomp filter, and the removal of capabilities.

Root's capabilities have to go: with them a thread could raise its limits again, and look into other processes, such as
the environment of its parent with the variables that `starting.reduced_environment` withholds.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import signal
import struct
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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
                _ADD_RULE,
                ctypes.c_long(ruleset),
                ctypes.c_long(_BENEATH_PATH),
                address(rule),
                ctypes.c_long(0),
            )
        finally:
            os.close(parent)


_SET_FILTER = 22
_FILTER_MODE = 2
_LOAD_WORD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_OFFSET, _MACHINE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
_ARGUMENT_SIZE = 8
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000
_STEP = struct.Struct("=HBBI")
_ALWAYS_REFUSED: tuple[tuple[int, int], ...] = ()
_OF_PROCESS, _OF_PROCESS_FOR_FILES = 0, 1
"""Targets of a priority: a process, neither a group nor all processes of a user."""


class _Machine(NamedTuple):
    """A machine's audit architecture, and its numbers of system calls."""

    name: int
    socket: int
    truncate: int
    set_session: int
    set_group: int
    set_limits: int
    set_priority: int
    set_file_priority: int
    set_scheduler: int
    set_scheduler_parameters: int
    set_scheduler_attributes: int
    others_from: int = 0xFFFFFFFF
    """Numbers from here on belong to another ABI."""


_IO_URING_SETUP = 425
_MACHINES = {
    "x86_64": _Machine(0xC000003E, 41, 76, 112, 109, 302, 141, 251, 144, 142, 314, others_from=0x40000000),
    "aarch64": _Machine(0xC00000B7, 198, 45, 157, 154, 261, 140, 30, 119, 118, 274),
    "riscv64": _Machine(0xC00000F3, 198, 45, 157, 154, 261, 140, 30, 119, 118, 274),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(ctypes.c_char)))


@cache
def is_available() -> bool:
    """Tell whether the kernel accepts filters, and the numbers of system calls are known for this machine."""
    if platform.machine() not in _MACHINES or struct.calcsize("P") != 8:
        return False
    try:
        control_process(_SET_FILTER, ctypes.c_long(_FILTER_MODE), ctypes.c_void_p())
    except OSError as error:
        return error.errno == errno.EFAULT  # the kernel tried to read the filter, so it supports filters
    return False


def reaching_nothing() -> Callable[[], None]:
    """Return a function that forbids a thread opening sockets and changing limits or priorities of other processes.

    The filter must be available; the function raises OSError. Connected socket pairs stay allowed, since they are like
    pipes. Truncating a file by its name is forbidden, too, which older versions of Landlock do not do.
    """
    machine = _MACHINES[platform.machine()]
    own = ((0, 0),)
    """A process may name itself by 0 alone: a filter does not know its number."""
    return _filter(
        machine,
        [
            *((call, errno.EACCES, _ALWAYS_REFUSED) for call in (machine.socket, _IO_URING_SETUP, machine.truncate)),
            (machine.set_limits, errno.EPERM, own),
            (machine.set_scheduler, errno.EPERM, own),
            (machine.set_scheduler_parameters, errno.EPERM, own),
            (machine.set_scheduler_attributes, errno.EPERM, own),
            (machine.set_priority, errno.EPERM, ((0, _OF_PROCESS), (1, 0))),
            (machine.set_file_priority, errno.EPERM, ((0, _OF_PROCESS_FOR_FILES), (1, 0))),
        ],
    )


def staying_in_group() -> Callable[[], None]:
    """Return a function that keeps a thread in its process group, so that it ends with the group; raises OSError.

    The filter must be available.
    """
    machine = _MACHINES[platform.machine()]
    return _filter(machine, [(call, errno.EPERM, _ALWAYS_REFUSED) for call in (machine.set_session, machine.set_group)])


def _filter(machine: _Machine, refused: Iterable[tuple[int, int, tuple[tuple[int, int], ...]]]) -> Callable[[], None]:
    """Return a function that sets a filter: each call in `refused` fails with its error, unless its arguments are
    allowed.
    """
    code = b"".join(
        _STEP.pack(*step)
        for step in (
            (_LOAD_WORD, 0, 0, _MACHINE_OFFSET),
            (_JUMP_IF_EQUAL, 1, 0, machine.name),
            (_RETURN, 0, 0, _REFUSE | errno.EACCES),
            (_LOAD_WORD, 0, 0, _NUMBER_OFFSET),
            (_JUMP_IF_AT_LEAST, 0, 1, machine.others_from),
            (_RETURN, 0, 0, _REFUSE | errno.EACCES),
            *(step for each in refused for step in _steps(*each)),
            (_RETURN, 0, 0, _ALLOW),
        )
    )
    memory = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // _STEP.size, ctypes.cast(memory, ctypes.POINTER(ctypes.c_char)))

    def set_filter() -> None:
        give_up_new_privileges()
        control_process(_SET_FILTER, ctypes.c_long(_FILTER_MODE), address(program))

    return set_filter


def _steps(call: int, error: int, allowed: tuple[tuple[int, int], ...]) -> list[tuple[int, int, int, int]]:
    """Return the filter's steps for one call; jumps have the numbers of steps to skip, if the condition holds and if
    not.
    """
    compared: list[tuple[int, int, int, int]] = []
    for number, (argument, value) in enumerate(allowed):
        refusal = 2 * (len(allowed) - 1 - number) + 1
        compared.append((_LOAD_WORD, 0, 0, _ARGUMENTS_OFFSET + argument * _ARGUMENT_SIZE))
        compared.append((_JUMP_IF_EQUAL, 0, refusal, value))
    ends = [(_RETURN, 0, 0, _ALLOW)] if allowed else []
    ends.append((_RETURN, 0, 0, _REFUSE | error))
    return [(_JUMP_IF_EQUAL, 0, len(compared) + len(ends), call), *compared, *ends]


_GET, _SET = {"x86_64": (125, 126)}.get(platform.machine(), (90, 91))
_VERSION = 0x20080522
_TRACE_PROCESSES, _ADMINISTER, _RAISE_LIMITS, _WATCH_PERFORMANCE = 19, 21, 24, 38
_GIVEN_UP = (_TRACE_PROCESSES, _ADMINISTER, _RAISE_LIMITS, _WATCH_PERFORMANCE)
_BITS = 32


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    """Two words of bits, each as effective, permitted and inheritable set."""

    _fields_ = (("words", (ctypes.c_uint32 * 3) * 2),)


def give_up() -> None:
    """Give up the capabilities `_GIVEN_UP`, for this thread and its children. Raises OSError."""
    header, held = _Header(_VERSION, 0), _Capabilities()
    give_up_new_privileges()
    system_call(_GET, address(header), address(held))
    for capability in _GIVEN_UP:
        word = held.words[capability // _BITS]
        for kind in range(len(word)):
            word[kind] &= ~(1 << capability % _BITS)
    system_call(_SET, address(header), address(held))
