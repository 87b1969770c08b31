"""The command line as people meet it: exit statuses, streams, spellings."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

from command_line import tdls
from tdls import __version__
from tdls.analysis.rules import find_rule
from tdls.cli.rendering.formats import concise

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import SourceText
    from tdls.text.diagnostic import Diagnostic

SCHEMA = Path(__file__).parents[2] / "docs" / "json-output.schema.json"
PATIENCE = 60
MORE_THAN_A_PIPE_HOLDS = b" " * (1 << 20)
USE_AFTER_FREE = find_rule("use-after-free")
assert USE_AFTER_FREE is not None
BAD = USE_AFTER_FREE.text.example_bad
GOOD = USE_AFTER_FREE.text.example_good
BAD_LINE = BAD.splitlines().index("    transform.structured.vectorize %matmul : !transform.any_op") + 1


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("bad.mlir").write_text(BAD, encoding="utf-8")
    Path("good.mlir").write_text(GOOD, encoding="utf-8")
    return tmp_path


def test_clean_file() -> None:
    done = tdls("--check", "good.mlir")
    assert (done.returncode, done.stdout, done.stderr) == (0, "no findings in 1 file\n", "")


def test_finding_with_its_source() -> None:
    done = tdls("--check", "bad.mlir")
    assert done.returncode == 1
    assert done.stdout.startswith("warning[use-after-free]: ")
    assert f"--> bad.mlir:{BAD_LINE}:" in done.stdout
    assert "note: allocated here" in done.stdout
    assert "note: freed here" in done.stdout
    assert done.stdout.endswith("\n\n1 warning in 1 file; 1 perhaps fixable with --fix --unsafe-fixes\n")
    assert done.stderr == ""


def test_concise_format() -> None:
    done = tdls("--check", "--format", "concise", ".")
    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    place, level, rest = line.split(": ", 2)
    assert place.startswith(f"bad.mlir:{BAD_LINE}:")
    assert level == "warning"
    assert rest.endswith(" [use-after-free]")


def test_json_format_follows_its_schema() -> None:
    done = tdls("--check", "bad.mlir", "good.mlir", "missing.mlir", "--format", "json")
    assert done.returncode == 2
    document = json.loads(done.stdout)
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    (finding,) = document["diagnostics"]
    assert finding["rule"] == "use-after-free"
    assert finding["code"] == "TD301"
    start = finding["range"]["start"]
    assert start["line"] == BAD_LINE
    assert BAD.splitlines()[start["line"] - 1][start["column"] - 1 :] == BAD[start["offset"] :].splitlines()[0]
    assert len(finding["notes"]) == 3
    assert document["unreadable"] == [{"path": "missing.mlir", "message": "no such file or directory"}]
    counts = {"files": 2, "errors": 0, "warnings": 1, "remarks": 0, "hints": 0, "not_analysed": 0}
    assert document["summary"] == counts


def test_json_format_without_findings_follows_its_schema() -> None:
    document = json.loads(tdls("--check", "good.mlir", "--format", "json").stdout)
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert document["diagnostics"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--format", "concise", "bad.mlir"],
        ["--check", "bad.mlir", "--format", "concise"],
        ["--format", "concise", "--check", "bad.mlir"],
        ["--format=concise", "bad.mlir", "--check"],
        ["check", "bad.mlir", "--format=concise"],
        ["--check", "--format=concise", "--", "bad.mlir"],
    ],
)
def test_both_spellings_take_every_option(arguments: list[str]) -> None:
    assert tdls(*arguments).stdout == tdls("--check", "--format=concise", "bad.mlir").stdout
    assert tdls(*arguments).returncode == 1


def test_a_file_called_like_an_option() -> None:
    Path("--check").write_text(BAD, encoding="utf-8")
    done = tdls("check", "--format=concise", "--", "--check")
    assert done.stdout.startswith("--check:")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hello world", "`hello`"),
        ("# A title\n\n- and a list", "`#`"),
        ("", ""),
        ("// CHECK: x\n#map = affine_map<(d0) -> (d0)>", ""),
        ("{{ body }}", ""),
        ("my.op some words", ""),
    ],
)
def test_a_text_without_operations_is_no_mlir(tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / "x.mlir").write_text(text, encoding="utf-8")
    done = tdls("--check", str(tmp_path / "x.mlir"), "--format", "concise")
    assert done.returncode == int(bool(found))
    assert (f"1:1: error: expected an operation, found {found} [syntax-error]" in done.stdout) == bool(found)


def test_standard_input() -> None:
    done = tdls("--check", "-", "--format", "concise", text=BAD)
    assert done.stdout.startswith(f"<stdin>:{BAD_LINE}:")
    named = tdls("--check", "-", "--stdin-filename", "dir/x.mlir", "--format", "concise", text=BAD)
    assert named.stdout.startswith("dir/x.mlir:")
    assert named.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--check", "nowhere.mlir"], "nowhere.mlir: no such file or directory"),
        (["--check", "latin.mlir"], "latin.mlir: not UTF-8 text (byte 3)"),
        (["--check", "code.mlirbc"], "code.mlirbc: bytecode of MLIR, which `mlir-opt"),
        (["run", "good.mlir", "--payload", "code.mlirbc", "--backend", "nowhere"], "nowhere"),
        (["--check"], "Missing argument 'PATH...'"),
        (["--check", "--format", "xml", "good.mlir"], "Invalid value for '--format'"),
        (["--check", "--jobs", "0", "good.mlir"], "Invalid value for '--jobs'"),
        (["--check", "--catalogue", "nowhere.json", "good.mlir"], "nowhere.json"),
        (["--check", "--catalogue", "good.mlir", "good.mlir"], "good.mlir"),
        (["parse", "nowhere.mlir"], "nowhere.mlir"),
        (["parse", "."], "."),
        (["explain", "use-after-fre"], "did you mean 'use-after-free'?"),
        (["explain", "zzz"], "'tdls explain' lists all rules"),
        (["catalogue", "show", "transform.structured.tile_using_fro"], "'transform.structured.tile_using_for'"),
        (["catalogue", "list", "--dialect", "nodialect"], "nodialect"),
        (["chekc"], "No such command 'chekc'. Did you mean 'check'?"),
    ],
)
def test_wrong_usage_is_reported_in_words(arguments: list[str], message: str) -> None:
    Path("latin.mlir").write_bytes(b"// \xe9\n")
    Path("code.mlirbc").write_bytes(b"ML\xefR\x0d")
    done = tdls(*arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_unreadable_files_do_not_hide_findings() -> None:
    done = tdls("--check", "bad.mlir", "nowhere.mlir", "--format=concise")
    assert done.returncode == 2
    assert "[use-after-free]" in done.stdout


def test_a_directory_without_files_is_an_error() -> None:
    Path("empty").mkdir()
    done = tdls("--check", "empty")
    assert done.returncode == 2
    assert "empty: no *.mlir file to check here" in done.stderr


def test_a_directory_without_files_is_clean_where_that_is_allowed() -> None:
    Path("empty").mkdir()
    done = tdls("--check", "empty", "--allow-empty")
    assert (done.returncode, done.stdout) == (0, "no findings in 0 files\n")
    assert "empty: no *.mlir file to check here" in done.stderr


def test_colour() -> None:
    assert "\x1b[" not in tdls("--check", "bad.mlir").stdout
    assert "\x1b[" in tdls("--check", "bad.mlir", "--color", "always").stdout
    assert "\x1b[" in tdls("--check", "bad.mlir", "--color", "always", NO_COLOR="1").stdout
    assert "\x1b[" not in tdls("--check", "bad.mlir", "--color", "never").stdout


@pytest.mark.parametrize("output", ["full", "concise", "json"])
def test_number_of_processes_changes_nothing(output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.cli.checking.workers._BYTES_WORTH_A_WORKER", 1)
    for number in range(40):
        Path(f"copy{number % 7}_{number}.mlir").write_text(BAD if number % 3 else GOOD, encoding="utf-8")
    alone = tdls("--check", ".", "--jobs", "1", "--format", output)
    together = tdls("--check", ".", "--jobs", "2", "--format", output)
    assert (alone.returncode, alone.stdout, alone.stderr) == (together.returncode, together.stdout, together.stderr)
    assert alone.stdout.count("copy5_5.mlir") >= 1


def test_line_ends_are_kept_apart_from_columns() -> None:
    Path("dos.mlir").write_bytes(BAD.replace("\n", "\r\n").encode())
    unix = tdls("--check", "bad.mlir", "--format=concise").stdout
    assert tdls("--check", "dos.mlir", "--format=concise").stdout == unix.replace("bad.", "dos.")


def test_verification_of_expected_comments() -> None:
    lines = BAD.splitlines()
    lines.insert(BAD_LINE - 1, "    // expected-warning @below {{used after}}")
    Path("verified.mlir").write_text("\n".join(lines), encoding="utf-8")
    done = tdls("--check", "verified.mlir", "--verify-diagnostics", "--format=concise")
    assert done.returncode == 1
    messages = [line.split(": ", 2)[2] for line in done.stdout.splitlines()]
    assert "unexpected note: allocated here [verify-diagnostics]" in messages
    assert "unexpected note: freed here [verify-diagnostics]" in messages


def test_splitting_is_a_choice() -> None:
    definition = '%0 = "my.op"() : () -> i32'
    Path("own_line.mlir").write_text(f"{definition}\n// -----\n{definition}\n", encoding="utf-8")
    Path("shared.mlir").write_text(f"{definition} // -----\n{definition}\n", encoding="utf-8")
    for name, option, status in (
        ("own_line.mlir", "--split-input-file", 0),
        ("own_line.mlir", "--format=full", 0),
        ("own_line.mlir", "--no-split-input-file", 1),
        ("shared.mlir", "--split-input-file", 0),
        ("shared.mlir", "--format=full", 1),
        ("shared.mlir", "--no-split-input-file", 1),
    ):
        assert tdls("--check", name, option).returncode == status, (name, option)


CATALOGUE = {
    "format": 1,
    "operations": [
        {
            "name": "transform.npu.place",
            "summary": "Places a loop on cores",
            "operands": [{"name": "loop", "constraint": "TransformHandleTypeInterface", "effect": "consumes"}],
            "assembly_format": "$loop attr-dict `:` type($loop)",
        }
    ],
}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_described_operations_are_checked(jobs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.cli.checking.workers._BYTES_WORTH_A_WORKER", 1)
    text = BAD.replace("transform.structured.vectorize", "transform.npu.place")
    text = text.replace(
        "    transform.yield", "    transform.npu.place %tiled : !transform.any_op\n    transform.yield"
    )
    text = text.replace(
        "    transform.yield", "    transform.npu.place %tiled : !transform.any_op\n    transform.yield"
    )
    Path("npu.mlir").write_text(text, encoding="utf-8")
    Path("npu.json").write_text(json.dumps(CATALOGUE), encoding="utf-8")
    arguments = ["--check", "npu.mlir", "good.mlir", "--format=concise", "--jobs", jobs]
    without = tdls(*arguments).stdout.splitlines()
    described = tdls(*arguments, "--catalogue", "npu.json").stdout.splitlines()
    assert [line.split(":")[1] for line in without] == [str(BAD_LINE)]
    assert [line.split(":")[1] for line in described] == [str(BAD_LINE), str(BAD_LINE + 2)]


def test_described_operations_are_shown() -> None:
    Path("npu.json").write_text(json.dumps(CATALOGUE), encoding="utf-8")
    shown = tdls("catalogue", "show", "transform.npu.place", "--catalogue", "npu.json").stdout
    assert shown.startswith("transform.npu.place\n  Places a loop on cores\n")
    assert "consumes" in shown
    assert "npu.json" in shown
    assert "mlir.llvm.org" not in shown
    listed = tdls("catalogue", "list", "--dialect", "transform", "--catalogue", "npu.json").stdout
    assert "transform.npu.place\n" in listed
    text = "transform.npu.place %a {x} : !transform.any_op\n"
    assert "transform.npu.place  1:1-1:47 exact" in tdls("parse", "-", "--catalogue", "npu.json", text=text).stdout


def test_version_and_help() -> None:
    assert tdls("--version").stdout == f"tdls {__version__}\n"
    shown = tdls("--help")
    assert shown.returncode == 0
    for word in ("check", "parse", "catalogue", "explain"):
        assert word in shown.stdout
        assert tdls(word, "--help").returncode == 0


def test_version_imports_no_other_floor() -> None:
    script = (
        "import sys; before = set(sys.modules); sys.argv = ['tdls', '--version']\n"
        "from tdls.cli.main import main\n"
        "main()\n"
        "print(*set(sys.modules) - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert not [name for name in loaded if name.startswith("tdls.") and not name.startswith("tdls.cli")]
    assert not {"click", "dataclasses", "pathlib", "re", "typing"} & set(loaded)


def test_an_edited_script_needs_neither_grammars_nor_readers_of_sources() -> None:
    needless = ["lark", "pygls", "concurrent.futures", "tdls.catalogue.sources.tablegen"]
    needless += ["tdls.catalogue.sources.cpp", "tdls.catalogue.sources.python_modules", "multiprocessing"]
    Path(".git").mkdir()
    program = (
        "import sys; sys.argv = ['tdls', '--check', 'new.mlir']\n"
        f"from tdls.cli.main import main; main(); print(sys.modules.keys() & {set(needless)} or 'none')"
    )
    script = (
        "module attributes {transform.with_named_sequence} {\n  transform.named_sequence @__transform_main(%root:"
        ' !transform.any_op) {\n    %0 = transform.structured.match ops{["linalg.matmul"]} in %root'
        " : (!transform.any_op) -> !transform.any_op\n    transform.print %0 : !transform.any_op\n"
        "    transform.yield\n  }\n}\n"
    )
    for number in range(20):  # a project is looked at again as long as its files were changed just before
        Path("new.mlir").write_text(f"// {number}\n{script}", encoding="utf-8")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        if done.stdout.endswith("none\n"):
            break
    assert (done.stdout, done.stderr) == ("no findings in 1 file\nnone\n", "")


def test_internal_errors_are_owned_up_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise ZeroDivisionError("made to fail")

    monkeypatch.setattr("tdls.cli.commands.explain.find_rule", fail)
    done = tdls("explain", "TD301")
    assert done.returncode == 70
    assert done.stderr.startswith("error: internal error: ZeroDivisionError: made to fail\n")
    assert "Traceback" not in done.stderr
    assert "Traceback" in tdls("explain", "TD301", TDLS_DEBUG="1").stderr


def test_a_crash_in_one_file_spares_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    render = concise.render

    def fail(diagnostic: Diagnostic, source: SourceText) -> str:
        if source.name == "a.mlir":
            raise ZeroDivisionError("made to fail")
        return render(diagnostic, source)

    monkeypatch.setattr(concise, "render", fail)
    Path("a.mlir").write_text(BAD, encoding="utf-8")
    done = tdls("--check", "a.mlir", "bad.mlir", "--format=concise")
    assert done.returncode == 70
    assert done.stdout.startswith("bad.mlir:")
    assert "internal error while checking a.mlir: ZeroDivisionError: made to fail" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently on Windows")
def test_a_reader_that_leaves_is_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "tdls", "catalogue", "list"], stdout=write_end, stderr=subprocess.PIPE, check=False
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_interrupt() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tdls", "--check", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(MORE_THAN_A_PIPE_HOLDS)  # so that it is being read when this returns
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors.strip()) == (130, b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows removes no current folder")
@pytest.mark.parametrize(("arguments", "status"), [(["--check", "{file}"], 0), (["--check", "."], 2), (["doctor"], 2)])
def test_a_removed_current_folder_does_not_matter_to_whole_paths(
    arguments: list[str], status: int, tmp_path: Path
) -> None:
    (tmp_path / "a.mlir").write_text("module {}\n", encoding="utf-8")
    (tmp_path / "gone").mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); os.execv(p := sys.executable, [p, '-m', 'tdls', *sys.argv[1:]])"
    given = [argument.format(file=tmp_path / "a.mlir") for argument in arguments]
    done = subprocess.run(
        [sys.executable, "-c", code, *given], cwd=tmp_path / "gone", capture_output=True, check=False, text=True
    )
    assert done.returncode == status, done.stderr
    assert ("the current folder does not exist any more" in done.stderr) == (status == 2)
