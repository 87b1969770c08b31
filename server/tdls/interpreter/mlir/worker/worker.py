"""The main loop of the worker process, as `start_worker` starts it.

It imports the bindings once, sends a greeting, and then answers jobs one by one until its input ends. Each job has a
process of its own where the system can fork; otherwise the worker ends after one job. Messages use copies of standard
input and output, since MLIR prints to the originals.

The worker is confined to a folder, and starts no program. A job is confined to a subfolder, has no file descriptor that
leads to tdls.
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import IO, TYPE_CHECKING, Any

from tdls.interpreter.confinement.confinement import TEMPORARY, Confinement
from tdls.interpreter.confinement.watch import adopt_orphans, limit_written_files
from tdls.interpreter.mlir.worker import isolation
from tdls.interpreter.mlir.worker.execution import Bindings, SetupError
from tdls.interpreter.mlir.worker.messages import extended, frame, receive_job, send, taken_streams
from tdls.interpreter.mlir.worker.packages import NO_THREADS, is_bindings
from tdls.interpreter.output.exit_codes import abnormal_end, still_running
from tdls.interpreter.runs.model import Status
from tdls.limits import RUN_OUTPUT
from tdls.system import write_all

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Serve jobs; return the exit status.

    ``arguments[0]`` is a JSON object: ``packages`` lists packages with bindings, of which the first installed one is
    used, ``setup`` has the steps for `run_setup`.
    """
    configuration = json.loads(arguments[0])
    with tempfile.TemporaryFile() as printed:
        limit_written_files(RUN_OUTPUT.most)
        Confinement((tempfile.gettempdir(),), ()).confine_thread()
        requests, answers = taken_streams(printed.fileno())
        package = next(filter(is_bindings, configuration["packages"]), None)
        if package is None:
            packages = configuration["packages"]
            missing = f"none of the Python packages {', '.join(packages)} is installed"
            if len(packages) == 1:
                missing = f"the Python package {packages[0]} is not installed, or has no bindings of MLIR"
            send(answers, {"error": missing})
            return 1
        for name, value in NO_THREADS.items():
            os.environ.setdefault(name, value)
        try:
            bindings = Bindings(package, configuration["setup"])
        except SetupError as error:
            send(answers, {"error": f"run.setup: {error}"})
            return 1
        except Exception as error:  # a package may raise anything while it is imported
            send(answers, {"error": f"{type(error).__name__}: {error}"})
            return 1
        send(answers, {"mlir": bindings.version, "package": package})
        if isolation.is_available():
            _serve(bindings, requests, answers)
        elif (job := receive_job(requests)) is not None:
            send(answers, _unprotected(bindings, job, printed))
    return 0


def _serve(bindings: Bindings, requests: int, answers: int) -> None:
    adopt_orphans()
    while (job := receive_job(requests)) is not None:
        if job.get("keeps"):
            bindings.keep(job)
        answer = _isolated(bindings, job, requests, answers)
        if answer is None:
            return
        write_all(answers, answer)
        isolation.bury_children()


def _unprotected(bindings: Bindings, job: dict[str, Any], printed: IO[bytes]) -> dict[str, Any]:
    """Return the answer to `job`, carried out in this process."""
    answer = bindings.run(job, _opened_log(job))
    size = printed.seek(0, os.SEEK_END)
    printed.seek(max(0, size - job["output"]))
    return {"printed": printed.read().decode("utf-8", "replace"), "console": "", **answer}


def _isolated(bindings: Bindings, job: dict[str, Any], requests: int, answers: int) -> bytes | None:
    """Return the answer to `job` as a message, None if tdls no longer waits for it."""
    ending = isolation.carry_out(
        lambda: _carried_out(bindings, job),
        job["seconds"],
        job["memory"],
        job["output"],
        abandon=requests,
        closed=[answers],
    )
    if ending.abandoned:
        return None
    output = {"printed": ending.printed, "console": ending.console}
    if ending.code != 0 or ending.timed_out:
        status, detail = Status.TIMEOUT, still_running(job["limit"])
        if not ending.timed_out:
            status, detail = abnormal_end(ending.code, ending.console, ending.peak, job["memory"], job["output"])
        return frame({"status": status.value, "detail": detail, **output})
    return extended(ending.answer, output) or frame({"error": "it is cut off"})


def _carried_out(bindings: Bindings, job: dict[str, Any]) -> bytes:
    """Return the answer to `job` as a message, carried out in this process, which serves no other job.

    The process writes to the job's folder only, which tdls removes: it may be killed at any moment.
    """
    folder = job["folder"]
    log = _opened_log(job)
    Confinement((folder,), ()).confine_thread()
    os.environ.update(dict.fromkeys(TEMPORARY, folder))
    return frame(bindings.run(job, log))


def _opened_log(job: dict[str, Any]) -> int:
    """Open a file for diagnostics, which remains when the process is ended: no job can open it by name."""
    return os.open(job["log"], os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
