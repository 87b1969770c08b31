"""`tdls check` with --fix, --diff and --add-ignore, as people meet it."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.files import read, write
from command_line import STARTED, tdls
from tdls.analysis.rules.handles import repeated_payload_operation, use_after_free
from tdls.analysis.rules.language import missing_terminator
from tdls.analysis.rules.transform import unknown_extension_operation
from tdls.text.difference import unified_diff
from tools_at_hand import require_tool

BAD, GOOD = missing_terminator.RULE.text.example_bad, missing_terminator.RULE.text.example_good
UNSAFE_BAD, UNSAFE_GOOD = use_after_free.RULE.text.example_bad, use_after_free.RULE.text.example_good
SEQUENCE = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence {}(%loop: !transform.any_op {{transform.readonly}}) {{
{}    transform.yield
  }}
}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_fixed_files_keep_line_ends(line_end: str) -> None:
    path = write("a.mlir", BAD.replace("\n", line_end))
    done = tdls("check", "--fix", "a.mlir")
    assert (done.returncode, done.stdout) == (0, "no findings in 1 file\n")
    assert done.stderr == "note: fixes applied: 1, files changed: 1\n"
    assert read(path) == GOOD.replace("\n", line_end)


def test_byte_order_marks_stay() -> None:
    """MLIR does not read a file that has one."""
    path = write("a.mlir", "\ufeff" + BAD)
    assert tdls("check", "--fix", "a.mlir").stdout.startswith("error[syntax-error]")
    assert read(path) == "\ufeff" + GOOD


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("options", [["--add-ignore"], ["--fix", "--unsafe-fixes"], ["--add-ignore", "--diff"]])
def test_texts_in_other_encodings_are_not_changed(encoding: str, options: list[str]) -> None:
    content = BAD.encode(encoding)
    Path("a.mlir").write_bytes(content)
    done = tdls("check", *options, "a.mlir")
    assert done.returncode != 0
    assert Path("a.mlir").read_bytes() == content
    assert "comments written" not in done.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "shift-jis", "iso-2022-jp", "utf-7"])
def test_comments_are_written_in_the_encoding_of_the_text(encoding: str) -> None:
    """Texts that are not UTF-8 are not changed; in the other encodings, comments are spelled the same."""
    text = f"// \u00a7 2\n{BAD}" if encoding != "utf-7" else BAD
    Path("a.mlir").write_bytes(text.encode(encoding))
    tdls("check", "--add-ignore", "a.mlir")
    written = Path("a.mlir").read_bytes().decode(encoding)
    assert re.sub(r"(?m)^ *// tdls: ignore.*\n| *// tdls: ignore.*", "", written) == text


def test_unsafe_fixes_need_an_option() -> None:
    path = write("a.mlir", UNSAFE_BAD)
    done = tdls("check", "--fix", "-q", "a.mlir")
    assert (done.returncode, done.stderr) == (1, "")
    assert read(path) == UNSAFE_BAD
    assert tdls("check", "--fix", "--unsafe-fixes", "a.mlir").returncode == 0
    assert read(path) == UNSAFE_GOOD


def test_rules_that_are_off_fix_nothing() -> None:
    path = write("a.mlir", BAD)
    write("tdls.toml", '[rules]\nmissing-terminator = "off"\n')
    assert tdls("check", "--fix", "a.mlir").returncode == 0
    assert read(path) == BAD


def test_rules_that_are_not_selected_make_no_comment_unused() -> None:
    """One is off, the other is only possible."""
    write("tdls.toml", '[rules]\nuse-after-free = "off"\n')
    possible = repeated_payload_operation.POSSIBLE
    write("a.mlir", f"// tdls: ignore-file[use-after-free]\n{UNSAFE_BAD}")
    write("b.mlir", f"// tdls: ignore-file[{possible.name}]\n{possible.text.example_bad}")
    assert tdls("check", ".").stdout == "no findings in 2 files\n"


def test_diff_shows_and_changes_nothing() -> None:
    paths = [write("a.mlir", BAD), write("b.mlir", GOOD), write("c.mlir", UNSAFE_BAD)]
    done = tdls("check", "--diff", *map(str, paths))
    assert done.returncode == 1
    assert done.stdout == "".join(unified_diff(BAD, GOOD, "a.mlir", "a.mlir"))
    assert "+    transform.yield\n" in done.stdout
    assert [read(path) for path in paths] == [BAD, GOOD, UNSAFE_BAD]
    assert tdls("check", "--diff", "b.mlir").returncode == 0
    assert tdls("check", "--diff", "--exit-zero", "a.mlir").returncode == 0
    assert tdls("check", "--diff", "missing.mlir").returncode == 2
    assert tdls("check", "--diff", "--unsafe-fixes", "c.mlir").stdout != ""


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_diff_can_be_applied(end: str) -> None:
    require_tool("git", "Debian package git")
    path = write("a.mlir", BAD.rstrip("\n") + end)
    write("fix.patch", tdls("check", "--diff", "a.mlir").stdout)
    subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn", "fix.patch"], check=True)
    assert read(path) == GOOD.rstrip("\n") + end


def test_standard_input_goes_to_standard_output() -> None:
    done = tdls("check", "--fix", "-", text=BAD.replace("\n", "\r\n"))
    assert (done.returncode, done.stdout) == (0, GOOD.replace("\n", "\r\n"))
    assert "no findings" in done.stderr
    done = tdls("check", "--fix", "-", text=UNSAFE_BAD)
    assert (done.returncode, done.stdout) == (1, UNSAFE_BAD)
    assert "use-after-free" in done.stderr
    for text in ("func.func @f() { return }", f"// RUN: not tool %s\n{UNSAFE_BAD}"):
        assert tdls("check", "--fix", "--stdin-filename", "a.mlir", "-", text=text).stdout == text
    done = tdls("check", "--diff", "--stdin-filename", "a.mlir", "-", text=BAD)
    assert done.stdout.startswith("--- a.mlir\n+++ a.mlir\n")


@pytest.mark.parametrize("command", [("migrate",), ("check", "--fix"), ("check", "--add-ignore")])
def test_standard_input_comes_back_from_an_error(command: tuple[str, ...]) -> None:
    done = tdls(*command, "--catalogue", "missing.json", "-", text="module {\r\n}")
    assert (done.returncode, done.stdout) == (2, "module {\r\n}")
    assert "missing.json: cannot be read" in done.stderr


def test_standard_input_that_is_not_utf_8_comes_back() -> None:
    done = subprocess.run([*STARTED, "migrate", "-"], input=b"// \xff\r\n", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"// \xff\r\n")
    assert b"not UTF-8 text (byte 3)" in done.stderr


def test_read_only_files_are_reported_and_others_fixed() -> None:
    locked, other = write("a.mlir", BAD), write("b.mlir", BAD)
    locked.chmod(0o444)
    done = tdls("check", "--fix", ".")
    assert done.returncode == 2
    assert done.stderr.count("a.mlir: not fixed: read-only") == 1
    assert "missing-terminator" in done.stdout
    assert (read(locked), read(other)) == (BAD, GOOD)


def test_files_that_use_each_other_are_fixed_together() -> None:
    """That the caller consumes its argument shows when the library, which comes after it, is fixed."""
    write("tdls.toml", 'libraries = ["library.mlir"]\nrules.library-conflict = "off"\n')
    body = "    transform.loop.unroll %loop { factor = 4 } : !transform.any_op\n"
    library = write("library.mlir", SEQUENCE.format("@unroll", body))
    body = "    transform.include @unroll failures(propagate) (%loop) : (!transform.any_op) -> ()\n"
    caller = write("caller.mlir", SEQUENCE.format("@caller", body))
    assert tdls("check", "--fix", "--unsafe-fixes", ".").returncode == 0
    assert "transform.consumed" in read(library)
    assert "transform.consumed" in read(caller)


def test_findings_can_be_silenced_all_at_once() -> None:
    line_end = "\r\n"
    body = "    transform.print %no : !t, %neither :\n    transform.print %no : !transform.any_op // why\n"
    text = (UNSAFE_BAD + "// -----\n" + BAD.replace("transform.annotate", body + "    transform.annotate")).replace(
        "\n", line_end
    )
    path = write("a.mlir", text)
    done = tdls("check", "--add-ignore", "--reason", "from the macro", "a.mlir")
    assert (done.returncode, done.stdout) == (0, "no findings in 1 file\n")
    assert "// tdls: ignore[use-after-free]: from the macro" + line_end in read(path)
    kept = [line for line in read(path).split(line_end) if not line.lstrip().startswith("// tdls")]
    assert [line.partition("  // tdls")[0].rstrip() for line in kept] == [
        original.rstrip() for original in text.split(line_end)
    ]
    again = tdls("check", "--add-ignore", "a.mlir")
    assert (again.returncode, again.stderr) == (0, "")


def test_findings_reported_once_are_silenced_for_the_whole_file() -> None:
    text = unknown_extension_operation.RULE.text.example_bad
    path = write("a.mlir", text)
    assert tdls("check", "--possible", "--add-ignore", "--reason", "ours", "a.mlir").returncode == 0
    assert read(path) == "// tdls: ignore-file[unknown-extension-operation]: ours\n" + text


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        (["--unsafe-fixes"], "goes with --fix or --diff"),
        (["--fix", "--add-ignore"], "one after the other"),
        (["--reason", "x"], "goes with --add-ignore"),
        (["--add-ignore", "--reason", "x\ny"], "one line"),
        (["--fix", "--verify-diagnostics"], "--verify-diagnostics"),
    ],
)
def test_options_that_do_not_fit_together(options: list[str], advice: str) -> None:
    path = write("a.mlir", BAD)
    done = tdls("check", *options, "a.mlir")
    assert done.returncode == 2
    assert advice in done.stderr
    assert read(path) == BAD


def test_jobs_fix_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.cli.checking.workers._BYTES_WORTH_A_WORKER", 1)
    for number in range(6):
        write(f"{number}.mlir", BAD)
    assert tdls("check", "--fix", "--jobs", "2", ".").returncode == 0
    assert {read(path) for path in Path().glob("*.mlir")} == {GOOD}


def test_a_kill_while_files_are_fixed_loses_nothing() -> None:
    """Each file has its old or its new text, whenever the process ends; another run finishes the work."""
    count = 120
    for number in range(count):
        write(f"{number}.mlir", BAD)
    turns = []
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-m", "tdls", "check", "--fix", "."], stdout=subprocess.DEVNULL)
        before = fixed_files()
        while process.poll() is None and fixed_files() <= before + 20:
            time.sleep(0.001)
        process.kill()
        process.wait()
        assert {read(path) for path in Path().glob("*.mlir")} <= {BAD, GOOD}
        turns.append(fixed_files())
    assert 0 < turns[0] < count
    assert tdls("check", "--fix", ".").returncode == 0
    assert fixed_files() == count


def fixed_files() -> int:
    return sum(read(path) == GOOD for path in Path().glob("*.mlir"))
