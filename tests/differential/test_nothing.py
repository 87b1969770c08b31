"""Searches that tdls reports as empty find nothing in runs (``python -m oracle.handles.nothing`` compares more)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from oracle.handles.conditions import condition_scripts
from oracle.handles.corpus import corpus
from oracle.handles.nothing import Judged, Verdict, in_called_sequence, in_long_payload, judged, parts_of
from oracle.handles.scripts import handle_scripts
from samples import at_least, every, some
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

WAYS = Path(__file__).parents[1] / "analysis" / "fixtures" / "nothing.mlir"
SEED = 1


def said(results: list[Judged], verdict: Verdict) -> list[str]:
    return [f"{each.script}: line {each.line}: {each.message}" for each in results if each.verdict is verdict]


@pytest.mark.parametrize("changed", [iter, in_called_sequence, in_long_payload])
def test_every_way_to_find_nothing_is_said(changed: Any, compared: Compared) -> None:
    require_mlir_opt(22)
    results = judged(changed(parts_of(WAYS)))
    unsaid = {Verdict.UNSAID} if changed is in_long_payload else set()
    assert {each.verdict for each in results} == {Verdict.TRUE, *unsaid}
    compared(f"ways to find nothing, {changed.__name__}", len(results))


@pytest.mark.parametrize("kind", ["corpus", "random", "long"])
def test_successful_searches_are_not_reported(kind: str, compared: Compared) -> None:
    require_mlir_opt(22)
    scripts = handle_scripts(SEED, some(120)) if kind == "random" else corpus()[:: every(1)]
    texts = [(script.name, script.text) for script in scripts]
    results = judged(in_long_payload(texts) if kind == "long" else texts)
    assert not said(results, Verdict.FALSE)
    compared(f"scripts whose handles were counted, {kind}", len(texts))


def test_matchers_that_accept_nothing_are_said_and_no_others(compared: Compared) -> None:
    require_mlir_opt(22)
    results = judged(condition_scripts(SEED, some(150)))
    assert not said(results, Verdict.FALSE)
    true, unsaid = len(said(results, Verdict.TRUE)), len(said(results, Verdict.UNSAID))
    assert true / (true + unsaid) >= at_least(0.95)
    compared("matchers of structured operations that accept nothing", len(results))
