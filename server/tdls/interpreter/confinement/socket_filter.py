"""A filter of system calls for a thread of Linux, and all that it starts, by which it opens no sockets.

It is a program for the kernel's filters ("seccomp"), https://docs.kernel.org/userspace-api/seccomp_filter.html: a
list of steps that look at the number of a system call and the machine that it is for. Calls for another machine, as
32-bit programs make them, and other ways to the same end are refused, too.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from functools import cache
from typing import NamedTuple

from tdls.interpreter.confinement.system_calls import address, control_process, give_up_new_privileges

_SET_FILTER = 22
_FILTER_MODE = 2
_LOAD_WORD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_OFFSET, _MACHINE_OFFSET = 0, 4
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000
_STEP = struct.Struct("=HBBI")


class _Machine(NamedTuple):
    """How a machine is called in audits, and its numbers of system calls."""

    name: int
    socket: int
    truncate: int
    others_from: int = 0xFFFFFFFF
    """Numbers from here on are calls of another kind of program."""


_IO_URING_SETUP = 425
_MACHINES = {
    "x86_64": _Machine(0xC000003E, 41, 76, others_from=0x40000000),
    "aarch64": _Machine(0xC00000B7, 198, 45),
    "riscv64": _Machine(0xC00000F3, 198, 45),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


@cache
def is_available() -> bool:
    """Tell whether the kernel takes filters, and what the numbers of system calls are on this machine."""
    if platform.machine() not in _MACHINES or struct.calcsize("P") != 8:
        return False
    try:
        control_process(_SET_FILTER, ctypes.c_long(_FILTER_MODE), ctypes.c_void_p())
    except OSError as error:
        return error.errno == errno.EFAULT  # it would have read the program, were there one
    return False


def refuse_sockets() -> None:
    """Let this thread open no socket, neither to the network nor to other processes; it must be available.

    Pairs of sockets that are connected with each other are nothing but pipes. Changing the size of a file by its name
    is refused, too, which older versions of Landlock do not do. Raises OSError.
    """
    steps = b"".join(_steps(_MACHINES[platform.machine()]))
    memory = ctypes.create_string_buffer(steps, len(steps))
    program = _Program(len(steps) // _STEP.size, ctypes.addressof(memory))
    give_up_new_privileges()
    control_process(_SET_FILTER, ctypes.c_long(_FILTER_MODE), address(program))


def _steps(machine: _Machine) -> list[bytes]:
    """Return the program. Jumps say how many steps are left out, if the condition holds and if not."""
    refused = [machine.socket, _IO_URING_SETUP, machine.truncate]
    jumps = [_STEP.pack(_JUMP_IF_EQUAL, len(refused) - index, 0, number) for index, number in enumerate(refused)]
    return [
        _STEP.pack(_LOAD_WORD, 0, 0, _MACHINE_OFFSET),
        _STEP.pack(_JUMP_IF_EQUAL, 0, 3 + len(refused), machine.name),
        _STEP.pack(_LOAD_WORD, 0, 0, _NUMBER_OFFSET),
        _STEP.pack(_JUMP_IF_AT_LEAST, 1 + len(refused), 0, machine.others_from),
        *jumps,
        _STEP.pack(_RETURN, 0, 0, _ALLOW),
        _STEP.pack(_RETURN, 0, 0, _REFUSE | errno.EACCES),
    ]
