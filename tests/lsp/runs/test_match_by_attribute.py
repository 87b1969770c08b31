"""Matches that are split by position, from an editor: the action, its command, and the edits of script and payload."""

from __future__ import annotations

import stat
import sys
from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually
from rpc.client import ResponseError
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

    from rpc.client import Json, Notification
    from rpc.document import Document

TITLE = "Match by attribute instead of by position"
ANY = "!transform.any_op"
PAYLOAD = """\
func.func @f(%c: f32, %a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = linalg.fill ins(%c : f32) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
"""
MATCH = f'%fills = transform.structured.match ops{{["linalg.fill"]}} in %root : ({ANY}) -> {ANY}'
SPLIT = f"    %first, %second = transform.split_handle %fills : ({ANY}) -> ({ANY}, {ANY})\n"
BEGIN = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
"""
END = f"""\
    transform.annotate %second "seen" : {ANY}
    transform.yield
  }}
}}
"""
SCRIPT = f"{BEGIN}    {MATCH}\n{SPLIT}{END}"
BY_ATTRIBUTE = f"""\
    %first = transform.structured.match attributes {{tag = "first"}} in %root : ({ANY}) -> {ANY}
    %second = transform.structured.match attributes {{tag = "second"}} in %root : ({ANY}) -> {ANY}
"""
EDITS: Json = {
    "workspace": {"applyEdit": True, "configuration": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}, "disabledSupport": True
        },
        "codeLens": {},
    },
    "window": {"showMessage": {}},
}  # fmt: skip


class Splits(Workbench):
    """A workbench with a script in a folder."""

    def __init__(self, folder: Path, text: str, capabilities: Json = EDITS, **settings: Json):
        super().__init__(folders=[folder], more=capabilities)
        self.client.settings = {"run": settings} if settings else None
        path = folder / "script.mlir"
        path.write_text(text, encoding="utf-8")
        self.script = self.open(text, uri=path.as_uri())
        self.told: list[str] = []
        take = self.client.on_notification

        def listen(notification: Notification) -> None:
            if notification.method == "window/showMessage":
                self.told.append(notification.params["message"])
            take(notification)

        self.client.on_notification = listen

    def actions(self, only: str = "refactor.rewrite") -> list[Json]:
        """What is offered for the operation that splits."""
        at = self.script.position(self.script.text.index("split_handle"))
        place = {"start": at, "end": at}
        context = {"diagnostics": [], "only": [only]}
        params = {"textDocument": self.script.identifier, "range": place, "context": context}
        found: list[Json] = self.client.call("textDocument/codeAction", params)
        return [action for action in found if action["title"] == TITLE]

    def choose(self) -> Json:
        """Do what the one action says."""
        (action,) = self.actions()
        assert action["kind"] == "refactor.rewrite"
        return self.client.call("workspace/executeCommand", action["command"], timeout=60)

    def edits(self) -> dict[str, list[Json]]:
        """The edits that the editor was asked to make, by URI."""
        (asked,) = (request for request in self.client.asked if request["method"] == "workspace/applyEdit")
        changes = asked["params"]["edit"]["documentChanges"]
        return {change["textDocument"]["uri"]: change["edits"] for change in changes}


def edited(document: Document, edits: list[Json]) -> str:
    """Return a document's text with edits."""
    lines = document.text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    text = document.text

    def offset(position: Json) -> int:
        line, character = int(position["line"]), int(position["character"])
        return starts[line] + character

    for edit in sorted(edits, key=lambda it: offset(it["range"]["start"]), reverse=True):
        span = edit["range"]
        text = text[: offset(span["start"])] + edit["newText"] + text[offset(span["end"]) :]
    return text


@pytest.mark.parametrize("backend", ["bindings:torch_mlir", "mlir-opt-22"])
def test_script_and_payload_are_changed(tmp_path: Path, backend: str) -> None:
    require_bindings()
    choice = str(require_mlir_opt(22)) if backend.startswith("mlir-opt") else backend
    (tmp_path / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
    with Splits(tmp_path, f"// tdls: payload=payload.mlir\n{SCRIPT}", backend=choice) as bench:
        payload = bench.open(PAYLOAD, uri=(tmp_path / "payload.mlir").as_uri())
        assert bench.choose() == {"status": "rewritten", "detail": "", "refused": []}
        edits = bench.edits()
        wanted = f"// tdls: payload=payload.mlir\n{BEGIN}{BY_ATTRIBUTE}{END}"
        assert edited(bench.script, edits[bench.script.uri]) == wanted
        tagged = PAYLOAD.replace("%0 = linalg.fill", '%0 = linalg.fill {tag = "first"}')
        assert edited(payload, edits[payload.uri]) == tagged.replace(
            "%1 = linalg.fill", '%1 = linalg.fill {tag = "second"}'
        )
        assert bench.told == []


def test_a_payload_that_is_not_open_is_changed_too(tmp_path: Path) -> None:
    require_bindings()
    path = tmp_path / "payload.mlir"
    path.write_text(PAYLOAD, encoding="utf-8")
    with Splits(tmp_path, f"// tdls: payload=payload.mlir\n{SCRIPT}") as bench:
        assert eventually(lambda: bench.choose()["status"] == "rewritten")
        assert [edit["newText"] for edit in bench.edits()[path.as_uri()]] == [
            ' {tag = "first"}',
            ' {tag = "second"}',
        ]


def test_the_payload_that_the_editor_names(tmp_path: Path) -> None:
    require_bindings()
    path = tmp_path / "payload.mlir"
    path.write_text(PAYLOAD, encoding="utf-8")
    with Splits(tmp_path, SCRIPT) as bench:
        bench.open(PAYLOAD, uri=path.as_uri())
        position = bench.script.position(bench.script.text.index("split_handle"))
        argument = {"uri": bench.script.uri, "position": position, "payload": path.as_uri()}
        command = {"command": "tdls.matchByAttribute", "arguments": [argument]}
        assert bench.client.call("workspace/executeCommand", command, timeout=60)["status"] == "rewritten"
        assert bench.edits().keys() == {bench.script.uri, path.as_uri()}


def test_a_payload_that_is_outside_of_the_workspace_is_left(tmp_path: Path) -> None:
    require_bindings()
    outside, folder = tmp_path / "payload.mlir", tmp_path / "project"
    outside.write_text(PAYLOAD, encoding="utf-8")
    folder.mkdir()
    (folder / "tdls.toml").write_text("", encoding="utf-8")
    with Splits(folder, f"// tdls: payload={outside}\n{SCRIPT}") as bench:
        answer = bench.choose()
        assert answer["status"] == "kept"
        assert answer["detail"] == f"{outside} is not in the workspace; open it, so that it can be changed"
        assert [asked for asked in bench.client.asked if asked["method"] == "workspace/applyEdit"] == []
        bench.open(PAYLOAD, uri=outside.as_uri())
        assert bench.choose()["status"] == "rewritten"


def test_payload_beside_the_script(tmp_path: Path) -> None:
    require_bindings()
    with Splits(tmp_path, SCRIPT.replace(BEGIN, BEGIN.replace("{\n", f"{{\n{PAYLOAD}", 1))) as bench:
        assert bench.choose()["status"] == "rewritten"
        text = edited(bench.script, bench.edits()[bench.script.uri])
        assert BY_ATTRIBUTE in text
        assert text.count("tag = ") == 4


def test_what_is_not_known_to_do_the_same_is_left_with_a_reason(tmp_path: Path) -> None:
    require_bindings()
    with Splits(tmp_path, SCRIPT) as bench:
        reason = "there is no payload to give attributes to"
        assert bench.choose() == {"status": "kept", "detail": reason, "refused": []}
        assert eventually(lambda: bench.told == [f"Not matched by attribute: {reason}"])


def test_what_cannot_be_rewritten_says_so_without_a_run(tmp_path: Path) -> None:
    generic = f'%fills = "transform.structured.match"(%root) <{{ops = ["linalg.fill"]}}> : ({ANY}) -> {ANY}'
    with Splits(tmp_path, SCRIPT.replace(MATCH, generic)) as bench:
        (action,) = bench.actions()
        reason = "`transform.structured.match`, as it is written here, cannot ask for attributes"
        assert action["disabled"] == {"reason": reason}
        assert "command" not in action


def test_it_is_no_quick_fix(tmp_path: Path) -> None:
    with Splits(tmp_path, SCRIPT) as bench:
        assert bench.actions("quickfix") == bench.actions("source.fixAll") == []
        assert len(bench.actions("refactor")) == 1


def test_editors_that_make_no_edits_are_offered_nothing(tmp_path: Path) -> None:
    with Splits(tmp_path, SCRIPT, {**EDITS, "workspace": {"configuration": True}}) as bench:
        assert bench.actions() == []


def test_a_place_without_a_split_is_refused(tmp_path: Path) -> None:
    with Splits(tmp_path, SCRIPT) as bench:
        argument = {"uri": bench.script.uri, "position": {"line": 0, "character": 0}}
        with pytest.raises(ResponseError, match="no match is split by position there"):
            bench.client.call(
                "workspace/executeCommand", {"command": "tdls.matchByAttribute", "arguments": [argument]}, timeout=60
            )


def test_where_nothing_runs_scripts_that_is_said(tmp_path: Path) -> None:
    with Splits(tmp_path, SCRIPT, backend="bindings:no_such_module") as bench:
        answer = bench.choose()
        assert answer["status"] == "unavailable"
        assert "no_such_module" in answer["detail"]
        assert eventually(lambda: len(bench.told) == 1)


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_nothing_is_started_without_consent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TDLS_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TDLS_UNCONFINED", "1")
    project = tmp_path / "project"
    project.mkdir()
    (project / "tdls.toml").write_text('[run]\nbackend = "./trap"\n', encoding="utf-8")
    trap = project / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{project / 'mark'}'\nexit 1\n", encoding="utf-8")
    trap.chmod(stat.S_IRWXU)
    with Splits(project, SCRIPT.replace(BEGIN, BEGIN.replace("{\n", f"{{\n{PAYLOAD}", 1))) as bench:
        answer = bench.choose()
        assert answer["status"] == "refused"
        assert [item["setting"] for item in answer["refused"]] == ["run.backend"]
        assert eventually(lambda: "window/showMessageRequest" in [asked["method"] for asked in bench.client.asked])
        assert not (project / "mark").exists()
