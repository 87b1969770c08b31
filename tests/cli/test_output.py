"""Output of checks: files, quiet and strict runs, selection, progress."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rpc.answers import eventually
from tdls.analysis.rules.handles import invalidated_handle, use_after_free
from tdls.analysis.rules.language import missing_terminator
from tdls.cli.command_line import run_command_line
from tdls.cli.console import console, progress
from tdls.cli.main import main
from tdls.cli.rendering.renderer import FORMATS
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

BAD, GOOD = use_after_free.RULE.text.example_bad, use_after_free.RULE.text.example_good
FIXABLE = "1 fixable with --fix, {} more perhaps with --fix --unsafe-fixes"
SUMMARY = f"1 error, 1 warning in 2 files (3 checked); {FIXABLE.format(1)}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("bad", BAD), ("good", GOOD), ("open", missing_terminator.RULE.text.example_bad)):
        Path(f"{name}.mlir").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def tdls(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process; gives exit status, standard output and standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["tdls", *arguments])
        status = main()
        return (status, *capfd.readouterr())

    return run


def test_quiet_runs_say_findings_and_errors_only(tdls: Run) -> None:
    Path("tdls.toml").write_text("nothing = 1\n", encoding="utf-8")
    Path("empty").mkdir()
    loud, quiet = tdls("--check", ".", "empty", "gone.mlir"), tdls("--check", ".", "empty", "gone.mlir", "-q")
    assert loud[0] == quiet[0] == 2
    assert loud[1] == quiet[1] + SUMMARY
    assert "there is no setting `nothing`" in loud[2]
    assert quiet[2].splitlines() == [
        "error: gone.mlir: no such file or directory",
        "error: empty: no *.mlir file to check here (`--python` also checks the scripts in *.py and *.ipynb files)",
    ]


def test_findings_may_count_as_success_but_trouble_does_not_and_warnings_as_errors(tdls: Run) -> None:
    assert tdls("--check", ".", "--exit-zero")[0] == 0
    assert tdls("--check", ".", "gone.mlir", "--exit-zero")[0] == 2
    status, output, _ = tdls("--check", "bad.mlir", "--error-on-warning", "--format", "concise")
    assert status == 1
    assert ": error: " in output
    assert tdls("--check", "bad.mlir", "--config", 'rules.use-after-free="remark"', "--error-on-warning")[0] == 0


def test_other_formats_go_to_files_at_the_same_time(tdls: Run, folder: Path) -> None:
    files = ["--output-file", "json=out/deep/report.json", "-o", "sarif=a=b.sarif", "-o", "full=full.txt"]
    status, output, _ = tdls("--check", "bad.mlir", "--color=always", "--format", "concise", *files)
    assert status == 1
    assert output.endswith("[use-after-free]\n")
    assert json.loads(Path("out/deep/report.json").read_text(encoding="utf-8"))["summary"]["warnings"] == 1
    assert json.loads(Path("a=b.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert "\x1b" not in Path("full.txt").read_text(encoding="utf-8")
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []


def test_a_file_may_take_the_place_of_standard_output(tdls: Run) -> None:
    expected = tdls("--check", "bad.mlir", "--format", "concise")[1]
    assert tdls("--check", "bad.mlir", "--format", "concise", "-o", "findings") == (1, "", "")
    assert Path("findings").read_text(encoding="utf-8") == expected
    tdls("--check", "good.mlir", "--format", "concise", "-o", "findings")
    assert Path("findings").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["json=x", "sarif=./x"], "is given for two outputs"),
        (["json=bad.mlir"], "is one of the files to check, and would be overwritten"),
        (["json=."], "is a directory"),
        (["json="], "names no file"),
        (["good.mlir/report"], "good.mlir/report: "),
    ],
)
def test_output_files_that_cannot_be_written(files: list[str], message: str, tdls: Run, folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    status, _, errors = tdls("--check", ".", *(word for file in files for word in ("-o", file)))
    assert status == 2
    assert message in errors
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", ["bad.mlir", "good.mlir"])
def test_reports_are_replaced(format_: str, name: str, tdls: Run) -> None:
    for checked in (name, "bad.mlir", "good.mlir", name):
        expected = tdls("--check", checked, "--format", format_, "--quiet")[1]
        status, _, errors = tdls("--check", checked, "--exit-zero", "--quiet", "-o", f"{format_}=report")
        assert (status, errors) == (0, "")
        assert Path("report").read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(
    "content",
    [
        b"module {}\n",
        b"// error[x]: a comment\n",
        b'def XOp : Op<Transform_Dialect, "x">;\n',
        b"error: something else\n",
        b'{"version": 1, "findings": {}}\n',
        b"{}",
        b"[1]",
        b"\0\1\2",
        b"\n",
    ],
)
@pytest.mark.parametrize("option", ["mine", "sarif=mine", "json=mine"])
def test_what_is_no_report_is_not_replaced(content: bytes, option: str, tdls: Run) -> None:
    Path("mine").write_bytes(content)
    status, _, errors = tdls("--check", "good.mlir", "--output-file", option)
    assert status == 2
    assert "mine is not a report of tdls, and stays" in errors
    assert Path("mine").read_bytes() == content


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs devices of Linux")
def test_devices_are_written_as_they_are(tdls: Run) -> None:
    assert tdls("--check", "bad.mlir", "-o", "/dev/null") == (1, "", "")
    status, _, errors = tdls("--check", "bad.mlir", "-o", "json=/dev/full")
    assert (status, errors) == (2, "error: /dev/full: No space left on device\n")
    assert not any(Path(name).is_file() for name in ("/dev/null", "/dev/full"))


def test_rules_are_selected_on_the_command_line(tdls: Run) -> None:
    def rules(*arguments: str) -> list[str]:
        output = tdls("--check", ".", "--format", "jsonl", *arguments)[1]
        return [json.loads(line)["rule"] for line in output.splitlines()]

    assert rules("--select", "TD3") == ["use-after-free"]
    assert rules("--ignore", "use-after-free,TD1") == []
    assert rules("--ignore", "TD3", "--ignore", "missing-terminator", "--extend-select", "TD301") == ["use-after-free"]
    Path("tdls.toml").write_text("ignore = ['all']\n", encoding="utf-8")
    assert rules() == []
    assert rules("--isolated") == rules("--select", "all") == ["use-after-free", "missing-terminator"]
    Path("other.toml").write_text("select = ['missing-terminator']\n", encoding="utf-8")
    assert rules("--config", "other.toml") == ["missing-terminator"]
    assert rules("--config", "other.toml", "--config", "extend-select = ['TD301']") != ["missing-terminator"]


def test_possible_findings_need_an_option(tdls: Run) -> None:
    Path("maybe.mlir").write_text(invalidated_handle.POSSIBLE.text.example_bad, encoding="utf-8")
    name = invalidated_handle.POSSIBLE.name
    assert tdls("--check", "maybe.mlir", "-q") == (0, "", "")
    for arguments in (["--possible"], ["--extend-select", name], ["--select", "TD"]):
        status, output, _ = tdls("--check", "maybe.mlir", "-q", *arguments)
        assert status == 0
        assert output.startswith(f"hint[{name}]")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--select", "nonsense"], "--select: there is no rule `nonsense`"),
        (["--ignore", "use-after-fre"], "did you mean `use-after-free`?"),
        (["--config", "nowhere.toml"], "no such file; a setting is written as KEY=VALUE"),
        (["--config", "rules.use-after-free=off"], "write it as `KEY = VALUE`, with texts in quotes"),
        (["--config", "runs.timeout=1"], "there is no setting `runs`; did you mean `run`?"),
        (["--config", "bad.mlir", "--isolated"], "none with --isolated"),
        (["--diff-base", "HEAD", "--fix"], "--diff-base chooses among findings"),
    ],
)
def test_mistakes_of_use(arguments: list[str], message: str, tdls: Run) -> None:
    status, output, errors = tdls("--check", "bad.mlir", *arguments)
    assert (status, output) == (2, "")
    assert message in errors


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def shows(self, words: str, *, behind: str = "") -> bool:
        return words in self.getvalue().partition(behind or "\r")[2]


def test_a_line_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.005)
    for is_hidden in (False, True):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        found = progress.with_progress(lambda: range(3), 3, hidden=is_hidden)
        for number, item in enumerate(found, start=1):
            assert item == number - 1
            assert is_hidden or eventually(partial(terminal.shows, f"checking: {number} of 3"))
        assert ("checking" in terminal.getvalue()) == (not is_hidden)
        assert terminal.getvalue().rpartition("\r")[2] == ""


def test_messages_go_before_the_progress_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.005)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress.begin("scanning")
    assert eventually(lambda: terminal.shows("scanning"))
    console.complain("something is odd", level="warning")
    assert eventually(lambda: terminal.shows("scanning", behind="something is odd"))
    progress.end()
    before, _, after = terminal.getvalue().partition("something is odd")
    assert before.count("scanning") == after.count("scanning") == 1
    assert "scanning" not in before.rpartition("\r")[2]


def test_no_progress_line_for_quick_checks_and_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_PATIENCE", 10.0)
    assert list(progress.with_progress(lambda: range(5), 5)) == list(range(5))
    assert terminal.getvalue() == ""
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    assert list(progress.with_progress(lambda: range(5), 5)) == list(range(5))
    assert pipe.getvalue() == ""


RUNNABLE = """\
module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) { transform.yield }
}
"""


@pytest.mark.parametrize(
    ("text", "is_terminal", "options"),
    [
        (RUNNABLE, True, ()),
        (RUNNABLE, False, ()),
        (RUNNABLE.replace("func.func @f() { return }", ""), True, ()),
        (RUNNABLE, True, ("--format", "json")),
        (RUNNABLE, True, ("--quiet",)),
    ],
)
def test_runs_are_suggested(
    text: str, is_terminal: bool, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """People at a terminal see it once; documents, pipes and jobs of CI do not have it."""
    require_bindings()
    monkeypatch.delenv("CI", raising=False)
    terminal = Terminal() if is_terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", terminal)
    script = tmp_path / "script.mlir"
    script.write_text(text, encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()):
        run_command_line(["--check", str(script), *options])
    is_suggested = is_terminal and text == RUNNABLE and not options
    assert terminal.getvalue().count("with --run") == is_suggested
