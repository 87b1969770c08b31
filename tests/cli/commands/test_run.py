"""``tdls run`` as people start it: its output, its exit statuses, and the sources of its settings."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import psutil
import pytest

from command_line import tdls
from interpreter.own_operations import REPEAT, write_catalogue
from interpreter.scripts import LONGER_AND_LONGER, MATCH, NESTED_TOO_DEEP, PAYLOAD, TILE, doubling, sequence
from tools_at_hand import require_bindings, require_mlir_opt

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PAYLOAD_FILE = f"module {{\n{PAYLOAD}}}\n"
TILING = sequence(MATCH + TILE)
TILING_ALONE = sequence(MATCH + TILE, "")
USE_AFTER_FREE = sequence(MATCH + TILE + "    transform.print %matmul : !transform.any_op\n")
INCLUDING = sequence(
    "    transform.include @helper failures(propagate) (%root) : (!transform.any_op) -> ()\n",
    PAYLOAD + "  transform.named_sequence private @helper(!transform.any_op {transform.readonly})\n",
)
LIBRARY = TILING_ALONE.replace("__transform_main", "helper")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    require_bindings()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tdls_run(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    done = tdls("run", *arguments, text=text, folder=None, **environment)
    assert "mistake in tdls" not in done.stderr
    return done


def without_bindings(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run it where no bindings are installed."""
    code = "import sys; from importlib.machinery import PathFinder as P; find = P.find_spec\n"
    code += "P.find_spec = lambda name, *rest: None if name in ('mlir', 'torch_mlir', 'iree') else find(name, *rest)\n"
    code += "sys.argv[:1] = ['tdls', 'run']; from tdls.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env=os.environ | environment)


def write(name: str, text: str) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return name


def test_payload_goes_to_standard_output() -> None:
    done = tdls_run(write("tile.mlir", TILING))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("module {\n  func.func @f(")
    assert "scf.for" in done.stdout
    assert "transform." not in done.stdout


def test_a_script_without_payload_is_no_silent_success() -> None:
    done = tdls_run(write("alone.mlir", sequence(MATCH, "")))
    assert (done.returncode, done.stdout) == (0, "module {\n}\n")
    assert done.stderr.startswith("warning: alone.mlir: there is no payload, so nothing was transformed; name one with")


def test_module_and_diff() -> None:
    script = write("tile.mlir", TILING)
    assert "transform.named_sequence" in tdls_run(script, "--emit", "module").stdout
    changes = tdls_run(script, "--emit", "diff").stdout.splitlines()
    assert changes[:2] == ["--- tile.mlir", "+++ tile.mlir (transformed)"]
    assert any(line.startswith("+") and "scf.for" in line for line in changes)


def test_no_change_is_no_diff(monkeypatch: pytest.MonkeyPatch) -> None:
    done = tdls_run(write("match.mlir", sequence(MATCH)), "--emit", "diff")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "note: match.mlir: nothing changed in the payload\n"
    monkeypatch.setattr("tdls.cli.commands.run.COMPARED_PAYLOAD", type("Limit", (), {"most": 0}))
    empty = sequence(MATCH, "").replace('ops{["linalg.matmul"]}', 'ops{["linalg.fill"]}')
    done = tdls_run(write("match.mlir", empty), "--payload", write("payload.mlir", PAYLOAD))
    assert "remark[matches]: `%matmul` holds nothing: the payload has no `linalg.fill`" in done.stderr


def test_failure_is_shown_in_script_and_payload() -> None:
    write("payload.mlir", PAYLOAD_FILE)
    body = USE_AFTER_FREE.replace(PAYLOAD, "")
    done = tdls_run(write("bad.mlir", body), "--payload", "payload.mlir")
    line = body[: body.index("transform.print")].count("\n") + 1
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error[mlir]: op uses a handle invalidated by a previously executed transform op\n")
    assert f"--> bad.mlir:{line}:5\n" in done.stderr
    assert "note: nested payload op\n --> payload.mlir:3:10\n" in done.stderr


EACH = """\
    %all = transform.structured.match ops{["linalg.matmul", "func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.foreach %all : !transform.any_op {
    ^bb0(%each: !transform.any_op):
      transform.foreach %each : !transform.any_op {
      ^bb0(%inner: !transform.any_op):
        transform.annotate %inner "seen" : !transform.any_op
        %a, %b = transform.structured.tile_using_for %inner tile_sizes [4]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      }
    }
"""


@pytest.mark.parametrize("backend", ["bindings:torch_mlir", "mlir-opt-22"])
def test_failure_in_loops(backend: str) -> None:
    """The second operation cannot be tiled."""
    done = tdls_run(write("loops.mlir", sequence(EACH)), "--backend", backend)
    assert re.findall(r"executed by this operation, in its iteration (\d)\n", done.stderr) == ["1", "2"]
    (at,) = re.findall(r"'tdls trace loops.mlir --at (\S+:18#2)' with the options of this run", done.stderr)
    traced = tdls("trace", "loops.mlir", "--backend", backend, "--at", at).stdout
    assert "scf.for" in traced
    assert "which was not completed" in traced.splitlines()[0]


def test_documents_have_the_diagnostics_of_the_text() -> None:
    """MLIR reports the failure at the payload."""
    body = MATCH + "    transform.structured.vectorize %matmul vector_sizes [1, 1, 1] : !transform.any_op\n"
    done = tdls_run(write("vectorize.mlir", sequence(body)), "--format", "json")
    (error,) = json.loads(done.stdout)["runs"][0]["diagnostics"]
    assert f" --> vectorize.mlir:{error['place']['line']}:5\n" in done.stderr
    assert [note["message"] in done.stderr for note in error["notes"]] == [True, True]


def test_output_of_scripts_goes_to_standard_error() -> None:
    done = tdls_run(write("print.mlir", sequence(MATCH + "    transform.print %matmul : !transform.any_op\n")))
    assert done.stderr.startswith("[[[ IR printer: ]]]\n")
    assert "IR printer" not in done.stdout


def test_standard_input() -> None:
    assert "scf.for" in tdls_run("-", text=TILING).stdout


def test_broken_script() -> None:
    done = tdls_run(write("broken.mlir", "module {\n  transform.nope\n}\n"))
    assert (done.returncode, done.stdout, "--> broken.mlir:2:" in done.stderr) == (2, "", True)
    assert "`tdls run SCRIPT --payload p.mlir`\n" in tdls_run(write("p.mlir", "func.func private @f()\n")).stderr
    nested = tdls_run(write("n.mlir", f"func.func private @g()\n{TILING_ALONE}"), "--payload", "p.mlir")
    assert nested.stderr.startswith("error: n.mlir has @__transform_main in a nested module, where ")


def test_a_former_name_that_mlir_does_not_know_gets_its_present_one() -> None:
    old = TILING.replace("tile_using_for", "tile_to_scf_for").replace("tile_sizes", "")
    said = tdls_run(write("old.mlir", old)).stderr
    assert "custom op 'transform.structured.tile_to_scf_for' is unknown" in said
    assert said.count("note: ") == said.count("--until-unknown") + 1 == 2
    assert "exists up to LLVM 17 only; it is now called `transform.structured.tile_using_for`" in said


def test_crash_tells_how_to_reproduce_it() -> None:
    done = tdls_run(write("deep.mlir", NESTED_TOO_DEEP))
    assert (done.returncode, done.stdout) == (3, "")
    assert "error: deep.mlir: MLIR crashed: " in done.stderr
    assert "note: to reproduce: mlir-opt deep.mlir --allow-unregistered-dialect " in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs links of POSIX")
@pytest.mark.parametrize("command", ["run", "trace"])
def test_report_that_cannot_be_one_is_a_failure(command: str) -> None:
    write("secret.mlir", "module {\n}\n")
    tool = write("tool.py", "import os, sys\nos.symlink(os.path.abspath('secret.mlir'), sys.argv[-1])\n")
    script = write("script.mlir", sequence(MATCH))
    backend = f"{sys.executable} {Path(tool).absolute()}"
    done = tdls(command, "--backend", backend, script)
    assert done.returncode == 1, done.stderr
    assert "error[mlir]: the file `output` of the run cannot be read: it is a symbolic link" in done.stderr
    assert "mistake in tdls" not in done.stderr


def test_timeout() -> None:
    for seconds in LONGER_AND_LONGER:
        done = tdls_run(write("endless.mlir", doubling(60)), "--timeout", str(seconds))
        assert (done.returncode, done.stdout) == (4, "")
        said = f"the run took too long: it was still running after {seconds} s"
        assert said in done.stderr
        story = f"error[mlir]: {said}"
        if done.stderr.startswith(f"{story}; this operation was being executed\n"):
            break
    assert done.stderr.startswith(f"{story}; this operation was being executed\n")
    assert "--> endless.mlir:" in done.stderr
    assert "transform.include @s" in done.stderr


def test_settings_of_the_command_line() -> None:
    write("payload.mlir", PAYLOAD_FILE)
    script = write("script.mlir", INCLUDING.replace(PAYLOAD, "").replace("__transform_main", "mine"))
    write("libraries/helper.mlir", LIBRARY)
    done = tdls_run(script, "--payload", "payload.mlir", "--entry-point", "@mine", "--library", "libraries")
    assert (done.returncode, done.stderr) == (0, "")
    assert "scf.for" in done.stdout


def test_settings_of_a_comment() -> None:
    write("scripts/in/payload.mlir", PAYLOAD_FILE)
    write("scripts/helper.mlir", LIBRARY)
    body = INCLUDING.replace(PAYLOAD, "").replace("__transform_main", "mine")
    comment = "// tdls: payload=in/payload.mlir entry-point=mine library=helper.mlir\n"
    run_line = "// RUN: mlir-opt %s --transform-interpreter=entry-point=other\n"
    done = tdls_run(write("scripts/script.mlir", run_line + comment + body))
    assert (done.returncode, done.stderr) == (0, "")
    assert "scf.for" in done.stdout


def test_settings_of_run_lines() -> None:
    write("scripts/in/payload.mlir", PAYLOAD_FILE)
    write("scripts/helper.mlir", LIBRARY)
    options = "transform-preload-library{transform-library-paths=%s,%p/helper.mlir}"
    interpreter = "transform-interpreter{entry-point=mine}"
    line = f'// RUN: mlir-opt %S/in/payload.mlir --pass-pipeline="builtin.module({options},{interpreter})"\n'
    body = INCLUDING.replace(PAYLOAD, "").replace("__transform_main", "mine")
    done = tdls_run(write("scripts/script.mlir", line + body))
    assert (done.returncode, done.stderr) == (0, "")
    assert "scf.for" in done.stdout


def test_payload_root_of_run_lines() -> None:
    tagged = 'module attributes {transform.target_tag = "here"} {\n' + PAYLOAD + "}\n"
    line = "// RUN: mlir-opt %s --transform-interpreter='debug-payload-root-tag=here'\n"
    body = '    transform.debug.emit_remark_at %root, "root" : !transform.any_op\n'
    text = line + sequence(body, tagged)
    root = text[: text.index("module attributes {transform.target_tag")].count("\n") + 1
    assert f"--> tagged.mlir:{root}:1\n" in tdls_run(write("tagged.mlir", text)).stderr


def test_settings_of_the_project() -> None:
    write("tdls.toml", 'libraries = ["libraries/*.mlir"]\n')
    write("libraries/helper.mlir", LIBRARY)
    assert "scf.for" in tdls_run(write("script.mlir", INCLUDING)).stdout


def test_parts_run_on_their_own() -> None:
    remark = sequence('    transform.debug.emit_remark_at %root, "second" : !transform.any_op\n')
    done = tdls_run(write("parts.mlir", f"{TILING}// -----\n{remark}"))
    first, second = done.stdout.split("// -----\n")
    assert ("scf.for" in first, "scf.for" in second) == (True, False)
    assert f"--> parts.mlir:{TILING.count(chr(10)) + 2}:1\n" in done.stderr


def test_one_part() -> None:
    script = write("parts.mlir", f"{TILING}// -----\n{sequence(MATCH)}")
    assert "scf.for" in tdls_run(script, "--part", "1").stdout
    second = tdls_run(script, "--part", "2")
    assert (second.returncode, "scf.for" in second.stdout, "// -----" in second.stdout) == (0, False, False)
    missing = tdls_run(script, "--part", "3")
    assert missing.returncode == 2
    assert missing.stderr == "error: parts.mlir: there is no part 3, the last one is part 2\n"


def test_stopping_at_a_place() -> None:
    script = write("tile.mlir", f"{sequence(MATCH)}// -----\n{TILING}")
    line = (sequence(MATCH) + TILING[: TILING.index("%tiled")]).count("\n") + 2
    assert "scf.for" in tdls_run(script, "--until", str(line)).stdout
    before = tdls_run(script, "--until", f"{line - 1}:5")
    assert (before.returncode, before.stderr) == (0, "")
    assert before.stdout.startswith("module {\n")
    assert "scf.for" not in before.stdout


def test_stopping_where_only_the_project_knows_that_something_is_executed(folder: Path) -> None:
    Path("tdls.toml").write_text(f'catalogues = ["{write_catalogue(folder).name}"]\n', encoding="utf-8")
    marks = "".join(f'    transform.annotate %each "{name}" : !transform.any_op\n' for name in ("first", "second"))
    body = f"    {REPEAT} %matmul : !transform.any_op {{\n    ^bb0(%each: !transform.any_op):\n{marks}"
    text = sequence(f"{MATCH}{body}    transform.yield\n    }}\n")
    line = text[: text.index('"first"')].count("\n") + 1
    done = tdls_run(write("repeat.mlir", text), "--backend", str(require_mlir_opt(22)), "--until", str(line))
    assert (done.returncode, done.stderr) == (0, "")
    assert "first" in done.stdout
    assert "second" not in done.stdout


@pytest.mark.parametrize("place", ["0", "1:0", "x", "1:", "-1"])
def test_places_that_are_none(place: str) -> None:
    done = tdls_run(write("tile.mlir", TILING), f"--until={place}")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Invalid value for '--until': {place!r} is not LINE or LINE:COLUMN" in done.stderr


ALONE = f"""\
{PAYLOAD}transform.sequence failures(propagate) {{
^bb0(%root: !transform.any_op):
{MATCH}{TILE}}}
"""


def test_script_without_a_name() -> None:
    script = write("alone.mlir", ALONE)
    done = tdls_run(script)
    assert (done.returncode, done.stderr) == (0, "")
    assert "scf.for" in done.stdout
    assert tdls_run(script, "--entry-point", "transform.sequence").stdout == done.stdout
    wrong = tdls_run(script, "--entry-point", "@main")
    complaint = "error: alone.mlir: there is no entry point main; there is transform.sequence\n"
    assert (wrong.returncode, wrong.stderr) == (2, complaint)


def test_settings_choose_backend_and_limits() -> None:
    script = write("tile.mlir", TILING)
    write("tdls.toml", f'[run]\nbackend = "{require_mlir_opt(22).as_posix()}"\ntimeout = 7\n')
    endless = tdls_run(write("endless.mlir", doubling(60)), "--timeout", "0.5", "--trust-workspace")
    assert "after 0.5 s" in endless.stderr
    assert tdls_run(script, "--trust-workspace").returncode == 0
    write("tdls.toml", '[run]\nbackend = "no-such-opt"\n')
    assert tdls_run(script, "--trust-workspace").stderr.startswith("error: no-such-opt: no such program")
    assert tdls_run(script, "--backend", "bindings").returncode == 0
    write("tdls.toml", '[run]\ntimeout = 0.4\nmemory = "much"\n')
    done = tdls_run("endless.mlir")
    assert done.returncode == 4
    assert 'tdls.toml:3: `run.memory` cannot be `"much"`; `run.memory` must be a whole number above 0\n' in done.stderr
    assert "after 0.4 s" in done.stderr


def test_python_with_bindings() -> None:
    script = write("tile.mlir", TILING)
    assert "scf.for" in tdls_run(script, "--python", sys.executable).stdout
    wrong = tdls_run(script, "--python", "no-such-python")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("error: no-such-python: no such program")


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_mlir_opt_stands_in_for_bindings(tmp_path: Path) -> None:
    (tmp_path / "mlir-opt").symlink_to(require_mlir_opt(22))
    write("tile.mlir", TILING)
    done = without_bindings("tile.mlir", PATH=str(tmp_path))
    assert done.returncode == 0
    assert "scf.for" in done.stdout
    missing = "MLIR's Python bindings, which tell more, are not installed: pip install torch-mlir"
    assert done.stderr == f"note: running with mlir-opt; {missing}\n"


def test_tool_as_backend() -> None:
    script = write("tile.mlir", TILING)
    done = tdls_run(script, "--backend", str(require_mlir_opt(22)))
    assert (done.returncode, done.stdout) == (0, tdls_run(script).stdout)


def test_tools_that_are_none_of_mlir() -> None:
    script = write("tile.mlir", TILING)
    failing = tdls_run(script, "--backend", f"{sys.executable} -c oops")
    assert (failing.returncode, failing.stdout) == (2, "")
    assert "NameError: name 'oops' is not defined\n" in failing.stderr
    silent = tdls_run(script, "--backend", f"{sys.executable} -c pass")
    assert (silent.returncode, silent.stdout) == (2, "")
    assert silent.stderr == "error: tile.mlir: nothing was run: the tool wrote no module\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere.mlir"], "error: nowhere.mlir: No such file or directory\n"),
        (["tile.mlir", "--payload", "nowhere.mlir"], "error: nowhere.mlir: No such file or directory\n"),
        (["tile.mlir", "--backend", "no-opt"], "error: no-opt: no such program; `run.backend` takes 'bindings'"),
        (["tile.mlir", "--backend", "bindings:json"], "error: the Python package json is not installed, or has no"),
        (["tile.mlir", "--timeout", "0"], "Usage: tdls run"),
    ],
)
def test_wrong_usage(arguments: list[str], complaint: str) -> None:
    write("tile.mlir", TILING)
    done = tdls_run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(complaint)


def test_bindings_that_are_not_installed() -> None:
    write("tile.mlir", TILING)
    done = without_bindings("tile.mlir")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "pip install torch-mlir" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_no_process_outlives_the_run(name: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tdls", "run", write("endless.mlir", doubling(60))], stderr=subprocess.DEVNULL
    )
    started: list[psutil.Process] = []
    deadline = time.monotonic() + 20
    while len(started) < 2:
        assert time.monotonic() < deadline
        started = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.Signals[name])
    assert process.wait(10) == {"SIGINT": 130, "SIGKILL": -9}[name]
    _, alive = psutil.wait_procs(started, timeout=5)
    assert alive == []


def test_why_nothing_is_matched() -> None:
    Path("payload.mlir").write_text(PAYLOAD_FILE)
    Path("script.mlir").write_text(sequence(MATCH.replace("linalg.matmul", "linalg.matmull") + TILE, ""))
    plain = tdls_run("script.mlir", "--payload", "payload.mlir")
    explained = tdls_run("script.mlir", "--payload", "payload.mlir", "--explain-matches")
    assert (explained.returncode, explained.stdout) == (plain.returncode, plain.stdout) == (0, plain.stdout)
    assert (
        "remark[matches]: `%matmul` holds nothing: the payload has no `linalg.matmull`; the nearest is `linalg.matmul`"
        in explained.stderr
    )


@pytest.mark.parametrize(("name", "status"), [("linalg.matmul", 0), ("linalg.generic", 1)])
def test_matches_can_be_required(name: str, status: int) -> None:
    Path("payload.mlir").write_text(PAYLOAD_FILE)
    Path("script.mlir").write_text(sequence(MATCH.replace("linalg.matmul", name), ""))
    done = tdls_run("script.mlir", "--payload", "payload.mlir", "--require-matches")
    assert done.returncode == status
    assert ("error[matches]: `%matmul` holds nothing" in done.stderr) == (status == 1)


def test_matches_as_json() -> None:
    matcher = (
        "  transform.named_sequence @small(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {\n"
        '    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op\n'
        "    transform.yield %op : !transform.any_op\n  }\n"
    )
    body = "    %all = transform.collect_matching @small in %root : (!transform.any_op) -> !transform.any_op\n"
    Path("payload.mlir").write_text(PAYLOAD_FILE)
    Path("script.mlir").write_text(sequence(body, matcher))
    arguments = ("script.mlir", "--payload", "payload.mlir", "--format", "json")
    schema = json.loads((Path(__file__).parents[3] / "docs/run-output.schema.json").read_text())
    (plain,) = (document := json.loads(tdls_run(*arguments).stdout))["runs"]
    jsonschema.validate(document, schema)
    assert (plain["status"], plain["changes"]) == ("success", [])
    assert [each["message"].partition(" ")[0] for each in plain["matches"]["nothing"]] == ["`%all`"]
    assert "linalg.matmul" in plain["text"]
    (run,) = (document := json.loads(tdls_run(*arguments, "--explain-matches").stdout))["runs"]
    jsonschema.validate(document, schema)
    (matcher,) = run["matches"]["matchers"]
    assert (matcher["matcher"], matcher["accepted"], matcher["conditions_tried"]) == ("small", 0, matcher["asked"])
    assert [failed["operation"] for failed in matcher["failed"]] == ["transform.match.operation_name"]
    assert run["matches"]["tables"][0]["arms"] == [
        {"matcher": "small", "action": None, "asked": matcher["asked"], "accepted": 0}
    ]
    assert run["matches"]["nothing"][0]["message"].startswith("`%all` holds nothing")


def test_bytecode_of_another_version_names_what_may_read_it() -> None:
    script, payload = write("tile.mlir", TILING), write("payload.mlir", "func.func private @f()\n")
    tool = require_mlir_opt(19)
    subprocess.run([str(tool), payload, "--emit-bytecode", "-o", "payload.mlirbc"], check=True)
    wrong = tdls_run(script, "--payload", "payload.mlirbc")
    assert (
        "MLIR19.1.7; `mlir-opt-19` at hand may read it: name it with `--backend`, or as `run.backend`" in wrong.stderr
    )
    assert "func.func private @f()" in tdls_run(script, "--payload", "payload.mlirbc", "--backend", str(tool)).stdout
    damaged = Path("payload.mlirbc").read_bytes()[:40]
    Path("payload.mlirbc").write_bytes(damaged)
    assert "at hand" not in tdls_run(script, "--payload", "payload.mlirbc", "--backend", "mlir-opt-19").stderr


def test_what_is_left_open_says_how_it_is_set() -> None:
    knobs = EXAMPLES / "knobs.mlir"
    assert "; `tdls run --set rows=VALUE` makes it for one run\n" in tdls_run(str(knobs)).stderr
    chosen = write("chosen.mlir", knobs.read_text("utf-8").replace('">', '"> = 8 from'))
    run = tdls_run(chosen, "--payload", str(EXAMPLES / "matmul.mlir"))
    assert "op does not have interpreted semantics yet; `tdls run --set NAME=VALUE` evaluates it\n" in run.stderr


def test_choices_are_set_for_a_run() -> None:
    knobs = str(EXAMPLES / "knobs.mlir")
    done = tdls_run(knobs, "--set", "rows=16", "--set=%columns = 32", "--set", "11=8")
    assert "step %c16" in done.stdout
    assert [size in done.stdout for size in ("tensor<16x8xf32>", "tensor<8x32xf32>", "constrain_params")] == [1, 1, 0]
    done = tdls_run(knobs, "--set", "rows=64", "--set", "columns=8")
    assert (done.returncode, "assertion is false: `(64 + 8) * 16 <= 1024`" in done.stderr) == (2, True)
    assert "'rows' is not NAME=VALUE" in tdls_run(knobs, "--set", "rows").stderr
