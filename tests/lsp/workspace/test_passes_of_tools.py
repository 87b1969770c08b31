"""The server requests the registered passes of the tool that runs scripts, once the user has allowed it."""

from __future__ import annotations

import stat
import sys
from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually

if TYPE_CHECKING:
    from pathlib import Path

    from rpc.client import Json

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the tool is a shell script")
TELLS: Json = {"workspace": {"configuration": True}}
SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.apply_registered_pass "my-fuse" to %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "my-fusion" to %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""
TOOL = """#!/bin/sh
echo "OPTIONS:"
echo "  Compiler passes to run"
echo "    Passes:"
echo "      --my-fuse              -   Fuse whatever fits"
echo "        --depth=<uint>       - How far"
"""
LACKING = "`my-opt`, which runs scripts here, has no pass `my-fusion`"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose settings name a tool that prints help."""
    monkeypatch.setenv("TDLS_DATA_DIR", str(tmp_path / "data"))
    folder = tmp_path / "project"
    folder.mkdir()
    folder.joinpath("tdls.toml").write_text('[run]\nbackend = "./my-opt"\n', encoding="utf-8")
    tool = folder / "my-opt"
    tool.write_text(TOOL, encoding="utf-8")
    tool.chmod(stat.S_IRWXU)
    (folder / "a.mlir").write_text(SCRIPT, encoding="utf-8")
    return folder


def test_names_of_passes_are_those_of_the_tool(project: Path) -> None:
    trust = {"tdls": {"trust-workspace": True}}
    with Workbench(more=TELLS, folders=[project], options=trust) as bench:
        document = bench.open(SCRIPT, uri=(project / "a.mlir").as_uri())
        found = bench.wait_for_finding(document, LACKING)
        assert (found["code"], found["severity"]) == ("unknown-pass", 2)
        offset = SCRIPT.index("my-fuse") + 2
        hover = bench.client.call("textDocument/hover", document.at(offset))
        assert "Fuse whatever fits" in hover["contents"]["value"]
        assert "depth" in hover["contents"]["value"]
        assert hover["contents"]["value"].endswith("my-opt")


def test_the_tool_is_started_once_it_is_allowed(project: Path) -> None:
    with Workbench(more=TELLS, folders=[project]) as bench:
        document = bench.open(SCRIPT, uri=(project / "a.mlir").as_uri())
        bench.assert_clean(document)
        bench.configure({"trust-workspace": True})
        bench.wait_for_finding(document, LACKING)


def test_a_rebuilt_tool_is_started_again(project: Path) -> None:
    trust = {"tdls": {"trust-workspace": True}}
    with Workbench(more=TELLS, folders=[project], options=trust) as bench:
        document = bench.open(SCRIPT, uri=(project / "a.mlir").as_uri())
        bench.wait_for_finding(document, LACKING)
        (project / "my-opt").write_text(TOOL.replace("--my-fuse", "--my-fusion"), encoding="utf-8")
        bench.client.notify("textDocument/didSave", {"textDocument": {"uri": document.uri}})
        bench.wait_for_finding(document, "`my-opt`, which runs scripts here, has no pass `my-fuse`")
        assert eventually(lambda: len(bench.inbox.newest(document) or []) == 1)
