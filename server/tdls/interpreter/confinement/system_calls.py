"""System calls of Linux that Python has no functions for; imported only there."""

from __future__ import annotations

import ctypes
import os
import signal

_SET_NO_NEW_PRIVILEGES = 38
_SET_SIGNAL_OF_PARENT = 1
_SET_CHILD_SUBREAPER = 36
_library = ctypes.CDLL(None, use_errno=True)


def system_call(number: int, *arguments: ctypes.c_long | ctypes.c_void_p) -> int:
    """Carry out the system call `number` and return what it gives. Raises OSError."""
    return _checked(_library.syscall(ctypes.c_long(number), *arguments))


def control_process(option: int, *arguments: ctypes.c_long | ctypes.c_void_p) -> int:
    """Call ``prctl``, which takes five arguments, and return what it gives. Raises OSError."""
    missing = [ctypes.c_long(0)] * (4 - len(arguments))
    return _checked(_library.prctl(ctypes.c_int(option), *arguments, *missing))


def give_up_new_privileges() -> None:
    """Let this thread and all that it starts gain no privileges by starting programs, as limits demand it."""
    control_process(_SET_NO_NEW_PRIVILEGES, ctypes.c_long(1))


def end_with_parent_thread() -> None:
    """Let this process be killed when the thread ends that started it. Raises OSError."""
    control_process(_SET_SIGNAL_OF_PARENT, ctypes.c_long(signal.SIGKILL))


def adopt_orphans() -> None:
    """Let processes whose parent ended be children of this one, if it is one of their ancestors. Raises OSError."""
    control_process(_SET_CHILD_SUBREAPER, ctypes.c_long(1))


def address(data: ctypes.Structure | ctypes.Array[ctypes.c_char]) -> ctypes.c_void_p:
    """Return where `data` is, which has to be kept until it has been used."""
    return ctypes.cast(ctypes.byref(data), ctypes.c_void_p)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
