"""Findings about handles agree with the interpreter on random scripts (``python -m oracle.handles`` runs more)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oracle.handles.comparison import FLAGGED, REJECTED, Judged, judged
from oracle.handles.facts import contradictions, jobs, measured
from oracle.handles.runs import Watched, WorkEnd, run
from oracle.handles.scripts import HandleScript, handle_script, handle_scripts
from samples import some
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from preparation.reporting import Compared

TUTORIAL = Path(__file__).parents[1] / "analysis" / "fixtures" / "tutorial_handles.mlir"
SCRIPTS = some(80)
SEED = 6

FAILING = 0.25
"""At least this share of the scripts fails for an invalidated handle."""
OTHERWISE = 0.1
"""At most this share fails for another reason."""
CERTAIN = 0.85
"""At least this share of the uses that the interpreter complains of is found for certain."""
FOUND = 0.99
"""At least this share is found for certain, or held possible."""
OPERATIONS = 75
"""Of at least so many operations, runs of the corpus tell how their results lie to their operands."""


@pytest.fixture(scope="module")
def results() -> list[Judged]:
    require_bindings()
    return judged(handle_scripts(SEED, SCRIPTS))


def test_scripts_are_the_same_for_the_same_seed() -> None:
    assert handle_script(SEED, 3) == handle_script(SEED, 3)
    assert handle_script(SEED, 3).text != handle_script(SEED + 1, 3).text


@pytest.mark.sample
def test_scripts_fail_for_invalidated_handles_and_seldom_otherwise(results: list[Judged]) -> None:
    other = [each for each in results if each.run.ending in (WorkEnd.FAILURE, WorkEnd.INVALID, WorkEnd.CRASH)]
    assert len(_flagged(results)) >= FAILING * SCRIPTS
    assert len(other) <= OTHERWISE * SCRIPTS


def test_no_run_contradicts_certain_findings(results: list[Judged], compared: Compared) -> None:
    compared("random scripts, for findings about handles", len(results))
    compared("runs of them that fail for a handle", len(_flagged(results)))
    false = [(each.script.name, str(each.kind_of_false(use))) for each in results for use in each.false()]
    assert not false, false


def test_most_failures_of_the_interpreter_are_found(results: list[Judged]) -> None:
    flagged = [each for each in results if each.run.ending in REJECTED]
    certain = sum(each.is_certain for each in flagged)
    possible = sum(each.is_possible for each in flagged)
    missed = [(each.script.name, str(each.kind_of_miss())) for each in flagged if each.is_missed]
    assert certain >= CERTAIN * len(flagged), missed
    assert certain + possible >= FOUND * len(flagged), missed


def test_no_run_contradicts_other_rules(results: list[Judged]) -> None:
    complaints = [(each.script.name, found.message) for each in results for found in each.false_others()]
    assert not complaints, complaints


def test_watching_uses_does_not_change_messages_of_the_interpreter(results: list[Judged]) -> None:
    sound = [each for each in results if each.run.ending not in (WorkEnd.STALE_YIELD, WorkEnd.CRASH)]
    for each, alone in zip(sound, run([each.script for each in sound], Watched.NOTHING), strict=True):
        assert (alone.ending, alone.message, alone.failed) == (each.run.ending, each.run.message, each.run.failed)


def test_examples_of_tutorials_fail_where_the_fixture_says() -> None:
    require_bindings()
    parts = TUTORIAL.read_text(encoding="utf-8").split("// -----\n")
    *wrong, right = judged([HandleScript(f"part {number}", part) for number, part in enumerate(parts)])
    assert [each.run.ending for each in wrong] == [WorkEnd.INVALIDATED] * len(wrong)
    assert [each.script.name for each in wrong if not each.is_certain] == []
    assert (right.run.ending, right.findings.certain) == (WorkEnd.SUCCESS, {})


def test_no_run_of_the_corpus_contradicts_relations_in_the_catalogue() -> None:
    require_bindings()
    todo = jobs(0, SEED)
    found = measured(todo)
    assert len({operation for operation, _, _ in found}) >= OPERATIONS
    assert not [str(each) for each in contradictions(found, todo)]


def _flagged(results: list[Judged]) -> list[Judged]:
    return [each for each in results if each.run.ending in FLAGGED]
