"""No command of tdls imports a module that lies in a repository by accident."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import tdls.system
from rpc.client import LanguageClient
from rpc.document import Document, Inbox
from tdls.processes import spawn_context
from tools_at_hand import require_bindings, require_module

SCRIPT = """module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) { transform.yield }
}
"""
NAMES = (
    *("torch_mlir", "mlir", "iree", "tdls", "json", "encodings", "sitecustomize", "usercustomize", "site", "pickle"),
    *("signal", "struct", "random", "socket", "selectors", "logging", "lark", "click", "pathlib", "tempfile", "queue"),
    *(
        "platformdirs",
        "cattrs",
        "tomllib",
        "subprocess",
        "multiprocessing",
        "concurrent",
        "ctypes",
        "typing",
    ),
)
MARK = Path("imported")
OWN = Path(sysconfig.get_path("scripts"), "tdls.exe" if sys.platform == "win32" else "tdls")


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with modules that leave a mark, and with more scripts than one process checks."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TDLS_UNCONFINED", "1")  # a mark could not be left otherwise
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    for name in NAMES:
        Path(f"{name}.py").write_text(f"open({str(MARK.absolute())!r}, 'a').write({name!r} + ' ')\n", encoding="utf-8")
    for number in range(40):
        Path(f"s{number}.mlir").write_text(f"{SCRIPT}//{' ' * 10_000}\n", encoding="utf-8")
    return tmp_path


def imported() -> str:
    return MARK.read_text(encoding="utf-8") if MARK.exists() else ""


COMMANDS = {
    "check": ("--check", "--jobs", "2", "--no-cache", "."),
    "run": ("run", "s1.mlir"),
    "check --run": ("--check", "--run", "--no-cache", "s1.mlir"),
    "doctor": ("doctor",),
    "sources": ("catalogue", "sources"),
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_commands_import_nothing_of_the_current_folder(arguments: tuple[str, ...]) -> None:
    require_bindings()
    done = subprocess.run([OWN, *arguments], capture_output=True, check=False, encoding="utf-8")
    assert imported() == ""
    assert done.returncode in (0, 1), done.stderr


def test_a_server_imports_nothing_of_the_current_folder(repository: Path) -> None:
    require_bindings()
    with LanguageClient([str(OWN), "server"], folder=repository) as client:
        Inbox(client)
        client.initialize({}, rootUri=repository.as_uri())
        document = Document(client, (repository / "s1.mlir").as_uri(), SCRIPT)
        document.open()
        argument = {"uri": document.uri, "show": False}
        command = {"command": "tdls.run", "arguments": [argument]}
        outcome = client.call("workspace/executeCommand", command, timeout=60)
        assert outcome["status"] == "success"
        assert client.shut_down(30) == 0
    assert imported() == ""


def test_as_a_module_tdls_forgets_the_current_folder() -> None:
    for name in ("tdls", "typing"):  # Python itself looks for these there before tdls begins
        Path(f"{name}.py").unlink()
    done = subprocess.run([sys.executable, "-m", "tdls", "run", "s1.mlir"], capture_output=True, check=False)
    assert imported() == ""
    assert done.returncode == 0, done.stderr


def test_processes_that_help_import_nothing_of_the_current_folder() -> None:
    process = spawn_context().Process(target=os.getpid)
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert imported() == ""


def test_as_a_tool_of_assistants_too(repository: Path) -> None:
    require_module("mcp")
    first = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    check = {"name": "check", "arguments": {"path": "s1.mlir"}}
    with subprocess.Popen([OWN, "mcp"], cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for number, method, params in ((1, "initialize", first), (2, "tools/call", check)):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            assert b'"result"' in server.stdout.readline()
    assert imported() == ""


STARTS = re.compile(
    r"subprocess\.\w+|os\.(?:system|popen|startfile|exec\w+|(?:posix_)?spawn\w*)|asyncio\.create_subprocess\w+"
)
POOLS = re.compile(r"multiprocessing\.(?:Process|Pool|Manager|get_context)")
MAY_START = re.compile(r".*/(?:files/git|interpreter/confinement/\w+)\.py")
"""Starts programs that the user installed, and confined ones, whose Python is isolated by its arguments."""


def test_nothing_else_starts_a_python() -> None:
    """`spawn_context` and `WorkerProcess` start Python so that it looks for no modules in the current folder."""
    for file in Path(tdls.system.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            place = f"{file}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert not STARTS.fullmatch(called) or MAY_START.fullmatch(file.as_posix()), place
                assert not POOLS.fullmatch(called) or file.name == "processes.py", place
                assert called != "ProcessPoolExecutor" or "context" in ast.unparse(node), place
            elif (
                isinstance(node, (ast.List, ast.Tuple)) and node.elts and ast.unparse(node.elts[0]) == "sys.executable"
            ):
                assert ast.unparse(node.elts[1]) == "'-I'", place
