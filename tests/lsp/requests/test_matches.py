"""Hovers, hints and views about matchers, and about matches that found nothing, after a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.runs.test_runs import VIRTUAL, RunBench
from rpc.answers import eventually
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json

SCRIPT = """\
// tdls: payload=payload.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill", "linalg.matmul"] : !transform.any_op
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.collect_matching @fill in %root : (!transform.any_op) -> !transform.any_op
    %none = transform.structured.match ops{["linalg.matmull"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""


class MatchBench(RunBench):
    """A workbench with a script that finds nothing."""

    def begin(self, folder: Path) -> None:
        super().begin(folder)
        self.become(SCRIPT)

    def become(self, text: str) -> None:
        """Change the script to another one, by an edit of the parts that differ."""
        old = self.script.text
        pairs = zip(old, text, strict=False)
        start = next(number for number, (before, after) in enumerate(pairs) if before != after)
        behind = 0
        while behind < min(len(old), len(text)) - start and old[-1 - behind] == text[-1 - behind]:
            behind += 1
        self.script.replace(start, len(old) - behind, text[start : len(text) - behind])

    def shown(self) -> dict[str, Json]:
        """Return the hints by their labels."""
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        params = {"textDocument": self.script.identifier, "range": whole}
        found: dict[str, Json] = {}
        for hint in self.client.call("textDocument/inlayHint", params):
            label = hint["label"]
            found.setdefault(label if isinstance(label, str) else label[0]["value"], []).append(hint)
        return found

    def lenses(self) -> list[Json]:
        """Return the commands of lenses on matches."""
        found = self.client.call("textDocument/codeLens", {"textDocument": self.script.identifier})
        commands = [lens["command"] for lens in found if lens.get("command")]
        return [command for command in commands if command["title"].startswith("matched")]

    def hover(self, word: str) -> str:
        """Return the hover at the first place of a word."""
        lines = self.script.text.split("\n")
        line = next(number for number, text in enumerate(lines) if word in text)
        position = {"line": line, "character": lines[line].index(word) + 1}
        answer = self.client.call("textDocument/hover", {"textDocument": self.script.identifier, "position": position})
        return str(answer["contents"]["value"])

    def matches(self) -> Json:
        """Return the matches of the last run."""
        return self.client.call("tdls/matches", {"uri": self.script.uri})


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MatchBench]:
    require_bindings()
    with MatchBench(tmp_path_factory.mktemp("matches"), VIRTUAL) as bench:
        yield bench


@pytest.fixture
def bench(running: MatchBench, tmp_path: Path) -> Iterator[MatchBench]:
    running.begin(tmp_path)
    yield running
    running.script.close()


def test_empty_searches_have_reasons(bench: MatchBench) -> None:
    bench.run()
    assert eventually(lambda: len(bench.shown().get("0 operations", ())) == 2)
    collected, matched = bench.shown()["0 operations"]
    assert collected["label"][0]["location"]["range"]["start"]["line"] == 4
    assert "the nearest miss fails at" in collected["tooltip"]["value"]
    assert isinstance(matched["label"], str)
    assert "the payload has no `linalg.matmull`; the nearest is `linalg.matmul`" in matched["tooltip"]["value"]
    (lens,) = bench.lenses()
    assert lens["title"].startswith("matched 0 of ")
    places = lens["arguments"][2]
    assert [place["range"]["start"]["line"] for place in places[:3]] == [4, 1, 3]
    assert places[1]["uri"] == bench.payload.as_uri()
    for word in ("@fill(", "@fill in"):
        text = bench.hover(word)
        assert "**In the last run: matched 0 of " in text
        assert text.index("script.mlir:5") < text.index("payload.mlir:2") < text.index("script.mlir:4")


def test_edits_remove_results_of_a_matcher(bench: MatchBench) -> None:
    bench.run()
    assert eventually(lambda: bool(bench.lenses()))
    bench.become(SCRIPT.replace('["linalg.matmull"]', '["linalg.fill"]'))
    assert eventually(lambda: len(bench.shown().get("0 operations", ())) == 1)
    assert bench.lenses()
    bench.become(SCRIPT.replace('["linalg.fill"] :', '["linalg.add"] :'))
    assert eventually(lambda: not bench.lenses())
    assert "In the last run: matched" not in bench.hover("@fill(")


@pytest.mark.parametrize(("table", "key"), [("code-lens", "matches"), ("run", "explain-matches")])
def test_it_can_be_turned_off(tmp_path: Path, table: str, key: str) -> None:
    with MatchBench(tmp_path, VIRTUAL) as bench:
        bench.configure({table: {key: False}})
        bench.run()
        shown = "0 operations" if table == "code-lens" else "empty"
        assert eventually(lambda: shown in bench.shown())
        assert bench.lenses() == []
        assert ("the setting tdls.run.explainMatches is off" in str(bench.matches())) is (table == "run")


def test_editors_get_the_table_of_arms(bench: MatchBench) -> None:
    assert "not run yet" in bench.matches()["problem"]
    bench.run()
    told = bench.matches()
    assert (told["uri"], told["entryPoint"], told["part"]) == (bench.script.uri, "__transform_main", 0)
    assert told["isCurrent"]
    (table,) = told["matches"]["tables"]
    assert [arm["matcher"] for arm in table["arms"]] == ["fill"]
    (candidate,) = table["candidates"]
    (failed,) = candidate["arms"]
    assert (failed["place"]["line"], candidate["accepted_by"]) == (5, None)
    bench.become(SCRIPT.replace('["linalg.matmull"]', '["linalg.fill"]'))
    assert eventually(lambda: not bench.matches()["isCurrent"])


def test_lenses_lead_to_the_table_where_the_editor_shows_it(tmp_path: Path) -> None:
    with MatchBench(tmp_path, {**VIRTUAL, "experimental": {"tdlsMatches": True}}) as bench:
        bench.run()
        assert eventually(lambda: bool(bench.lenses()))
        (lens,) = bench.lenses()
        assert (lens["command"], lens["arguments"]) == ("tdls.showMatches", [bench.script.uri])


def test_why_a_run_does_not_say_what_was_matched(bench: MatchBench) -> None:
    bench.become(SCRIPT.replace("transform.yield\n  }\n}", "transform.nope\n  }\n}"))
    bench.run()
    assert "MLIR cannot parse" in bench.matches()["problem"]


def test_a_failing_search_lists_its_candidates(bench: MatchBench) -> None:
    text = SCRIPT.replace("linalg.matmull", "linalg.matmul")
    parent = '%for = transform.get_parent_op %none {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op'
    bench.become(text.replace("    transform.yield\n  }\n}", f"    {parent}\n    transform.yield\n  }}\n}}"))
    bench.run()
    assert eventually(lambda: bool(bench.shown().get("not found")))
    (hint,) = bench.shown()["not found"]
    assert hint["label"][0]["location"]["uri"] == bench.payload.as_uri()
    told = bench.hover("%for =")
    assert "`linalg.matmul` is in no `scf.for`: its parents are `func.func @" in told
    assert "payload.mlir:" in told
