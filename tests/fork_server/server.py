"""Imports tdls once, and forks for each request of a launcher: ``python -m fork_server.server SOCKET``."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
import threading
import traceback
from types import ModuleType
from typing import Any, Final

from fork_server.launcher import read_at_start

_STREAMS: Final = 3
_LARGEST: Final = 1 << 16


class _Ended(Exception):  # noqa: N818 - no error
    """The process that started the server is gone."""


class Server:
    """Waits for launchers, processes and the end of its own standard input."""

    def __init__(self, path: str) -> None:
        self._selector = selectors.DefaultSelector()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(path)
        self._listening.listen()
        self._running: dict[int, socket.socket] = {}
        """Connections to launchers, by the process that runs for one."""
        self._variables = json.dumps(read_at_start(dict(os.environ))).encode() + b"\n"
        self._ends, ended = os.pipe()
        os.set_blocking(self._ends, False)
        os.set_blocking(ended, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ended, warn_on_full_buffer=False)
        for source in (0, self._ends, self._listening):
            self._selector.register(source, selectors.EVENT_READ)

    def request(self) -> dict[str, Any]:
        """Serve until there is a request, and return it in the new process that is to carry it out."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj == 0:
                    raise _Ended
                if key.fileobj == self._ends:
                    self._note_ends()
                elif key.fileobj is self._listening:
                    found = self._accepted()
                    if found is not None:
                        return found
                else:
                    self._hand_on(key.fileobj)  # type: ignore[arg-type]

    def _accepted(self) -> dict[str, Any] | None:
        connection = self._listening.accept()[0]
        connection.sendall(self._variables)
        content, streams, _, _ = socket.recv_fds(connection, _LARGEST, _STREAMS)
        while content and not content.endswith(b"\n"):
            content += connection.recv(_LARGEST)
        if not content:  # it started tdls itself
            connection.close()
            return None
        process = os.fork()
        if process == 0:
            connection.close()
            self._forget()
            _take(streams)
            request: dict[str, Any] = json.loads(content)
            return request
        for number in streams:
            os.close(number)
        self._running[process] = connection
        self._selector.register(connection, selectors.EVENT_READ)
        return None

    def _forget(self) -> None:
        """Close the descriptors of the server in a new process."""
        signal.set_wakeup_fd(-1)
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        self._selector.close()

    def _hand_on(self, connection: socket.socket) -> None:
        """Send the signals that a launcher got to its process, which does not outlive it."""
        process = next(number for number, other in self._running.items() if other is connection)
        content = connection.recv(_LARGEST)
        for number in map(int, content.split()) if content else (signal.SIGKILL,):
            os.kill(process, number)
        if not content:
            self._selector.unregister(connection)

    def _note_ends(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._ends, _LARGEST)
        while self._running:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return
            connection = self._running.pop(process)
            with contextlib.suppress(OSError):
                connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
            with contextlib.suppress(KeyError):
                self._selector.unregister(connection)
            connection.close()


def _take(streams: list[int]) -> None:
    """Make the streams of a launcher those of this process."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for stream in streams:
        os.close(stream)
    sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())  # type: ignore[union-attr]


def _import_everything() -> None:
    import tdls
    from tdls.catalogue.catalogue import Catalogue

    for module in pkgutil.walk_packages(tdls.__path__, "tdls."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    Catalogue.shipped()
    gc.freeze()


def _carry_out(request: dict[str, Any]) -> None:
    """Run ``python -m tdls``, or ``python -c CODE``, in a new process, and end it.

    The usual end of Python, which gives back all memory, would copy all memory shared with the server.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["variables"])
    arguments = request["arguments"]
    sys.path[0] = request["folder"]
    try:
        if arguments[:1] == ["-c"]:
            sys.argv = ["-c", *arguments[2:]]
            main_module = sys.modules["__main__"] = ModuleType("__main__")
            exec(arguments[1], vars(main_module))
        else:
            sys.argv = ["tdls", *arguments]
            runpy.run_module("tdls", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(status if isinstance(status, int) else 1 if status else 0)


def main(path: str) -> None:
    """Serve until standard input ends."""
    _import_everything()
    server = Server(path)
    os.write(1, b"ready\n")
    try:
        request = server.request()
    except _Ended:
        os._exit(0)
    _carry_out(request)


if __name__ == "__main__":
    main(sys.argv[1])
