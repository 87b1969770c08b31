"""The worker process for a program, as `start_worker` starts it.

It sends a greeting, receives one job, carries it out in a process of its own where the system can fork, and answers.
It is confined to a folder, and starts no program. The program's process writes its report to a file, so that the report
survives any end of that process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import platform
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tdls.interpreter.confinement.confinement import Confinement
from tdls.interpreter.confinement.watch import limit_written_files
from tdls.interpreter.mlir.worker import isolation
from tdls.interpreter.mlir.worker.messages import receive_job, send, taken_streams
from tdls.interpreter.output.exit_codes import abnormal_end, still_running
from tdls.limits import RUN_OUTPUT
from tdls.python_builders.worker.collected import Collected, stack_of_frame
from tdls.python_builders.worker.program import Program, exit_problem, problem_of
from tdls.python_builders.worker.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import NoReturn

_GRACE_SECONDS = 2.0
"""Seconds beyond its limit after which a program that ignores the alarm is killed."""
_TRACE_SECONDS = 0.5
"""Seconds beyond its limit after which the calls of a program are noted."""


def main(_arguments: Sequence[str]) -> int:
    """Serve one job; return the exit status."""
    with tempfile.TemporaryFile() as printed:
        limit_written_files(RUN_OUTPUT.most)
        Confinement((tempfile.gettempdir(),), ()).confine_thread()
        requests, answers = taken_streams(printed.fileno())
        send(answers, {"python": platform.python_version()})
        job = receive_job(requests)
        if job is None:
            return 0
        with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as calls:
            if isolation.is_available():
                ended = _isolated(job, requests, answers, answer, calls)
            else:
                ended = _unprotected(job, printed, answer, calls)
            send(answers, {**ended, "answer": _content(answer), "calls": _content(calls)})
    return 0


def _isolated(job: dict[str, Any], requests: int, answers: int, answer: IO[bytes], calls: IO[bytes]) -> dict[str, Any]:
    """Carry out `job` in a process of its own, and return its ending. It is confined again, also from this process."""

    def work() -> bytes:
        Confinement((tempfile.gettempdir(),), ()).confine_thread()
        _Work(job, answer.fileno(), calls.fileno()).carry_out()
        return b""

    seconds = job["seconds"] + _GRACE_SECONDS
    ending = isolation.carry_out(work, seconds, job["memory"], job["output"], abandon=requests, closed=[answers])
    status, detail = "", ""
    if ending.timed_out:
        status, detail = "timeout", still_running(job["seconds"])
    elif ending.code:
        reason, detail = abnormal_end(ending.code, ending.console, ending.peak, job["memory"], job["output"])
        status = reason.value
    return {"status": status, "detail": detail, "printed": ending.printed, "console": ending.console}


def _unprotected(job: dict[str, Any], printed: IO[bytes], answer: IO[bytes], calls: IO[bytes]) -> dict[str, Any]:
    _Work(job, answer.fileno(), calls.fileno()).carry_out()
    sys.stdout.flush()
    size = printed.seek(0, os.SEEK_END)
    printed.seek(max(0, size - job["output"]))
    return {"status": "", "detail": "", "printed": printed.read().decode("utf-8", "replace"), "console": ""}


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(RUN_OUTPUT.most).decode("utf-8", "replace")


class _Work:
    """One run of a program in this process; the report is written to the file descriptor `answer`."""

    def __init__(self, job: dict[str, Any], answer: int, calls: int) -> None:
        """`calls` is the file descriptor for Python's current calls when the process dies or is stuck."""
        self._job = job
        self._answer = answer
        self._calls = calls
        self._process = os.getpid()
        self._collected = Collected()
        self._watching = Watching(self._collected, renames=True)
        self._program = Program(
            job["entry"],
            job["arguments"],
            is_function=job["is_function"],
            returns_payload=job["returns_payload"],
            only_asks=job["only_asks"],
        )
        self._exit = os._exit

    def carry_out(self) -> None:
        """Run the program, and write its report."""
        faulthandler.enable(self._calls)
        if isolation.is_available():
            self._limit_time()
        sys.meta_path.insert(0, self._watching)
        os._exit = self._exited
        problem: dict[str, Any] | None = None
        status = 0
        try:
            os.chdir(self._job["folder"])
            self._program.run(self._watching, self._collected)
            for thread in threading.enumerate() if not self._job["only_asks"] else ():
                if thread is not threading.current_thread() and not thread.daemon:
                    thread.join()
        except BaseException as error:
            problem = problem_of(error)
            code = error.code if isinstance(error, SystemExit) else 1
            status = code & 0xFF if isinstance(code, int) else int(code is not None)
        finally:
            os._exit = self._exit
        if os.getpid() != self._process:  # a process that the program forked
            self._exit(status)
        self._deliver(problem)

    def _limit_time(self) -> None:
        """Set an alarm for the limit, handled between two steps of Python; note the calls later in any case."""
        faulthandler.dump_traceback_later(self._job["seconds"] + _TRACE_SECONDS, file=self._calls)
        if hasattr(signal, "SIGXFSZ"):
            faulthandler.register(signal.SIGXFSZ, self._calls, all_threads=False, chain=True)
        signal.signal(signal.SIGALRM, self._timed_out)
        signal.setitimer(signal.ITIMER_REAL, self._job["seconds"])

    def _timed_out(self, _number: int, frame: FrameType | None) -> NoReturn:
        message = still_running(self._job["seconds"])
        self._deliver({"kind": "timeout", "message": message, "stack": stack_of_frame(frame), "notes": []})
        self._exit(0)

    def _exited(self, status: int) -> NoReturn:
        """Replacement of `os._exit` for the program, which writes the report first."""
        if os.getpid() != self._process:  # a process that the program forked
            self._exit(status)
        self._deliver(exit_problem(status, stack_of_frame(sys._getframe())))
        self._exit(0)

    def _deliver(self, problem: dict[str, Any] | None) -> None:
        """Write the report: first without the modules, since printing them may end the process."""
        if isolation.is_available():
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # a stream may be anything that the program put there
                stream.flush()
        ir = self._watching.ir
        report = {
            "problem": problem,
            "first": self._program.first,
            "bindings": str(Path(ir.__file__).parent) if ir is not None else "",
            "stand_in": self._watching.stand_in,
            "traces": self._watching.traces,
            "payload": self._program.payload,
            "modules": None,
        }
        self._write(report)
        modules = self._collected.modules(is_complete=problem is None)
        collected = {
            "operations": self._collected.operations,
            "is_finished": self._collected.is_finished,
            "left_out": self._collected.left_out,
            "unloaded": self._watching.places_of_dialects(self._collected.unloaded),
        }
        self._write({**report, "modules": modules, **collected})

    def _write(self, report: dict[str, Any]) -> None:
        with os.fdopen(os.dup(self._answer), "wb") as file:
            file.seek(0)
            file.truncate()
            file.write(json.dumps(report).encode("utf-8", "surrogatepass"))
