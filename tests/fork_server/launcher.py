"""Stands for ``python -m tdls`` in a command: ``launcher.py SOCKET [ARGUMENT...]``; with ``-c``, for ``python``.

Has the fork server run tdls with this process's streams, folder and variables, hands on the signals that programs are
ended with, and ends as that process ends. Imports little, since all that it does is start.
"""

import contextlib
import json
import os
import signal
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

READ_AT_START = ("PYTHON", "MALLOC_", "LD_", "DYLD_", "TZ")
"""Prefixes of variables that a process reads at its start; tdls starts anew if they differ from the server's."""
LOCALES = ("LC_ALL", "LC_CTYPE", "LANG")
SENT_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STREAMS = (0, 1, 2)


def main(path: str, arguments: "list[str]") -> int:
    if not _are_open(STREAMS):
        start(arguments)
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    if read_at_start(dict(os.environ)) != json.loads(_line(connection)):
        start(arguments)
    for number in SENT_ON:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda received, _: _send_on(connection, received))
    request = {
        "arguments": arguments,
        "folder": os.getcwd(),  # noqa: PTH109 - pathlib takes long to import
        "variables": dict(os.environ),
    }
    content = json.dumps(request).encode() + b"\n"
    sent = socket.send_fds(connection, [content], list(STREAMS))
    if sent < len(content):  # else the server may have done all and gone, and even nothing cannot be sent to it
        connection.sendall(content[sent:])
    for stream in STREAMS:
        os.close(stream)
    return int(_line(connection) or -signal.SIGKILL)


def start(arguments: "list[str]") -> "NoReturn":
    """Become the program that users start."""
    what = [] if arguments[:1] == ["-c"] else ["-m", "tdls"]
    os.execv(sys.executable, [sys.executable, *what, *arguments])


def read_at_start(variables: "dict[str, str]") -> "dict[str, str]":
    """Return the variables that count when a process starts, and whether they make it speak UTF-8."""
    counting = {name: value for name, value in variables.items() if name.startswith(READ_AT_START)}
    locale = next((variables[name] for name in LOCALES if variables.get(name)), "C")
    is_utf_8 = locale in ("C", "POSIX") or locale.lower().replace("-", "").endswith(".utf8")
    counting["PYTHONUTF8"] = "1" if counting.get("PYTHONUTF8") == "1" or is_utf_8 else "0"
    return counting


def _send_on(connection: socket.socket, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # it has ended already
        connection.send(b"%d\n" % number)


def _are_open(numbers: "tuple[int, ...]") -> bool:
    try:
        return all(os.fstat(number) for number in numbers)
    except OSError:
        return False


def _line(connection: socket.socket) -> bytes:
    received = b""
    while not received.endswith(b"\n"):
        more = connection.recv(1 << 16)
        if not more:
            break
        received += more
    return received


if __name__ == "__main__":
    status = main(sys.argv[1], sys.argv[2:])
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)
