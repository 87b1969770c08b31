"""The worker process: its messages, and its work on systems that cannot fork."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

import tdls
from interpreter.scripts import MATCH, TILE, sequence
from tdls.interpreter.confinement.reports import WritableFolder
from tdls.interpreter.mlir.worker import start_worker
from tdls.interpreter.mlir.worker.messages import extended, frame, parsed, receive, receive_job, send
from tdls.interpreter.mlir.worker.worker_process import WorkerProcess
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

_WITHOUT_FORK = """\
import sys
from tdls.interpreter.mlir.worker import isolation, worker
isolation.is_available = lambda: False
sys.exit(worker.main(['{"packages": ["torch_mlir"], "setup": []}']))
"""
WORKER = "tdls.interpreter.mlir.worker.worker"
_PRINT = "    transform.print %matmul : !transform.any_op\n"


def test_several_threads_may_end_it_at_once() -> None:
    for _ in range(5):
        with WritableFolder() as folder:
            worker = WorkerProcess(sys.executable, WORKER, {"packages": ["json"], "setup": []}, folder)
            with ThreadPoolExecutor(8) as pool:
                for ended in [pool.submit(worker.end) for _ in range(8)]:
                    ended.result()
            assert not worker.is_alive()


def job(text: str) -> dict[str, Any]:
    limits = {"seconds": 10.0, "memory": 1 << 30, "output": 1 << 20}
    folder = tempfile.mkdtemp()
    return {
        "text": text,
        "preload": None,
        "passes": [["transform-interpreter", "entry-point=__transform_main"]],
        "is_located": False,
        "is_also_located": False,
        "is_printed": True,
        "key": "",
        "folder": folder,
        "log": f"{folder}.log",
        **limits,
    }


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)


def test_messages_arrive_whole(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    messages: list[dict[str, Any]] = [{"text": "größer \ud800"}, {}, {"list": [1, None, "x" * 5000]}]
    for message in messages:
        send(writer, message)
    os.write(writer, frame({"cut": "off"})[:-1])
    os.close(writer)
    assert [receive_job(reader) for _ in messages] == messages
    assert receive_job(reader) is None


def test_incomplete_messages_are_none(tmp_path: Path) -> None:
    whole, file = frame({"a": 1}), tmp_path / "message"
    for size in range(len(whole)):
        file.write_bytes(whole[:size])
        with file.open("rb") as stream:
            assert receive(stream.fileno()) is None


@pytest.mark.parametrize("text", ["\ud800", "größer}\n\ud800" * 10_000])
def test_messages_get_more_entries(text: str) -> None:
    whole = frame({"a": text, "c": text})
    longer = extended(whole, {"b": "größer"})
    assert longer is not None
    assert parsed(longer[8:]) == {"a": text, "c": text, "b": "größer"}
    assert {extended(whole[:size], {"b": 1}) for size in range(0, len(whole), len(whole) // 50 + 1)} == {None}


@pytest.mark.parametrize("body", [b"", b"[]\n", b'{"": 1}\n', b'{"": {"a": "b"}}\nb', b'{"": {"a": 2}}\n\xff\xff'])
def test_what_is_no_message_raises(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parsed(body)


def test_without_fork_a_worker_does_one_job() -> None:
    require_bindings()
    worker = subprocess.Popen([sys.executable, "-c", _WITHOUT_FORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert worker.stdin is not None
    assert worker.stdout is not None
    with worker:
        hello = receive(worker.stdout.fileno())
        send(worker.stdin.fileno(), job(sequence(MATCH + _PRINT + TILE)))
        answer = receive(worker.stdout.fileno())
        assert receive(worker.stdout.fileno()) is None
    assert hello is not None
    assert json.loads(hello)["mlir"].startswith("torch-mlir 2")
    assert answer is not None
    told = json.loads(answer)
    assert told["status"] == "success"
    assert "scf.for" in told["module"]
    assert told["printed"].startswith("[[[ IR printer: ]]]")
    assert worker.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems start threads of their own")
def test_no_threads_are_started_that_jobs_would_not_have() -> None:
    require_bindings()
    command = [sys.executable, start_worker.__file__, WORKER, '{"packages": ["torch_mlir"], "setup": []}']
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert worker.stdin is not None
    assert worker.stdout is not None
    with worker:
        assert "mlir" in (receive_job(worker.stdout.fileno()) or {})
        assert psutil.Process(worker.pid).num_threads() == 1
        worker.stdin.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no files without names")
def test_worker_creates_no_file_that_would_stay_if_it_were_killed(tmp_path: Path) -> None:
    require_bindings()
    os.utime(tmp_path, (1, 1))
    command = [sys.executable, start_worker.__file__, WORKER, '{"packages": ["torch_mlir"], "setup": []}']
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    hello = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=True).stdout
    assert "mlir" in parsed(hello[8:])
    assert tmp_path.stat().st_mtime == 1


def started(python: str, configuration: dict[str, Any], *arguments: str) -> dict[str, Any] | None:
    """Return the first message of a worker."""
    command = [python, *arguments, start_worker.__file__, WORKER, json.dumps(configuration)]
    return parsed(subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout[8:])


def test_packages_that_are_not_there_are_said() -> None:
    answer = started(sys.executable, {"packages": ["json"], "setup": []})
    assert answer == {"error": "the Python package json is not installed, or has no bindings of MLIR"}
    several = started(sys.executable, {"packages": ["a", "b"], "setup": []})
    assert several == {"error": "none of the Python packages a, b is installed"}


def test_worker_needs_nothing_but_the_standard_library() -> None:
    """It is started in Pythons that have no other package of tdls's; `-S` hides those of this one."""
    hello = started(sys.executable, {"packages": ["torch_mlir"], "setup": []}, "-S", "-E")
    assert hello == {"error": "the Python package torch_mlir is not installed, or has no bindings of MLIR"}
    code = (
        f"import runpy, sys; runpy.run_path({start_worker.__file__!r})['start'](['{WORKER}', '{{\"packages\": []}}'])\n"
        "modules = sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names))\n"
        "print(*modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, check=False)
    assert done.stderr.decode().split() == ["__main__", "tdls"]


def test_packages_next_to_tdls_are_not_those_of_another_python(tmp_path: Path) -> None:
    """The folder in which tdls is installed has other packages, which may be for another version of Python."""
    home = tmp_path / "site-packages"
    shutil.copytree(Path(tdls.__file__).parent, home / "tdls", ignore=shutil.ignore_patterns("__pycache__", "facts"))
    (home / "torch_mlir" / "_mlir_libs").mkdir(parents=True)
    for name in ("__init__", "ir", "passmanager"):
        (home / "torch_mlir" / f"{name}.py").touch()
    starter = home / "tdls" / "interpreter" / "mlir" / "worker" / "start_worker.py"
    command = [sys.executable, "-S", "-E", str(starter), WORKER, '{"packages": ["torch_mlir"], "setup": []}']
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    hello = parsed(done.stdout[8:])
    assert hello == {"error": "the Python package torch_mlir is not installed, or has no bindings of MLIR"}


def test_python_that_is_too_old_says_so(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 1))
    monkeypatch.setattr(sys, "path", sys.path[:])
    assert start_worker.start([]) == 1
    assert parsed(capfd.readouterr().out.encode()[8:]) == {"error": "Python 3.8.1 is too old, 3.10 is needed"}
