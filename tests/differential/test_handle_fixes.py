"""The first fix for an invalid handle makes the script run, and no refactoring changes what a script does.

`oracle.handles.fixes` and `oracle.refactorings` try more.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from oracle import refactorings
from oracle.handles.fixes import HELPING, Outcome, Tried, attempts, attempts_for
from oracle.handles.scripts import HandleScript
from samples import some
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

FINDINGS = some(25)
SEED = 6
SCRIPT = """module attributes {{transform.with_named_sequence}} {{
  func.func @payload(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {{
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }}
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op
    {}
    transform.yield
  }}
}}
"""


@pytest.fixture(scope="module")
def tried() -> Tried:
    require_bindings()
    return attempts_for(SEED, FINDINGS)


def test_scripts_run_after_the_first_fix(tried: Tried, compared: Compared) -> None:
    compared("fixes of findings about handles", len(tried.attempts))
    wrong = [
        (attempt.before.script.name, attempt.fix.title, attempt.outcome.value)
        for attempt in tried.attempts
        if not attempt.outcome.is_good
    ]
    assert len(tried.attempts) == FINDINGS
    assert len(wrong) <= (1 - HELPING) * FINDINGS, wrong


def test_no_fix_makes_a_handle_empty(tried: Tried) -> None:
    emptied = [attempt.before.script.name for attempt in tried.attempts if attempt.outcome is Outcome.EMPTIES]
    assert not emptied, emptied


def test_the_outcome_of_a_fix_is_that_of_the_run() -> None:
    require_bindings()
    vectorize = "transform.structured.vectorize %mm : !transform.any_op"
    lines = ('transform.annotate %mm "seen" : !transform.any_op', f"{vectorize}\n    {vectorize}")
    tried = attempts(HandleScript(line, SCRIPT.format(line)) for line in lines)
    assert [(attempt.fix.title, attempt.outcome) for attempt in tried.attempts] == [
        ("Use `%generic`", Outcome.RUNS),
        ("Use `%generic`", Outcome.GOES_ON),
    ]
    assert tried.without == 1


def test_runs_are_equal_or_the_refactoring_is_refused(compared: Compared) -> None:
    require_mlir_opt(22)
    tried = refactorings.attempts(2, some(200))
    outcomes = Counter(attempt.outcome for attempt in tried)
    compared("refactorings", outcomes["equal"])
    assert not [(attempt.name, attempt.title, attempt.outcome) for attempt in tried if attempt.is_wrong]
    assert outcomes["equal"] > some(200) // 3, outcomes
