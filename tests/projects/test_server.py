"""A running server in the sample projects: hovers of their operations, and changes of their sources."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from projects.test_samples import SAMPLES
from rpc.answers import eventually
from rpc.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json
    from rpc.document import Document

CHANGED = 2
BASE = 'include "mlir/Dialect/Transform/IR/TransformDialect.td"\n'
READING = r"reading the project( \(\d+ %\))?"
PATIENT = """\
from tdls.cli.main import main
from tdls.lsp.session import requests
from tdls.lsp.workspace import projects

projects._LONGEST_WAIT = requests.LONGEST = 60.0
main()
"""
"""The command line of tdls, for which no scan is long: on a busy machine any may be."""
USED_AGAIN = "`%batch` was consumed by"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sample `kiln`, in a folder that tests may change."""
    sample = next(sample for sample in SAMPLES if sample.name == "kiln")
    return shutil.copytree(sample, tmp_path / "kiln")


@pytest.fixture(scope="module")
def running() -> Iterator[Workbench]:
    with Workbench() as workbench:
        yield workbench


@pytest.fixture
def workbench(running: Workbench, project: Path) -> Iterator[Workbench]:
    with running.workspace_folders(project):
        yield running


@pytest.fixture
def script(workbench: Workbench, project: Path) -> Document:
    file = project / "schedules" / "firing.mlir"
    return workbench.open(file.read_text(encoding="utf-8"), uri=file.as_uri())


def ask(workbench: Workbench, document: Document, method: str, place: str) -> Json:
    """Ask about the middle of the first `place` in a document."""
    at = document.at(document.text.index(place) + len(place) // 2)
    return workbench.client.call(f"textDocument/{method}", at)


def hover(workbench: Workbench, document: Document, place: str) -> str:
    return str(ask(workbench, document, "hover", place)["contents"]["value"])


def edit(workbench: Workbench, file: Path, before: str, after: str) -> None:
    """Change a file on disk, as the editor would tell."""
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")
    workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": CHANGED}]})


def test_operations_of_the_project(workbench: Workbench, script: Document, project: Path) -> None:
    workbench.wait_for_finding(script, USED_AGAIN)
    tablegen, cpp = project / "include" / "kiln" / "KilnTransformOps.td", project / "lib" / "KilnTransformOps.cpp"
    text = hover(workbench, script, "transform.kiln.fire")
    assert "Fires a batch while the body runs" in text
    assert "- `%batch`, **consumed** (`Kiln_BatchType`)" in text
    line = tablegen.read_text(encoding="utf-8").split("def FireOp")[0].count("\n")
    assert f"[include/kiln/KilnTransformOps.td:{line + 1}]({tablegen.as_uri()}#L{line + 1})" in text
    (definition,) = ask(workbench, script, "definition", "transform.kiln.fire")
    assert (definition["uri"], definition["range"]["start"]["line"]) == (tablegen.as_uri(), line)
    recipe, *places = ask(workbench, script, "implementation", "transform.kiln.fire")
    lines = cpp.read_text(encoding="utf-8").splitlines()
    named = [lines[place["range"]["start"]["line"]][place["range"]["start"]["character"] :] for place in places]
    assert [place["uri"] for place in (recipe, *places)] == [script.uri, cpp.as_uri(), cpp.as_uri()]
    assert [name.partition("(")[0] for name in named] == ["apply", "getEffects"]
    (type_,) = ask(workbench, script, "definition", "transform.kiln.temperature")
    assert type_["uri"].endswith("KilnTransformTypes.td")


def test_completion_offers_them(workbench: Workbench, script: Document) -> None:
    workbench.wait_for_finding(script, USED_AGAIN)
    place, typed = script.text.index("    %again"), "    transform.kiln."
    script.replace(place, place, f"{typed}\n")
    at = script.at(place + len(typed))
    found = {item["label"]: item for item in workbench.client.call("textDocument/completion", at)["items"]}
    assert {"transform.kiln.fire", "transform.kiln.gas.load", "transform.kiln.wood.empty"} <= found.keys()
    resolved = workbench.client.call("completionItem/resolve", found["transform.kiln.fire"])
    assert "Fires a batch while the body runs" in str(resolved["documentation"])


def test_edits_of_sources_count_at_once(workbench: Workbench, script: Document, project: Path) -> None:
    workbench.wait_for_finding(script, USED_AGAIN)
    tablegen, cpp = project / "include" / "kiln" / "KilnTransformOps.td", project / "lib" / "KilnTransformOps.cpp"
    edit(workbench, tablegen, "Fires a batch while the body runs", "Heats everything up")
    assert eventually(lambda: "Heats everything up" in hover(workbench, script, "transform.kiln.fire"))
    edit(workbench, cpp, "consumesHandle(getBatchMutable(), effects);", "onlyReadsHandle(getBatchMutable(), effects);")
    assert eventually(lambda: not any(USED_AGAIN in it["message"] for it in workbench.inbox.newest(script) or ()))


def test_without_watchers_saving_a_script_is_a_reason_to_look(project: Path) -> None:
    unwatched = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": False}}}
    file, tablegen = project / "schedules" / "firing.mlir", project / "include" / "kiln" / "KilnTransformOps.td"
    with Workbench(folders=[project], more=unwatched) as workbench:
        document = workbench.open(file.read_text(encoding="utf-8"), uri=file.as_uri())
        workbench.wait_for_finding(document, USED_AGAIN)
        text = tablegen.read_text(encoding="utf-8")
        tablegen.write_text(text.replace("Fires a batch", "Heats a batch"), encoding="utf-8")
        workbench.client.notify("textDocument/didSave", {"textDocument": {"uri": document.uri}})
        assert eventually(lambda: "Heats a batch" in hover(workbench, document, "transform.kiln.fire"))


def test_a_long_scan_shows_progress_and_holds_up_nothing(tmp_path: Path) -> None:
    (tmp_path / "tdls.toml").touch()
    defined = "".join(
        f'def Op{number}Op : Op<Transform_Dialect, "many.op{number}", [FunctionalStyleTransformOpTrait]> '
        f'{{ let summary = "The operation with number {number}, which is one of very many"; }}\n'
        for number in range(6_000)
    )
    (tmp_path / "Many.td").write_text(BASE + defined, encoding="utf-8")
    with Workbench(folders=[tmp_path], more={"window": {"workDoneProgress": True}}) as workbench:
        told = progress_of(workbench.client)
        document = workbench.open('"transform.many.op7"() : () -> ()\n', uri=(tmp_path / "script.mlir").as_uri())
        assert re.fullmatch(READING, status(workbench, document)["reading"])
        soon = rf"tdls is still {READING}: what this is may be known soon\.|with number 7,"
        assert re.search(soon, hover(workbench, document, "transform.many.op7"))
        assert eventually(lambda: "with number 7," in hover(workbench, document, "transform.many.op7"))
        assert eventually(lambda: any(value["kind"] == "end" for value in told))
        assert status(workbench, document)["reading"] is None
    begun = [value["title"] for value in told if value["kind"] == "begin"]
    checking = f"Checking {PurePath(document.uri).name}"  # which takes long where the machine is busy
    assert [title for title in begun if title != checking] == [f"Reading the definitions of {tmp_path.name}"]


def test_a_hover_waits_for_a_scan_that_is_short(tmp_path: Path) -> None:
    (tmp_path / "tdls.toml").touch()
    defined = 'def QuickOp : Op<Transform_Dialect, "quick.op", []> { let summary = "It is known soon"; }\n'
    (tmp_path / "Quick.td").write_text(BASE + defined, encoding="utf-8")
    with Workbench(folders=[tmp_path], command=[sys.executable, "-c", PATIENT, "server"]) as workbench:
        document = workbench.open('"transform.quick.op"() : () -> ()\n', uri=(tmp_path / "script.mlir").as_uri())
        assert "It is known soon" in hover(workbench, document, "transform.quick.op")


def status(workbench: Workbench, document: Document) -> Json:
    return workbench.client.call("tdls/status", {"uri": document.uri})


def test_a_broken_source_costs_itself_only(workbench: Workbench, script: Document, project: Path) -> None:
    workbench.wait_for_finding(script, USED_AGAIN)
    types = project / "include" / "kiln" / "KilnTransformTypes.td"
    edit(workbench, types, "def Kiln_TemperatureType :", "def Kiln_TemperatureType : : <")
    assert eventually(lambda: "Nothing is known" in hover(workbench, script, "transform.kiln.temperature"))
    assert "Fires a batch" in hover(workbench, script, "transform.kiln.fire")
    workbench.wait_for_finding(script, USED_AGAIN)


def test_operations_that_no_source_defines_are_one_hint(workbench: Workbench, project: Path) -> None:
    text = 'transform.kiln.cool %a : !transform.any_op\n"transform.kiln.cool"(%b) : (!transform.any_op) -> ()\n'
    header = "transform.sequence failures(propagate) {\n^bb0(%a: !transform.any_op, %b: !transform.any_op):\n"
    document = workbench.open(f"{header}{text}}}\n", uri=(project / "cooling.mlir").as_uri())
    hint = workbench.wait_for_finding(document, "no source knows `transform.kiln.cool`")
    assert hint["severity"] == 4
    assert "tdls looked in LLVM 18 to main, the project (2 TableGen files" in hint["message"]
    assert sum("no source knows" in it["message"] for it in workbench.inbox.newest(document) or ()) == 1
    operation = 'def CoolOp : Kiln_TransformOp<"cool"> { let assemblyFormat = "attr-dict"; }\n\n#endif'
    edit(workbench, project / "include" / "kiln" / "KilnTransformOps.td", "#endif", operation)
    assert eventually(lambda: not any("no source" in it["message"] for it in workbench.inbox.newest(document) or ()))


def test_a_project_may_say_that_nothing_is_read(running: Workbench, project: Path) -> None:
    (project / "tdls.toml").write_text("[project]\nenabled = false\n", encoding="utf-8")
    file = project / "schedules" / "firing.mlir"
    with running.workspace_folders(project):
        document = running.open(file.read_text(encoding="utf-8"), uri=file.as_uri())
        running.wait_for_finding(document, "no source knows `transform.kiln.fire`")
