"""``tdls --check --run``: diagnostics of MLIR's interpreter among the findings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from command_line import tdls
from interpreter.mlir.worker.faults import faults
from interpreter.scripts import MATCH, PAYLOAD, TILE, sequence
from tdls.analysis.rules.checking.reported_elsewhere import FAILED_RUN
from tdls.interpreter.mlir.worker.packages import version_of
from tdls.interpreter.runs.model import Status
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Sequence

GOOD = FAILED_RUN.text.example_good
COPY = """\
  func.func @f(%a: tensor<8x8xvector<4xi8>>, %b: tensor<8x8xvector<4xi8>>) -> tensor<8x8xvector<4xi8>> {
    %0 = linalg.copy ins(%a : tensor<8x8xvector<4xi8>>) outs(%b : tensor<8x8xvector<4xi8>>) -> tensor<8x8xvector<4xi8>>
    return %0 : tensor<8x8xvector<4xi8>>
  }
"""
VECTORIZE = """\
    %copy = transform.structured.match ops{["linalg.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %copy : !transform.any_op
"""
BAD = f"""\
module attributes {{transform.with_named_sequence}} {{
{COPY}\
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
{VECTORIZE}\
    transform.yield
  }}
}}
"""
"""MLIR tells its failure of the payload, without the reason."""
TILING = sequence(MATCH + TILE)
LIBRARY = sequence(MATCH + TILE, "")
FAILING = """\
    %loop = transform.get_parent_op %matmul {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
"""
USE_AFTER_FREE = sequence(MATCH + TILE + '    transform.annotate %matmul "late" : !transform.any_op\n')
IN_A_LOOP = sequence("""\
    %all = transform.structured.match ops{["linalg.matmul", "func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.foreach %all : !transform.any_op {
    ^bb0(%each: !transform.any_op):
      %a, %b = transform.structured.tile_using_for %each tile_sizes [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
""")
"""The second operation cannot be tiled."""
MLIR = version_of("torch_mlir")
SYNTAX_ERROR = TILING.replace("tile_sizes [4]", "tile_sizes [4")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_bindings()
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def check(*arguments: str) -> tuple[int, str, str]:
    done = tdls("--check", "--run", "--no-cache", *arguments)
    assert "mistake in tdls" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def findings(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(check("--format", "json", *arguments)[1])["diagnostics"]
    return found


def rules(found: Sequence[dict[str, Any]]) -> list[str]:
    return [finding["rule"] for finding in found]


@pytest.mark.parametrize("backend", ["bindings", "tool"])
def test_a_failure_is_found_at_its_place_with_the_payload(backend: str) -> None:
    name = "bindings" if backend == "bindings" else require_mlir_opt(22).as_posix()
    (finding,) = findings(write("bad.mlir", BAD), "--config", f'run.backend = "{name}"')
    assert (finding["rule"], finding["code"], finding["level"]) == ("failed-run", "TD401", "error")
    assert finding["message"] == "Attempted to vectorize, but failed"
    line = BAD.splitlines()[finding["range"]["start"]["line"] - 1]
    assert "structured.vectorize" in line
    said, read = finding["notes"]
    assert read["message"].startswith("as tdls reads it, not MLIR: `linalg.copy` has elements of type")
    for note in (said, read):
        assert "linalg.copy" in BAD.splitlines()[note["range"]["start"]["line"] - 1]


def test_a_failure_says_how_to_see_the_payload_before_it() -> None:
    """In words, and as fields: the second time that the operation in the loop is executed."""
    write("loops.mlir", IN_A_LOOP)
    (finding,) = findings("loops.mlir")
    at = f"{finding['range']['start']['line']}:{finding['range']['start']['column']}#2"
    assert finding["failed_step"] == {"execution": 2, "show_before": ["tdls", "trace", "loops.mlir", "--at", at]}
    shown = f"= help: 'tdls trace loops.mlir --at {at}' shows the payload right before that\n"
    assert shown in check("loops.mlir")[1]
    traced = tdls(*finding["failed_step"]["show_before"][1:]).stdout
    assert "which was not completed" in traced.splitlines()[0]
    assert "scf.for" in traced


def test_findings_at_no_step_have_none_to_show() -> None:
    (finding,) = findings(write("free.mlir", USE_AFTER_FREE))
    assert "failed_step" not in finding


def test_a_failure_that_mlir_tells_of_the_payload_is_found_in_the_script() -> None:
    write("payload.mlir", f"module {{\n{COPY}}}\n")
    script = f"// tdls: payload=payload.mlir\n{sequence(VECTORIZE, '')}"
    (finding,) = findings(write("script.mlir", script))
    assert "vectorize" in script.splitlines()[finding["range"]["start"]["line"] - 1]
    note, _ = finding["notes"]
    assert Path(note["path"]).name == "payload.mlir"
    assert "linalg.matmul" in f"module {{\n{PAYLOAD}}}\n".splitlines()[note["range"]["start"]["line"] - 1]


def test_arguments_that_a_run_line_binds_are_no_reason_not_to_run() -> None:
    binding = '// RUN: mlir-opt %s --transform-interpreter="debug-bind-trailing-args=linalg.matmul"\n'
    root = "%root: !transform.any_op {transform.readonly}"
    script = sequence(TILE).replace(root, f"{root}, %matmul: !transform.any_op {{transform.consumed}}")
    for line, run in ((binding, "1 file run"), ("", f"0 files run, 1 only read, by {MLIR}")):
        assert check(write("bound.mlir", line + script))[:2] == (0, f"no findings in 1 file; {run}\n")


def test_scripts_that_succeed_or_have_nothing_to_run_are_counted() -> None:
    files = [
        write("good.mlir", GOOD),
        write("library.mlir", LIBRARY),
        write("payload.mlir", f"module {{\n{PAYLOAD}}}\n"),
    ]
    assert check(*files)[:2] == (0, f"no findings in 3 files; 1 file run, 2 only read, by {MLIR}\n")
    summary = json.loads(check(*files, "--format", "json")[1])["summary"]
    assert (summary["run"], summary["not_run"], summary["read"]) == (1, 2, 2)


WRONG = """\
func.func @f(%x: i32) {
  %0 = llvm.icmp "lt" %x, %x : i32
  return
}
func.func @g(%x: i32) {
  %0 = llvm.zext %x : i32 to i8
  return
}
"""
"""Mistakes that no rule reports for certain."""


def test_mlir_reads_files_with_nothing_to_run() -> None:
    """What a rule reports as an error is not repeated, but has MLIR's words in a note."""
    undefined = "func.func @h() {\n  func.call @f(%nothing) : (f32) -> ()\n  return\n}\nfunc.func private @f(f32)\n"
    found = findings(write("payload.mlir", WRONG), write("undefined.mlir", undefined))
    starts = [finding["range"]["start"] for finding in found]
    assert rules(found) == ["failed-run", "failed-run", "undefined-value"]
    assert [(start["line"], start["column"]) for start in starts] == [(2, 18), (6, 8), (2, 16)]
    assert any("MLIR says: use of undeclared SSA value" in note["message"] for note in found[2]["notes"])


@pytest.mark.parametrize(("target", "count"), [("22", 2), ("19", 0)])
def test_a_tool_speaks_for_the_version_that_is_the_target(target: str, count: int) -> None:
    Path("tdls.toml").write_text(f'run.backend = "{require_mlir_opt(22)}"\n', encoding="utf-8")
    path = write("payload.mlir", WRONG)
    assert len(findings("--trust-workspace", "--target-llvm", target, path)) == count


def test_without_mlir_only_tdls_reads() -> None:
    Path("tdls.toml").write_text('run.python = "no-such-python"\n', encoding="utf-8")
    status, output, _ = check("--trust-workspace", write("payload.mlir", WRONG))
    assert (status, output) == (0, "no findings in 1 file; 0 files run, 1 with nothing to run\n")


def test_findings_of_rules_are_not_repeated() -> None:
    found = findings(write("free.mlir", USE_AFTER_FREE), write("syntax.mlir", SYNTAX_ERROR))
    assert rules(found) == ["use-after-free", "syntax-error"]


def test_findings_of_unselected_rules_are_reported_by_the_run() -> None:
    found = findings(write("free.mlir", USE_AFTER_FREE), "--ignore", "use-after-free")
    assert rules(found) == ["failed-run"]
    assert "invalidated" in found[0]["message"]


def test_comments_settings_and_options_silence_it() -> None:
    name = write("bad.mlir", "// tdls: ignore-file[failed-run]: on purpose\n" + BAD)
    assert findings(name) == []
    assert findings(write("off.mlir", BAD), "--config", 'rules.failed-run = "off"') == []
    assert findings("off.mlir", "--ignore", "TD4") == []


def test_a_comment_that_silences_it_is_not_called_unused_without_runs() -> None:
    write("bad.mlir", "// tdls: ignore-file[failed-run]: on purpose\n" + GOOD)
    assert tdls("--check", "--no-cache", "bad.mlir").returncode == 0


def test_payloads_that_comments_name_are_used() -> None:
    write("payload.mlir", f"module {{\n{PAYLOAD}}}\n")
    failing = sequence(MATCH + FAILING, "")
    (finding,) = findings(write("script.mlir", f"// tdls: payload=payload.mlir\n{failing}"), "--ignore", "TD309")
    assert finding["rule"] == "failed-run"
    (missing,) = findings(write("other.mlir", f"// tdls: payload=nothing.mlir\n{failing}"))
    assert "nothing.mlir" in missing["message"]


def test_parts_are_run_one_by_one() -> None:
    found = findings(write("parts.mlir", f"{GOOD}// -----\n{BAD}// -----\n{LIBRARY}"))
    assert rules(found) == ["failed-run"]
    assert found[0]["range"]["start"]["line"] > GOOD.count("\n")


@pytest.mark.parametrize(
    ("status", "story"),
    [
        (Status.CRASH, "MLIR crashed"),
        (Status.TIMEOUT, "the run took too long"),
        (Status.OUT_OF_MEMORY, "the run took too much memory"),
    ],
)
def test_scripts_that_mlir_does_not_survive_are_findings(status: Status, story: str) -> None:
    fault = next(fault for fault in faults() if fault.expected == {status} and "func.func" in fault.script)
    limits = [f"run.timeout = {fault.limits.seconds}", f"run.memory = {fault.limits.memory >> 20}"]
    options = [option for limit in limits for option in ("--config", limit)]
    found = [
        finding for finding in findings(write("fault.mlir", fault.script), *options) if finding["rule"] == "failed-run"
    ]
    assert [finding["message"].startswith(story) for finding in found] == [True]


def test_without_a_backend_there_is_one_error_next_to_findings_of_rules() -> None:
    files = [write("a.mlir", USE_AFTER_FREE), write("b.mlir", GOOD)]
    status, output, errors = check("--format=concise", "--config", 'run.backend = "no-such-opt"', *files)
    assert status == 2
    assert output.count("use-after-free") == 1
    assert errors.count("no-such-opt") == 1


def test_the_number_of_jobs_does_not_matter() -> None:
    files = [write(f"{number}.mlir", text) for number, text in enumerate([BAD, GOOD, USE_AFTER_FREE, BAD, LIBRARY])]
    assert check("--jobs=1", *files) == check("--jobs=3", *files)


def test_runs_follow_the_payload_even_where_findings_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "kept"))
    write("script.mlir", f"// tdls: payload=payload.mlir\n{sequence(MATCH + TILE, '')}")
    write("payload.mlir", f"module {{\n{PAYLOAD}}}\n")
    assert tdls("--check", "--run", "script.mlir").returncode == 0
    write("payload.mlir", "module {\n  func.func @broken(\n}\n")
    assert tdls("--check", "--run", "script.mlir").returncode == 1


@pytest.mark.parametrize("format_", ["full", "concise", "jsonl", "sarif", "github", "gitlab"])
def test_every_format_has_it(format_: str) -> None:
    assert "Attempted to vectorize, but failed" in check("--format", format_, write("bad.mlir", BAD))[1]


def test_a_baseline_knows_it() -> None:
    write("bad.mlir", BAD)
    assert check("bad.mlir", "--baseline", "known.json", "--write-baseline")[0] == 0
    assert findings("bad.mlir", "--baseline", "known.json") == []
    assert tdls("--check", "bad.mlir", "--baseline", "known.json", "--prune-baseline").returncode == 0
    assert findings("bad.mlir", "--baseline", "known.json") == []


def test_comments_that_expect_messages_of_mlir_are_met() -> None:
    """MLIR says it of the payload."""
    expected = "// expected-error @below {{Attempted to vectorize, but failed}}\n    %0 = linalg.copy"
    text = BAD.replace("%0 = linalg.copy", expected, 1)
    assert check("--verify-diagnostics", write("expected.mlir", text))[0] == 0
    assert check("--verify-diagnostics", write("unexpected.mlir", BAD))[0] == 1


def test_matches_can_be_required() -> None:
    name = write("found.mlir", TILING)
    assert findings("--require-matches", name) == []
    payload = write("payload.mlir", f"module {{\n{PAYLOAD}}}\n")
    nothing = sequence(MATCH.replace("linalg.matmul", "linalg.fill"), "")
    name = write("nothing.mlir", f"// tdls: payload={payload}\n{nothing}")
    silent = ("--ignore", "finds-nothing", name)
    assert findings(*silent) == []
    (finding,) = findings("--require-matches", *silent)
    assert (finding["rule"], finding["level"]) == ("failed-run", "error")
    assert finding["message"].startswith("`%matmul` holds nothing: the payload has no `linalg.fill`")
    done = tdls("--check", "--require-matches", name)
    assert done.returncode == 2
    assert "it needs --run" in done.stderr


def test_a_form_that_mlir_reads_is_no_error() -> None:
    """A catalogue has a form that the MLIR at hand does not have; a run refutes it, but not for a chosen version."""
    form = {
        "name": "transform.apply_cse",
        "operands": [{"name": "target"}],
        "assembly_format": "$target attr-dict `:` type($target)",
    }
    write("operations.json", json.dumps({"format": 1, "operations": [form]}))
    write("tdls.toml", 'catalogues = ["operations.json"]')
    script = write("a.mlir", sequence(MATCH + "    transform.apply_cse to %matmul : !transform.any_op\n"))
    assert check(script)[0] == 0
    code, output, _ = check(script, "--target-llvm", "23")
    assert (code, "a.mlir:" in output) == (1, True)
    write(script, Path(script).read_text(encoding="utf-8").replace('["linalg.matmul"]', "["))
    assert check(script)[0] == 1


def test_a_suppressed_failure_is_a_remark() -> None:
    """It is said where it happened, and neither a check nor a run fails for it."""
    vectorize = "      transform.structured.vectorize %matmul : !transform.any_op\n"
    script = write(
        "a.mlir",
        sequence(
            f"    transform.sequence %root : !transform.any_op failures(suppress) {{\n"
            f"    ^bb0(%r: !transform.any_op):\n{MATCH.replace('%root', '%r')}{vectorize}    }}\n",
            PAYLOAD.replace("8x8", "?x?"),
        ),
    )
    code, output, _ = check(script)
    assert code == 0, output
    assert "remark[failed-run]: this failed, and the failure was suppressed: Attempted to vectorize" in output
    ran = tdls("run", script)
    assert ran.returncode == 0
    assert "remark[suppressed]: this failed" in ran.stderr
