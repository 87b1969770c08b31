"""Scripts that MLIR runs without a complaint have no certain findings, except of rules that MLIR does not have.

Findings about invalidated handles are compared with runs by `oracle.handles`.
"""

from __future__ import annotations

import pytest

from oracle.handles.findings import RULES as ABOUT_HANDLES
from oracle.handles.scripts import handle_scripts
from oracle.run_agreement import expected
from oracle.run_corpus.scripts import scripts
from oracle.tools import run
from samples import every, some
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import find_rule
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.runs.model import Emit
from tdls.text.level import Level
from tools_at_hand import require_mlir_opt

CATALOGUE = Catalogue.shipped()
RANDOM_SCRIPTS = 60
_MATCHERS = "regions: matchers of results and dimensions"
NOTHING_FOUND = {
    "buffers: several buffers where there is no loop",
    'handles: match by name [matmul] ["no.such"]',
    'handles: match by name [two_functions] ["linalg.matmul"]',
    'handles: match by name [two_functions] ["no.such"]',
    "handles: match by interface [matmul] [LoopLikeInterface]",
    "handles: match by interface [two_functions] [LinalgOp]",
    "handles: match by interface [two_functions] [LoopLikeInterface]",
    "handles: match by interface [two_functions] [TilingInterface]",
    "handles: results [[except(0)]]",
    "handles: select [arith.negf]",
    "handles: split an empty handle [nothing]",
    'regions: match empty handles and names ["no.such"]',
    f"{_MATCHERS} [matmul] [transform.match.structured.dim %s[9] : !any]",
    f"{_MATCHERS} [matmul] [transform.match.structured.input %s[all] {{permutation}} : !any]",
    f"{_MATCHERS} [reduction] [%x = transform.match.structured.init %s[0] : (!any) -> !any]",
    f"{_MATCHERS} [reduction] [transform.match.structured.dim %s[9] : !any]",
}
"""Scripts that are about finding nothing."""


def certain_rules(text: str, libraries: tuple[str, ...] = ()) -> set[str]:
    known = tuple(SourceFile.of(library, CATALOGUE) for library in libraries)
    found = findings_in_file(SourceFile.of(text, CATALOGUE, libraries=known))
    return {finding.rule for finding in found if finding.level in (Level.ERROR, Level.WARNING)} - ABOUT_HANDLES


def is_silent(name: str) -> bool:
    rule = find_rule(name)
    return rule is not None and rule.is_silent


@pytest.fixture(scope="module", autouse=True)
def mlir() -> None:
    require_mlir_opt(22)


def test_scripts_of_the_corpus() -> None:
    rules = {script: certain_rules(script.text, script.libraries) for script in list(scripts())[:: every(1)]}
    said = {script: expected(script, Emit.PAYLOAD).said for script in rules if rules[script]}
    accused = [script for script, each in said.items() if each.code == 0 and "warning: " not in each.diagnostics]
    assert {script.name for script in accused if not all(map(is_silent, rules[script]))} == set()
    assert {script.name for script in accused} == NOTHING_FOUND & {script.name for script in rules}
    assert len([script for script in rules if rules[script]]) > some(10)


def test_random_scripts() -> None:
    texts = [script.text for script in handle_scripts(3, RANDOM_SCRIPTS) if not script.library]
    rules = [certain_rules(text) for text in texts]
    outcomes = run(texts, "--transform-interpreter")
    runs_well = [outcome.text is not None for outcome in outcomes]
    assert [text for text, found, well in zip(texts, rules, runs_well, strict=True) if well and found] == []
    assert sum(runs_well) > RANDOM_SCRIPTS / 4
