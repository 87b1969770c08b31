"""What a thread of Linux gives up, if it is root's: it could look into other processes, and raise its limits again.

With the first of that, it could read the environment of the process that started it, and what `environment` keeps back.
"""

from __future__ import annotations

import ctypes
import platform

from tdls.interpreter.confinement.system_calls import address, give_up_new_privileges, system_call

_GET, _SET = {"x86_64": (125, 126)}.get(platform.machine(), (90, 91))
_VERSION = 0x20080522
_TRACE_PROCESSES, _ADMINISTER, _RAISE_LIMITS, _WATCH_PERFORMANCE = 19, 21, 24, 38
_GIVEN_UP = (_TRACE_PROCESSES, _ADMINISTER, _RAISE_LIMITS, _WATCH_PERFORMANCE)
_BITS = 32


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    """Two words of bits, each as effective, permitted and inheritable ones."""

    _fields_ = (("words", (ctypes.c_uint32 * 3) * 2),)


def give_up() -> None:
    """Give up these privileges, for this thread and all that it starts. Raises OSError."""
    header, held = _Header(_VERSION, 0), _Capabilities()
    give_up_new_privileges()
    system_call(_GET, address(header), address(held))
    for capability in _GIVEN_UP:
        word = held.words[capability // _BITS]
        for kind in range(len(word)):
            word[kind] &= ~(1 << capability % _BITS)
    system_call(_SET, address(header), address(held))
