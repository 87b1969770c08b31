"""Features of the server with editors that answer its requests, refuse them, or never answer."""

from __future__ import annotations

import shutil
import stat
from typing import TYPE_CHECKING, NamedTuple

import pytest

from lsp.programs.test_schedules import HELPERS, PROGRAM
from lsp.requests.test_state_at import PAYLOAD, SCRIPT
from lsp.workbench import Workbench
from rpc.answers import eventually, insisted
from rpc.client import Mode
from rpc.progress import progress_of
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json
    from rpc.document import Document

pytestmark = pytest.mark.sample
CAPABILITIES: Json = {
    "workspace": {
        "configuration": True,
        "textDocumentContent": {},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
    },
    "window": {"workDoneProgress": True, "showMessage": {}, "showDocument": {"support": True}},
}
TRUSTED = {"tdls": {"trust-workspace": True}}
FIRING = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @fire_all(%kiln: !transform.any_op {transform.consumed}) {
    transform.kiln.fire %kiln : !transform.any_op
    transform.print %missing : !transform.any_op
    transform.yield
  }
}
"""
TABLEGEN = """\
include "mlir/Dialect/Transform/IR/TransformDialect.td"
def FireOp : Op<Transform_Dialect, "kiln.fire", [FunctionalStyleTransformOpTrait]> {
  let summary = "Fires a batch";
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}
"""
SLOW = """\
#!/bin/sh
sleep 0.8
exec '{tool}' "$@"
"""


class Editing(NamedTuple):
    """A server with a project and the client that it has."""

    bench: Workbench
    folder: Path
    firing: Document
    mode: Mode

    def hover(self, words: str) -> str:
        """Return the hover where `words` begin in the script with the project's operation."""
        place = self.firing.at(self.firing.text.index(words))
        found = insisted(self.bench.client, "textDocument/hover", place)
        return str(found["contents"]["value"]) if found is not None else ""

    def command(self, name: str, **argument: Json) -> Json:
        """Return the answer to a command."""
        params = {"command": name, "arguments": [argument]}
        return self.bench.client.call("workspace/executeCommand", params, timeout=120)

    def open(self, name: str, language: str = "mlir") -> Document:
        """Open a file of the project."""
        path = self.folder / name
        return self.bench.open(path.read_text(encoding="utf-8"), uri=path.as_uri(), language=language)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an operation of its own, scripts with a payload, and a program that builds one."""
    folder = tmp_path_factory.mktemp("template")
    files = {
        "tdls.toml": "",
        "Kiln.td": TABLEGEN,
        "firing.mlir": FIRING,
        "closed.mlir": FIRING.replace("fire_all", "fire_later"),
        "script.mlir": SCRIPT,
        "payload.mlir": PAYLOAD,
        "schedule.py": PROGRAM.replace('Path(__file__).with_name("mark").touch()\n', ""),
        "helpers.py": HELPERS,
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=list(Mode), ids=lambda mode: mode.value)
def editing(
    request: pytest.FixtureRequest, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Editing]:
    folder = shutil.copytree(template, tmp_path_factory.mktemp("modes") / "kiln")
    with Workbench(more=CAPABILITIES, folders=[folder], options=TRUSTED, mode=request.param) as bench:
        firing = bench.open(FIRING, uri=(folder / "firing.mlir").as_uri())
        yield Editing(bench, folder, firing, request.param)


def test_operations_of_the_project_are_known(editing: Editing) -> None:
    assert eventually(lambda: "Fires a batch" in editing.hover("transform.kiln.fire"))


def test_findings_are_published(editing: Editing) -> None:
    editing.bench.wait_for_finding(editing.firing, "undefined value `%missing`")


def test_symbols_of_files_that_are_not_open(editing: Editing) -> None:
    def names() -> set[str]:
        found = editing.bench.client.call("workspace/symbol", {"query": "fire"}) or []
        return {symbol["name"] for symbol in found}

    assert eventually(lambda: {"@fire_all", "@fire_later"} <= names()), names()


def test_names_are_changed(editing: Editing) -> None:
    params = {**editing.firing.at(editing.firing.text.index("%kiln:") + 1), "newName": "%oven"}
    edit = insisted(editing.bench.client, "textDocument/rename", params)
    assert [change["newText"] for change in edit["changes"][editing.firing.uri]] == ["%oven", "%oven"]


def test_sources_that_are_saved_are_read_again(editing: Editing) -> None:
    """As files change, only a client that agreed to watch them sends that; with others they are looked at."""
    assert eventually(lambda: "Fires a batch" in editing.hover("transform.kiln.fire"))
    source = editing.folder / "Kiln.td"
    source.write_text(TABLEGEN.replace("Fires a batch", "Heats a batch"), encoding="utf-8")
    if editing.mode is Mode.FRIENDLY:
        changes = [{"uri": source.as_uri(), "type": 2}]
        editing.bench.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    editing.bench.client.notify("textDocument/didSave", {"textDocument": editing.firing.identifier})
    assert eventually(lambda: "Heats a batch" in editing.hover("transform.kiln.fire"))
    source.write_text(TABLEGEN, encoding="utf-8")


def test_settings_that_are_sent_count(editing: Editing) -> None:
    """A client that does not answer may still send its settings with the notification that they changed."""
    editing.bench.wait_for_finding(editing.firing, "undefined value `%missing`")
    editing.bench.configure({"rules": {"undefined-value": "off"}})
    editing.bench.assert_clean(editing.firing)
    editing.bench.configure({"rules": {}})
    assert eventually(lambda: bool(editing.bench.inbox.newest(editing.firing)))


def test_a_run_that_takes_long_has_its_result(editing: Editing) -> None:
    tool = editing.folder / "slow" / "slow-opt"
    shutil.rmtree(tool.parent, ignore_errors=True)
    tool.parent.mkdir()
    tool.write_text(SLOW.format(tool=require_mlir_opt(22)), encoding="utf-8")
    tool.chmod(stat.S_IRWXU)
    (tool.parent / "tdls.toml").write_text('[run]\nbackend = "./slow-opt"\n', encoding="utf-8")
    shutil.copy(editing.folder / "script.mlir", tool.parent)
    shutil.copy(editing.folder / "payload.mlir", tool.parent)
    script = editing.open("slow/script.mlir")
    shown = progress_of(editing.bench.client)
    answer = editing.command("tdls.run", uri=script.uri, show=True)
    assert answer["status"] == "success", answer
    assert answer["payloadUri"]
    assert answer["seconds"] > 0.5
    kinds = [value["kind"] for value in shown if value.get("title", "Running").startswith("Running")]
    assert (kinds[:1] + kinds[-1:] == ["begin", "end"]) if editing.mode is Mode.FRIENDLY else not shown
    script.close()


def test_the_state_at_a_place(editing: Editing) -> None:
    require_bindings()
    script = editing.open("script.mlir")
    state = editing.bench.client.call("tdls/stateAt", script.at(SCRIPT.index("%tiled")), timeout=120)
    assert state["status"] == "success"
    assert [handle["name"] for handle in state["handles"] if handle["liveness"] == "stale"] == ["%mm"]
    script.close()


def test_schedules_of_programs_are_checked(editing: Editing) -> None:
    require_bindings()
    program = editing.open("schedule.py", "python")
    answer = editing.command("tdls.checkSchedule", uri=program.uri, function="build", show=True)
    assert answer["status"] == "checked", answer
    editing.bench.wait_for_finding(program, "was consumed by `transform.loop.unroll`")
    program.close()


def test_settings_count_when_they_come_late(template: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(template, tmp_path / "kiln")
    with Workbench(more=CAPABILITIES, folders=[folder], mode=Mode.SILENT) as bench:
        firing = bench.open(FIRING, uri=(folder / "firing.mlir").as_uri())
        editing = Editing(bench, folder, firing, Mode.SILENT)
        assert eventually(lambda: "Fires a batch" in editing.hover("transform.kiln.fire"))  # without the settings
        bench.wait_for_finding(firing, "undefined value `%missing`")
        (asked,) = [request for request in bench.client.asked if request["method"] == "workspace/configuration"]
        bench.client.reply(asked["id"], {"result": [{"rules": {"undefined-value": "off"}}]})
        bench.assert_clean(firing)


def test_a_question_that_the_client_refuses_is_a_message(template: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(template, tmp_path / "kiln")
    with Workbench(more=CAPABILITIES, folders=[folder], mode=Mode.REFUSING) as bench:
        messages: list[str] = []
        take = bench.client.on_notification
        bench.client.on_notification = lambda it: (
            messages.append(it.params["message"]) if it.method == "window/showMessage" else take(it)
        )
        editing = Editing(bench, folder, bench.open(FIRING), Mode.REFUSING)
        program = editing.open("schedule.py", "python")
        answer = editing.command("tdls.checkSchedule", uri=program.uri, function="build", show=True)
        assert answer["status"] == "refused"
        assert eventually(lambda: any("runs programs of this folder" in message for message in messages)), messages
