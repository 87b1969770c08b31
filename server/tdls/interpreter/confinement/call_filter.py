"""Filters of system calls for a thread of Linux, and all that it starts: what Landlock has no rights for.

A filter is a program for the kernel ("seccomp"), https://docs.kernel.org/userspace-api/seccomp_filter.html: a list of
steps that look at the number of a system call, the machine that it is for, and its arguments. Calls for another
machine, as 32-bit programs make them, and other ways to the same end are refused, too.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.confinement.system_calls import address, control_process, give_up_new_privileges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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
"""By what a priority is set: not for a group, nor for all that is a user's."""


class _Machine(NamedTuple):
    """How a machine is called in audits, and its numbers of system calls."""

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
    """Numbers from here on are calls of another kind of program."""


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
    """Tell whether the kernel takes filters, and what the numbers of system calls are on this machine."""
    if platform.machine() not in _MACHINES or struct.calcsize("P") != 8:
        return False
    try:
        control_process(_SET_FILTER, ctypes.c_long(_FILTER_MODE), ctypes.c_void_p())
    except OSError as error:
        return error.errno == errno.EFAULT  # it would have read the program, were there one
    return False


def reaching_nothing() -> Callable[[], None]:
    """Return what lets a thread open no socket and change neither limits nor priorities of others; raises OSError.

    The filter must be available. Pairs of sockets that are connected with each other are nothing but pipes. Changing
    the size of a file by its name is refused, too, which older versions of Landlock do not do.
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
    """Return what lets a thread stay in its group of processes, so that it can be ended with that; raises OSError.

    The filter must be available.
    """
    machine = _MACHINES[platform.machine()]
    return _filter(machine, [(call, errno.EPERM, _ALWAYS_REFUSED) for call in (machine.set_session, machine.set_group)])


def _filter(machine: _Machine, refused: Iterable[tuple[int, int, tuple[tuple[int, int], ...]]]) -> Callable[[], None]:
    """Return what sets a filter by which calls fail: each with its error, unless it has some arguments."""
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
    """Return the steps for one call; jumps say how many are left out, if the condition holds and if not."""
    compared: list[tuple[int, int, int, int]] = []
    for number, (argument, value) in enumerate(allowed):
        refusal = 2 * (len(allowed) - 1 - number) + 1
        compared.append((_LOAD_WORD, 0, 0, _ARGUMENTS_OFFSET + argument * _ARGUMENT_SIZE))
        compared.append((_JUMP_IF_EQUAL, 0, refusal, value))
    ends = [(_RETURN, 0, 0, _ALLOW)] if allowed else []
    ends.append((_RETURN, 0, 0, _REFUSE | error))
    return [(_JUMP_IF_EQUAL, 0, len(compared) + len(ends), call), *compared, *ends]
