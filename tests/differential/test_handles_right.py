"""Scripts that run and modules that MLIR verifies have no errors or warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.bindings_runs import run_in_python
from oracle.corpus import corpus
from oracle.handles.comparison import NO_OPS, Judged, judged
from oracle.handles.corpus import corpus as scripts_with_payload
from oracle.handles.findings import RULES
from oracle.handles.runs import WorkEnd
from oracle.run_corpus.scripts import scripts
from samples import every, some
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.handles import wrong_reduction
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.level import Level
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from oracle.run_corpus.scripts import Script
    from preparation.reporting import Compared
    from tdls.text.diagnostic import Diagnostic

SUCCEEDING = some(200)
"""Minimum number of scripts in the corpus that run on the payload in their file."""
OTHERS = 8
"""Minimum number of others that run: with more files, or another entry point."""
MODULES = some(300)
KEPT_APART = frozenset({"use-after-free"})
"""The rule of ``transform-dialect-check-uses``, which may warn of verified modules; another test compares it."""


@pytest.fixture(scope="module")
def results() -> list[Judged]:
    require_bindings()
    return judged(scripts_with_payload()[:: every(1)])


def test_no_run_contradicts_certain_findings(results: list[Judged], compared: Compared) -> None:
    compared("runs of the corpus, for findings about handles", len(results))
    false = [(each.script.name, str(each.kind_of_false(use))) for each in results for use in each.false()]
    assert not false, false


def test_no_script_that_runs_has_a_certain_finding(results: list[Judged]) -> None:
    succeeding = [each for each in results if each.run.ending is WorkEnd.SUCCESS]
    assert len(succeeding) >= SUCCEEDING
    certain = [(each.script.name, found) for each in succeeding for found in each.findings.certain.values()]
    others = [(each.script.name, found) for each in succeeding for _, found in each.findings.other]
    assert not [*certain, *(entry for entry in others if entry[1].rule not in (*NO_OPS, wrong_reduction.RULE.name))]


def test_no_script_that_runs_otherwise_has_a_certain_finding() -> None:
    require_bindings()
    compared = {script.name for script in scripts_with_payload()}
    apart = [script for script in scripts() if script.name not in compared]
    succeeding = [script for script, ran in zip(apart, run_in_python(apart), strict=True) if ran and ran.module]
    assert len(succeeding) >= OTHERS
    complaints = [(script.name, found.rule, found.message) for script in succeeding for found in _certain(script)]
    assert not complaints, complaints


def _certain(script: Script) -> list[Diagnostic]:
    """Return the certain findings in a script and its libraries."""
    libraries = [SourceFile.of(text, Catalogue.shipped()) for text in script.libraries]
    file = SourceFile.of(script.text, Catalogue.shipped(), libraries=libraries)
    return [found for each in (file, *libraries) for found in findings_in_file(each) if _counts(found)]


def _counts(found: Diagnostic) -> bool:
    return found.level is not Level.HINT and found.rule not in NO_OPS


def test_no_module_that_mlir_verifies_has_a_certain_finding_about_handles() -> None:
    require_mlir_opt(22)
    modules = [module for module in corpus(sample=True) if not module.kind.startswith("payload")][:MODULES]
    complaints = [
        (module.title, found.message)
        for module in modules
        for found in findings_in_file(SourceFile.of(module.text, Catalogue.shipped(), split=SplitMode.NEVER))
        if found.rule in RULES - KEPT_APART and found.level is not Level.HINT
    ]
    assert not complaints, complaints
