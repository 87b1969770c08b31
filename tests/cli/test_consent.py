"""Programs that a project's settings name start only with the user's consent."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import command_line
from interpreter.scripts import MATCH, TILE, sequence
from tools_at_hand import require_bindings, require_mlir_opt, require_module

if TYPE_CHECKING:
    import subprocess

SCRIPT = sequence(MATCH + TILE)
MARK = Path("was-started")
REFUSED = "which is not allowed yet; look at it, then: tdls allow "
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose settings name programs that leave a mark."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TDLS_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TDLS_UNCONFINED", "1")  # the program would not get as far as to leave its mark
    Path("a.mlir").write_text(SCRIPT, encoding="utf-8")
    Path("b.mlir").write_text(SCRIPT, encoding="utf-8")
    program("trap", f"touch {MARK.absolute()}\nexit 1")
    Path("trap.py").write_text(f"open({str(MARK.absolute())!r}, 'w')\n", encoding="utf-8")
    return folder


def program(name: str, text: str) -> None:
    Path(name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    Path(name).chmod(stat.S_IRWXU)


def tdls(*arguments: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    done = command_line.tdls(*arguments, text=answer)
    assert "mistake in tdls" not in done.stderr
    return done


SETTINGS = {
    "backend": ("tdls.toml", '[run]\nbackend = "./trap --flag"\n', 'run.backend = "./trap --flag"'),
    "python": ("tdls.toml", '[run]\npython = "./trap"\n', 'run.python = "./trap"'),
    "setup": ("tdls.toml", '[run]\nsetup = ["trap"]\n', 'run.setup = ["trap"]'),
    "a package": ("tdls.toml", '[run]\nbackend = "bindings:trap"\n', 'run.backend = "bindings:trap"'),
    "shared": ("pyproject.toml", '[tool.tdls.run]\nbackend = "./trap"\n', 'run.backend = "./trap"'),
}


@pytest.fixture(params=SETTINGS)
def setting(request: pytest.FixtureRequest) -> str:
    """The place of a setting that starts a program, and its value."""
    name, text, said = SETTINGS[request.param]
    Path(name).write_text(text, encoding="utf-8")
    line = 2 if text.count("\n") > 1 else 1
    return f"{Path(name).resolve()}:{line}: {said}"


def test_runs_are_refused(setting: str) -> None:
    done = tdls("run", "a.mlir")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {setting}: this ")
    assert done.stderr.endswith(f"{REFUSED}{Path.cwd()}\n")
    assert not MARK.exists()


def test_checks_ask_for_consent_once_and_report_findings_of_rules(setting: str) -> None:
    Path("b.mlir").write_text(SCRIPT + "module {", encoding="utf-8")
    done = tdls("--check", "--run", "--no-cache", ".")
    assert done.returncode == 2
    assert "syntax-error" in done.stdout
    assert done.stderr.count(f"error: --run: {setting}") == 1
    assert not MARK.exists()


def test_a_check_without_runs_is_silent(setting: str) -> None:
    done = tdls("--check", "--no-cache", ".")
    assert (done.returncode, done.stderr) == (0, ""), setting
    assert not MARK.exists()


def test_doctor_names_the_program_and_does_not_start_it(setting: str) -> None:
    done = tdls("doctor")
    assert done.returncode == 1
    assert f"nothing, {setting.partition(': ')[2]} is not allowed" in done.stdout
    assert "pip install" not in done.stdout
    trial = json.loads(tdls("doctor", "--format", "json").stdout)["trial"]
    assert (trial["works"], trial["is_refused"]) == (False, True)
    assert not MARK.exists()


@pytest.mark.parametrize("arguments", [("run", "a.mlir"), ("--check", "--run", "a.mlir"), ("doctor",)])
def test_trust_for_one_time(arguments: tuple[str, ...]) -> None:
    Path("tdls.toml").write_text(SETTINGS["backend"][1], encoding="utf-8")
    tdls(*arguments, "--trust-workspace")
    assert MARK.exists()
    MARK.unlink()
    assert REFUSED in "".join((tdls(*arguments).stdout, tdls(*arguments).stderr))
    assert not MARK.exists()


def test_allowed_programs_are_started(setting: str) -> None:
    shown = tdls("allow", "--yes")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith(setting)
    assert "not allowed yet" in shown.stdout
    assert REFUSED not in tdls("run", "a.mlir").stderr
    assert MARK.exists() or "bindings:trap" in setting


def test_a_changed_value_and_a_moved_folder_need_consent_again(project: Path) -> None:
    Path("tdls.toml").write_text(SETTINGS["backend"][1], encoding="utf-8")
    tdls("allow", "--yes")
    Path("tdls.toml").write_text('[run]\nbackend = "./trap --other"\n', encoding="utf-8")
    assert REFUSED in tdls("run", "a.mlir").stderr
    Path("tdls.toml").write_text("# moved\n\n" + SETTINGS["backend"][1], encoding="utf-8")
    assert REFUSED not in tdls("run", "a.mlir").stderr
    moved = project.rename(project.with_name("moved"))
    os.chdir(moved)
    assert REFUSED in tdls("run", "a.mlir").stderr


def test_extended_settings_need_consent_with_those_that_extend_them() -> None:
    Path("common").mkdir()
    Path("common", "base.toml").write_text('[run]\nbackend = "../trap"\n', encoding="utf-8")
    Path("tdls.toml").write_text('extend = "common/base.toml"\n', encoding="utf-8")
    refused = tdls("run", "a.mlir").stderr
    assert f'{Path("common/base.toml").resolve()}:2: run.backend = "../trap"' in refused
    assert refused.endswith(f"{REFUSED}{Path.cwd()}\n")
    assert not MARK.exists()
    assert tdls("allow", "--yes").returncode == 0
    tdls("run", "a.mlir")
    assert MARK.exists()


def test_a_refused_setting_still_replaces_others() -> None:
    Path("base.toml").write_text('[run]\nbackend = "./trap"\n', encoding="utf-8")
    Path("tdls.toml").write_text('extend = "base.toml"\n[run]\nbackend = "./other"\n', encoding="utf-8")
    refused = tdls("run", "a.mlir").stderr
    assert './other"' in refused
    assert "trap" not in refused
    assert not MARK.exists()


def test_programs_of_the_command_line_need_no_consent() -> None:
    require_bindings()
    tool = require_mlir_opt(22)
    Path("tdls.toml").write_text('[run]\nbackend = "./trap"\nsetup = ["trap"]\n', encoding="utf-8")
    assert tdls("run", "a.mlir", "--backend", str(tool)).returncode == 0
    assert "run.setup" in tdls("run", "a.mlir", "--backend", "bindings").stderr
    assert not MARK.exists()
    configured = tdls("--check", "--run", "--config", 'run.backend = "./trap"', "--config", "run.setup = []", "a.mlir")
    assert REFUSED not in configured.stderr
    assert MARK.exists()


def test_a_file_of_the_command_line_needs_no_consent() -> None:
    Path("own.toml").write_text('[run]\nbackend = "./trap"\nrefresh = "off"\n', encoding="utf-8")
    assert REFUSED not in tdls("--check", "--run", "--config", "own.toml", "a.mlir").stderr
    assert MARK.exists()
    assert tdls("config", "check", "--config", "own.toml").returncode == 0


def test_bindings_that_are_looked_for_anyway_need_no_consent() -> None:
    require_bindings()
    Path("tdls.toml").write_text('[run]\nbackend = "bindings:torch_mlir"\n', encoding="utf-8")
    assert tdls("run", "a.mlir").returncode == 0
    assert "no settings that take consent" in tdls("allow").stdout


def test_without_a_terminal_there_is_no_question() -> None:
    Path("tdls.toml").write_text(SETTINGS["backend"][1], encoding="utf-8")
    done = tdls("allow", answer="y\n")
    assert done.returncode == 2
    assert "without a terminal to ask at" in done.stderr
    assert REFUSED in tdls("run", "a.mlir").stderr


@pytest.mark.parametrize(("answer", "status"), [("y", 0), ("n", 1)])
def test_the_question(answer: str, status: int) -> None:
    pexpect = require_module("pexpect")
    Path("tdls.toml").write_text(SETTINGS["backend"][1], encoding="utf-8")
    child = pexpect.spawn(sys.executable, ["-m", "tdls", "allow"], encoding="utf-8", timeout=30)
    child.expect_exact("Allow this?")
    child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == status
    assert (REFUSED in tdls("run", "a.mlir").stderr) == (answer == "n")


def test_list_and_deny() -> None:
    Path("tdls.toml").write_text('[run]\nbackend = "./trap"\nsetup = ["trap"]\n', encoding="utf-8")
    assert tdls("allow", "--list").stdout == "nothing is allowed\n"
    tdls("allow", "--yes")
    assert tdls("allow", "--list").stdout == (f'{Path.cwd()}\n  run.backend = "./trap"\n  run.setup = ["trap"]\n')
    denied = tdls("deny")
    assert denied.stdout.splitlines() == [
        f'no longer allowed in {Path.cwd()}: run.backend = "./trap"',
        f'no longer allowed in {Path.cwd()}: run.setup = ["trap"]',
    ]
    assert REFUSED in tdls("run", "a.mlir").stderr
    assert tdls("deny").stdout == f"{Path.cwd()}: nothing was allowed\n"


def test_deny_for_a_folder_that_is_gone(project: Path) -> None:
    Path("tdls.toml").write_text(SETTINGS["backend"][1], encoding="utf-8")
    tdls("allow", "--yes")
    project.rename(project.with_name("moved"))
    os.chdir(project.parent)
    assert "no longer allowed" in tdls("deny", "project").stdout
    assert tdls("allow", "--list").stdout == "nothing is allowed\n"


def test_values_and_names_cannot_inject(project: Path) -> None:
    evil = project / "$(touch was-started) \x1b[2J"
    evil.mkdir()
    evil.joinpath("tdls.toml").write_text('[run]\nbackend = "./trap\\u001b[2J\\n::error::x"\n', encoding="utf-8")
    evil.joinpath("a.mlir").write_text(SCRIPT, encoding="utf-8")
    for done in (tdls("run", str(evil / "a.mlir")), tdls("allow", str(evil))):
        assert "\x1b" not in done.stdout + done.stderr
        assert "\n::error" not in done.stdout + done.stderr


def test_a_folder_with_blanks_is_quoted(project: Path) -> None:
    folder = project / "my $(project)"
    folder.mkdir()
    folder.joinpath("tdls.toml").write_text('[run]\nbackend = "./trap"\n', encoding="utf-8")
    folder.joinpath("a.mlir").write_text(SCRIPT, encoding="utf-8")
    assert tdls("run", str(folder / "a.mlir")).stderr.endswith(f"tdls allow '{folder}'\n")


def test_settings_that_do_not_count_are_shown_as_such() -> None:
    Path("tdls.toml").write_text('[run]\nbackend = "./trap"\ntimeout = 3\n', encoding="utf-8")
    assert "# tdls.toml:2, not allowed\n" in tdls("config", "show").stdout
    assert "# tdls.toml:3\n" in tdls("config", "show").stdout
    tdls("allow", "--yes")
    assert "not allowed" not in tdls("config", "show").stdout


def test_when_things_run_by_themselves_is_for_users_to_say() -> None:
    Path("tdls.toml").write_text('[run]\nrefresh = "type"\n', encoding="utf-8")
    done = tdls("config", "check")
    assert done.returncode == 1
    assert done.stdout == (
        "tdls.toml:2: `run.refresh` does not count here; it is for each user to say: set it in your editor\n"
    )
    assert 'refresh = "save"' in tdls("config", "show").stdout
