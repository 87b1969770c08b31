"""``tdls session`` serves programs in any language, by lines of JSON as its schema describes them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import psutil
import pytest

from interpreter.scripts import PAYLOAD, doubling
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "session.schema.json").read_text(encoding="utf-8"))
ANY = "!transform.any_op"
MATCH = f'%mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}'
ENDLESS = doubling(60).replace(PAYLOAD, "")


class Client:
    """A program that talks with ``tdls session``."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tdls", "session"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._number = 0
        self._answers: dict[Any, dict[str, Any]] = {}

    def send(self, method: str, **parameters: Any) -> int:
        self._number += 1
        request = {"id": self._number, "method": method, "params": parameters}
        _validate(request, "request")
        self.write(json.dumps(request))
        return self._number

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def answer(self, number: int | None) -> dict[str, Any]:
        while number not in self._answers:
            assert self.process.stdout is not None
            answer = json.loads(self.process.stdout.readline())
            _validate(answer, "answer")
            self._answers[answer["id"]] = answer
        return self._answers.pop(number)

    def result(self, method: str, **parameters: Any) -> dict[str, Any]:
        answer = self.answer(self.send(method, **parameters))
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result


def _validate(value: Any, name: str) -> None:
    jsonschema.validate(value, {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


@pytest.fixture
def client() -> Iterator[Client]:
    require_bindings()
    made = Client()
    yield made
    made.process.kill()
    made.process.wait()


def test_states_branch_and_are_forgotten(client: Client) -> None:
    opened = client.result("open", payload=PAYLOAD, backend="bindings:torch_mlir")
    matched = client.result("run", state=opened["state"], text=MATCH, operations=True)
    assert (matched["outcome"], matched["handles"][1]["operations"]) == ("success", ["linalg.matmul"])
    marked = client.result(
        "run", state=matched["state"], text=f'transform.annotate %mm "mine" : {ANY}', changes=True, payload=True
    )
    assert (marked["changes"]["added"], "mine" in marked["payload"]) == (1, True)
    names = '%name = transform.tune.knob<"name"> options = ["one", "two"] -> !transform.any_param'
    chosen = client.result("run", state=marked["state"], text=names, choices={"name": "two"})
    assert chosen["handles"][-1] == {"name": "%name", "type": "!transform.any_param", "count": 1}
    assert client.answer(client.send("run", state=marked["state"], text=names, choices={"a": 1}))["error"]
    since = client.result("show", state=marked["state"], since=opened["state"], changes=True)
    assert since["changes"] == marked["changes"]
    client.result("forget", states=[matched["state"]])
    assert client.answer(client.send("show", state=matched["state"]))["error"]["kind"] == "unknown"
    assert client.result("show", state=marked["state"], payload=True)["payload"] == marked["payload"]


def test_several_payloads_and_a_request_that_is_cancelled(client: Client) -> None:
    first, second = (client.result("open", payload=PAYLOAD, backend="bindings:torch_mlir") for _ in range(2))
    endless = client.send("run", state=first["state"], text=ENDLESS, seconds=60)
    waiting = client.send("run", state=first["state"], text=MATCH)
    assert client.result("run", state=second["state"], text=MATCH)["outcome"] == "success"
    assert client.result("cancel", request=waiting) == {"cancelled": True}
    while True:  # it may not have begun
        assert client.result("cancel", request=endless) == {"cancelled": True}
        answer = client.answer(endless)
        if answer["result"]["outcome"] == "cancelled":
            break
    assert client.answer(waiting)["error"]["kind"] == "cancelled"
    assert client.result("run", state=first["state"], text=MATCH)["outcome"] == "success"
    client.result("close", session=first["session"])
    assert client.answer(client.send("run", state=first["state"], text=MATCH))["error"]["kind"] == "unknown"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", "a line of JSON"),
        ("[1]", "a JSON object"),
        ('{"method": "open"}', "needs an `id`"),
        ('{"id": 1, "method": "opne"}', "there is no method `opne`"),
        ('{"id": 1, "method": "open", "params": []}', "an object"),
        ('{"id": 1, "method": "open", "params": {"payloda": ""}}', "did you mean `payload`?"),
        ('{"id": 1, "method": "open", "params": {"payload": 1}}', "cannot be read"),
        ('{"id": 1, "method": "open", "params": {}}', "either `payload`, a text, or `path`, a file"),
        ('{"id": 1, "method": "open", "params": {"path": "absent.mlir"}}', "absent.mlir"),
        ('{"id": 1, "method": "open", "params": {"payload": "nope"}}', "nope"),
        ('{"id": 1, "method": "open", "params": {"payload": "", "backend": "absent-opt"}}', "no such program"),
        ('{"id": 1, "method": "run", "params": {"state": "7.0", "text": ""}}', "no open session `7`"),
        ('{"id": 1, "method": "close", "params": {}}', "cannot be read"),
    ],
)
def test_errors_are_answers(line: str, words: str, client: Client) -> None:
    client.write(line)
    assert words in client.answer(1 if '"id"' in line else None)["error"]["message"]
    assert client.result("open", payload=PAYLOAD, backend="bindings:torch_mlir")["state"]


def test_requests_for_a_session_that_was_not_opened_are_answered(client: Client) -> None:
    opening = client.send("open", path="absent.mlir")
    later = [client.send("run", state="1.0", text=MATCH), client.send("close", session="1")]
    assert client.answer(opening)["error"]["kind"] == "input"
    assert [client.answer(each)["error"]["kind"] for each in later] == ["unknown", "unknown"]
    for _ in range(64):  # as many as may be open
        client.answer(client.send("open", path="absent.mlir"))
    assert client.result("open", payload=PAYLOAD, backend="bindings:torch_mlir")["state"]


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_a_client_that_ends_or_vanishes_leaves_nothing(closed: str, client: Client) -> None:
    opened = client.result("open", payload=PAYLOAD, backend="bindings:torch_mlir")
    children = psutil.Process(client.process.pid).children(recursive=True)
    number = client.send("run", state=opened["state"], text=MATCH)
    getattr(client.process, closed).close()
    if closed == "stdin":
        assert client.answer(number)["result"]["outcome"] == "success"
    assert client.process.wait(60) == 0
    psutil.wait_procs(children, 60)
    assert not any(child.is_running() for child in children)


def test_the_sweep_runs_what_the_constraint_allows() -> None:
    require_bindings()
    sweep = Path(__file__).parents[3] / "examples" / "sweep.py"
    lines = subprocess.run([sys.executable, str(sweep)], capture_output=True, text=True, check=True).stdout.splitlines()
    assert (len(lines), sum("1 linalg.matmul in" in line for line in lines)) == (25, 19)
    assert lines[-1].endswith("this assertion is false: `(64 + 48) * 16 <= 1024`")
