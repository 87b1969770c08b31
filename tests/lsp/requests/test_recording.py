"""``tdls/recording`` and ``tdls/lineOrigin``: the requests of a view of all steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.requests.test_state_at import ANY, PAYLOAD, SCRIPT, StateBench
from lsp.workbench import Workbench
from rpc.client import ResponseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json


class RecordingBench(StateBench):
    """A workbench that asks for recordings."""

    def recording(self, word: str = "@__transform_main", **wishes: Json) -> Json:
        """Return the recording for a word of the script."""
        place = self.script.at(self.script.text.index(word))
        return self.client.call("tdls/recording", {**place, **wishes}, timeout=60)

    def insert(self, word: str, text: str) -> None:
        """Write something in front of a word of the script."""
        place = self.script.text.index(word)
        self.script.replace(place, place, text)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordingBench]:
    with RecordingBench(tmp_path_factory.mktemp("recordings")) as bench:
        yield bench


def test_steps_of_a_run(bench: RecordingBench) -> None:
    recording = bench.recording()
    assert (recording["status"], recording["isCurrent"], recording["failing"]) == ("success", True, None)
    assert (recording["hasPayload"], recording["isComplete"], recording["unobserved"]) == (True, True, "")
    assert (recording["uri"], recording["entryPoint"]) == (bench.script.uri, "__transform_main")
    steps = recording["list"]
    assert recording["steps"] == len(steps)
    assert [step["operation"].removeprefix("transform.") for step in steps] == [
        "structured.match",
        "structured.tile_using_for",
        "structured.match",
        "foreach",
        "annotate",
        "annotate",
        "annotate",
    ]
    assert [(step["parent"], step["iteration"]) for step in steps[4:]] == [(4, 1), (4, 2), (4, 3)]
    assert [(step["added"], step["removed"]) for step in steps[:3]] == [(0, 0), (11, 1), (0, 0)]
    name = "transform.structured.tile_using_for"
    start = bench.script.text.index(name)
    assert steps[1]["location"] == {"uri": bench.script.uri, "range": bench.script.range(start, start + len(name))}
    assert steps[1]["results"][1] == {"name": "%loop", "kind": "operations", "count": 1, "names": {"scf.for": 1}}
    assert all(step["milliseconds"] >= 0 for step in steps)


def test_changed_lines(bench: RecordingBench) -> None:
    assert "hunks" not in bench.state("tile_using_for")
    [hunk] = bench.state("tile_using_for", changes=True)["hunks"]
    assert sum(kind == "+" for kind, *_ in hunk) == 11
    [(before, after, text)] = [line[1:] for line in hunk if line[0] == "-"]
    assert (before >= 0, after) == (True, -1)
    assert "linalg.matmul" in text
    assert bench.state("structured.match", changes=True)["hunks"] == []


def test_where_a_line_comes_from(bench: RecordingBench) -> None:
    uri = bench.state("transform.annotate", execution=2)["after"]["uri"]
    lines = bench.text(uri).split("\n")

    def number(words: str, lines: list[str]) -> int:
        return next(number for number, line in enumerate(lines) if words in line)

    def changes(line: int) -> Json:
        return bench.client.call("tdls/lineOrigin", {"uri": uri, "line": line})["changes"]

    assert changes(number("func.func", lines)) == []
    [made] = changes(number("scf.for", lines))
    assert (made["step"], made["after"], made["before"]) == (2, number("scf.for", lines), None)
    marked, made = changes(number("seen", lines))
    assert (marked["step"], marked["after"], marked["before"]) == (5, number("seen", lines), marked["after"])
    assert (made["step"], made["before"]) == (2, None)
    assert changes(10_000) == []


def test_lines_of_a_handle(bench: RecordingBench) -> None:
    state = bench.state("tile_using_for")
    lines = bench.text(state["after"]["uri"]).split("\n")

    def found(name: str) -> tuple[str, bool]:
        number = next(number for number, handle in enumerate(state["handles"]) if handle["name"] == name)
        answer = bench.client.call("tdls/handleLines", {"uri": state["after"]["uri"], "handle": number})
        return "\n".join(lines[line] for line in answer["lines"]), answer["isExact"]

    for name, words in (("%tiled", "linalg.matmul"), ("%loop", "scf.for"), ("%root", "module {")):
        text, is_exact = found(name)
        assert words in text
        assert is_exact
    assert found("%mm") == ("", False)


def test_states_that_are_gone(bench: RecordingBench) -> None:
    uri = bench.state("tile_using_for")["after"]["uri"]
    bench.insert("// tdls", "// another text\n")
    assert bench.state("tile_using_for")["isCurrent"]
    for method, wish in (("tdls/lineOrigin", {"line": 0}), ("tdls/handleLines", {"handle": 0})):
        assert bench.client.call(method, {"uri": uri, **wish})["lack"] == "recording"


def test_nothing_is_run_where_that_is_not_wanted(tmp_path: Path) -> None:
    with RecordingBench(tmp_path) as bench:
        assert bench.recording(record=False) == {"problem": "the script was not recorded yet", "lack": "recording"}
        assert bench.state("tile_using_for", record=False)["lack"] == "recording"
        assert bench.recording()["isCurrent"]
        assert bench.state("tile_using_for", record=False)["step"]["number"] == 2
        bench.insert("    %mm", "    // a comment\n")
        state = bench.state("tile_using_for", record=False)
        assert (state["isCurrent"], state["outdated"], state["step"]["number"]) == (False, "", 2)
        recording = bench.recording(record=False)
        start = bench.script.text.index("transform.structured.tile_using_for")
        assert recording["list"][1]["location"]["range"]["start"] == bench.script.at(start)["position"]


def test_script_that_is_half_typed(tmp_path: Path) -> None:
    with RecordingBench(tmp_path) as bench:
        bench.recording()
        bench.insert("module attributes", "module attributes {\n")
        recording = bench.recording()
        assert (recording["isCurrent"], recording["steps"]) == (False, 7)
        assert recording["outdated"]
        state = bench.state("tile_using_for", record=False)
        assert (state["isCurrent"], state["step"]["number"], state["outdated"]) == (False, 2, recording["outdated"])


def test_failing_step(tmp_path: Path) -> None:
    with RecordingBench(tmp_path, SCRIPT.replace("annotate %each", "annotate %mm")) as bench:
        recording = bench.recording()
        assert recording["status"] == "failure"
        assert [step["operation"] for step in recording["list"] if step["hasFailed"]] == ["transform.annotate"]
        assert recording["list"][recording["failing"] - 1]["hasFailed"]
        assert bench.state("tile_using_for")["moves"]["failure"] == recording["failing"]
        assert "script failed at " in recording["detail"]
        assert any("invalidated" in said["message"] for said in recording["diagnostics"])
        start = bench.script.text.index("transform.annotate")
        places = [said["location"]["range"]["start"] for said in recording["diagnostics"] if said["location"]]
        assert bench.script.at(start)["position"] in places


@pytest.mark.parametrize("payload", ["func.func @f( {\n", "x.y\n"])
def test_payload_that_does_not_parse(payload: str, tmp_path: Path) -> None:
    with RecordingBench(tmp_path) as bench:
        (tmp_path / "payload.mlir").write_text(payload, encoding="utf-8")
        recording = bench.recording()
        assert (recording["status"], recording["steps"]) == ("invalid", 0)
        [said] = [said for said in recording["diagnostics"] if said["level"] == "error"]
        assert said["location"] is None or said["location"]["uri"].endswith("payload.mlir")
        (tmp_path / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
        assert bench.recording()["steps"] == 7


def test_lacks(tmp_path: Path) -> None:
    with RecordingBench(tmp_path, SCRIPT.replace("payload.mlir", "nowhere.mlir")) as bench:
        assert bench.recording()["lack"] == "files"
        (tmp_path / "other.mlir").write_text(PAYLOAD, encoding="utf-8")
        assert bench.recording(payload=(tmp_path / "other.mlir").as_uri())["steps"] == 7
        bench.script.replace(0, bench.script.text.index("\n") + 1, "")
        recording = bench.recording()
        assert (recording["hasPayload"], recording["status"]) == (False, "success")


def test_entry_point_that_is_chosen(tmp_path: Path) -> None:
    other = f"""  transform.named_sequence @other(%root: {ANY} {{transform.readonly}}) {{
    transform.print %root : {ANY}
    transform.yield
  }}
  transform.named_sequence @__transform_main"""
    with RecordingBench(tmp_path, SCRIPT.replace("  transform.named_sequence @__transform_main", other)) as bench:
        recording = bench.recording(entryPoint="other")
        assert [step["operation"] for step in recording["list"]] == ["transform.print"]
        assert bench.state("// tdls", entryPoint="other", step=1)["step"]["operation"] == "transform.print"
        assert bench.recording("// tdls")["entryPoint"] == "__transform_main"


def test_place_in_a_library(tmp_path: Path) -> None:
    library = f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @mark(%each: {ANY} {{transform.readonly}}) {{
    transform.annotate %each "marked" : {ANY}
    transform.yield
  }}
}}
"""
    text = SCRIPT.replace("payload=payload.mlir", "payload=payload.mlir library=library.mlir")
    text = text.replace("  transform.named_sequence @__t", f"  {DECLARED}\n  transform.named_sequence @__t")
    text = text.replace(f'transform.annotate %each "seen" : {ANY}', CALLED)
    (tmp_path / "library.mlir").write_text(library, encoding="utf-8")
    with RecordingBench(tmp_path, text) as bench:
        assert bench.recording()["steps"] == 10, bench.recording()
        opened = bench.open(library, uri=(tmp_path / "library.mlir").as_uri())
        place = opened.at(library.index("transform.annotate"))
        state = bench.client.call("tdls/stateAt", {**place, "execution": 2, "record": False})
        assert [around["operation"] for around in state["step"]["path"]] == ["transform.foreach", "transform.include"]
        assert state["step"]["execution"] == 2


DECLARED = f"transform.named_sequence private @mark(%each: {ANY} {{transform.readonly}})"
CALLED = f"transform.include @mark failures(propagate) (%each) : ({ANY}) -> ()"


@pytest.mark.parametrize("wishes", [{"record": 1}, {"payload": 5}, {"entryPoint": []}, {"part": "x"}])
def test_wishes_that_are_none(wishes: Json, bench: RecordingBench) -> None:
    with pytest.raises(ResponseError):
        bench.recording(**wishes)


@pytest.mark.parametrize(("is_trusted", "lack"), [(False, "consent"), (True, "mlir")])
def test_nothing_runs_the_script(is_trusted: bool, lack: str, tmp_path: Path) -> None:
    (tmp_path / "tdls.toml").write_text('[run]\nbackend = "nowhere-opt"\n', encoding="utf-8")
    (tmp_path / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
    options: Json = {"tdls": {"trust-workspace": is_trusted}}
    with Workbench(folders=[tmp_path], options=options) as bench:
        script = bench.open(SCRIPT, uri=(tmp_path / "script.mlir").as_uri())
        answer = bench.client.call("tdls/recording", script.at(SCRIPT.index("%mm")), timeout=60)
        assert answer["lack"] == lack
        assert "nowhere-opt" in answer["problem"]
