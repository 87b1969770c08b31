"""Tests the confinement on this system by trying forbidden operations, instead of trusting the system's claims."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tdls.interpreter.confinement.confinement import Confinement
from tdls.interpreter.confinement.starting import needed_programs, start_confined

_SECONDS = 20.0
_WRITES, _CONNECTS, _STARTS = 1, 2, 4
_CODE = f"""
import socket, subprocess, sys
done = 0
for bit, attempt in (
    ({_WRITES}, lambda: open(sys.argv[1], "w").close()),
    ({_CONNECTS}, lambda: socket.create_connection(tuple(sys.argv[2].split(" ")), 5).close()),
    ({_STARTS}, lambda: subprocess.run(sys.argv[3], stdout=subprocess.DEVNULL)),
):
    try:
        attempt()
        done |= bit
    except OSError:
        pass
sys.exit(done)
"""
_OTHER_PROGRAM = "/bin/sh"


class Tried(NamedTuple):
    """The forbidden operations that succeeded in a confined process; all of them where no trial is possible."""

    can_write: bool
    can_connect: bool
    can_start: bool


def tried_confinement() -> Tried:
    """Start a process, confined like tools, that tries forbidden operations."""
    import socket

    with (
        tempfile.TemporaryDirectory(prefix="tdls-", ignore_cleanup_errors=True) as own,
        tempfile.TemporaryDirectory(prefix="tdls-", ignore_cleanup_errors=True) as other,
        socket.create_server(("127.0.0.1", 0)) as listener,
    ):
        address = " ".join(map(str, listener.getsockname()))
        targets = [str(Path(other, "file")), address, _OTHER_PROGRAM]
        confinement = Confinement((own,), needed_programs(sys.executable))
        command = [sys.executable, "-I", "-S", "-c", _CODE, *targets]
        try:
            process = start_confined(command, confinement, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError:
            return Tried(can_write=True, can_connect=True, can_start=True)
        with process:
            try:
                code = process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                code = _WRITES | _CONNECTS | _STARTS
    return Tried(bool(code & _WRITES), bool(code & _CONNECTS), bool(code & _STARTS))
