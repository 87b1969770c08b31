"""Output that cannot be written, processes that die, and requests to end: said, and nothing else is lost or left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import STARTED
from tdls.analysis.rules.handles import use_after_free

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals and redirections")

workers_are_patched = pytest.mark.skipif(sys.version_info < (3, 11), reason="workers of older Pythons ignore patches")
BAD = use_after_free.RULE.text.example_bad
COMMANDS = [
    "--version",
    "--help",
    "--check bad.mlir",
    "--check bad.mlir --format json",
    "--check bad.mlir --format sarif",
    "--check bad.mlir --diff --unsafe-fixes",
    "check --help",
    "versions bad.mlir",
    "parse bad.mlir",
    "parse --format json bad.mlir",
    "catalogue list",
    "catalogue show transform.print",
    "catalogue sources",
    "explain",
    "explain TD301",
    "config show",
    "config check",
    "config schema",
    "allow",
    "allow --list",
    "clean",
    "completion bash",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    Path("bad.mlir").write_text(BAD, encoding="utf-8")
    Path("tdls.toml").write_text("project.enabled = false\n", encoding="utf-8")
    return tmp_path


def shell(command: str) -> tuple[int, str]:
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_lost_output_is_an_error(command: str) -> None:
    full = f"{' '.join(STARTED)} {command} > /dev/full"
    if sys.platform == "linux":
        assert shell(full) == (2, "error: standard output cannot be written: No space left on device\n")
    status, errors = shell(f"{sys.executable} -m tdls {command} >&-")
    assert (status, errors) == (2, "error: standard output cannot be written: Bad file descriptor\n")


def test_a_reader_that_closes_the_pipe_is_not_reported() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "tdls", "catalogue", "list"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_messages_that_cannot_be_written_change_nothing() -> None:
    assert shell(f"{sys.executable} -m tdls --check /no/such/file 2>&-")[0] == 2
    assert shell(f"{sys.executable} -m tdls --check bad.mlir >/dev/null 2>&-")[0] == 1
    if sys.platform == "linux":
        assert shell(f"{sys.executable} -m tdls --check /no/such/file 2>/dev/full")[0] == 2


def test_closed_input_is_an_error() -> None:
    assert shell(f"{sys.executable} -m tdls --check - <&-") == (2, "error: -: Bad file descriptor\n")


def test_reports_are_not_written_by_halves(tmp_path: Path) -> None:
    """A check that is interrupted leaves an older report as it is, and no half of a document on standard output."""
    patch(tmp_path, "if 'worse' in target.name: raise KeyboardInterrupt")
    Path("worse.mlir").write_text(BAD, encoding="utf-8")
    report = ["--format", "json", "-o", "sarif=old.json", "--no-cache"]
    tdls(tmp_path, "--check", "bad.mlir", *report)
    old = Path("old.json").read_text(encoding="utf-8")
    done = tdls(tmp_path, "--check", "bad.mlir", "worse.mlir", *report)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")
    assert Path("old.json").read_text(encoding="utf-8") == old
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".tmp"]


@workers_are_patched
def test_a_process_that_dies_costs_one_file(tmp_path: Path) -> None:
    patch(tmp_path, "if 'killer' in target.name: os.kill(os.getpid(), 9)")
    for name in ("a", "b", "killer", "m", "n"):
        Path(f"{name}.mlir").write_text(BAD, encoding="utf-8")
    done = tdls(tmp_path, "--check", ".", "--jobs", "2", "--no-cache", "--format", "concise")
    assert done.returncode == 2
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [
        "a.mlir",
        "b.mlir",
        "bad.mlir",
        "m.mlir",
        "n.mlir",
    ]
    assert "error: while checking killer.mlir: its process was ended, by the system or a crash" in done.stderr


@workers_are_patched
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_nothing_stays_of_a_check_that_is_ended(tmp_path: Path, number: int, status: int) -> None:
    patch(tmp_path, "open(f'pid-{os.getpid()}', 'w').close(); time.sleep(100)")
    Path("worse.mlir").write_text(BAD, encoding="utf-8")
    command = [sys.executable, "-m", "tdls", "--check", ".", "--jobs", "2", "--no-cache", "-o", "out.txt"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=environment(tmp_path))
    workers = eventually_named(tmp_path, 2)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors.strip()) == (status, b"")
    assert eventually_gone(workers)
    assert not [path for path in tmp_path.iterdir() if "out.txt" in path.name]


@workers_are_patched
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux signals a process at its parent's end")
def test_workers_do_not_outlive_a_check_that_is_killed(tmp_path: Path) -> None:
    patch(tmp_path, "open(f'pid-{os.getpid()}', 'w').close(); time.sleep(100)")
    Path("worse.mlir").write_text(BAD, encoding="utf-8")
    command = [sys.executable, "-m", "tdls", "--check", ".", "--jobs", "2", "--no-cache"]
    process = subprocess.Popen(command, env=environment(tmp_path))
    workers = eventually_named(tmp_path, 2)
    process.kill()
    process.wait(30)
    assert eventually_gone(workers)


def patch(folder: Path, statement: str) -> None:
    """Let every process of tdls do something before it checks a file, its `target`."""
    Path(folder / "sitecustomize.py").write_text(
        "import os, time\n"
        "import tdls.cli.checking.file as checking, tdls.cli.checking.workers as workers\n"
        "workers._BYTES_WORTH_A_WORKER = 1\n"
        "check = checking.Checker.check\n"
        "def other(self, target):\n"
        f"    {statement}\n"
        "    return check(self, target)\n"
        "other.__qualname__, other.__module__ = check.__qualname__, check.__module__\n"
        "checking.Checker.check = other\n",
        encoding="utf-8",
    )


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def tdls(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tdls", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment(folder), timeout=60)


def eventually_named(folder: Path, count: int) -> list[int]:
    """Return the processes that `patch` let write their numbers, once there are `count` of them."""
    for _ in range(600):
        named = [int(path.name.removeprefix("pid-")) for path in folder.glob("pid-*")]
        if len(named) == count:
            return named
        time.sleep(0.05)
    raise TimeoutError


def eventually_gone(processes: list[int]) -> bool:
    for _ in range(600):
        if not any(map(is_alive, processes)):
            return True
        time.sleep(0.05)
    return False


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
