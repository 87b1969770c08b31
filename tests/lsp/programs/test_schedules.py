"""Schedules that programs build, as editors get them: nothing is run before people say that it may be."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually
from rpc.client import ResponseError
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json
    from rpc.document import Document

HELPERS = """\
from torch_mlir.dialects.transform import loop

def unroll(handle):
    loop.LoopUnrollOp(handle, factor=2)
"""
PROGRAM = '''\
"""Builds one."""
from pathlib import Path

from torch_mlir import ir
from torch_mlir.dialects import transform
from torch_mlir.dialects.transform import structured

from helpers import unroll

Path(__file__).with_name("mark").touch()


def build():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
        any_op = transform.AnyOpType.get()
        with ir.InsertionPoint(module.body):
            reading = [{"transform.readonly": ir.UnitAttr.get()}]
            main = transform.NamedSequenceOp("__transform_main", [any_op], [], arg_attrs=reading)
        with ir.InsertionPoint(main.body):
            loops = structured.structured_match(any_op, main.bodyTarget, ops=["scf.for"])
            unroll(loops)
            transform.print_(target=loops)
            transform.YieldOp([])
        return module
'''
GOOD = PROGRAM.replace("            transform.print_(target=loops)\n", "")
PAYLOAD = """\
func.func @f(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 { memref.store %zero, %m[%i] : memref<?xf32> }
  return
}
"""
TRUSTED = {"tdls": {"trust-workspace": True}}
EDITOR: Json = {
    "workspace": {"textDocumentContent": {}, "configuration": True, "codeLens": {"refreshSupport": True}},
    "window": {"showMessage": {}, "showDocument": {"support": True}},
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}},
}
ASKED = "window/showMessageRequest"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a program of two files; consents are stored outside of it."""
    monkeypatch.setenv("TDLS_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TDLS_UNCONFINED", "1")  # else the program could not leave its mark
    return written(tmp_path / "project")


def written(project: Path) -> Path:
    """Write the program and its payload."""
    require_bindings()
    project.mkdir()
    (project / "schedule.py").write_text(PROGRAM, encoding="utf-8")
    (project / "helpers.py").write_text(HELPERS, encoding="utf-8")
    (project / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
    return project


class Program:
    """The program, open in a workbench."""

    def __init__(self, bench: Workbench, folder: Path, text: str = PROGRAM):
        self.client, self.inbox, self.open = bench.client, bench.inbox, bench.open
        self.path = folder / "schedule.py"
        self.built = ""
        self.program = self.open(text, uri=self.path.as_uri(), language="python")

    def check(self, **arguments: Json) -> Json:
        """Check the module that the function builds."""
        argument = {"uri": self.program.uri, "function": "build", "show": False, **arguments}
        params = {"command": "tdls.checkSchedule", "arguments": [argument]}
        return self.client.call("workspace/executeCommand", params, timeout=120)

    def run(self, uri: str, **arguments: Json) -> Json:
        """Run a script on the payload of the folder."""
        payload = str(self.path.with_name("payload.mlir"))
        argument = {"uri": uri, "show": False, "payload": payload, **arguments}
        params = {"command": "tdls.run", "arguments": [argument]}
        return self.client.call("workspace/executeCommand", params, timeout=120)

    def text(self, uri: str) -> str:
        """The text of a built script or of the payload of a run."""
        return str(self.client.call("workspace/textDocumentContent", {"uri": uri})["text"])

    def found(self, uri: str) -> list[Json]:
        """The file's last published diagnostics."""
        publications = self.inbox.publications(uri)
        return publications[-1].diagnostics if publications else []

    def hover(self, words: str) -> str:
        """The hover at the start of `words` in the program."""
        at = self.program.at(self.program.text.index(words))
        answer = self.client.call("textDocument/hover", at)
        return str(answer["contents"]["value"]) if answer is not None else ""

    def lenses(self) -> list[tuple[int, str]]:
        """The lines and titles of all lenses of the program."""
        found = self.client.call("textDocument/codeLens", {"textDocument": self.program.identifier})
        return [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in found]


@pytest.fixture(scope="module")
def trusting() -> Iterator[Workbench]:
    """A server that trusts the workspace, to which each test adds a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TDLS_UNCONFINED", "1")
        with Workbench(more=EDITOR, options=TRUSTED) as bench:
            yield bench


@pytest.fixture(scope="module")
def checked(trusting: Workbench, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A program that was checked; tests leave it as it is."""
    folder = written(tmp_path_factory.mktemp("checked") / "project")
    trusting.change_folders(added=[folder])
    program = Program(trusting, folder)
    assert program.hover("structured.structured_match") == ""
    answer = program.check()
    assert (answer["status"], answer["detail"]) == ("checked", "")
    (program.built,) = answer["scripts"]
    return program


@contextmanager
def asking(folder: Path) -> Iterator[Program]:
    """Yield the program in a workspace that nobody has trusted yet."""
    with Workbench(more=EDITOR, folders=[folder]) as bench:
        yield Program(bench, folder)


@contextmanager
def opened(bench: Workbench, folder: Path, text: str = PROGRAM) -> Iterator[Program]:
    """Write the program into a folder of the workspace, and yield it, until the end of a test."""
    (folder / "schedule.py").write_text(text, encoding="utf-8")
    with bench.workspace_folders(folder):
        yield Program(bench, folder, text)


def placed(document: Document, words: str) -> Json:
    start = document.text.index(words)
    return document.range(start, start + len(words))


def test_nothing_is_run_without_consent(folder: Path) -> None:
    with asking(folder) as bench:
        bench.client.choice = "Not now"
        assert bench.lenses() == [(12, "Check schedule")]
        answer = bench.check()
        assert answer["status"] == "refused"
        assert "runs programs of this folder" in answer["detail"]
        assert eventually(lambda: any(request["method"] == ASKED for request in bench.client.asked))
        assert bench.check()["status"] == "refused"
    assert not (folder / "mark").exists()


@pytest.mark.cooperation("people say that programs may run")
def test_consent_is_for_the_folder(folder: Path) -> None:
    with asking(folder) as bench:
        bench.client.choice = "Allow for this folder"
        bench.check(show=True)
        assert eventually((folder / "mark").exists)
    (folder / "mark").unlink()
    with asking(folder) as bench:
        assert bench.check()["status"] == "checked"
    assert (folder / "mark").exists()


def test_findings_stand_at_calls(checked: Program) -> None:
    assert eventually(lambda: len(checked.found(checked.program.uri)) == 1)
    (finding,) = checked.found(checked.program.uri)
    assert finding["range"] == placed(checked.program, "transform.print_(target=loops)")
    assert finding["message"].startswith("`loops` was consumed by `transform.loop.unroll`")
    places = [note["location"] for note in finding["relatedInformation"]]
    lines = {(place["uri"], place["range"]["start"]["line"]) for place in places}
    call = checked.program.text[: checked.program.text.index("unroll(loops)")].count("\n")
    assert lines >= {(checked.path.with_name("helpers.py").as_uri(), 3), (checked.program.uri, call)}


def test_findings_in_helpers_are_at_calls_of_the_checked_program_with_their_fixes(
    trusting: Workbench, folder: Path
) -> None:
    program = PROGRAM.replace("unroll(loops)", "tiles = structured.TileUsingForOp(loops, sizes=[4]).results")
    program = program.replace("transform.print_(target=loops)", "unroll(loops)").replace("return module", "1 // 0")
    with opened(trusting, folder, program) as bench:
        assert bench.check()["status"] == "checked", "a failure after the script was built is none of the check"
        assert eventually(lambda: bool(bench.found(bench.program.uri)))
        (finding,) = [each for each in bench.found(bench.program.uri) if each["code"] == "use-after-free"]
        assert finding["range"] == placed(bench.program, "unroll(loops)")
        assert finding["relatedInformation"][0]["location"]["uri"] == (folder / "helpers.py").as_uri()
        context = {"diagnostics": [finding]}
        params = {"textDocument": bench.program.identifier, "range": finding["range"], "context": context}
        (action,) = bench.client.call("textDocument/codeAction", params)
        assert action["title"] == "Use `tiles[0]`"
        ((edit,),) = [change["edits"] for change in action["edit"].get("documentChanges", ())] or [
            *action["edit"]["changes"].values()
        ]
        assert edit["newText"] == "tiles[0]"


def test_built_modules_are_documents(checked: Program) -> None:
    text = checked.text(checked.built)
    assert "transform.named_sequence @__transform_main" in text
    assert "loc(" not in text
    shown = checked.open(text, uri=checked.built)
    hover = checked.client.call("textDocument/hover", shown.at(text.index("transform.loop.unroll") + 12))
    shown.close()
    assert "unroll" in str(hover).lower()
    assert checked.lenses() == [(12, "Check schedule"), (12, "▶ Run"), (12, "Diff")]


def test_hovers_show_the_operation_of_a_call(checked: Program) -> None:
    told = checked.hover("structured.structured_match")
    assert "transform.structured.match" in told
    line = HELPERS[: HELPERS.index("loop.LoopUnroll")].count("\n") + 1
    assert f"consumed by `transform.loop.unroll` ([helpers.py line {line}](" in told
    assert "transform.loop.unroll" in checked.hover("unroll(loops)")
    assert checked.hover("Path(__file__)") == ""


def test_edits_move_findings_and_saving_checks_again(trusting: Workbench, folder: Path) -> None:
    with opened(trusting, folder) as bench:
        bench.check()
        assert eventually(lambda: len(bench.found(bench.program.uri)) == 1)
        at = bench.program.text.index("def build")
        bench.program.replace(at, at, "# more\n\n")
        assert eventually(
            lambda: (
                [found["range"] for found in bench.found(bench.program.uri)]
                == [placed(bench.program, "transform.print_(target=loops)")]
            )
        )
        assert "transform.structured.match" in bench.hover("structured.structured_match")
        at = bench.program.text.index("            transform.print_(target=loops)\n")
        bench.program.replace(at, at + len("            transform.print_(target=loops)\n"), "")
        bench.path.write_text(bench.program.text, encoding="utf-8")
        bench.client.notify("textDocument/didSave", {"textDocument": bench.program.identifier})
        assert eventually(lambda: bench.found(bench.program.uri) == [])


def test_a_failed_run_and_hovers_name_places_and_handles_of_the_program(trusting: Workbench, folder: Path) -> None:
    merged = "both = transform.merge_handles([loops], deduplicate=True)\n            unroll(loops)"
    program = PROGRAM.replace("unroll(loops)", merged).replace("print_(target=loops)", "print_(target=both)")
    with opened(trusting, folder, program) as bench:
        (uri,) = bench.check()["scripts"]
        run = bench.run(uri)
        line = program[: program.index("transform.print_")].count("\n") + 1
        assert run["detail"].startswith(f"script failed at schedule.py:{line}: ")
        told = bench.hover("transform.merge_handles")
        assert "`both`: `!transform.any_op`, stale through another handle since `transform.loop.unroll`" in told


def test_runs_of_built_modules_are_shown_in_the_program(trusting: Workbench, folder: Path) -> None:
    with opened(trusting, folder, GOOD) as bench:
        (uri,) = bench.check()["scripts"]
        run = bench.run(uri)
        assert run["status"] == "success", run
        whole = bench.program.range(0, len(bench.program.text))
        params = {"textDocument": bench.program.identifier, "range": whole}
        hints = bench.client.call("textDocument/inlayHint", params)
        assert [hint["label"] for hint in hints] == ["1 x builtin.module", "1 x scf.for"]
        place = {**bench.program.at(bench.program.text.index("unroll(loops)")), "payload": str(folder / "payload.mlir")}
        state = bench.client.call("tdls/stateAt", place, timeout=120)
        assert state["step"]["operation"] == "transform.loop.unroll"
        assert state["step"]["location"]["uri"] == (folder / "helpers.py").as_uri()


@pytest.mark.parametrize(
    ("body", "limit", "said"),
    [("while True: pass", 2, "2 s"), ("raise ValueError('an odd number')", 100, "an odd number")],
)
def test_programs_that_fail_or_do_not_end_are_a_message(
    trusting: Workbench, folder: Path, body: str, limit: int, said: str
) -> None:
    text = PROGRAM.replace("transform.YieldOp([])", body)
    (folder / "tdls.toml").write_text(f"[run]\ntimeout = {limit}\n", encoding="utf-8")
    with opened(trusting, folder, text) as bench:
        answer = bench.check()
        assert answer["status"] == "failed"
        assert said in answer["detail"]
        assert bench.lenses()[0] == (12, "Check schedule")


def test_calls_and_operations_belong_together(checked: Program) -> None:
    text = checked.text(checked.built)
    shown = checked.open(text, uri=checked.built)

    def built(place: Json) -> list[tuple[str, int]]:
        found = checked.client.call("tdls/correspondence", place)["built"]
        return [(at["uri"], at["range"]["start"]["line"]) for at in found]

    call = checked.program.text.index("unroll(loops)")
    operation = text.index("transform.loop.unroll")
    assert built(checked.program.at(call)) == [(checked.built, text[:operation].count("\n"))]
    own = (checked.program.uri, checked.program.text[:call].count("\n"))
    assert built(shown.at(operation)) == [(checked.path.with_name("helpers.py").as_uri(), 3), own]
    assert built(checked.program.at(checked.program.text.index("Path(__file__)"))) == []
    shown.close()


def test_a_run_goes_to_a_line_of_the_program(trusting: Workbench, folder: Path) -> None:
    with opened(trusting, folder, GOOD) as bench:
        bench.check()

        def run(words: str) -> Json:
            until = bench.program.at(bench.program.text.index(words))["position"]
            return bench.run(bench.program.uri, until=until)

        found = run("structured.structured_match")
        assert found["status"] == "success"
        text = bench.text(found["payloadUri"])
        assert text.count("memref.store") == 1
        found = run("unroll(loops)")
        text = bench.text(found["payloadUri"])
        assert text.count("memref.store") > 1
        with pytest.raises(ResponseError, match="nothing of the script was built here"):
            run("import unroll")


def test_reasons_of_empty_matches_are_shown_at_calls(trusting: Workbench, folder: Path) -> None:
    text = GOOD.replace("scf.for", "scf.while")
    with opened(trusting, folder, text) as bench:
        bench.check()
        assert bench.run(bench.program.uri)["status"] == "success"
        whole = {"textDocument": bench.program.identifier, "range": bench.program.range(0, len(text))}

        def labels() -> list[str]:
            hints = bench.client.call("textDocument/inlayHint", whole)
            return [h["label"] if isinstance(h["label"], str) else h["label"][0]["value"] for h in hints]

        assert eventually(lambda: "0 operations" in labels()), labels()
        found = bench.client.call("tdls/matches", {"uri": bench.program.uri}, timeout=120)
        assert "scf.while" in str(found["matches"]["nothing"])


def test_failing_runs_are_shown_at_calls(trusting: Workbench, folder: Path) -> None:
    text = PROGRAM.replace("transform.print_(target=loops)", "transform.get_parent_op(any_op, loops, op_name='scf.if')")
    (folder / "helpers.py").write_text("def unroll(handle): ...\n", encoding="utf-8")
    with opened(trusting, folder, text) as bench:
        (uri,) = bench.check()["scripts"]
        assert bench.run(uri)["status"] == "failure"
        assert eventually(lambda: len(bench.found(bench.program.uri)) == 1)
        (finding,) = bench.found(bench.program.uri)
        assert finding["range"] == placed(bench.program, "transform.get_parent_op(any_op, loops, op_name='scf.if')")
        assert bench.found(uri) == []


def test_settings_name_functions_and_their_arguments(trusting: Workbench, folder: Path) -> None:
    text = PROGRAM.replace("def build():", "def build(size):").replace('["scf.for"]', "[size]")
    settings = '[python]\nschedules = [{entry = "schedule:build", args = ["affine.for"]}]\n'
    (folder / "tdls.toml").write_text(settings, encoding="utf-8")
    with opened(trusting, folder, text) as bench:
        assert bench.lenses() == [(12, "Check schedule")]
        (uri,) = bench.check()["scripts"]
        assert 'ops{["affine.for"]}' in bench.text(uri)


def test_settings_of_a_project_take_consent_of_their_own(folder: Path) -> None:
    (folder / "tdls.toml").write_text('[run]\npython = "./trap"\n', encoding="utf-8")
    with asking(folder) as bench:
        bench.client.choice = "Not now"
        refused = [question["setting"] for question in bench.check()["refused"]]
        assert refused == ["python.run-programs", "run.python"]
    assert not (folder / "mark").exists()


def test_a_function_gives_the_payload(trusting: Workbench, folder: Path) -> None:
    text = PAYLOAD.replace("@f", "@given")
    (folder / "payloads.py").write_text(f"def given(): return {text!r}\n", encoding="utf-8")
    (folder / "tdls.toml").write_text('[python]\npayload = "payloads:given"\n', encoding="utf-8")
    with opened(trusting, folder, GOOD) as bench:
        answer = bench.check()
        (uri,) = answer["scripts"]
        params = {"command": "tdls.run", "arguments": [{"uri": uri, "show": False}]}
        run = bench.client.call("workspace/executeCommand", params, timeout=120)
        assert (run["status"], run["detail"]) == ("success", "")
        after = bench.text(run["payloadUri"])
        assert "@given" in after


def test_a_payload_that_cannot_be_built_is_said(trusting: Workbench, folder: Path) -> None:
    (folder / "tdls.toml").write_text('[python]\npayload = "helpers:nothing"\n', encoding="utf-8")
    with opened(trusting, folder) as bench:
        answer = bench.check()
        assert answer["detail"] == "python.payload: helpers:nothing: the module helpers has no nothing"
        assert len(answer["scripts"]) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links need privileges there")
def test_files_are_named_as_the_editor_names_the_folder(trusting: Workbench, folder: Path) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    with opened(trusting, link) as bench:
        bench.check()
        assert eventually(lambda: len(bench.found(bench.program.uri)) == 1)
        (finding,) = bench.found(bench.program.uri)
        assert (link / "helpers.py").as_uri() in {note["location"]["uri"] for note in finding["relatedInformation"]}


def test_a_check_takes_the_place_of_the_one_under_way(trusting: Workbench, folder: Path) -> None:
    with opened(trusting, folder, f"import time\ntime.sleep(50)\n{PROGRAM}") as bench:
        argument = {"uri": bench.program.uri, "function": "build"}
        params = {"command": "tdls.checkSchedule", "arguments": [argument]}
        first = bench.client.request("workspace/executeCommand", params)
        assert eventually(lambda: bench.client.call("tdls/status", {"uri": bench.program.uri}) is not None)
        (folder / "schedule.py").write_text(PROGRAM, encoding="utf-8")
        assert bench.check()["status"] == "checked"
        assert first.result(60)["status"] == "cancelled"
        assert bench.inbox.messages == []


def test_hints_tell_which_calls_consume(trusting: Workbench, folder: Path) -> None:
    (folder / "tdls.toml").write_text("[inlay-hints]\nconsumed = true\n", encoding="utf-8")
    both = PROGRAM.replace("unroll(loops)", "loop.LoopUnrollOp(loops, factor=2)").replace(
        "import structured\n", "import loop, structured\n"
    )
    with opened(trusting, folder, both) as bench:
        bench.check()
        whole = {"textDocument": bench.program.identifier, "range": bench.program.range(0, len(both))}
        (hint,) = bench.client.call("textDocument/inlayHint", whole)
        end = placed(bench.program, "loop.LoopUnrollOp(loops, factor=2)")["end"]
        assert (hint["label"], hint["position"]) == ("consumed here", end)
