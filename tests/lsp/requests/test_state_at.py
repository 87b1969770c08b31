"""``tdls/stateAt``: payload and handles at the cursor, in a run that is recorded for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.client import ResponseError
from tdls.lsp.runs.views import shown_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json

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
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
    %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    %tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [4] : ({ANY}) -> ({ANY}, {ANY})
    %all = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      transform.annotate %each "seen" : {ANY}
    }}
    transform.yield
  }}
}}
"""
CAPABILITIES: Json = {"workspace": {"textDocumentContent": {}}}


class StateBench(Workbench):
    """A workbench with a script and its payload in a folder."""

    def __init__(self, folder: Path, text: str = SCRIPT) -> None:
        super().__init__(more=CAPABILITIES)
        (folder / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
        path = folder / "script.mlir"
        path.write_text(text, encoding="utf-8")
        self.script = self.open(text, uri=path.as_uri())

    def state(self, word: str, **wishes: Json) -> Json:
        """Return the state at a word of the script."""
        place = self.script.at(self.script.text.index(word))
        return self.client.call("tdls/stateAt", {**place, **wishes}, timeout=60)

    def text(self, uri: str) -> str:
        """Return the text of a virtual document."""
        return str(self.client.call("workspace/textDocumentContent", {"uri": uri})["text"])


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StateBench]:
    with StateBench(tmp_path_factory.mktemp("states")) as bench:
        yield bench


def test_state_behind_an_operation(bench: StateBench) -> None:
    state = bench.state("tile_using_for", text=True)
    shown = [state[name] for name in ("status", "isCurrent", "isCompleted", "failing")]
    assert shown == ["success", True, True, None]
    step = state["step"]
    assert (step["number"], step["operation"]) == (2, "transform.structured.tile_using_for")
    name = "transform.structured.tile_using_for"
    start = bench.script.text.index(name)
    assert step["location"] == {"uri": bench.script.uri, "range": bench.script.range(start, start + len(name))}
    assert (step["added"], step["removed"]) == (11, 1)
    assert "scf.for" not in state["before"]["text"]
    assert "scf.for" in state["after"]["text"]
    handles = {handle["name"]: handle for handle in state["handles"]}
    liveness = {name: handle["liveness"] for name, handle in handles.items()}
    assert liveness == {"%root": "live", "%mm": "stale", "%tiled": "live", "%loop": "live"}
    assert handles["%mm"]["since"]["number"] == 2
    assert handles["%loop"]["names"] == {"scf.for": 1}
    assert handles["%tiled"]["items"][0]["location"]["uri"].endswith("payload.mlir")


def test_documents_have_the_payload(bench: StateBench) -> None:
    state = bench.state("tile_using_for")
    assert "text" not in state["after"]
    after, before, compared = (bench.text(state[name]["uri"]) for name in ("after", "before", "compared"))
    assert ("scf.for" in after, "scf.for" in before) == (True, False)
    same = set(after.splitlines())
    assert len(same.intersection(compared.splitlines())) >= len(same.intersection(before.splitlines()))


def test_weights_are_left_out_of_large_views() -> None:
    text = f'memref.global @w : memref<250000xf32> = dense<"0x{"0000803F0000003F" * 125_000}">\n'
    note = "// tdls: 1,999,992 characters of weights are left out of this view\n"
    assert shown_text(text) == f'memref.global @w : memref<250000xf32> = dense<"0x0000803F">\n{note}'


def test_iterations(bench: StateBench) -> None:
    first = bench.state("transform.annotate", text=True)
    assert [around["operation"] for around in first["step"]["path"]] == ["transform.foreach"]
    assert len(first["executions"]) == 3
    for execution in (1, 2, 3):
        state = bench.state("transform.annotate", execution=execution, text=True)
        assert (state["step"]["iteration"], state["after"]["text"].count("seen")) == (execution, execution)
        number = state["step"]["number"]
        assert bench.state("%root", step=number)["executions"] == first["executions"]
    assert bench.state("transform.annotate", execution=9)["step"]["iteration"] == 3


def test_steps_by_number(bench: StateBench) -> None:
    state = bench.state("%root", step=4, text=True)
    assert state["step"]["operation"] == "transform.foreach"
    assert state["after"]["text"].count("seen") == 3
    assert state["moves"] == {"step": None, "back": 3, "into": 5, "out": None, "failure": None}


def test_nothing_is_executed_there(bench: StateBench) -> None:
    assert bench.state("// tdls")["step"] is None
    assert bench.state("// tdls")["moves"]["step"] == 1
    assert bench.state("%root", step=99)["step"] is None


@pytest.mark.parametrize("wishes", [{"execution": 0}, {"step": "1"}, {"step": True}, {"text": 1}])
def test_wishes_that_are_none(wishes: Json, bench: StateBench) -> None:
    with pytest.raises(ResponseError, match="are numbers from 1"):
        bench.state("%root", **wishes)


def test_failure(tmp_path: Path) -> None:
    text = SCRIPT.replace("annotate %each", "annotate %mm")
    with StateBench(tmp_path, text) as bench:
        state = bench.state("transform.annotate", text=True)
        assert (state["status"], state["isCompleted"], state["after"]) == ("failure", False, None)
        assert state["step"]["number"] == state["failing"]
        assert "scf.for" in state["before"]["text"]
        assert {handle["name"]: handle["liveness"] for handle in state["handles"]}["%mm"] == "stale"


def test_answers_during_typing(tmp_path: Path) -> None:
    with StateBench(tmp_path) as bench:
        before = bench.state("tile_using_for")
        line = bench.script.text.index("    %mm")
        bench.script.replace(line, line, "    transform.nothing_of_that_name\n")
        state = bench.state("tile_using_for")
        start = bench.script.text.index("transform.structured.tile_using_for")
        assert (state["isCurrent"], state["step"]["number"]) == (False, 2)
        assert state["step"]["location"]["range"]["start"] == bench.script.position(start)
        assert "scf.for" in bench.text(before["after"]["uri"])
        bench.script.replace(line, bench.script.text.index("    %mm"), "")
        assert bench.state("tile_using_for")["isCurrent"]
        comment = bench.script.text.index("tile_sizes [4]") + len("tile_sizes [")
        bench.script.replace(comment, comment + 1, "2")
        assert bench.state("tile_using_for", text=True)["after"]["text"].count("step %c2") == 1
        assert "no longer known" in bench.text(before["after"]["uri"])


def test_problems(tmp_path: Path) -> None:
    with StateBench(tmp_path, SCRIPT.replace("payload.mlir", "nowhere.mlir")) as bench:
        assert "nowhere.mlir" in bench.state("tile_using_for")["problem"]
        other = bench.open("module {\n}\n")
        assert bench.client.call("tdls/stateAt", other.at(3)) is None
