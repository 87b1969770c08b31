"""The list of the system calls that confined processes may use, as a filter of Linux's seccomp.

What is not on the list does not exist for them, as on an older kernel, which programs are prepared for. It has nothing
that changes the system, reaches other programs, or leaves behind what no limit counts, such as shared memory of
System V. A filter sees numbers, not paths; Landlock decides about those.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import re
import struct
from functools import cache
from typing import TYPE_CHECKING

from tdls.interpreter.confinement.linux import address, control_process, give_up_new_privileges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CALLS = """
read 0 63, write 1 64, open 2 -, close 3 57, stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79, statx 332 291,
lseek 8 62, pread64 17 67, pwrite64 18 68, readv 19 65, writev 20 66, preadv 295 69, pwritev 296 70, preadv2 327 286,
pwritev2 328 287, access 21 -, faccessat 269 48, faccessat2 439 439, openat 257 56, openat2 437 437, creat 85 -,
close_range 436 436, dup 32 23, dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59, fcntl 72 25, flock 73 32, fsync 74 82,
fdatasync 75 83, sync_file_range 277 84, syncfs 306 267, ftruncate 77 46, fallocate 285 47, fadvise64 221 223,
readahead 187 213, sendfile 40 71, copy_file_range 326 285, splice 275 76, tee 276 77, vmsplice 278 75, statfs 137 43,
fstatfs 138 44, name_to_handle_at 303 264,
getdents 78 -, getdents64 217 61, getcwd 79 17, chdir 80 49, fchdir 81 50, rename 82 -, renameat 264 38,
renameat2 316 276, mkdir 83 -, mkdirat 258 34, rmdir 84 -, link 86 -, linkat 265 37, unlink 87 -, unlinkat 263 35,
symlink 88 -, symlinkat 266 36, readlink 89 -, readlinkat 267 78, mknod 133 -, mknodat 259 33, umask 95 166,
getxattr 191 8, lgetxattr 192 9, fgetxattr 193 10, listxattr 194 11, llistxattr 195 12, flistxattr 196 13,
poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21,
epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -, eventfd2 290 19, signalfd 282 -,
signalfd4 289 74, timerfd_create 283 85, timerfd_settime 286 86, timerfd_gettime 287 87, inotify_init 253 -,
inotify_init1 294 26, inotify_add_watch 254 27, inotify_rm_watch 255 28,
getsockname 51 204, getpeername 52 205, sendto 44 206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212,
sendmmsg 307 269, recvmmsg 299 243, shutdown 48 210, setsockopt 54 208, getsockopt 55 209,
mmap 9 222, mprotect 10 226, munmap 11 215, brk 12 214, mremap 25 216, msync 26 227, mincore 27 232, madvise 28 233,
mlock 149 228, mlock2 325 284, munlock 150 229, mlockall 151 230, munlockall 152 231, remap_file_pages 216 234,
memfd_create 319 279, membarrier 324 283, pkey_mprotect 329 288, pkey_alloc 330 289, pkey_free 331 290, mbind 237 235,
set_mempolicy 238 237, get_mempolicy 239 236, mseal 462 462, map_shadow_stack 453 453,
fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, exit 60 93, exit_group 231 94, wait4 61 260, waitid 247 95,
kill 62 129, tkill 200 130, tgkill 234 131, pidfd_open 434 434, pidfd_send_signal 424 424, getpid 39 172,
getppid 110 173, gettid 186 178, getpgrp 111 -, getpgid 121 155, setpgid 109 154, getsid 124 156, setsid 112 157,
getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177, getresuid 118 148, getresgid 120 150,
getgroups 115 158, getrlimit 97 163, setrlimit 160 164, getrusage 98 165, times 100 153, uname 63 160, sysinfo 99 179,
personality 135 92, arch_prctl 158 -, prctl 157 167, seccomp 317 277, capget 125 90, capset 126 91,
landlock_create_ruleset 444 444, landlock_add_rule 445 445, landlock_restrict_self 446 446, ptrace 101 117,
set_tid_address 218 96, set_robust_list 273 99, get_robust_list 274 100, rseq 334 293, restart_syscall 219 128,
riscv_hwprobe - 258, riscv_flush_icache - 259,
futex 202 98, futex_waitv 449 449, futex_wake 454 454, futex_wait 455 455, futex_requeue 456 456, sched_yield 24 124,
sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145 120, sched_getattr 315 275,
sched_get_priority_max 146 125, sched_get_priority_min 147 126, sched_rr_get_interval 148 127, getpriority 140 141,
ioprio_get 252 31, getcpu 309 168, getrandom 318 278,
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136, rt_sigtimedwait 128 137,
rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, rt_sigsuspend 130 133, sigaltstack 131 132, pause 34 -, alarm 37 -,
getitimer 36 102, setitimer 38 103, nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113,
clock_getres 229 114, gettimeofday 96 169, time 201 -, timer_create 222 107, timer_settime 223 110,
timer_gettime 224 108, timer_getoverrun 225 109, timer_delete 226 111,
socket 41 198, socketpair 53 199, truncate 76 45, ioctl 16 29, clone 56 220, prlimit64 302 261,
sched_setaffinity 203 122, sched_setscheduler 144 119, sched_setparam 142 118, sched_setattr 314 274,
setpriority 141 140, ioprio_set 251 30, chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, utime 132 -,
utimes 235 -, futimesat 261 -, utimensat 280 88, chown 92 -, fchown 93 55, lchown 94 -, fchownat 260 54,
setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16
"""
"""Names of calls with their numbers on x86-64, and on machines with newer ports of Linux."""
_MACHINES = {"x86_64": (0xC000003E, 1), "aarch64": (0xC00000B7, 2), "riscv64": (0xC00000F3, 2)}
"""Each machine's audit architecture, and its column of the list."""

_SET_FILTER, _FILTER_MODE = 22, 2
_LOAD_WORD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _JUMP_IF_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_OFFSET, _MACHINE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
_ARGUMENT_SIZE = 8
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_STEP = struct.Struct("=HBBI")
_Step = tuple[int, int, int, int]
_Conditions = tuple[tuple[int, int, int], ...]
"""They hold all: an argument's number, and `_JUMP_IF_EQUAL` with its value or `_JUMP_IF_BITS` with bits it has not."""

_OWN: _Conditions = ((0, _JUMP_IF_EQUAL, 0),)
"""A process may name itself by 0 alone: a filter does not know its number."""
_NEW_NAMESPACES = 0x7E020000
_LOCAL_FAMILY, _DATAGRAMS = 1, 2
_TERMINAL_REQUESTS = (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""They ask for the state of a terminal or pipe, and set flags of a descriptor; others change attributes of any file."""
_RULES: tuple[tuple[str, int, tuple[tuple[_Conditions, int], ...]], ...] = (
    # Setting modes, owners and times of files has no effect, without an error: programs set them for each copy of a
    # file, a filter cannot limit them to a folder, and little depends on them in a folder that is removed afterwards.
    ("chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat", _REFUSE, ()),
    # The present time for a path is how programs ask whether it exists, before they create it.
    ("utimensat", _REFUSE, ((((1, _JUMP_IF_EQUAL, 0),), _REFUSE), (((2, _JUMP_IF_EQUAL, 0),), _REFUSE | errno.EPERM))),
    ("setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr", _REFUSE | errno.ENOTSUP, ()),
    ("socket truncate", _REFUSE | errno.EACCES, ()),  # older versions of Landlock allow to truncate
    # Connected pairs are like pipes; datagrams could be sent to any socket that has a path.
    (
        "socketpair",
        _REFUSE | errno.EACCES,
        ((((0, _JUMP_IF_EQUAL, _LOCAL_FAMILY), (1, _JUMP_IF_BITS, _DATAGRAMS)), _ALLOW),),
    ),
    ("ioctl", _REFUSE | errno.ENOTTY, tuple((((1, _JUMP_IF_EQUAL, each),), _ALLOW) for each in _TERMINAL_REQUESTS)),
    ("clone", _REFUSE | errno.EPERM, ((((0, _JUMP_IF_BITS, _NEW_NAMESPACES),), _ALLOW),)),
    (
        "prlimit64 sched_setaffinity sched_setscheduler sched_setparam sched_setattr",
        _REFUSE | errno.EPERM,
        ((_OWN, _ALLOW),),
    ),
    ("setpriority", _REFUSE | errno.EPERM, ((((0, _JUMP_IF_EQUAL, 0), (1, _JUMP_IF_EQUAL, 0)), _ALLOW),)),
    ("ioprio_set", _REFUSE | errno.EPERM, ((((0, _JUMP_IF_EQUAL, 1), (1, _JUMP_IF_EQUAL, 0)), _ALLOW),)),
)
"""Names of calls with what becomes of them, and what becomes of them instead under the first conditions that hold."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(ctypes.c_char)))


@cache
def is_available() -> bool:
    """Whether the kernel accepts filters, and the numbers of system calls are known for this machine."""
    if platform.machine() not in _MACHINES or struct.calcsize("P") != 8:
        return False
    try:
        control_process(_SET_FILTER, ctypes.c_long(_FILTER_MODE), ctypes.c_void_p())
    except OSError as error:
        return error.errno == errno.EFAULT  # the kernel tried to read the filter, so it supports filters
    return False


def call_numbers(machine: str) -> dict[str, int]:
    """Return the numbers of the listed calls on a machine."""
    column = _MACHINES[machine][1]
    rows = [entry.split() for entry in re.split(r"[,\n]+", _CALLS.strip())]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def allowing_listed_calls() -> Callable[[], None]:
    """Return a function that leaves only the listed calls to a thread; it raises OSError.

    The filter must be available.
    """
    numbers = call_numbers(platform.machine())
    steps: list[_Step] = []
    for names, verdict, exceptions in _RULES:
        for number in filter(None, (numbers.pop(name, None) for name in names.split())):
            steps += _deciding(number, verdict, exceptions)
    steps += _allowing(sorted(numbers.values()))
    return _filter([*steps, (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)])


def staying_in_group() -> Callable[[], None]:
    """Return a function that keeps a thread in its process group, so that it ends with the group; raises OSError.

    The filter must be available.
    """
    numbers = call_numbers(platform.machine())
    steps = [step for name in ("setsid", "setpgid") for step in _deciding(numbers[name], _REFUSE | errno.EPERM)]
    return _filter([*steps, (_RETURN, 0, 0, _ALLOW)])


def _deciding(number: int, verdict: int, exceptions: Iterable[tuple[_Conditions, int]] = ()) -> list[_Step]:
    """Return the steps for one call; jumps have the numbers of steps to skip, if the condition holds and if not."""
    steps: list[_Step] = []
    for conditions, other in exceptions:
        for position, (argument, comparison, value) in enumerate(conditions):
            end = 2 * (len(conditions) - 1 - position) + 1
            jumps = (0, end) if comparison == _JUMP_IF_EQUAL else (end, 0)
            steps.append((_LOAD_WORD, 0, 0, _ARGUMENTS_OFFSET + argument * _ARGUMENT_SIZE))
            steps.append((comparison, *jumps, value))
        steps.append((_RETURN, 0, 0, other))
    steps.append((_RETURN, 0, 0, verdict))
    return [(_JUMP_IF_EQUAL, 0, len(steps), number), *steps]


def _allowing(numbers: Iterable[int]) -> list[_Step]:
    """Return the steps that allow the calls with ascending `numbers`, a few for each range without a gap."""
    steps: list[_Step] = []
    for number in numbers:
        if steps and steps[-2][3] == number:
            steps[-2] = (_JUMP_IF_AT_LEAST, 1, 0, number + 1)
        else:
            steps += [(_JUMP_IF_AT_LEAST, 0, 2, number), (_JUMP_IF_AT_LEAST, 1, 0, number + 1), (_RETURN, 0, 0, _ALLOW)]
    return steps


def _filter(rules: Iterable[_Step]) -> Callable[[], None]:
    """Return a function that sets a filter of `rules`, which find the number of the call loaded."""
    steps = (
        (_LOAD_WORD, 0, 0, _MACHINE_OFFSET),
        (_JUMP_IF_EQUAL, 1, 0, _MACHINES[platform.machine()][0]),
        (_RETURN, 0, 0, _REFUSE | errno.ENOSYS),
        (_LOAD_WORD, 0, 0, _NUMBER_OFFSET),
        *rules,
    )
    code = b"".join(_STEP.pack(*step) for step in steps)
    memory = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // _STEP.size, ctypes.cast(memory, ctypes.POINTER(ctypes.c_char)))

    def set_filter() -> None:
        give_up_new_privileges()
        control_process(_SET_FILTER, ctypes.c_long(_FILTER_MODE), address(program))

    return set_filter
