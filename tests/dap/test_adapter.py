"""``tdls dap`` as a real client drives it: breakpoints, steps forth and back, handles, calls, failures."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from command_line import STARTED
from dap.client import DebugClient, RequestFailedError

if TYPE_CHECKING:
    from pathlib import Path

ANY = "!transform.any_op"
PAYLOAD = """\
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""
SCRIPT = f"""\
// tdls: payload=payload.mlir
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @mark(%op: {ANY} {{transform.readonly}}) {{
    transform.annotate %op "seen" : {ANY}
    transform.yield
  }}
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
    %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    %tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [4] : ({ANY}) -> ({ANY}, {ANY})
    %all = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      transform.include @mark failures(propagate) (%each) : ({ANY}) -> ()
    }}
    transform.apply_cse to %root : {ANY}
    transform.yield
  }}
}}
"""
MARK_LINE, FOREACH_LINE, INCLUDE_LINE = 4, 11, 13


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
    path = tmp_path / "script.mlir"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def test_steps_over_bodies_and_back(script: Path) -> None:
    with DebugClient(script.parent) as client:
        assert client.begin({"script": str(script)})["reason"] == "entry"
        assert client.where() == "structured.match"
        seen = [client.where() for _ in range(4) if client.go("next")]
        assert seen == ["structured.tile_using_for", "structured.match", "foreach", "apply_cse"]
        assert "end" in client.go("next")["description"]
        assert client.where() == "end of the run"
        assert "scf.for" in client.call("evaluate", expression="payload")["result"]
        assert client.go("stepBack")["reason"] == "step"
        assert client.where() == "apply_cse"
        client.go("stepBack")
        assert client.where() == "foreach"


def test_into_bodies_and_callees_and_out(script: Path) -> None:
    with DebugClient(script.parent) as client:
        client.begin({"script": str(script)}, {"line": FOREACH_LINE})
        assert client.go("continue")["reason"] == "breakpoint"
        client.go("stepIn")
        client.go("stepIn")
        names = [(frame["name"], frame["line"]) for frame in client.frames()]
        assert names == [
            ("transform.annotate", MARK_LINE),
            ("transform.include", INCLUDE_LINE),
            ("transform.foreach", FOREACH_LINE),
        ]
        assert set(client.handles()) == {"%op"}
        assert {"%each", "%all", "%root"} <= set(client.handles(1))
        client.go("stepOut")
        assert client.where() == "include"
        assert client.call("evaluate", expression="%each", frameId=client.frames()[0]["id"])["result"].startswith("1 ")


def test_handles_and_their_payload(script: Path) -> None:
    with DebugClient(script.parent) as client:
        client.begin({"script": str(script), "stopOnEntry": False}, {"line": 10})
        handles = client.handles()
        assert handles["%mm"]["value"] == "stale since step 2"
        assert handles["%loop"]["value"] == "1 scf.for"
        [item] = client.call("variables", variablesReference=handles["%tiled"]["variablesReference"])["variables"]
        assert item["value"] == "linalg.matmul (payload.mlir:2)"
        with pytest.raises(RequestFailedError, match="is no handle here"):
            client.call("evaluate", expression="%nothing")


def test_breakpoints_with_conditions(script: Path) -> None:
    with DebugClient(script.parent) as client:
        source = {"path": str(script)}
        client.begin({"script": str(script)}, {"line": MARK_LINE, "condition": "execution >= 2"})
        client.go("continue")
        assert [frame["id"] for frame in client.frames()] == [8, 7, 4]
        client.call("setBreakpoints", source=source, breakpoints=[{"line": INCLUDE_LINE, "hitCondition": "3"}])
        client.go("continue")
        assert client.frames()[0]["id"] == 9
        client.call("setBreakpoints", source=source, breakpoints=[{"line": MARK_LINE}])
        assert client.go("reverseContinue")["reason"] == "breakpoint"
        assert client.frames()[0]["id"] == 8
        client.call("setBreakpoints", source=source, breakpoints=[{"line": 15, "condition": "%all > 2"}])
        client.go("continue")
        assert client.where() == "apply_cse"
        client.call("setBreakpoints", source=source, breakpoints=[{"line": 9, "condition": "%mm == 7"}])
        assert client.go("reverseContinue")["reason"] == "entry"


def test_breakpoints_that_are_none(script: Path) -> None:
    with DebugClient(script.parent) as client:
        client.begin({"script": str(script)})
        wanted = [{"line": 1}, {"line": 99}, {"line": 9, "condition": "now"}, {"line": 9, "hitCondition": "x"}]
        answers = client.call("setBreakpoints", source={"path": str(script)}, breakpoints=wanted)["breakpoints"]
        assert [answer["verified"] for answer in answers] == [True, False, False, False]
        assert answers[0]["line"] == MARK_LINE
        assert "a condition is" in answers[2]["message"]


def test_failure_is_an_exception(script: Path) -> None:
    script.write_text(SCRIPT.replace("(%each) :", "(%mm) :"), encoding="utf-8")
    with DebugClient(script.parent) as client:
        client.begin({"script": str(script)})
        stopped = client.go("continue")
        assert stopped["reason"] == "exception"
        assert "script.mlir:13" in stopped["text"]
        assert client.where() == "include"
        assert client.handles()["%mm"]["value"] == "stale since step 2"
        info = client.call("exceptionInfo", threadId=1)
        assert info["exceptionId"] == "failure"
        assert "invalidated" in info["details"]["message"]
        client.go("stepBack")
        assert client.where() == "foreach"
        assert client.go("next")["reason"] == "exception"
        client.call("next", threadId=1)
        client.wait_for("terminated")


def test_launches_that_fail(script: Path) -> None:
    for launch, words in (
        ({}, "has to name a `script`"),
        ({"script": "nowhere.mlir"}, "nowhere.mlir"),
        ({"script": str(script), "payload": "none.mlir"}, "none.mlir"),
        ({"script": str(script), "libraries": 5}, "list of paths"),
    ):
        with DebugClient(script.parent) as client:
            client.call("initialize", adapterID="tdls")
            with pytest.raises(RequestFailedError, match=words):
                client.call("launch", **launch)


def test_requests_out_of_order_and_unknown_ones(script: Path) -> None:
    with DebugClient(script.parent) as client:
        for command in ("stackTrace", "scopes", "evaluate"):
            with pytest.raises(RequestFailedError, match="nothing was launched"):
                client.call(command, threadId=1)
        with pytest.raises(RequestFailedError, match="not supported"):
            client.call("restartFrame")
        client.begin({"script": str(script)})
        with pytest.raises(RequestFailedError, match="not known any more"):
            client.call("variables", variablesReference=77)
        for spoiled in ({"source": 5}, {"source": {"path": 1}}, {"source": {"path": "x"}, "breakpoints": [{}]}):
            with pytest.raises(RequestFailedError):
                client.call("setBreakpoints", **spoiled)


def test_input_that_ends_or_is_broken(script: Path) -> None:
    for text, status in ((b"", 0), (b"Content-Length: x\r\n\r\n", 1), (b"Content-Length: 9\r\n\r\n{", 1)):
        done = subprocess.run([*STARTED, "dap"], input=text, capture_output=True, cwd=script.parent, check=False)
        assert done.returncode == status, done.stderr
        assert b"Traceback" not in done.stderr
