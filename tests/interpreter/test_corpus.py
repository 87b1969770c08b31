"""Both backends give for the scripts of the corpus what ``mlir-opt`` gives on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.corpus.coverage import NOT_EXECUTABLE, upstream_operations
from interpreter.corpus.differences import DIFFERENCES, Difference, difference_of
from interpreter.corpus.scripts import Script, scripts
from oracle.run_agreement import Pair, differences, expected
from oracle.runs import unexplained
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from tdls.interpreter.backends import Backend

SAMPLE = [*scripts()[::3]]


@pytest.mark.parametrize("script", SAMPLE, ids=lambda script: script.name)
def test_runs_give_what_the_tool_gives(script: Script, bindings: Backend, tool: Backend) -> None:
    require_mlir_opt(22)
    wanted = expected(script)
    assert unexplained(differences(script, tool, wanted), None) == []
    assert unexplained(differences(script, bindings, wanted), difference_of(script.name)) == []


def test_each_listed_difference_is_about_a_script() -> None:
    names = [script.name for script in scripts()]
    assert [known for known in DIFFERENCES if not any(name.startswith(known.scripts) for name in names)] == []


def test_operations_that_cannot_be_run_are_operations() -> None:
    assert NOT_EXECUTABLE.keys() <= upstream_operations()


def test_entries_that_explain_nothing_are_problems() -> None:
    wrong = Difference("", frozenset({"payload"}), older="old", newer="new", reason="")
    pair = Pair(ours="new text", theirs="old text")
    assert unexplained({"payload": pair}, wrong) == []
    assert unexplained({}, wrong)
    assert unexplained({"payload": Pair("new text", "new text")}, wrong)
    assert unexplained({"payload": pair, "diagnostics": pair}, wrong)
    assert unexplained({"payload": pair}, None)
