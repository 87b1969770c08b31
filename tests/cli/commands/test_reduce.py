"""``tdls reduce`` on planted failures of each kind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import STARTED, tdls
from interpreter.scripts import LOOP, MATCH, PAYLOAD, TILE, UNROLL, sequence
from tdls.cli.commands import reduce as reduce_command
from tools_at_hand import require_bindings

ANY = "!transform.any_op"
FUNCTION = PAYLOAD.replace("@f", "@f{}").replace("{\n", "{{\n").replace("  }\n", "  }}\n")
FUNCTIONS = "".join(map(FUNCTION.format, range(8)))
AROUND = f"""\
    %all = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      transform.annotate %each "seen" : {ANY}
      transform.include @mark failures(propagate) (%each) : ({ANY}) -> ()
    }}
"""
MARK = f"""\
  transform.named_sequence @mark(%op: {ANY} {{transform.readonly}}) {{
    transform.annotate %op "marked" : {ANY}
    transform.yield
  }}
"""
PLANTED = {
    "crash": f"""\
    transform.foreach %root : {ANY} {{
    ^bb0(%one: {ANY}):
      %constant = arith.constant 1 : i32
    }}
""",
    "error": MATCH + TILE + f'    transform.annotate %matmul "again" : {ANY}\n',
    "use-after-free": MATCH + TILE + f'    transform.annotate %matmul "again" : {ANY}\n',
}
MOST = {"crash": 9, "error": 14, "use-after-free": 8}
"""Lines that may be left, without the comment."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    require_bindings()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def planted(kind: str) -> str:
    return sequence(AROUND + PLANTED[kind] + AROUND.replace("%all", "%more"), FUNCTIONS + MARK)


def reduce(text: str, *options: str) -> subprocess.CompletedProcess[str]:
    Path("script.mlir").write_text(text, encoding="utf-8")
    done = tdls("reduce", "script.mlir", *options)
    assert Path("script.mlir").read_text(encoding="utf-8") == text
    return done


def lines_left() -> list[str]:
    text = Path("script.reduced.mlir").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("//")]


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_failure(kind: str) -> None:
    done = reduce(planted(kind), "--keep", kind)
    assert done.returncode == 0, done.stderr
    assert len(lines_left()) <= MOST[kind]
    again = tdls("check" if kind == "use-after-free" else "run", "script.reduced.mlir")
    expected = {"crash": 3, "error": 1, "use-after-free": 1}
    assert again.returncode == expected[kind]
    assert kind != "error" or "op uses a handle invalidated" in again.stderr


@pytest.mark.sample
def test_the_time_limit() -> None:
    text = sequence(AROUND + UNROLL, LOOP + FUNCTIONS + MARK)
    done = reduce(text, "--timeout", "2", "--limit", "60", "--keep", "timeout")
    assert done.returncode == 0, done.stderr
    assert len(lines_left()) < text.count("\n") / 2


def test_script_payload_and_library_become_one(folder: Path) -> None:
    (folder / "payload.mlir").write_text(f"#map = affine_map<() -> ()>\nmodule {{\n{FUNCTIONS}}}\n", encoding="utf-8")
    library = f"module attributes {{transform.with_named_sequence}} {{\n{MARK}}}\n"
    (folder / "library.mlir").write_text(library, encoding="utf-8")
    text = sequence(AROUND + PLANTED["error"], MARK.split(" {\n")[0].replace("@mark", "private @mark") + "\n")
    done = reduce(f"// tdls: payload=payload.mlir library=library.mlir\n#map = affine_map<() -> (2)>\n{text}")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.glob("*reduced*")) == ["script.reduced.mlir"]
    assert len(lines_left()) <= MOST["error"]


def test_header_report_and_names() -> None:
    done = reduce(planted("error"), "--report", "--keep-names", "--keep", "error=a handle invalidated")
    text = Path("script.reduced.mlir").read_text(encoding="utf-8")
    assert "%matmul" in text
    for line in ("// Reduced by tdls ", "//   mlir-opt script.reduced.mlir ", "//   tdls run script.reduced.mlir"):
        assert f"\n{line}" in f"\n{text}"
    assert "// error: op uses a handle invalidated by a previously executed transform op\n" in text
    assert str(Path.cwd()) not in done.stdout
    assert "```mlir\n" in done.stdout


def test_what_cannot_be_reduced() -> None:
    done = reduce(sequence(MATCH))
    assert done.returncode == 1
    assert done.stderr.startswith("error: script.mlir: there is nothing to reduce: it succeeds; ")
    assert "it has no script to run" in reduce(f"module {{\n{PAYLOAD}}}\n").stderr
    assert reduce(planted("error"), "--keep", "crash").returncode == 1
    assert reduce(planted("error"), "--keep", "what").returncode == 2
    Path("script.reduced.mlir").write_text("// mine\n", encoding="utf-8")
    done = reduce(planted("error"))
    assert done.stderr.startswith("error: script.reduced.mlir: this file is not of 'tdls reduce', or was edited since")
    assert tdls("reduce", "script.mlir", "-o", "script.mlir").returncode == 2


def test_edited_results_stay() -> None:
    result = Path("script.reduced.mlir")
    assert reduce(planted("use-after-free"), "--keep", "use-after-free").returncode == 0
    written = result.read_text(encoding="utf-8")
    assert reduce(planted("use-after-free"), "--keep", "use-after-free").returncode == 0
    assert result.read_text(encoding="utf-8") == written
    for edited in (f"{written}// my notes\n", written.replace("// ", "//  ", 2), written.replace("\n", "\r\n")):
        result.write_bytes(edited.encode())
        assert reduce(planted("use-after-free"), "--keep", "use-after-free").returncode == 2
        assert result.read_bytes() == edited.encode()


def test_results_that_are_edited_during_the_search_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    result = Path("script.reduced.mlir")

    def edited(*arguments: Any) -> Any:
        result.write_text("// mine\n", encoding="utf-8")
        return original(*arguments)

    original = reduce_command._reduced
    monkeypatch.setattr(reduce_command, "_reduced", edited)
    done = reduce(planted("use-after-free"), "--keep", "use-after-free")
    assert "written to script.reduced.2.mlir" in done.stderr
    assert result.read_text(encoding="utf-8") == "// mine\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_an_interrupt_gives_the_smallest_so_far(folder: Path) -> None:
    Path("script.mlir").write_text(planted("error"), encoding="utf-8")
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen([*STARTED, "reduce", "script.mlir"], env=environment, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith(b"note: this stays: error: op uses a handle invalidated")
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[1]
    assert (process.returncode, b"written to script.reduced.mlir" in said) == (130, True), said
    assert not list(folder.glob("tdls-*"))
