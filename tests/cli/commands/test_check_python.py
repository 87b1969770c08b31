"""``tdls check-python``: its runs, its findings, and the settings that need the user's consent."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.files import write
from command_line import tdls
from python_builders.programs import HEAD
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    import subprocess

PLAN = """\
import kit

def body(root):
    matmul = kit.match(root)
    kit.tile(matmul)
    kit.mark(matmul)

def schedule(fails=False):
    if fails:
        return 1 // 0
    return kit.scheduled(body)
"""
MAIN = """\
import kit, plan
with kit.ir.Context(), kit.ir.Location.unknown():
    made = plan.schedule()
"""
FOUND = "kit.py:24:5: warning: `matmul` was consumed by `transform.structured.tile_using_for` [use-after-free]"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    require_bindings()
    monkeypatch.chdir(tmp_path)
    write("kit.py", HEAD)
    write("plan.py", PLAN)
    write(
        "main.py", "import kit, plan\nwith kit.ir.Context(), kit.ir.Location.unknown():\n    made = plan.schedule()\n"
    )
    return tmp_path


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    return tdls("check-python", "--format", "concise", "--python", sys.executable, *arguments)


def test_function_is_checked() -> None:
    done = check("plan:schedule")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[0] == FOUND


def test_program_is_checked_and_all_its_files_are_counted() -> None:
    done = tdls("check-python", "main.py", "--python", sys.executable)
    assert "warning[use-after-free]: `matmul` was consumed" in done.stdout
    assert " --> kit.py:24:5" in done.stdout
    assert " --> plan.py:6:5" in done.stdout, "notes have names like findings"
    assert done.stdout.endswith("1 warning in 1 file (3 checked)\n")


def test_formats_are_those_of_a_check() -> None:
    (finding,) = json.loads(check("plan:schedule", "--format", "json").stdout)["diagnostics"]
    assert (finding["path"], finding["rule"]) == ("kit.py", "use-after-free")
    assert {Path(note["path"]).name for note in finding["notes"]} == {"kit.py", "plan.py"}
    results = json.loads(check("plan:schedule", "--format", "sarif").stdout)["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["TD301"]
    assert (
        "::warning title=tdls (use-after-free),file=kit.py,line=24"
        in check("plan:schedule", "--format", "github").stdout
    )


def test_exception_is_an_error_at_its_place() -> None:
    done = check("plan:schedule", "--", "fails=True")
    assert done.returncode == 1
    column = 16 if sys.version_info >= (3, 11) else 9
    message = "error: ZeroDivisionError: integer division or modulo by zero [failed-build]"
    assert done.stdout.splitlines()[0] == f"plan.py:10:{column}: {message}"
    assert check("plan:schedule", "--ignore", "failed-build", "--", "fails=True").returncode == 0


def test_nothing_found_is_no_failure() -> None:
    write("good.py", "import kit\ndef schedule():\n    return kit.scheduled(kit.match)\n")
    assert check("good:schedule").returncode == 0
    assert check("plan:schedule", "--ignore", "use-after-free").returncode == 0
    assert check("plan:schedule", "--exit-zero").returncode == 0


def test_programs_that_cannot_run_are_reported() -> None:
    done = check("nothing.py")
    assert (done.returncode, done.stderr) == (2, "error: nothing.py: cannot be read: No such file or directory\n")
    done = check("plan:schedul")
    assert (done.returncode, done.stderr) == (
        2,
        "error: plan:schedul: the module plan has no schedul; did you mean schedule?\n",
    )
    assert check("plan.py", "--python", "no-such-python").returncode == 2
    assert "too long" in check("a" * 4_000).stderr


def test_script_is_printed_with_its_calls() -> None:
    done = check("plan:schedule", "--print-script")
    (line,) = [line for line in done.stdout.splitlines() if "tile_using_for" in line]
    assert line.endswith(" // kit.py:21 < plan.py:5 < kit.py:13 < plan.py:11")
    write("printed.mlir", done.stdout)
    assert (
        "printed.mlir:5:24: warning: `%0` was consumed" in tdls("check", "--format", "concise", "printed.mlir").stdout
    )


def test_schedules_of_settings_need_consent() -> None:
    write("tdls.toml", '[python]\nschedules = ["plan:schedule", {entry = "plan:schedule", args = ["True"]}]\n')
    refused = check()
    assert refused.returncode == 2
    assert "this runs programs, which is not allowed yet" in refused.stderr
    done = check("--trust-workspace")
    places = [line.partition(": ")[0] for line in done.stdout.splitlines()[:2]]
    assert [place.rpartition(":")[0] for place in places] == ["kit.py:24", "plan.py:10"]
    assert check("plan:schedule").returncode == 1


def test_python_of_settings_needs_consent() -> None:
    write("tdls.toml", f'[run]\npython = "{sys.executable}"\n')
    done = tdls("check-python", "plan:schedule")
    assert done.returncode == 2
    assert "this starts a program, which is not allowed yet" in done.stderr


def test_something_has_to_be_named() -> None:
    done = check()
    assert done.returncode == 2
    assert "name a program or function, or set python.schedules in tdls.toml" in done.stderr


def test_check_executes_nothing() -> None:
    write("trap.py", "import kit\nopen('was-started', 'w')\n'''transform.yield'''\n")
    write("tdls.toml", '[python]\ncheck = true\nschedules = ["trap.py"]\n')
    tdls("check", ".")
    assert not Path("was-started").exists()
