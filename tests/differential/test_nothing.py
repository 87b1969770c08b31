"""Searches that tdls reports as empty find nothing in runs (``python -m oracle.handles.nothing`` compares more)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oracle.handles.conditions import condition_scripts
from oracle.handles.corpus import corpus
from oracle.handles.nothing import Judged, Verdict, in_called_sequence, judged, parts_of
from oracle.handles.scripts import handle_scripts
from samples import at_least, every, some
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

WAYS = Path(__file__).parents[1] / "analysis" / "fixtures" / "nothing.mlir"
SCRIPTS = some(120)
MATCHERS = some(150)
SEED = 1


def said(results: list[Judged], verdict: Verdict) -> list[str]:
    return [f"{each.script}: line {each.line}: {each.message}" for each in results if each.verdict is verdict]


@pytest.mark.parametrize("is_called", [False, True], ids=["in the script", "in what it calls"])
def test_every_way_to_find_nothing_is_said(is_called: bool, compared: Compared) -> None:
    require_mlir_opt(22)
    results = judged(in_called_sequence(parts_of(WAYS)) if is_called else parts_of(WAYS))
    assert not [each for each in results if each.verdict is not Verdict.TRUE]
    compared(f"ways to find nothing, {'called' if is_called else 'in the script'}", len(results))


@pytest.mark.parametrize("kind", ["corpus", "random"])
def test_successful_searches_are_not_reported(kind: str, compared: Compared) -> None:
    require_mlir_opt(22)
    scripts = corpus()[:: every(1)] if kind == "corpus" else handle_scripts(SEED, SCRIPTS)
    results = judged((script.name, script.text) for script in scripts)
    assert not said(results, Verdict.FALSE)
    compared(f"scripts whose handles were counted, {kind}", len(scripts))


def test_matchers_that_accept_nothing_are_said_and_no_others(compared: Compared) -> None:
    require_mlir_opt(22)
    results = judged(condition_scripts(SEED, MATCHERS))
    assert not said(results, Verdict.FALSE)
    true, unsaid = len(said(results, Verdict.TRUE)), len(said(results, Verdict.UNSAID))
    assert true / (true + unsaid) >= at_least(0.95)
    compared("matchers of structured operations that accept nothing", len(results))
