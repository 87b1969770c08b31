"""Both backends have the results of ``mlir-opt`` on the command line for the scripts of the corpus.

``python -m oracle.runs`` does the same for all scripts and more texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import run, sequence
from oracle.bindings_runs import run_in_python
from oracle.mlir_opt_runs import payload_before
from oracle.run_agreement import (
    differences,
    differences_from_python,
    differences_when_observed,
    expected,
    request_of,
)
from oracle.run_corpus.coverage import NOT_EXECUTABLE, operations_in, sample, upstream_operations
from oracle.run_corpus.differences import DIFFERENCES, NONE, Changed, Pair, Respelled, difference_of
from oracle.run_corpus.scripts import Script, scripts
from oracle.runs import unexplained
from samples import every
from tdls.interpreter.runs.model import Emit, Status
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.interpreter.backend import Backend

SAMPLE = sample()


@pytest.fixture(scope="module")
def mlir_opt() -> None:
    require_mlir_opt(22)


@pytest.mark.usefixtures("mlir_opt")
@pytest.mark.parametrize("script", SAMPLE[:: every(1)], ids=lambda script: script.name)
def test_bindings_and_tool_agree(script: Script, bindings: Backend) -> None:
    wanted = expected(script, Emit.PAYLOAD)
    assert unexplained(differences(script, bindings, wanted), difference_of(script.name)) == []


@pytest.mark.usefixtures("mlir_opt")
def test_the_sample_executes_every_operation() -> None:
    answers = dict(zip(SAMPLE, run_in_python(SAMPLE), strict=True))
    succeeding = [script for script, answer in answers.items() if answer is not None and answer.module]
    changed = (script for script in SAMPLE if difference_of(script.name) is not NONE)
    succeeding += [script for script in changed if expected(script, Emit.PAYLOAD).said.code == 0]
    executed = frozenset[str]().union(*map(operations_in, succeeding))
    assert upstream_operations() - executed == NOT_EXECUTABLE.keys()
    said = {found.message for answer in answers.values() if answer is not None for found in answer.diagnostics}
    assert said >= set(NOT_EXECUTABLE.values())


@pytest.mark.parametrize("script", SAMPLE[:: every(12)], ids=lambda script: script.name)
def test_tool_agrees_with_its_command_line(script: Script, tool: Backend) -> None:
    wanted = expected(script, Emit.PAYLOAD, Emit.MODULE)
    assert unexplained(differences(script, tool, wanted), NONE) == []


def test_bindings_agree_with_direct_use(bindings: Backend) -> None:
    chosen = scripts()[:: every(15)]
    answers = run_in_python(chosen)
    assert sum(answer is not None for answer in answers) > len(chosen) * 0.9
    for script, answer in zip(chosen, answers, strict=True):
        assert unexplained(differences_from_python(script, bindings, answer), NONE) == [], script.name


@pytest.mark.parametrize("script", scripts()[:: every(20)], ids=lambda script: script.name)
def test_observed_runs_give_the_same(script: Script, bindings: Backend) -> None:
    assert unexplained(differences_when_observed(script, bindings), NONE) == []


@pytest.mark.parametrize("script", SAMPLE[:: every(80)], ids=lambda script: script.name)
def test_observed_runs_of_tools_give_the_same(script: Script, tool: Backend) -> None:
    assert unexplained(differences_when_observed(script, tool), NONE) == []


@pytest.mark.usefixtures("mlir_opt")
@pytest.mark.parametrize("script", SAMPLE[:: every(40)], ids=lambda script: script.name)
def test_payload_before_the_run(script: Script, backend: Backend, tmp_path: Path) -> None:
    result = backend.run(request_of(script, Emit.BEFORE))
    wanted = payload_before(script, tmp_path).rstrip("\n") if result.status is Status.SUCCESS else ""
    assert result.texts.get(Emit.BEFORE, "").rstrip("\n") == wanted


def test_comments_of_tests_are_no_diagnostics(tool: Backend) -> None:
    text = sequence("").replace("module", "// expected-error @below {{not said}}\nmodule", 1)
    assert run(tool, text).diagnostics == ()


def test_each_listed_difference_is_about_scripts() -> None:
    names = [script.name for script in scripts()]
    beginnings = [beginning for known in DIFFERENCES for beginning in known.scripts]
    assert [beginning for beginning in beginnings if not any(name.startswith(beginning) for name in names)] == []


def test_entries_that_explain_nothing_are_problems() -> None:
    pair = Pair(ours="a new text", theirs="an old text")
    same = Pair(ours="the same text", theirs="the same text")
    changed = Changed(("",), frozenset({"texts"}), older="old", newer="new", reason="")
    assert unexplained({"payload": pair}, changed) == []
    assert unexplained({}, changed)
    assert unexplained({"payload": same}, changed)
    assert unexplained({"payload": pair, "diagnostics": pair}, changed)
    assert unexplained({"payload": pair}, NONE)
    respelled = Respelled(("",), older="an old", newer="a new", reason="")
    assert unexplained({"payload": pair}, respelled) == []
    assert unexplained({}, respelled)
    assert unexplained({"payload": Pair(ours="a new word", theirs="an old text")}, respelled)
