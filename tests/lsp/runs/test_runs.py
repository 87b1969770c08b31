"""Runs of scripts from an editor: lenses, commands, documents that show the payload, hints, diagnostics, refresh."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.own_operations import HANDLE, write_catalogue
from lsp.workbench import Workbench
from rpc.answers import eventually
from rpc.client import ResponseError
from tdls.ide.document.inlay_hint import STOPPED
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rpc.client import Json, LanguageClient, Notification
    from rpc.document import Document

MATMUL = "linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>"
PAYLOAD = f"""func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {{
  %0 = {MATMUL}
  return %0 : tensor<8x8xf32>
}}
"""
SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %none = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %mm, "here" : !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""  # noqa: E501 - as people write it
TWO_TO_TWO = "(!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)"
VIRTUAL = {
    "workspace": {"textDocumentContent": {}, "configuration": True, "inlayHint": {"refreshSupport": True}},
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
}
KNOBS = Path(__file__).resolve().parents[3] / "examples" / "knobs.mlir"
NO_CONTEXT: Json = {"diagnostics": []}
FILES = {"window": {"showDocument": {"support": True}}}


class RunBench(Workbench):
    """A workbench with a script and its payload in a folder."""

    before = ""
    """Text before the script."""

    def __init__(self, folder: Path, capabilities: Json, **settings: Json):
        super().__init__(more=capabilities)
        if settings:
            self.configure({"run": settings})
        self.begin(folder)

    def begin(self, folder: Path) -> None:
        """Write the script and its payload into a folder, and open the script."""
        self.payload = folder / "payload.mlir"
        self.payload.write_text(PAYLOAD, encoding="utf-8")
        self.path = folder / "script.mlir"
        text = f"// tdls: payload=payload.mlir\n{self.before}{SCRIPT}"
        self.path.write_text(text, encoding="utf-8")
        self.script = self.open(text, uri=self.path.as_uri())

    def run(self, command: str = "tdls.run", **arguments: Json) -> Json:
        """Run the script from its usual entry point."""
        argument = {"uri": self.script.uri, **arguments}
        return self.client.call("workspace/executeCommand", {"command": command, "arguments": [argument]}, timeout=60)

    def cancellable(self) -> list[Json]:
        """Return a list that gets the tokens of later work that can be cancelled."""
        tokens: list[Json] = []
        self._listen("$/progress", lambda it: tokens.extend([it["token"]] if it["value"].get("cancellable") else []))
        return tokens

    def text(self, uri: str) -> str:
        """The text of a virtual document."""
        answer = self.client.call("workspace/textDocumentContent", {"uri": uri})
        return str(answer["text"])

    def asked(self, method: str) -> list[Json]:
        """Parameters of the server's requests with this method."""
        return [request["params"] for request in self.client.asked if request["method"] == method]

    def hints(self) -> dict[str, str]:
        """Inlay hints by the word that they follow."""
        whole = self.script.range(0, len(self.script.text))
        found = self.client.call("textDocument/inlayHint", {"textDocument": self.script.identifier, "range": whole})
        lines = self.script.text.split("\n")
        hints: dict[str, str] = {}
        for hint in found:
            before = lines[hint["position"]["line"]][: hint["position"]["character"]]
            hints.setdefault(before.split()[-1], hint["label"])
        return hints

    def all_hints(self) -> list[str]:
        """The labels of all inlay hints."""
        whole = self.script.range(0, len(self.script.text))
        params = {"textDocument": self.script.identifier, "range": whole}
        return [hint["label"] for hint in self.client.call("textDocument/inlayHint", params)]

    def notified_views(self) -> dict[str, bool]:
        """Return a dictionary that gets the later notifications: whether a view is outdated, by its URI."""
        told: dict[str, bool] = {}
        self._listen("tdls/views", lambda it: told.update({view["uri"]: view["isOutdated"] for view in it["views"]}))
        return told

    def _listen(self, method: str, take: Callable[[Json], None]) -> None:
        before = self.client.on_notification

        def listen(notification: Notification) -> None:
            if notification.method == method:
                take(notification.params)
            before(notification)

        self.client.on_notification = listen

    def findings(self, document: Document) -> list[str]:
        """Published diagnostics of a document's last version."""
        newest = self.inbox.publications(document.uri)[-1:]
        return [found["message"] for publication in newest for found in publication.diagnostics]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunBench]:
    with RunBench(tmp_path_factory.mktemp("runs"), VIRTUAL) as bench:
        yield bench


def test_lenses_run_their_sequence(bench: RunBench) -> None:
    lenses = bench.client.call("textDocument/codeLens", {"textDocument": bench.script.identifier})
    commands = {lens["command"]["title"]: lens["command"] for lens in lenses if "command" in lens}
    assert set(commands) == {"\N{BLACK RIGHT-POINTING TRIANGLE} Run", "Diff"}
    run = commands["\N{BLACK RIGHT-POINTING TRIANGLE} Run"]
    outcome = bench.client.call("workspace/executeCommand", {"command": run["command"], "arguments": run["arguments"]})
    assert outcome["status"] == "success"
    assert {lens["range"]["start"]["line"] for lens in lenses} == {2}


def test_lenses_run_options_of_choices(tmp_path: Path) -> None:
    text = KNOBS.read_text(encoding="utf-8").replace("payload=matmul", "payload=payload")
    with RunBench(tmp_path, VIRTUAL) as bench:
        knobs = bench.open(text, uri=(tmp_path / "knobs.mlir").as_uri())
        lenses = bench.client.call("textDocument/codeLens", {"textDocument": knobs.identifier})
        runs = [lens["command"] for lens in lenses if "with" in lens["command"]["title"]]
        assert len(runs) == 10
        params = ({"command": "tdls.run", "arguments": each["arguments"]} for each in (runs[0], runs[-1]))
        failed, done = (bench.client.call("workspace/executeCommand", each, timeout=60) for each in params)
        assert '"columns" is only resolved' in failed["detail"]
        assert done["status"] == "success", "the choice before stays"


def test_the_transformed_payload_is_shown(bench: RunBench) -> None:
    outcome = bench.run()
    assert bench.asked("window/showDocument")[-1]["uri"] == outcome["payloadUri"]
    text = bench.text(outcome["payloadUri"])
    assert "scf.for" in text
    assert "transform." not in text
    assert outcome["payloadUri"].startswith("tdls://run/script.after.mlir?")


def test_a_diff_is_shown(bench: RunBench) -> None:
    outcome = bench.run("tdls.diff")
    assert bench.asked("window/showDocument")[-1]["uri"] == outcome["diffUri"]
    lines = bench.text(outcome["diffUri"]).splitlines()
    assert lines[:2] == ["--- script.before.mlir", "+++ script.after.mlir"]
    assert any(line.startswith("+") and "scf.for" in line for line in lines)


def test_an_editor_may_show_all_views_itself(bench: RunBench) -> None:
    shown = len(bench.asked("window/showDocument"))
    outcome = bench.run(show=False)
    assert len(bench.asked("window/showDocument")) == shown
    assert "scf.for" not in bench.text(outcome["beforeUri"])
    assert "scf.for" in bench.text(outcome["payloadUri"])
    assert bench.text(outcome["diffUri"]).startswith("---")


def test_a_view_that_is_requested_later_is_of_the_same_run(bench: RunBench, tmp_path: Path) -> None:
    other = tmp_path / "other.mlir"
    other.write_text(PAYLOAD.replace("@f(", "@other("), encoding="utf-8")
    outcome = bench.run(show=False, payload=str(other))
    assert "@other" in bench.text(outcome["payloadUri"])
    assert "@other" in bench.text(outcome["beforeUri"])


def test_a_run_without_payload_says_so(bench: RunBench, tmp_path: Path) -> None:
    alone = bench.open(SCRIPT, uri=(tmp_path / "alone.mlir").as_uri())
    argument = {"uri": alone.uri, "show": False}
    params = {"command": "tdls.run", "arguments": [argument]}
    outcome = bench.client.call("workspace/executeCommand", params, timeout=60)
    assert outcome["status"] == "success"
    assert (outcome["detail"], outcome["hasPayload"]) == ("there is no payload, so nothing was transformed", False)
    fuse = f"transform.structured.fuse_into_containing_op %mm into %mm : {TWO_TO_TWO}\n    transform.yield"
    alone.replace(0, len(alone.text), SCRIPT.replace("transform.yield", f"%fused, %new = {fuse}"))
    failed = bench.client.call("workspace/executeCommand", params, timeout=60)
    assert failed["status"] == "failure"
    assert failed["detail"].startswith("there is no payload, so nothing was transformed; script failed at alone.mlir:7")
    alone.close()
    assert bench.run(show=False)["detail"] == ""


def test_hovers_show_the_payload_of_handles(bench: RunBench) -> None:
    bench.run()
    hints = bench.hints()
    assert hints["%mm"] == "1 x linalg.matmul"
    assert hints["%none"] == "empty"
    assert hints["%loop"] == "1 x scf.for"
    assert hints["@__transform_main(%root"] == "1 x builtin.module"
    use = bench.script.text.index("%mm, ") + 1
    hover = bench.client.call("textDocument/hover", bench.script.at(use))
    assert "In the last run" in hover["contents"]["value"]
    assert "1 `linalg.matmul` ([payload.mlir:2](" in hover["contents"]["value"]


def test_diagnostics_are_shown_in_script_and_payload(bench: RunBench) -> None:
    payload = bench.open(PAYLOAD, uri=bench.payload.as_uri())
    bench.run()
    assert eventually(lambda: "here" in bench.findings(payload))
    (remark,) = (
        diagnostic
        for diagnostic in bench.inbox.publications(payload.uri)[-1].diagnostics
        if diagnostic["message"] == "here"
    )
    assert (remark["severity"], remark["source"], remark["range"]["start"]["line"]) == (3, "tdls run", 1)
    assert eventually(lambda: any(message.startswith("empty: ") for message in bench.findings(bench.script)))
    at = payload.text.index("  %0")
    payload.replace(at, at, "  // elsewhere\n")
    assert eventually(lambda: bench.inbox.publications(payload.uri)[-1].version == payload.version)
    assert "here" in bench.findings(payload)
    at = payload.text.index("linalg.matmul")
    payload.replace(at, at + 1, "L")
    assert eventually(lambda: "here" not in bench.findings(payload))
    payload.close()


def test_the_way_between_source_and_transformed_payload(bench: RunBench) -> None:
    payload = bench.open(PAYLOAD, uri=bench.payload.as_uri())
    uri = bench.run()["payloadUri"]
    after = bench.open(bench.text(uri), uri=uri)
    source = bench.client.call("textDocument/declaration", after.at(after.text.index("scf.for")))
    assert [(place["uri"], place["range"]["start"]["line"]) for place in source] == [(payload.uri, 1)]
    made = bench.client.call("textDocument/implementation", payload.at(payload.text.index("linalg.matmul")))
    lines = after.text.split("\n")
    assert any("scf.for" in lines[place["range"]["start"]["line"]] for place in made)
    assert {place["uri"] for place in made} == {uri}
    after.close()
    payload.close()


def test_a_run_waits_for_edits_of_all_documents(tmp_path: Path) -> None:
    """A large payload is edited in a thread of its own; a script may name it from a folder further up."""
    (folder := tmp_path / "scripts").mkdir()
    (tmp_path / ".git").mkdir()
    with RunBench(folder, VIRTUAL) as bench:
        name = bench.script.text.index("payload.mlir")
        bench.script.replace(name, name, "../scripts/")
        payload = bench.open("// a remark\n" * 5_000 + PAYLOAD, uri=bench.payload.as_uri())
        for number in range(4):
            payload.replace(0, 0, f"{'// a line more' * 10_000}\nfunc.func private @number_{number}()\n")
            assert f"@number_{number}()" in bench.text(bench.run()["payloadUri"])


def test_hover_on_the_transformed_payload_says_where_a_line_was_written(bench: RunBench, tmp_path: Path) -> None:
    with RunBench(tmp_path, VIRTUAL, backend=require_mlir_opt(22).as_posix()) as bench_of_tool:
        for used in (bench, bench_of_tool):
            uri = used.run()["payloadUri"]
            shown = used.open(used.text(uri), uri=uri)
            source = used.open(PAYLOAD, uri=used.payload.as_uri())

            def hover(document: Document, words: str, client: LanguageClient = used.client) -> str:
                return str(client.call("textDocument/hover", document.at(document.text.index(words))))

            assert "Came from [payload.mlir:2](" in hover(shown, "scf.for")
            assert "Came from [payload.mlir:1](" in hover(shown, "func.func")
            assert "Came from" not in hover(source, "linalg.matmul")
            shown.close()
            source.close()


def test_payload_of_a_handle(bench: RunBench) -> None:
    payload = bench.open(PAYLOAD, uri=bench.payload.as_uri())
    uri = bench.run()["payloadUri"]
    text = bench.text(uri).split("\n")
    loop = bench.script.text.index("%loop")
    found = bench.client.call("tdls/correspondence", bench.script.at(loop))
    assert [text[line["range"]["start"]["line"]].split(" = ")[1][:7] for line in found["after"]] == ["scf.for"]
    assert [place["range"]["start"]["line"] for place in found["source"]] == [1]
    back = bench.client.call("tdls/correspondence", payload.at(payload.text.index("linalg.matmul")))
    assert bench.script.range(loop, loop + 5) in [handle["range"] for handle in back["handles"]]
    payload.close()


FUSING = """\
    %ex = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %ex tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm_fused, %new = transform.structured.fuse_into_containing_op %mm into %forall
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
"""


def test_all_operations_are_marked_that_came_from_a_handle_of_their_name(bench: RunBench, tmp_path: Path) -> None:
    """The operation that was fused is still there, and came from the same place as the one in the loop."""
    head, _, _ = SCRIPT.partition("    %none")
    exp = "  %1 = linalg.exp ins(%0 : tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>\n  return %1"
    (tmp_path / "payload.mlir").write_text(PAYLOAD.replace("  return %0", exp), encoding="utf-8")
    text = f"// tdls: payload=payload.mlir\n{head}{FUSING}    transform.yield\n  }}\n}}\n"
    script = bench.open(text, uri=(tmp_path / "fusing.mlir").as_uri())
    after = bench.text(bench.run(uri=script.uri)["payloadUri"]).split("\n")
    found = bench.client.call("tdls/correspondence", script.at(text.index("%mm_fused")))
    assert [place["range"]["start"]["line"] for place in found["source"]] == [1]
    marked = [after[place["range"]["start"]["line"]] for place in found["after"]]
    assert ["linalg.matmul" in line for line in marked] == [True, True]
    script.close()


def test_an_unknown_entry_point_is_refused(bench: RunBench) -> None:
    with pytest.raises(ResponseError, match="the entry points are: __transform_main"):
        bench.run(entryPoint="nothing")


def test_runs_stop_at_the_requested_line(bench: RunBench) -> None:
    before_tiling = bench.script.position(bench.script.text.index("%none"))
    outcome = bench.run(until=before_tiling)
    assert outcome["status"] == "success"
    line = before_tiling["line"] + 1
    assert outcome["line"] == line
    assert outcome["payloadUri"].startswith(f"tdls://run/script.to-line-{line}.after.mlir?")
    assert "scf.for" not in bench.text(outcome["payloadUri"])
    assert STOPPED in bench.all_hints()
    whole = bench.run()
    assert whole["line"] is None
    assert "scf.for" in bench.text(whole["payloadUri"])
    assert "scf.for" not in bench.text(outcome["payloadUri"])
    assert STOPPED not in bench.all_hints()
    bench.run(until=bench.script.position(bench.script.text.index("emit_remark")))
    assert bench.text(outcome["payloadUri"]) == f"// Run to line {line} again to see its payload here.\n"


def test_a_view_of_an_older_text_is_marked(tmp_path: Path) -> None:
    capabilities = {**VIRTUAL, "experimental": {"tdlsViews": True}}
    with RunBench(tmp_path, capabilities) as bench:
        told = bench.notified_views()
        stopped = bench.run(until=bench.script.position(bench.script.text.index("%none")))["payloadUri"]
        whole = bench.run()["payloadUri"]
        assert told == {}
        at = bench.script.text.index("[4]") + 1
        bench.script.replace(at, at + 1, "2")
        assert eventually(lambda: told == {stopped: True, whole: True})
        bench.run()
        assert eventually(lambda: told == {stopped: True, whole: False})


def test_hovers_show_the_payload_of_handles_of_project_types(tmp_path: Path) -> None:
    (tmp_path / "tdls.toml").write_text(f'catalogues = ["{write_catalogue(tmp_path).name}"]\n', encoding="utf-8")
    head = "transform.sequence failures(propagate) {\n^bb0(%root: !transform.any_op):\n"
    match = (
        '  %any = transform.structured.match ops{["test.foo"]} in %root : (!transform.any_op) -> !transform.any_op\n'
    )
    cast = f"  %own = transform.cast %any : !transform.any_op to {HANDLE}\n"
    with RunBench(tmp_path, VIRTUAL, backend=str(require_mlir_opt(22))) as bench:
        text = f'"test.foo"() : () -> ()\n{head}{match}{cast}}}\n'
        bench.script = bench.open(text, uri=(tmp_path / "alone.mlir").as_uri())
        assert eventually(lambda: bench.run()["status"] == "success" and "%own" in bench.hints())
        assert bench.hints()["%own"] == "1 x test.foo"


def test_status_and_entry_points(bench: RunBench) -> None:
    bench.run()
    status = bench.client.call("tdls/status", {})
    assert status["problem"] is None
    assert status["backend"]
    assert status["mlir"]
    (point,) = bench.client.call("tdls/entryPoints", {"uri": bench.script.uri})
    assert (point["name"], point["entryPoint"], point["part"]) == ("@__transform_main", "__transform_main", 0)
    assert bench.client.call("tdls/entryPoints", {}) == []


@pytest.mark.parametrize("lenses", [True, False])
def test_editors_without_lenses_run_scripts_by_actions(tmp_path: Path, lenses: bool) -> None:
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}}
    claimed = {"codeAction": literals, **({"codeLens": {}} if lenses else {})}
    with RunBench(tmp_path, {**VIRTUAL, "textDocument": claimed}) as bench:
        at = bench.script.text.index("@__transform_main")
        params = {"textDocument": bench.script.identifier, "range": bench.script.range(at, at), "context": NO_CONTEXT}
        commands = [
            action["command"] for action in bench.client.call("textDocument/codeAction", params) if "command" in action
        ]
        titles = [] if lenses else ["Run @__transform_main", "Show what @__transform_main changes"]
        assert [command["title"] for command in commands] == titles
        for command in commands:
            outcome = bench.client.call(
                "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
            )
            assert outcome["status"] == "success"


FAILURES = {
    "relatedInformation": True,
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
}


def fail(bench: RunBench) -> Json:
    """Let the script fail in a line behind a tiling, run it, and return the outcome."""
    at = bench.script.text.index("    transform.yield")
    bench.script.replace(at, at, "    transform.loop.unroll %none { factor = 2 } : !transform.any_op\n" * 2)
    return bench.run()


def failure(bench: RunBench) -> Json:
    """Return the finding at the step that failed."""
    assert eventually(lambda: any("invalidated" in found for found in bench.findings(bench.script)))
    found = bench.inbox.publications(bench.script.uri)[-1].diagnostics
    return next(item for item in found if "invalidated" in item["message"] and item["source"] == "tdls run")


def failure_action(bench: RunBench, finding: Json) -> Json:
    """Return the action on the finding that shows the payload before the failure."""
    params = {"textDocument": bench.script.identifier, "range": finding["range"], "context": NO_CONTEXT}
    actions = bench.client.call("textDocument/codeAction", params)
    (action,) = (action for action in actions if action["title"] == "Show the payload before this step")
    return action


def test_a_failure_leads_to_the_payload_before_it(tmp_path: Path) -> None:
    """As related information and by an action: tiled, and as it is now when it was tiled in another way."""
    documents = {"publishDiagnostics": FAILURES, "codeAction": FAILURES}
    with RunBench(tmp_path, {**VIRTUAL, "textDocument": documents}) as bench:
        view = bench.run()["payloadUri"]
        shown = bench.text(view)
        outcome = fail(bench)
        assert outcome["status"] == "failure"
        assert bench.text(view) == shown
        finding = failure(bench)
        (information,) = finding["relatedInformation"][-1:]
        assert information["message"] == "the payload right before this step"
        uri = information["location"]["uri"]
        assert (uri, outcome["payloadUri"]) == (outcome["failureUri"], None)
        assert "script.before-failure.mlir" in uri
        assert "scf.for" in bench.text(uri)
        action = failure_action(bench, finding)
        assert [item["message"] for item in action["diagnostics"]] == [finding["message"]]
        answer = bench.client.call("workspace/executeCommand", without_title(action["command"]))
        assert answer == {"failureUri": uri}
        assert bench.asked("window/showDocument")[-1]["uri"] == uri
        at = bench.script.text.index("[4]")
        bench.script.replace(at, at + 3, "[2]")
        bench.run()
        assert eventually(lambda: {"uri": uri} in bench.asked("workspace/textDocumentContent/refresh"))
        assert "%c2 = arith" in bench.text(uri)
        bench.script.replace(
            bench.script.text.index("    transform.loop"), bench.script.text.index("    transform.yi"), ""
        )
        assert eventually(lambda: bench.text(uri) == "// the script does not fail\n")


def test_editors_without_virtual_documents_get_the_payload_before_a_failure_as_a_file(tmp_path: Path) -> None:
    documents = {"publishDiagnostics": FAILURES, "codeAction": FAILURES}
    with RunBench(tmp_path, {**FILES, "textDocument": documents}) as bench:
        assert fail(bench)["failureUri"] is None
        finding = failure(bench)
        said = [note["message"] for note in finding.get("relatedInformation", ())]
        assert "the payload right before this step" not in said
        action = failure_action(bench, finding)
        uri = bench.client.call("workspace/executeCommand", without_title(action["command"]))["failureUri"]
        assert bench.asked("window/showDocument")[-1]["uri"] == uri
        assert "scf.for" in Path(uri.removeprefix("file://")).read_text(encoding="utf-8")


def without_title(command: Json) -> Json:
    return {"command": command["command"], "arguments": command["arguments"]}


def test_output_of_the_script_is_logged_and_sent(tmp_path: Path) -> None:
    with RunBench(tmp_path, VIRTUAL) as bench:
        logged: list[Json] = []
        receive = bench.client.on_notification

        def note(notification: Notification) -> None:
            if notification.method == "window/logMessage":
                logged.append(notification.params)
            receive(notification)

        bench.client.on_notification = note
        at = bench.script.text.index("    transform.yield")
        bench.script.replace(at, at, '    transform.print %tiled {name = "here it is"} : !transform.any_op\n')
        outcome = bench.run()
        assert "here it is" in outcome["printed"]
        assert eventually(lambda: any("here it is" in message["message"] for message in logged))
        assert {message["type"] for message in logged if "here it is" in message["message"]} == {4}


def test_the_script_is_kept_where_that_is_wanted(tmp_path: Path) -> None:
    whole = SCRIPT.replace("  transform.named_sequence", PAYLOAD + "  transform.named_sequence", 1)
    with RunBench(tmp_path, VIRTUAL, **{"keep-script": True}) as bench:
        script = bench.open(whole)
        outcome = bench.run(uri=script.uri)
        assert "transform.named_sequence" in bench.text(outcome["payloadUri"])
        changes = bench.text(bench.run("tdls.diff", uri=script.uri)["diffUri"])
        assert "scf.for" in changes
        assert "transform.named_sequence" not in changes


@pytest.mark.parametrize("refresh", ["save", "type", "off"])
def test_views_follow_the_script(tmp_path: Path, refresh: str) -> None:
    with RunBench(tmp_path, VIRTUAL, refresh=refresh) as bench:
        uri = bench.run()["payloadUri"]
        bench.text(uri)
        before = len(bench.asked("workspace/textDocumentContent/refresh"))
        at = bench.script.text.index("[4]")
        bench.script.replace(at, at + 3, "[2]")
        if refresh != "type":
            time.sleep(0.5)
            assert "%c4 = arith" in bench.text(uri)
            bench.client.notify("textDocument/didSave", {"textDocument": bench.script.identifier})
        if refresh == "off":
            time.sleep(0.5)
            assert "%c4 = arith" in bench.text(uri)
            return
        assert eventually(lambda: len(bench.asked("workspace/textDocumentContent/refresh")) > before)
        assert "%c2 = arith" in bench.text(uri)


def test_editors_without_virtual_documents_get_read_only_files(tmp_path: Path) -> None:
    with RunBench(tmp_path, FILES) as bench:
        uri = bench.run()["payloadUri"]
        assert bench.asked("window/showDocument")[-1]["uri"] == uri
        path = Path(uri.removeprefix("file://"))
        assert "scf.for" in path.read_text(encoding="utf-8")
        assert not path.stat().st_mode & 0o222
        at = bench.script.text.index("[4]")
        bench.script.replace(at, at + 3, "[2]")
        bench.client.notify("textDocument/didSave", {"textDocument": bench.script.identifier})
        assert eventually(lambda: "%c2 = arith" in path.read_text(encoding="utf-8"))


def test_the_server_can_be_shut_down_while_scripts_run(tmp_path: Path) -> None:
    with RunBench(tmp_path, VIRTUAL) as bench:
        bench.run()
        for _ in range(4):
            argument = {"uri": bench.open(ENDLESS).uri}
            bench.client.request("workspace/executeCommand", {"command": "tdls.run", "arguments": [argument]})
        bench.client.call("tdls/status", {})


@pytest.mark.cooperation("it shows progress")
def test_a_long_run_can_be_cancelled(tmp_path: Path) -> None:
    with RunBench(tmp_path, VIRTUAL) as bench:
        bench.run()
        endless = bench.open(ENDLESS)
        argument = {"uri": endless.uri}
        tokens = bench.cancellable()
        pending = bench.client.request("workspace/executeCommand", {"command": "tdls.run", "arguments": [argument]})
        assert eventually(lambda: bool(tokens))
        time.sleep(0.2)
        bench.client.notify("window/workDoneProgress/cancel", {"token": tokens[0]})
        assert pending.result()["status"] == "cancelled"
        assert bench.run()["status"] == "success"


ENDLESS = """module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<?xf32>, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 90000000 : index
    scf.for %i = %c0 to %c9 step %c1 {
      memref.store %v, %m[%i] : memref<?xf32>
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop { factor = 90000000 } : !transform.any_op
    transform.yield
  }
}
"""


TRY, TILE = "Steps that work here", "transform.structured.tile_using_for %mm tile_sizes [4, 4, 0]"
LITERALS: Json = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
TRYING: Json = {"workspace": {"configuration": True}, "textDocument": {"codeAction": LITERALS}}


def steps(bench: RunBench, before: str) -> dict[str, Json]:
    """Return the actions about steps at the beginning of the text `before`, by title."""
    place = bench.script.range(*(bench.script.text.index(before),) * 2)
    asked = {"textDocument": bench.script.identifier, "range": place, "context": {**NO_CONTEXT, "only": ["refactor"]}}
    found = bench.client.call("textDocument/codeAction", asked)
    return {each["title"]: each for each in found if each["title"] == TRY or each["kind"].endswith(".step")}


def tried(bench: RunBench, offset: int) -> dict[str, Json]:
    """Return the completion items of tried steps, which come first, by label."""
    items = bench.client.call("textDocument/completion", bench.script.at(offset))["items"]
    known = [item for item in items if "Tried here on the payload" in str(item.get("documentation"))]
    assert known == items[: len(known)]
    return {item["label"]: item for item in known}


def test_steps_are_tried_on_request_and_stay_while_the_next_line_is_typed(tmp_path: Path) -> None:
    with RunBench(tmp_path, TRYING) as bench:
        script, (argument,) = bench.script, steps(bench, "%mm")[TRY]["command"]["arguments"]
        command = {"command": "tdls.trySteps", "arguments": [argument]}
        pending = bench.client.request("workspace/executeCommand", command)
        bench.client.notify("$/cancelRequest", {"id": pending.id})
        with pytest.raises(ResponseError, match="cancelled"):
            pending.result()
        count, actions = bench.run("tdls.trySteps", **argument)["steps"], steps(bench, "%mm")
        assert count == len(actions) - 1 > 5
        (step,) = next(each for title, each in actions.items() if title.startswith(TILE))["edit"]["changes"][script.uri]
        at = script.text.index("    %none")
        script.replace(at, at, "    transf\n")
        item = tried(bench, at + 10)[TILE]
        assert item["textEdit"] == {"range": script.range(at + 4, at + 10), "newText": step["newText"].strip()}
        script.replace(at, at + 11, step["newText"])
        assert bench.run(until=script.position(at + 4))["status"] == "success"
        assert list(steps(bench, "%mm")) == [TRY]


@pytest.mark.parametrize("is_trusted", [True, False])
def test_completion_tries_steps_only_where_scripts_run_as_one_types(tmp_path: Path, is_trusted: bool) -> None:
    with RunBench(tmp_path, TRYING) as bench:
        bench.configure({"trust-workspace": is_trusted})
        place = bench.script.text.index("    %none")
        bench.script.replace(place, place, "    \n")
        assert eventually(lambda: TILE in tried(bench, place + 4), 60 if is_trusted else 2) is is_trusted


def test_no_steps_are_tried_without_consent_and_payload(tmp_path: Path) -> None:
    with RunBench(tmp_path, TRYING) as bench:
        (argument,) = steps(bench, "%mm")[TRY]["command"]["arguments"]
        (tmp_path / "tdls.toml").write_text('[run]\nbackend = "./tool"\n', encoding="utf-8")
        bench.configure({})
        assert "run.backend" in bench.run("tdls.trySteps", **argument)["detail"]
        bench.script.replace(0, bench.script.text.index("\n"), "")
        assert not steps(bench, "%mm")
