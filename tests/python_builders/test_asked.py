"""Effects of operations that are defined in Python, asked of the registered operations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from command_line import STARTED, tdls
from lsp.workbench import Workbench
from python_builders.effect_ways import PACKAGE, WAYS, files
from tdls.catalogue.catalogue import Catalogue
from tdls.python_builders.builder import build
from tdls.python_builders.model import BuildRequest
from tdls.python_builders.registered import registered_definitions
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.catalogue.model import OperationDefinition

UNKNOWN = "unknown"


def effects(operation: OperationDefinition) -> list[str]:
    """Return the effects on operands, results and payload, as a way has them."""
    operands, results = operation.operands, operation.results
    found = [*(value.effect for value in operands), *(value.effect for value in results)]
    return [*(effect.value for effect in found), operation.payload_effect.value]


def written(folder: Path, texts: dict[str, str]) -> list[str]:
    """Write a project, and return the paths of its files."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return [str(folder / path) for path in texts]


def test_registered_operations_know_all_ways(tmp_path: Path) -> None:
    require_bindings()
    paths = written(tmp_path, files())
    result = build(BuildRequest("", str(tmp_path), sys.executable, tuple(paths), only_asks=True))
    known = {each.name: each for each in registered_definitions(Catalogue.shipped(), result.operations)}
    found = {way.name: " ".join(effects(known[way.operation])) for way in WAYS if way.operation in known}
    assert found == {way.name: way.effects for way in WAYS if UNKNOWN not in way.effects}
    problems = {each.name: each.problem for each in result.operations if each.problem}
    assert problems[f"{PACKAGE}.attribute"] == "its effects depend on its attributes"


SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %made = "ways.slice_object"(%root) : (!transform.any_op) -> !transform.any_op
    transform.annotate %root "stale" : !transform.any_op
    transform.yield
  }
}
"""
MARK = "import pathlib\npathlib.Path(__file__).with_name('mark').touch()\n"
THREAD = "import threading, time\nthreading.Thread(target=time.sleep, args=[20]).start()\n"
FORK = "import os, time\nif os.fork() == 0:\n    time.sleep(20)\n    os._exit(0)\n"
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


@pytest.mark.parametrize("left", ["", THREAD, pytest.param(FORK, marks=needs_fork)], ids=["", "thread", "fork"])
def test_text_scripts_have_the_effects_of_registered_operations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    require_bindings()
    variables = {"TDLS_DATA_DIR": str(tmp_path / "data"), "TDLS_CACHE_DIR": str(tmp_path / "cache")}
    for name, value in {**variables, "TDLS_UNCONFINED": "1"}.items():  # a confined program could not leave its mark
        monkeypatch.setenv(name, value)
    project, mark = tmp_path / "project", tmp_path / "project" / PACKAGE / "mark"
    texts = files()
    texts[f"{PACKAGE}/shared.py"] += MARK + left
    project.mkdir()
    written(project, {**texts, "tdls.toml": "[run]\ntimeout = 10\n", "script.mlir": SCRIPT})
    checks = [("--check", "script.mlir"), *[("--check", "script.mlir", "--trust-workspace")] * 2]
    imported = []
    for command in checks:
        found = tdls(*command, folder=project)
        imported.append(("use-after-free" in found.stdout, mark.exists()))
        mark.unlink(missing_ok=True)
    assert imported == [(False, False), (True, True), (True, False)]
    shown = [
        json.loads(tdls("catalogue", "show", name, "--format", "json", *trust, folder=project).stdout)["effects"]
        for name, trust in (("ways.loop", ()), ("ways.loop", ("--trust-workspace",)), ("transform.annotate", ()))
    ]
    assert shown == ["unknown", "asked", "text"]


RAISES = 'raise RuntimeError("boom \\x1b[32m \\u202e\\n::error file=x::injected\\r##[error]")\n'


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_module_raises_is_shown_as_text(tmp_path: Path, jobs: str) -> None:
    require_bindings()
    project = tmp_path / "project \x1b[31m"
    project.mkdir()
    texts = files()
    texts[f"{PACKAGE}/shared.py"] += RAISES
    written(project, {**texts, "tdls.toml": "", "a.mlir": SCRIPT, "b.mlir": SCRIPT * 200})
    variables = {"TDLS_DATA_DIR": str(tmp_path / "data"), "TDLS_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "tdls", "--check", ".", "--trust-workspace", "--jobs", jobs]
    for _ in range(2):  # also by the cache
        done = subprocess.run(
            command, cwd=project, env={**os.environ, **variables}, capture_output=True, encoding="utf-8", check=False
        )
        (line,) = {line for line in done.stderr.splitlines() if "boom" in line}
        assert line.startswith("warning: the operations of ")
        assert not {"\x1b", "\u202e", "\r"} & set(done.stderr + done.stdout)
        assert not any(each.startswith(("::", "##[")) for each in (done.stderr + done.stdout).splitlines())


def test_a_module_that_hangs_is_waited_for_once(tmp_path: Path) -> None:
    require_bindings()
    variables = {"DATA_DIR": str(tmp_path / "data"), "CACHE_DIR": str(tmp_path / "cache"), "UNCONFINED": "1"}
    environment = {**os.environ, **{f"TDLS_{name}": value for name, value in variables.items()}}
    project = tmp_path / "project"
    project.mkdir()
    texts = files()
    texts[f"{PACKAGE}/shared.py"] += f"{MARK}while True: pass\n"
    written(project, {**texts, "tdls.toml": "[run]\ntimeout = 5\n", "script.mlir": SCRIPT})
    mark, imported = project / PACKAGE / "mark", []
    for timeout in (5, 5, 6):
        command = [*STARTED, "--check", "script.mlir", "--trust-workspace", "--config", f"run.timeout={timeout}"]
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, encoding="utf-8", check=False)
        assert "were not asked" in done.stderr, done
        imported.append(mark.exists())
        mark.unlink(missing_ok=True)
    assert imported == [True, False, True]


def test_an_editor_asks_once_it_trusts_the_workspace(tmp_path: Path) -> None:
    require_bindings()
    written(tmp_path, {**files(), "tdls.toml": "", "script.mlir": SCRIPT})
    with Workbench(more={"workspace": {"configuration": True}}, folders=[tmp_path]) as bench:
        script = bench.open(SCRIPT, uri=(tmp_path / "script.mlir").as_uri())
        bench.assert_clean(script)
        bench.configure({"trust-workspace": True})
        bench.wait_for_finding(script, "was consumed by `ways.slice_object`")
