"""Every kind of end of the server, during all kinds of work: it ends soon, and leaves no processes or files."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import doubling
from lsp.scripts import LIBRARY
from lsp.workbench import CAPABILITIES, SERVER
from processes import command_of, descendants, is_alive
from rpc.answers import eventually
from rpc.client import LanguageClient
from rpc.document import Document
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
SOON = 30.0
"""Seconds in which a server ends that is meant to end within one, on a machine that is busy with other things."""
FUNCTION = "".join(f"  %v{number + 1} = arith.addf %v{number}, %v{number} : f32\n" for number in range(2_000))
BIG = "".join(f"func.func @f{number}(%v0: f32) -> f32 {{\n{FUNCTION}  return %v0 : f32\n}}\n" for number in range(60))
HUGE = f"func.func @huge(%v0: f32) -> f32 {{\n{FUNCTION * 60}  return %v0 : f32\n}}\n"
TABLEGEN = "".join(
    f'def A{number} : Op<Transform_Dialect, "a{number}", []> {{ let summary = "{number}"; }}\n'
    for number in range(3_000)
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known_bindings: Path) -> Path:
    for name in ("temporary", "project"):
        (tmp_path / name).mkdir()
    shutil.copytree(known_bindings, tmp_path / "cache")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[LanguageClient]:
    with LanguageClient(SERVER, folder=folder) as running:
        yield running


def idle(client: LanguageClient, folder: Path) -> None:
    del folder
    client.call("tdls/status", {})


def checking(client: LanguageClient, folder: Path) -> None:
    del folder
    Document(client, "file:///tests/big.mlir", LIBRARY + BIG).open()
    time.sleep(0.3)


def reading_a_huge_operation(client: LanguageClient, folder: Path) -> None:
    del folder
    document = Document(client, "file:///tests/huge.mlir", LIBRARY + HUGE)
    document.open()
    client.request("textDocument/hover", document.at(len(document.text) - 40))
    client.request("textDocument/semanticTokens/full", {"textDocument": document.identifier})
    time.sleep(0.3)


def scanning(client: LanguageClient, folder: Path) -> None:
    script = folder / "project" / "a.mlir"
    script.write_text(LIBRARY, encoding="utf-8")
    Document(client, script.as_uri(), LIBRARY).open()
    time.sleep(0.5)


def by_signal(client: LanguageClient, number: signal.Signals) -> int:
    client.process.send_signal(number)
    return 128 + number


def terminate(client: LanguageClient) -> int:
    return by_signal(client, signal.SIGTERM)


def interrupt(client: LanguageClient) -> int:
    return by_signal(client, signal.SIGINT)


def close_input(client: LanguageClient) -> int:
    assert client.process.stdin is not None
    client.process.stdin.close()
    return 1


def initialize(client: LanguageClient, folder: Path, *, sources: int) -> None:
    """Let the client open a project with so many files of definitions."""
    for number in range(sources):
        (folder / "project" / f"Ops{number}.td").write_text(TABLEGEN, encoding="utf-8")
    (folder / "project" / ".git").mkdir()
    workspace = [{"uri": (folder / "project").as_uri(), "name": "project"}]
    client.initialize(CAPABILITIES, workspaceFolders=workspace)


ACTIVITIES = (idle, checking, reading_a_huge_operation, scanning)
ENDS = [
    *((terminate, activity) for activity in ACTIVITIES),
    (interrupt, idle),
    (close_input, idle),
    (close_input, checking),
    *(pytest.param(interrupt, activity, marks=pytest.mark.sample) for activity in ACTIVITIES[1:]),
    *(pytest.param(close_input, activity, marks=pytest.mark.sample) for activity in ACTIVITIES[2:]),
]


@pytest.mark.parametrize(("end", "activity"), ENDS)
def test_nothing_stays(
    client: LanguageClient,
    folder: Path,
    activity: Callable[[LanguageClient, Path], None],
    end: Callable[[LanguageClient], int],
) -> None:
    initialize(client, folder, sources=20 if activity is scanning else 0)
    activity(client, folder)
    started = descendants(client.process.pid)
    status = end(client)
    assert client.process.wait(SOON) in {status, 143 if end is close_input else status}
    assert eventually(lambda: not any(map(is_alive, started)))
    assert list((folder / "temporary").iterdir()) == []
    client.wait_for_errors()
    assert b"Traceback" not in client.stderr
    assert b"leaked" not in client.stderr


@pytest.mark.parametrize("end", [terminate, pytest.param(interrupt, marks=pytest.mark.sample), close_input])
def test_no_run_stays(client: LanguageClient, folder: Path, end: Callable[[LanguageClient], int]) -> None:
    require_bindings()
    client.initialize(CAPABILITIES)
    document = Document(client, "file:///tests/endless.mlir", doubling(60))
    document.open()
    client.request("workspace/executeCommand", {"command": "tdls.run", "arguments": [{"uri": document.uri}]})
    assert eventually(lambda: len(list((folder / "temporary").glob("tdls-*/tdls-*"))) > 0)
    started = descendants(client.process.pid)
    end(client)
    client.process.wait(SOON)
    assert eventually(lambda: not any(map(is_alive, started)))
    assert list((folder / "temporary").iterdir()) == []
    client.wait_for_errors()
    assert b"Traceback" not in client.stderr


def test_a_server_that_is_killed_says_nothing(client: LanguageClient, folder: Path) -> None:
    initialize(client, folder, sources=20)
    scanning(client, folder)
    assert eventually(
        lambda: any("resource_tracker" in command_of(process) for process in descendants(client.process.pid))
    )
    started = descendants(client.process.pid)
    client.process.kill()
    client.process.wait(SOON)
    assert eventually(lambda: not any(map(is_alive, started)))
    client.wait_for_errors()
    assert client.stderr == b""


DYING_PARENT = """
import os, signal
from multiprocessing import popen_spawn_posix
from tdls.processes import spawn_context

if __name__ == "__main__":
    context = spawn_context()
    start = popen_spawn_posix.util.spawnv_passfds
    def start_and_die(*given):
        start(*given)
        if any("spawn_main" in str(one) for one in given[1]):
            os.kill(os.getpid(), signal.SIGKILL)
    popen_spawn_posix.util.spawnv_passfds = start_and_die
    context.Process(target=print).start()
"""


def test_a_process_whose_parent_is_killed_while_it_starts_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "parent.py").write_text(DYING_PARENT, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "parent.py"], capture_output=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert done.stderr == b""


SLOW_END = """
import multiprocessing, time
from tdls.processes import end_this_process
semaphore = multiprocessing.get_context("spawn").Semaphore()
end_this_process(3, lambda: time.sleep(60))
"""


def test_shared_resources_are_released_before_slow_steps() -> None:
    done = subprocess.run([sys.executable, "-c", SLOW_END], capture_output=True, check=False, timeout=60)
    assert done.returncode == 3
    assert done.stderr == b""


FAILING_THREAD = """
import threading
from tdls.processes import end_this_process
is_ending = threading.Event()
def work():
    is_ending.wait()
    raise OSError("the other end is gone")
thread = threading.Thread(target=work)
thread.start()
def close():
    is_ending.set()
    thread.join()
end_this_process(3, close)
"""


def test_work_that_fails_for_the_end_says_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", FAILING_THREAD], capture_output=True, check=False, timeout=60)
    assert done.returncode == 3
    assert done.stderr == b""


LOCKED_END = """
import re
from tdls.processes import end_this_process
end_this_process(3, lambda: re.match("(a*)*b", "a" * 60))
"""


def test_an_end_in_which_no_thread_runs_has_a_limit() -> None:
    done = subprocess.run([sys.executable, "-c", LOCKED_END], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (1, b"")


def test_the_server_ends_with_its_client(folder: Path) -> None:
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with LanguageClient(SERVER, folder=folder) as client:
        client.initialize(CAPABILITIES, processId=editor.pid)
        client.call("tdls/status", {})
        editor.communicate(b"\n")
        assert client.process.wait(SOON) == 143
    with LanguageClient(SERVER, folder=folder) as client:
        client.initialize(CAPABILITIES, processId=editor.pid)  # that of a client in another container, say
        assert client.shut_down() == 0


def test_unread_output_ends_the_server(folder: Path) -> None:
    server = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
    assert server.stdout is not None
    server.stdout.close()
    assert server.wait(SOON) in {1, 143}
    assert server.stdin is not None
    server.stdin.close()
    assert server.stderr is not None
    assert b"Traceback" not in server.stderr.read()
    server.stderr.close()
