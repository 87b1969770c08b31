"""Scripts, set-up modules of a project and tools can read and change next to nothing of the system they run on."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import MATCH, TILE, doubling, run, sequence
from processes import descendants, is_alive
from rpc.answers import eventually
from tdls.interpreter.backend import open_backend
from tdls.interpreter.confinement import calls, confinement, linux
from tdls.interpreter.confinement.confinement import (
    PASSED,
    Confinement,
    Means,
    Protection,
    needed_programs,
    protection,
    reduced_environment,
    start_confined,
    tried_confinement,
)
from tdls.interpreter.confinement.watch import within_processor_time
from tdls.interpreter.errors import BackendError
from tdls.interpreter.runs.model import Status
from tdls.settings.model import BackendChoice, SetupStep
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

confined = pytest.mark.skipif(not protection().confines, reason="this system cannot confine processes")
landlocked = pytest.mark.skipif(protection().means is not Means.LANDLOCK, reason="this system has no Landlock")
SECRET = "do-not-tell-anybody"
OTHERS = "what somebody else wrote"


def all_words(result: RunResult) -> str:
    said = [words.message for diagnostic in result.diagnostics for words in (diagnostic, *diagnostic.notes)]
    return "\n".join([result.printed, result.console, result.detail, *said])


def writing(path: str) -> str:
    """Return a script that has a pass write to `path`."""
    return sequence(
        '    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op\n'
        '    %0 = transform.apply_registered_pass "snapshot-op-locations" with options = '
        f'{{"filename" = "{path}"}} to %f : (!transform.any_op) -> !transform.any_op\n'
    )


@confined
@pytest.mark.parametrize("name", ["new.txt", "old.txt", "link.txt", "folder/new.txt"])
def test_scripts_write_no_file(backend: Backend, name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "old.txt").write_text(OTHERS, encoding="utf-8")
    (tmp_path / "link.txt").symlink_to(tmp_path / "old.txt")
    result = run(backend, writing(str(tmp_path / name)))
    assert result.status is Status.FAILURE
    assert "cannot open output file" in all_words(result)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "link.txt", "old.txt"]
    assert (tmp_path / "old.txt").read_text(encoding="utf-8") == OTHERS


@confined
@pytest.mark.parametrize("name", ["new.txt", "nowhere/new.txt"])
def test_refused_writes_of_a_script_are_explained(
    backend: Backend, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = writing(str(tmp_path / name))
    (note,) = [
        note
        for diagnostic in run(backend, text).diagnostics
        for note in diagnostic.notes
        if "How runs are" in note.message
    ]
    assert note.message == (
        "a run writes to nothing but its temporary folder: docs/security.md, 'How runs are confined'"
    )
    assert "\n### How runs are confined\n" in SECURITY.read_text(encoding="utf-8")
    monkeypatch.setattr("tdls.interpreter.output.permission_errors.protection", lambda: Protection(Means.WAIVED))
    assert "How runs are" not in all_words(run(backend, text))


@confined
def test_scripts_write_no_file_next_to_themselves(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(backend, writing("here.txt")).status is Status.FAILURE
    assert list(tmp_path.iterdir()) == []


@confined
def test_scripts_may_write_to_nothing_at_all(backend: Backend) -> None:
    assert run(backend, writing(os.devnull)).status is Status.SUCCESS


@landlocked
def test_scripts_start_no_program(tool: Backend, tmp_path: Path) -> None:
    """The pass looks for an assembler in the folder that its option names, and starts it."""
    for name in ("ptxas", "fatbinary"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho {SECRET} >&2\nexit 1\n", encoding="utf-8")
        program.chmod(0o755)
    payload = (
        "  module attributes {gpu.container_module} {\n"
        '    gpu.module @k [#nvvm.target<chip = "sm_70">] {\n'
        "      llvm.func @f() attributes {nvvm.kernel} { llvm.return }\n    }\n  }\n"
    )
    script = (
        '    %k = transform.structured.match ops{["gpu.module"]} in %root : (!transform.any_op) -> !transform.any_op\n'
        "    %m = transform.get_parent_op %k : (!transform.any_op) -> !transform.any_op\n"
        '    %0 = transform.apply_registered_pass "gpu-module-to-binary" with options = '
        f'{{"toolkit" = "{tmp_path}", "format" = "bin"}} to %m : (!transform.any_op) -> !transform.any_op\n'
    )
    result = run(tool, sequence(script, payload))
    assert result.status is Status.FAILURE
    assert SECRET not in all_words(result)


STARTER = """
import sys, time
from tdls.interpreter.confinement.confinement import Confinement
from tdls.interpreter.confinement.confinement import start_confined

print(start_confined(sys.argv[2:], Confinement((sys.argv[1],))).pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only; docs/security.md says what holds elsewhere")
@pytest.mark.parametrize("waived", ["0", "1"])
def test_started_programs_end_with_tdls_even_if_that_is_killed(
    tmp_path: Path, waived: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TDLS_UNCONFINED", waived)
    command = [sys.executable, "-c", STARTER, str(tmp_path), "/bin/sleep", "600"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        started = int(starter.stdout.readline())
        time.sleep(0.2)
        assert is_alive(started)
        starter.kill()
        starter.wait()
    assert eventually(lambda: not is_alive(started))


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only; docs/security.md says what holds elsewhere")
def test_a_run_of_a_worker_ends_with_tdls_even_if_that_is_killed(tmp_path: Path) -> None:
    """Everything is killed at once: no process is left to end the others."""
    require_bindings()
    (tmp_path / "endless.mlir").write_text(doubling(60), encoding="utf-8")
    command = [sys.executable, "-m", "tdls", "run", "--backend", "bindings:torch_mlir", "endless.mlir"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run_by_hand:
        assert eventually(lambda: len(descendants(run_by_hand.pid)) > 1)
        started = descendants(run_by_hand.pid)
        run_by_hand.kill()
        run_by_hand.wait()
    assert eventually(lambda: not any(map(is_alive, started)))


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell of POSIX")
def test_the_time_limit_ends_a_tool() -> None:
    endless = [sys.executable, "-c", "while True: pass"]
    done = subprocess.run(within_processor_time(endless, 0), check=False, timeout=60)
    assert done.returncode in {-signal.SIGXCPU, -signal.SIGKILL}
    fine = [sys.executable, "-c", "import sys; sys.exit(len(sys.argv[1]))", "a b"]
    assert subprocess.run(within_processor_time(fine, 60), check=False).returncode == len("a b")


def printed_by_setup(folder: Path, code: str) -> str:
    """Return the values that `code` puts into ``told``, in a set-up module that runs before scripts."""
    require_bindings()
    source = f"told = []\n{code}\nraise RuntimeError(' '.join(map(str, told)))\n"
    (folder / "telling_setup.py").write_text(source, encoding="utf-8")
    backend = open_backend(BackendChoice("bindings:torch_mlir", setup=(SetupStep(folder, "telling_setup"),)))
    try:
        with pytest.raises(BackendError) as raised:
            run(backend, sequence(MATCH))
    finally:
        backend.close()
    return str(raised.value)


SECURITY = Path(__file__).parents[3] / "docs" / "security.md"
ATTEMPT = """
def attempt(name, work):
    try:
        work()
        told.append(name)
    except OSError:
        pass
"""


@confined
def test_code_of_a_project_writes_to_its_own_folder_only(tmp_path: Path) -> None:
    code = f"""{ATTEMPT}
import os, pathlib, tempfile
attempt("temporary", lambda: tempfile.NamedTemporaryFile().write(b"x"))
attempt("beside", lambda: pathlib.Path({str(tmp_path / "beside")!r}).write_text("x"))
attempt("home", lambda: (pathlib.Path.home() / ".tdls-test").touch())
attempt("folder", lambda: os.mkdir({str(tmp_path / "made")!r}))
attempt("removed", lambda: os.remove(__file__))
attempt("moved", lambda: os.rename(__file__, tempfile.gettempdir() + "/moved"))
attempt("linked", lambda: os.link(__file__, tempfile.gettempdir() + "/linked"))
attempt("emptied", lambda: os.truncate(__file__, 0))
"""
    assert printed_by_setup(tmp_path, code).endswith("RuntimeError: temporary")
    assert [path.name for path in tmp_path.iterdir()] == ["telling_setup.py"]


@landlocked
def test_code_of_a_project_reaches_no_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", SECRET)
    code = f"""{ATTEMPT}
import os, pathlib, subprocess
attempt("started", lambda: subprocess.run(["/bin/sh", "-c", "true"]))
attempt("looked", lambda: pathlib.Path(f"/proc/{{os.getppid()}}/environ").read_bytes())
{'attempt("signalled", lambda: os.kill(os.getppid(), 0))' if linux.version() >= 6 else ""}
"""
    assert printed_by_setup(tmp_path, code).endswith("RuntimeError: ")


listed = pytest.mark.skipif(not protection().filters_calls, reason="system calls are not limited to a list")


@listed
def test_code_of_a_project_changes_no_attributes_of_files(tmp_path: Path) -> None:
    """Programs that copy files set modes and times in their own folder, too, and do not fail over that."""
    victim = tmp_path / "victim"
    victim.write_text(OTHERS, encoding="utf-8")
    before = victim.stat()
    code = f"""{ATTEMPT}
import fcntl, os, pathlib, shutil, tempfile
os.chmod({str(victim)!r}, 0)
os.chown({str(victim)!r}, 1, 1)
os.utime({str(victim)!r}, (1, 1))
attempt("touched", lambda: os.utime({str(victim)!r}))
attempt("marked", lambda: os.setxattr({str(victim)!r}, "user.x", b"y"))
attempt("flagged", lambda: fcntl.ioctl(os.open({str(victim)!r}, os.O_RDONLY), 0x40086602, b"\\x80" + bytes(7)))
own = pathlib.Path(tempfile.gettempdir())
(own / "new").touch()
shutil.copy2(own / "new", own / "copy")
told.extend(sorted(path.name for path in own.iterdir() if path.name in ("new", "copy")))
"""
    assert printed_by_setup(tmp_path, code).endswith("RuntimeError: copy new")
    assert victim.stat() == before


@listed
def test_code_of_a_project_has_the_listed_system_calls_only(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "listener"))
        code = f"""{ATTEMPT}
import ctypes, os, pathlib, signal, socket, time
library = ctypes.CDLL(None)
if library.shmget(0, 4096, 0o1600) >= 0:
    told.append("shared memory")
if library.msgget(0, 0o1600) >= 0:
    told.append("messages")
if library.unshare(0x10000000) == 0:
    told.append("a user namespace")
attempt("the clock", lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))
attempt("affinity", lambda: os.sched_setaffinity(os.getppid(), [0]))
attempt("datagrams", lambda: socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b"x", {str(tmp_path / "listener")!r}))
status = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
told.extend(int(status[name], 16) for name in ("CapEff", "CapPrm", "CapInh"))
"""
        assert printed_by_setup(tmp_path, code).endswith("RuntimeError: 0 0 0")


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
@pytest.mark.parametrize(
    ("machine", "header"),
    [("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), ("aarch64", "/usr/include/asm-generic/unistd.h")],
)
def test_numbers_of_system_calls_are_those_of_the_kernel(machine: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"there is no {header}")
    text = Path(header).read_text(encoding="utf-8")
    kernel = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    numbers = calls.call_numbers(machine)
    assert len(set(numbers.values())) == len(numbers)
    differing = {name for name, number in numbers.items() if kernel.get(name, number) != number}
    assert not differing


@confined
def test_code_of_a_project_has_no_network(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        code = f"""{ATTEMPT}
import socket
attempt("tcp", lambda: socket.create_connection({listener.getsockname()!r}, 5))
attempt("listening", lambda: socket.create_server(("127.0.0.1", 0)))
"""
        if protection().filters_calls:
            code += 'attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))\n'
            code += 'attempt("local", lambda: socket.socket(socket.AF_UNIX))\n'
            code += 'left, right = socket.socketpair()\nleft.send(b"x")\ntold.append(right.recv(1))\n'
        told = printed_by_setup(tmp_path, code)
        assert told.endswith("b'x'" if protection().filters_calls else "RuntimeError: ")
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "PIP_INDEX_URL", "MY_PATH"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


DUMP = "import os; told.extend(f'{name}={value}' for name, value in os.environ.items())"


@pytest.mark.usefixtures("secrets")
def test_bindings_see_no_secrets(tmp_path: Path) -> None:
    told = printed_by_setup(tmp_path, DUMP)
    assert SECRET not in told
    assert "LC_ALL=C.UTF-8" in told
    assert "PATH=" in told


@pytest.mark.usefixtures("secrets")
def test_tools_see_no_secrets(tmp_path: Path) -> None:
    source = "import os, sys\nsys.stderr.write(repr(dict(os.environ)))\nsys.exit(1)\n"
    (tmp_path / "dump.py").write_text(source, encoding="utf-8")
    backend = open_backend(BackendChoice(f'{sys.executable} "{tmp_path / "dump.py"}"'))
    said = all_words(run(backend, sequence(MATCH)))
    assert "'PATH': " in said
    assert SECRET not in said


def test_inherited_environment_variables_are_documented() -> None:
    text = SECURITY.read_text(encoding="utf-8").replace("\n", " ")
    assert ", ".join(f"`{name}`" for name in PASSED) in text


def test_more_variables_are_passed_on_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SDK", "/sdk")
    monkeypatch.setenv("MY_SDK_TOKEN", SECRET)
    monkeypatch.setenv("TDLS_PASS_ENVIRONMENT", "OTHER, MY_SDK")
    passed = reduced_environment("/own")
    assert passed["MY_SDK"] == "/sdk"
    assert {passed[name] for name in ("TMPDIR", "TMP", "TEMP")} == {"/own"}
    assert SECRET not in passed.values()


@landlocked
@pytest.mark.parametrize("version", range(1, 8))
def test_older_kernels_get_fewer_restrictions(version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if version > linux.version():
        pytest.skip("the kernel is older")
    monkeypatch.setattr(linux, "version", lambda: version)
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir()
    code = "import sys; from pathlib import Path; Path(sys.argv[1]).touch(); Path(sys.argv[2]).touch()"
    command = [sys.executable, "-c", code, str(own / "a"), str(other / "a")]
    with start_confined(command, Confinement((str(own),), needed_programs(sys.executable)), stderr=-3) as process:
        assert process.wait(30) == 1
    assert [path.name for path in tmp_path.rglob("*")].count("a") == 1
    assert (own / "a").exists()


@landlocked
def test_the_thread_that_starts_a_confined_program_is_not_confined(tmp_path: Path) -> None:
    with start_confined([sys.executable, "-c", ""], Confinement((str(tmp_path / "own"),))) as process:
        assert process.wait(30) == 0
    (tmp_path / "mine").touch()
    socket.socket().close()


def test_systems_without_means_run_scripts_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, make_tool: Callable[[], Backend]
) -> None:
    monkeypatch.setenv("TDLS_UNCONFINED", "1")
    assert protection() == (Means.WAIVED, 0, False)
    backend = make_tool()
    assert run(backend, sequence(MATCH + TILE)).status is Status.SUCCESS
    assert run(backend, writing(str(tmp_path / "new.txt"))).status is Status.SUCCESS
    assert (tmp_path / "new.txt").exists()
    assert tried_confinement() == (True, True, True)


@pytest.fixture(params=["bindings", "tool"])
def make_tool(request: pytest.FixtureRequest) -> Callable[[], Backend]:
    def make() -> Backend:
        if request.param == "tool":
            return open_backend(BackendChoice(str(require_mlir_opt(22))))
        require_bindings()
        backend = open_backend(BackendChoice("bindings:torch_mlir"))
        request.addfinalizer(backend.close)
        return backend

    return make


@landlocked
def test_restrictions_are_tried() -> None:
    assert tried_confinement() == (False, False, False)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other programs")
def test_programs_and_their_loaders(tmp_path: Path) -> None:
    program, *loader = needed_programs(sys.executable) or ()
    assert program == sys.executable
    assert all(Path(path).exists() for path in loader)
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    assert needed_programs(str(script)) is None
    assert needed_programs(str(tmp_path / "missing")) is None
    whole = Path(sys.executable).read_bytes()[:4096]
    for size in (0, 3, 5, 40, 63, 100):
        script.write_bytes(whole[:size])
        assert needed_programs(str(script)) is None


def test_profiles_of_macos_quote_paths() -> None:
    command = confinement.confined(["tool", "-o", "x"], ['/a "b"'])
    assert command[-3:] == ["tool", "-o", "x"]
    assert command[0] == "/usr/bin/sandbox-exec"
    assert '(subpath "/a \\"b\\"")' in command[2]
    assert "(deny file-write*)" in command[2]
    assert "(deny network*)" in command[2]
