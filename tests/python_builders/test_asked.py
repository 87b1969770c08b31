"""Effects of operations that are defined in Python, asked of the registered operations."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from command_line import tdls
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


def test_an_editor_asks_once_it_trusts_the_workspace(tmp_path: Path) -> None:
    require_bindings()
    written(tmp_path, {**files(), "tdls.toml": "", "script.mlir": SCRIPT})
    with Workbench(more={"workspace": {"configuration": True}}, folders=[tmp_path]) as bench:
        script = bench.open(SCRIPT, uri=(tmp_path / "script.mlir").as_uri())
        bench.assert_clean(script)
        bench.configure({"trust-workspace": True})
        bench.wait_for_finding(script, "was consumed by `ways.slice_object`")
