"""Real editors, set up as the documentation says, see a stale handle, hover, complete and rename."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from editors.documentation import snippet
from tools_at_hand import require_editor

DRIVERS = Path(__file__).parent / "drivers"
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "stale_handle.mlir"
STALE_LINE = 8
TIMEOUT = 120

RUNNING = """\
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""
Report = dict[str, Any]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    copy = tmp_path / "stale_handle.mlir"
    copy.write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    return copy


def drive(command: list[str], script: Path) -> Report:
    """Run an editor at home in the script's folder and return what its driver reports."""
    home = script.parent
    report = home / "report.json"
    tdls = Path(sys.executable).parent
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "PATH": f"{tdls}{os.pathsep}{os.environ['PATH']}",
        "TERM": "dumb",
        "TDLS_TEST_FILE": str(script),
        "TDLS_TEST_REPORT": str(report),
    }
    done = subprocess.run(
        command, cwd=home, env=environment, capture_output=True, encoding="utf-8", timeout=TIMEOUT, check=False
    )
    assert report.is_file(), f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    outcome: Report = json.loads(report.read_text(encoding="utf-8"))
    assert "problem" not in outcome, (outcome, done.stdout, done.stderr)
    return outcome


def check(outcome: Report) -> None:
    assert [finding["line"] for finding in outcome["diagnostics"]] == [STALE_LINE]
    assert "was consumed by" in outcome["diagnostics"][0]["message"]
    assert "tile_using_for" in outcome["hover"]
    assert any("transform.loop.unroll" in word for word in outcome["completion"]), outcome["completion"]
    assert "\n".join(outcome["renamed"]).strip() == renamed_example().strip()


def renamed_example() -> str:
    """The example with another name for the argument of the first sequence, and only there."""
    comment, sequence, rest = re.split(
        r"(?=@tile_and_unroll\(|transform.yield\n)", EXAMPLE.read_text(encoding="utf-8"), maxsplit=2
    )
    return comment + sequence.replace("%matmul", "%product") + rest


def test_neovim(script: Path) -> None:
    neovim = require_editor("nvim", "neovim")
    settings = script.parent / "init.lua"
    settings.write_text(snippet("0.7 to 0.10", "lua"), encoding="utf-8")
    driver = f"luafile {DRIVERS / 'neovim.lua'}"
    outcome = drive([str(neovim), "--headless", "-n", "-u", str(settings), str(script), "-c", driver], script)
    check(outcome)


def test_neovim_shows_the_transformed_payload(script: Path) -> None:
    neovim = require_editor("nvim", "neovim")
    settings = script.parent / "init.lua"
    client = snippet("0.7 to 0.10", "lua")
    assert client.count('name = "tdls",') == 1
    client = client.replace('name = "tdls",', 'name = "tdls", capabilities = tdls_capabilities,')
    settings.write_text(snippet("Runs in Neovim", "lua") + client, encoding="utf-8")
    script.write_text(RUNNING, encoding="utf-8")
    driver = f"luafile {DRIVERS / 'neovim_runs.lua'}"
    outcome = drive([str(neovim), "--headless", "-n", "-u", str(settings), str(script), "-c", driver], script)
    assert outcome["lenses"][0] == "\N{BLACK RIGHT-POINTING TRIANGLE} Run"
    shown = "\n".join(outcome["payload"])
    assert "scf.for" in shown
    assert "transform." not in shown
    assert not outcome["modifiable"]
    assert "%c4 = arith.constant 4" in shown
    assert "%c2 = arith.constant 2" in "\n".join(outcome["refreshed"])
    assert outcome["windows"] == 2
    assert "linalg.matmul ins" in RUNNING.split("\n")[outcome["declared"] - 1]


def test_emacs(script: Path) -> None:
    emacs = require_editor("emacs", "emacs-nox, elpa-eglot")
    settings = script.parent / "init.el"
    settings.write_text(snippet("Emacs", "elisp"), encoding="utf-8")
    start = ["--batch", "--eval", "(package-initialize)", "-l", str(settings), "-l", str(DRIVERS / "emacs.el")]
    check(drive([str(emacs), *start], script))
