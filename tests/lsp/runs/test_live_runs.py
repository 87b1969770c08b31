"""Scripts that run by themselves after a pause in typing, in trusted workspaces."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually, insisted
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.mlir.worker.packages import version_of
from tdls.interpreter.runs.model import RunResult, Status
from tdls.lsp.runs import live
from tdls.lsp.runs.live import LiveRuns
from tdls.lsp.runs.outcome import Run
from tdls.lsp.session.session import Kind
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rpc.client import Json
    from rpc.document import Document
    from tdls.lsp.protocol.run_target import RunTarget

ANY = "!transform.any_op"
SCRIPT = f"""\
module attributes {{transform.with_named_sequence}} {{
  func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {{
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }}
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
    %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    %parent = transform.get_parent_op %mm {{op_name = "func.func"}} : ({ANY}) -> {ANY}
    transform.yield
  }}
}}
"""
PARENT = 'op_name = "func.func"'
FAILURE = "could not find a parent op"


@pytest.fixture
def bench(tmp_path: Path) -> Any:
    require_bindings()
    options = {"tdls": {"trust-workspace": True}}
    with Workbench(folders=[tmp_path], options=options, more={"workspace": {"configuration": True}}) as bench:
        yield bench


def open_script(bench: Workbench, folder: Path, text: str = SCRIPT) -> Document:
    return bench.open(text, uri=(folder / "script.mlir").as_uri())


def hints(bench: Workbench, document: Document) -> list[str]:
    whole = document.range(0, len(document.text))
    params: Json = {"textDocument": document.identifier, "range": whole}
    return [str(hint["label"]) for hint in bench.client.call("textDocument/inlayHint", params)]


def test_failures_are_findings_without_a_request(bench: Workbench, tmp_path: Path) -> None:
    script = open_script(bench, tmp_path)
    assert eventually(lambda: any("linalg.matmul" in label for label in hints(bench, script)))
    step = f"%_ = transform.structured.decompose %mm : ({ANY}) -> {ANY}\n    "
    start = script.text.index("transform.yield")
    script.replace(start, start, step)
    found = bench.wait_for_finding(script, "transform.structured.decompose failed to apply")
    assert found["range"]["start"] == script.at(start + len("%_ = "))["position"]
    script.replace(start, start + len(step), "")
    bench.assert_clean(script)


def test_a_suppressed_failure_is_shown(bench: Workbench, tmp_path: Path) -> None:
    """Without a request, at its operation."""
    parent = next(line for line in SCRIPT.splitlines() if PARENT in line)
    body = (
        f"    transform.sequence %mm : {ANY} failures(suppress) {{\n    ^bb0(%m: {ANY}):\n"
        f'      %p = transform.get_parent_op %m {{op_name = "scf.for"}} : ({ANY}) -> {ANY}\n    }}'
    )
    script = open_script(bench, tmp_path, SCRIPT.replace(parent, body))
    found = bench.wait_for_finding(script, f"the failure was suppressed: {FAILURE}")
    assert found["range"]["start"] == script.at(script.text.index("transform.get_parent_op"))["position"]


def test_a_mistake_that_tdls_reports_is_not_reported_again(bench: Workbench, tmp_path: Path) -> None:
    parent = next(line for line in SCRIPT.splitlines() if PARENT in line)
    stale = f'%g = transform.structured.generalize %mm : ({ANY}) -> {ANY}\n    transform.annotate %mm "x" : {ANY}'
    script = open_script(bench, tmp_path, SCRIPT.replace(parent, f"    {stale}"))
    assert eventually(lambda: any("linalg.matmul" in label for label in hints(bench, script)))
    (published,) = bench.inbox.publications(script.uri)[-1:]
    assert [finding["code"] for finding in published.diagnostics] == ["use-after-free"]


def test_a_requested_run_is_not_repeated_without_a_request(bench: Workbench, tmp_path: Path) -> None:
    """MLIR's messages about this version stay, also where a rule reports the same, and when a library is edited."""
    library = tmp_path / "library.mlir"
    library.write_text("module attributes {transform.with_named_sequence} {\n}\n", encoding="utf-8")
    parent = next(line for line in SCRIPT.splitlines() if PARENT in line)
    stale = f'%g = transform.structured.generalize %mm : ({ANY}) -> {ANY}\n    transform.annotate %mm "x" : {ANY}'
    script = open_script(bench, tmp_path, "// tdls: library=library.mlir\n" + SCRIPT.replace(parent, f"    {stale}"))
    command: Json = {"command": "tdls.run", "arguments": [{"uri": script.uri}]}
    bench.client.call("workspace/executeCommand", command)  # MLIR is loaded then
    script.replace(0, 0, "\n")
    bench.client.call("workspace/executeCommand", command)
    bench.open("// Edited.\n" + library.read_text(encoding="utf-8"), uri=library.as_uri())
    bench.wait_for_finding(script, "uses a handle invalidated")
    time.sleep(2 * live._PAUSE)
    assert eventually(lambda: any("linalg.matmul" in label for label in hints(bench, script)))
    (published,) = bench.inbox.publications(script.uri)[-1:]
    assert any("uses a handle invalidated" in finding["message"] for finding in published.diagnostics)


def test_a_rule_that_is_off_hides_no_failure(tmp_path: Path) -> None:
    require_bindings()
    (tmp_path / "tdls.toml").write_text('ignore = ["invalidated-handle", "use-after-free"]\n')
    parent = next(line for line in SCRIPT.splitlines() if PARENT in line)
    stale = f'%g = transform.structured.generalize %mm : ({ANY}) -> {ANY}\n    transform.annotate %mm "x" : {ANY}'
    with Workbench(folders=[tmp_path], options={"tdls": {"trust-workspace": True}}) as bench:
        script = open_script(bench, tmp_path, SCRIPT.replace(parent, f"    {stale}"))
        assert bench.wait_for_finding(script, "uses a handle invalidated")["source"]


def test_a_run_that_is_switched_off(bench: Workbench, tmp_path: Path) -> None:
    """The contents of handles come with the requested run, and a failure is no finding before it."""
    bench.configure({"run": {"live": False}})
    script = open_script(bench, tmp_path, SCRIPT.replace(PARENT, 'op_name = "scf.for"'))
    answer = bench.client.call(
        "workspace/executeCommand", {"command": "tdls.run", "arguments": [{"uri": script.uri, "show": False}]}
    )
    assert answer["status"] == "failure"
    bench.wait_for_finding(script, FAILURE)


FORM = {
    "name": "transform.apply_cse",
    "traits": ["TransformOpInterface"],
    "operands": [{"name": "target"}],
    "assembly_format": "$target attr-dict `:` type($target)",
}
"""An operation without the form that MLIR has for it, which begins with `to`."""
UNREAD = "expected"
CSE = f"transform.apply_cse to %parent : {ANY}\n    "


def write_catalogue(folder: Path) -> None:
    (folder / "operations.json").write_text(json.dumps({"format": 1, "operations": [FORM]}), encoding="utf-8")
    (folder / "tdls.toml").write_text('catalogues = ["operations.json"]\n', encoding="utf-8")


def test_mlir_decides_whether_it_reads_a_form(tmp_path: Path) -> None:
    """A form that it reads is no error, also while other lines are edited; one that it rejects is an error."""
    require_bindings()
    write_catalogue(tmp_path)
    with Workbench(folders=[tmp_path], options={"tdls": {"trust-workspace": True}}) as bench:
        script = open_script(bench, tmp_path, SCRIPT.replace("transform.yield", f"{CSE}transform.yield"))
        bench.wait_for_finding(script, UNREAD)
        bench.assert_clean(script)
        assert eventually(lambda: any("linalg.matmul" in label for label in hints(bench, script)))
        start = script.text.index("transform.yield")
        step = f"transform.structured.vectorize %mm : {ANY}\n    "
        script.replace(start, start, step)
        bench.assert_clean(script)
        version = script.version
        start = script.text.index(PARENT)
        script.replace(start, start + len(PARENT), 'op_name = "scf.for"')
        bench.wait_for_finding(script, FAILURE)
        published = [
            it.diagnostics
            for it in bench.inbox.publications(script.uri)
            if it.version in range(version, script.version)
        ]
        assert not any(UNREAD in finding["message"] for found in published for finding in found)
        start = script.text.index("to %parent")
        script.replace(start, start + 2, "on")
        assert bench.wait_for_finding(script, UNREAD)["range"]["start"]["line"] == script.at(start)["position"]["line"]


def test_an_editor_that_pulls_findings_asks_again_after_a_run(tmp_path: Path) -> None:
    require_bindings()
    write_catalogue(tmp_path)
    more = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with Workbench(folders=[tmp_path], options={"tdls": {"trust-workspace": True}}, more=more) as bench:
        script = open_script(bench, tmp_path, SCRIPT.replace("transform.yield", f"{CSE}transform.yield"))
        params = {"textDocument": script.identifier}
        items = insisted(bench.client, "textDocument/diagnostic", params)["items"]
        pulled = 0

        def is_clean() -> bool:
            """Pull once for each request to do so."""
            nonlocal pulled
            requests = sum(asked["method"] == "workspace/diagnostic/refresh" for asked in bench.client.asked)
            pulled, is_due = requests, requests > pulled
            return is_due and not insisted(bench.client, "textDocument/diagnostic", params)["items"]

        assert items == [] or eventually(is_clean)  # a run may end before the first answer


def test_a_form_is_an_error_for_a_chosen_version(tmp_path: Path) -> None:
    require_bindings()
    write_catalogue(tmp_path)
    (tmp_path / "tdls.toml").write_text('catalogues = ["operations.json"]\ntarget-llvm = "23"\n', encoding="utf-8")
    with Workbench(folders=[tmp_path], options={"tdls": {"trust-workspace": True}}) as bench:
        script = open_script(bench, tmp_path, SCRIPT.replace("transform.yield", f"{CSE}transform.yield"))
        assert eventually(lambda: any("linalg.matmul" in label for label in hints(bench, script)))
        bench.wait_for_finding(script, UNREAD)


COMPARED = '"lt"'
PAYLOAD = f"""\
func.func @f(%x: i32) {{
  %0 = llvm.icmp {COMPARED} %x, %x : i32
  return
}}
func.func @g() {{
  func.call @h(%nothing) : (f32) -> ()
  return
}}
func.func private @h(f32)
"""
REFUSED = "'lt' is an incorrect value"
UNDEFINED = "undefined-value"


def test_mlir_reads_payload_without_a_script(bench: Workbench, tmp_path: Path) -> None:
    """What it rejects is a finding until it is mended; that of a rule has MLIR's words as related information."""
    payload = open_script(bench, tmp_path, PAYLOAD)
    found = bench.wait_for_finding(payload, REFUSED)
    start = PAYLOAD.index(COMPARED)
    assert found["range"] == payload.range(start, start + len(COMPARED))
    status = bench.client.call("tdls/status", {"uri": payload.uri})
    assert status["readBy"] == status["mlir"] == version_of("torch_mlir")
    payload.replace(start, start + len(COMPARED), '"slt"')
    bench.inbox.wait_for(payload.uri, lambda it: it.version == payload.version and _says_both(it.diagnostics))


def test_what_a_requested_run_and_mlir_alone_say_is_shown_once(bench: Workbench, tmp_path: Path) -> None:
    script = open_script(
        bench, tmp_path, SCRIPT.replace("  func.func @f", f"{PAYLOAD[: PAYLOAD.index('func.func @g')]}  func.func @k")
    )
    message = REFUSED
    bench.wait_for_finding(script, message)
    answer = bench.client.call(
        "workspace/executeCommand", {"command": "tdls.run", "arguments": [{"uri": script.uri, "show": False}]}
    )
    assert answer["status"] == "invalid"
    script.replace(0, 0, "\n")
    bench.wait_for_finding(script, message)
    found = bench.inbox.publications(script.uri)[-1].diagnostics
    assert [message in finding["message"] for finding in found].count(True) == 1


def _says_both(diagnostics: Json) -> bool:
    """Whether the undefined value is the only finding, and has a note of MLIR."""
    notes = [note["message"] for finding in diagnostics for note in finding.get("relatedInformation", ())]
    codes = [finding.get("code") for finding in diagnostics]
    return codes == [UNDEFINED] and any("MLIR says: use of undeclared SSA value" in note for note in notes)


def test_mlir_reads_nothing_in_a_folder_that_is_not_trusted(tmp_path: Path) -> None:
    require_bindings()
    with Workbench(folders=[tmp_path]) as bench:
        payload = open_script(bench, tmp_path, PAYLOAD)
        bench.wait_for_finding(payload, "%nothing")
        time.sleep(2 * live._PAUSE)
        assert bench.client.call("tdls/status", {"uri": payload.uri})["readBy"] is None
        (published,) = bench.inbox.publications(payload.uri)[-1:]
        assert [finding["code"] for finding in published.diagnostics] == ["syntax-error", UNDEFINED]


class _Fakes:
    """Stands for the services that live runs use; all runs take `seconds`."""

    def __init__(self, seconds: float, trusted: tuple[str, ...], text: str = SCRIPT) -> None:
        self.ran: list[str] = []
        self.was_read: list[str] = []
        self.followers: dict[Kind, Callable[[str], object]] = {}
        self._seconds = seconds
        self._trusted = trusted
        self._text = text

    def follow(self, kind: Kind, follower: Callable[[str], object]) -> None:
        self.followers[kind] = follower

    def trusts(self, uri: str) -> bool:
        return uri in self._trusted

    def settings(self, _uri: str) -> Any:
        return type("Settings", (), {"run": type("RunSettings", (), {"live": True})})

    def file(self, _uri: str) -> SourceFile:
        return SourceFile.of(self._text, Catalogue.shipped())

    async def read(self, uri: str, _limit: float) -> None:
        self.was_read.append(uri)

    async def run_unasked(self, target: RunTarget, _limit: float) -> Run:
        self.ran.append(target.script)
        result = RunResult(Status.SUCCESS, "fake", "", seconds=self._seconds)
        return Run(target, "success", result=result)


async def typed(fakes: Any, uris: list[str]) -> None:
    """Change each document of `uris`, and let its run end."""
    runs = LiveRuns(fakes, fakes, fakes, fakes, fakes)
    for uri in uris:
        fakes.followers[Kind.EDITED](uri)
        for _ in range(1_000):
            await asyncio.sleep(0.001)
            script = runs._scripts.get(uri)
            if script is None or (script.task is not None and script.task.done()):
                break
    runs.close()


@pytest.fixture(autouse=True)
def without_pause(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "bench" not in request.fixturenames:
        monkeypatch.setattr(live, "_PAUSE", 0.0)


def test_only_trusted_scripts_run() -> None:
    fakes = _Fakes(0.1, ("trusted",))
    asyncio.run(typed(fakes, ["other", "trusted", "other"]))
    assert fakes.ran == fakes.was_read == ["trusted"]


@pytest.mark.parametrize(
    ("before", "after", "runs"),
    [
        (") -> !transform.any_op\n    %parent", ") -> !transform.any_value\n    %parent", 1),
        ("{op_name", "op_name", 1),
        ("    transform.yield\n  }\n", "    transform.yield\n", 0),
        ("%root :", "%nowhere :", 0),
        ("%root :", "%nowhere : // tdls: ignore[undefined-value]\n       ", 1),
        ("%parent =", "%mm2 =", 1),
    ],
)
def test_a_script_that_no_mlir_reads_does_not_run(before: str, after: str, runs: int) -> None:
    assert before in SCRIPT
    fakes = _Fakes(0.1, ("script",), SCRIPT.replace(before, after))
    asyncio.run(typed(fakes, ["script"]))
    assert len(fakes.ran) == runs


@pytest.mark.parametrize(("seconds", "runs"), [(0.5, 4), (1.5, 2)])
def test_long_runs_are_not_repeated(seconds: float, runs: int) -> None:
    fakes = _Fakes(seconds, ("script",))
    asyncio.run(typed(fakes, ["script"] * 4))
    assert len(fakes.ran) == runs
