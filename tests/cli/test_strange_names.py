"""Names and texts of strangers: no format lets them be more than names and texts, and all formats stay readable."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

import command_line
from tdls.analysis.rules.handles import use_after_free
from tdls.cli.console.streams import prepare_streams
from tdls.cli.rendering.renderer import FORMATS
from tdls.text.printable import printable_output

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any bytes as names")

SCHEMA = Path(__file__).parents[2] / "docs" / "json-output.schema.json"
BAD = use_after_free.RULE.text.example_bad
OLDER = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %root {factor = 4 : i64} : !transform.any_op
    transform.yield
  }
}
"""
LINE_BREAK = b"a\n::error file=x::gotcha\n.mlir"
ESCAPE = b"b\x1b]0;title\x07\x1b[31m\x9b.mlir"
NO_UNICODE = b"c\xff\xfe.mlir"
REORDERING = "d\u202e\u2066\u2028\u0085.mlir".encode()
NAMES = [LINE_BREAK, ESCAPE, NO_UNICODE, REORDERING]
SHOWN = [
    "a\\n::error file=x::gotcha\\n.mlir",
    "b\\u001b]0;title\\u0007\\u001b[31m\\x9b.mlir",
    "c\\xff\\xfe.mlir",
    "d\\u202e\\u2066\\u2028\\u0085.mlir",
]
HARMFUL = {"\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\u2028", "\u0085", "\r"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        Path(os.fsdecode(name)).write_text(BAD, encoding="utf-8")
    return tmp_path


def tdls(*arguments: bytes | str) -> tuple[int, str, str]:
    done = command_line.tdls(*arguments)
    return done.returncode, done.stdout, done.stderr


def assert_harmless(text: str) -> None:
    assert not set(text) & HARMFUL
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


@pytest.mark.parametrize("format_", FORMATS)
def test_no_format_lets_names_through(format_: str) -> None:
    status, output, errors = tdls("--check", ".", "--format", format_, "--no-cache")
    assert status == 1, errors
    assert not set(output) & HARMFUL
    own = [line for line in output.splitlines() if line.lstrip().startswith("::")]
    assert len(own) == (4 if format_ == "github" else 0)
    assert "Traceback" not in errors


@pytest.mark.parametrize("format_", ["full", "concise"])
def test_control_characters_of_names_are_visible(format_: str) -> None:
    _, output, _ = tdls("--check", ".", "--format", format_)
    for name in SHOWN:
        assert f"{name}:" in output


def test_json_has_the_whole_name() -> None:
    _, output, _ = tdls("--check", ".", "--format", "json")
    document = json.loads(output)
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    found = document["diagnostics"]
    assert {name_of(finding) for finding in found} == set(NAMES)
    assert "\\udc" not in output.lower()
    _, lines, _ = tdls("--check", ".", "--format", "jsonl")
    assert {name_of(json.loads(line)) for line in lines.splitlines()} == set(NAMES)


def name_of(finding: Any) -> bytes:
    if "uri" in finding:
        return unquote_to_bytes(finding["uri"]).rpartition(b"/")[2]
    return os.fsencode(finding["path"])


def test_sarif_has_the_whole_name() -> None:
    _, output, _ = tdls("--check", ".", "--format", "sarif")
    (run,) = json.loads(output)["runs"]
    assert {unquote_to_bytes(artifact["location"]["uri"]) for artifact in run["artifacts"]} == set(NAMES)
    assert len(run["results"]) == 4


def test_text_is_shown_as_it_is_in_every_format() -> None:
    Path("odd.mlir").write_bytes(
        BAD.replace("  ", "\x1b[31m \u202e\x0b", 1).encode() + b"\x1b\x00\n%x = \xe2\x80\xae\r"
    )
    for format_ in FORMATS:
        _, output, errors = tdls("--check", "odd.mlir", "--format", format_, "--no-cache", "--possible")
        assert not set(output) & HARMFUL - {"\r"}, format_
        assert "Traceback" not in errors


@pytest.mark.parametrize("name", NAMES)
def test_baselines_know_the_names(name: bytes) -> None:
    status, _, errors = tdls("--check", name, "--baseline", "known.json", "--write-baseline")
    assert status == 0
    assert_harmless(errors)
    assert tdls("--check", name, "--baseline", "known.json")[0] == 0


def test_a_difference_can_be_applied() -> None:
    status, output, errors = tdls("--check", ".", "--diff", "--unsafe-fixes")
    assert status == 1, errors
    assert_harmless(output)
    subprocess.run(["git", "apply", "-p0"], input=output.encode(), check=True)
    assert all(Path(os.fsdecode(name)).read_text(encoding="utf-8") != BAD for name in NAMES)


@pytest.mark.parametrize(
    "command",
    [
        ("--check", "missing\n::error::x\x1b.mlir"),
        ("--check", "empty\n::error::x\x1b"),
        ("--check", ".", "--baseline", "no\n::error::x\x1b"),
        ("--check", ".", "-o", "no\n::error::x\x1b/a\0"[:-1]),
        ("--check", "--no\n::error::x\x1b"),
        ("--check", ".", "--format", "x\n::error::x\x1b"),
        ("--check", ".", "--config", "x\n::error::x\x1b=1"),
        ("explain", "no\n::error::x\x1b"),
        ("run", "no\n::error::x\x1b"),
        ("parse", "no\n::error::x\x1b"),
        ("doctor", "empty\n::error::x\x1b"),
        ("config", "show", "empty\n::error::x\x1b"),
        ("config", "check", "empty\n::error::x\x1b"),
        ("catalogue", "show", "no\n::error::x\x1b"),
        ("catalogue", "sources", "empty\n::error::x\x1b"),
        ("versions", LINE_BREAK, ESCAPE, NO_UNICODE, REORDERING),
        ("versions", "--format", "json", LINE_BREAK, ESCAPE, NO_UNICODE, REORDERING),
    ],
    ids=lambda command: command[0] + str(command[1])[:9].strip("\n"),
)
def test_commands_say_names_in_one_line(command: tuple[bytes | str, ...]) -> None:
    empty = Path("empty\n::error::x\x1b")
    empty.mkdir()
    (empty / "tdls.toml").write_text("nonsense = 1\n", encoding="utf-8")
    _, output, errors = tdls(*command)
    assert_harmless(output)
    assert_harmless(errors)
    assert "internal error" not in errors


def at_terminal(*arguments: str) -> str:
    """Return what a command writes to a terminal."""
    import pty

    main, terminal = pty.openpty()
    command = [sys.executable, "-m", "tdls", *arguments]
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, stdin=terminal, env=environment):
        os.close(terminal)
        written = b""
        while chunk := _read(main):
            written += chunk
    os.close(main)
    return written.decode("utf-8").replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the last process has closed it
        return b""


@pytest.mark.parametrize("command", [("check",), ("check", "--fix"), ("versions",), ("migrate",)], ids="-".join)
def test_standard_input_may_have_a_name_that_no_file_can_have(command: tuple[str, ...]) -> None:
    done = command_line.tdls(*command, "--stdin-filename", f"{'x' * 300}.mlir", "-", text="")
    assert "internal error" not in done.stderr
    assert done.returncode == 0


def test_differences_are_inert_at_a_terminal_and_exact_elsewhere() -> None:
    evil = "\x1b]0;PWN\x07\x1b[8m\x9b32m\u202e\x1b[2J"
    Path("evil.mlir").write_text(f"// {evil}\n{OLDER}", encoding="utf-8")
    shown = at_terminal("migrate", "--diff", "evil.mlir")
    assert "\\u001b]0;PWN\\u0007\\u001b[8m" in shown
    assert not set(shown) & (HARMFUL - {"\x1b", "\r"})
    assert set(re.findall(r"\x1b[^m]*m?", shown)) <= {"\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[36m"}
    assert evil in tdls("migrate", "--diff", "evil.mlir")[1]


def test_terminals_that_are_no_files_obey_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    class Console(io.BytesIO):  # as those of Windows
        def isatty(self) -> bool:
            return True

    console = Console()
    stream = io.TextIOWrapper(console, encoding="utf-8")  # outlives the test's, as `sys.__stdout__` does
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    prepare_streams()
    sys.stdout.write("\x1b]0;PWN\x07\x1b[31m\u2713\n")
    sys.stdout.flush()
    assert console.getvalue().decode() == "\\u001b]0;PWN\\u0007\x1b[31m\u2713\n"


@pytest.mark.parametrize("line", ["::error::x", " \t::add-mask::x", "x ##[group]y", "##vso[task.complete]"])
def test_output_of_scripts_is_no_command(line: str) -> None:
    assert_harmless(printable_output(f"a\n{line}\n"))
    assert "##" not in printable_output(line)
    assert printable_output("#map ## a::b\n") == "#map ## a::b\n"
