"""What is right has no finding that is certain: scripts that run, and modules that MLIR verifies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.corpus.scripts import Script, scripts
from oracle.bindings_runs import run_in_python
from oracle.corpus import corpus
from oracle.handles.findings import RULES
from tdls.analysis.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.model import Severity
from tdls.syntax.runs import SplitMode
from tdls.text.diagnostic import Diagnostic, Level
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.model import RunDiagnostic

SUCCEEDING = 500
"""At least so many scripts of the corpus run."""
MODULES = 800
KEPT_APART = frozenset({"use-after-free"})
"""Is what ``transform-dialect-check-uses`` says, which verified modules may well be warned of; compared elsewhere."""


@pytest.fixture(scope="module")
def succeeding() -> list[Script]:
    require_bindings()
    runs = zip(scripts(), run_in_python(scripts()), strict=True)
    return [script for script, ran in runs if ran is not None and not _has_failed(ran.diagnostics)]


def _has_failed(diagnostics: Sequence[RunDiagnostic]) -> bool:
    return any(each.severity is Severity.ERROR for each in diagnostics)


def test_no_script_that_runs_has_a_certain_finding(succeeding: list[Script]) -> None:
    assert len(succeeding) >= SUCCEEDING
    complaints = [(script.name, found.rule, found.message) for script in succeeding for found in _certain(script)]
    assert not complaints, complaints


def _certain(script: Script) -> list[Diagnostic]:
    """Return what is found in a script and its libraries, but for what is only possible."""
    libraries = [SourceFile.of(text, Catalogue.shipped()) for text in script.libraries]
    file = SourceFile.of(script.text, Catalogue.shipped(), libraries=libraries)
    return [found for each in (file, *libraries) for found in each.findings() if found.level is not Level.HINT]


def test_no_module_that_mlir_verifies_has_a_certain_finding_about_handles() -> None:
    require_mlir_opt(22)
    modules = [module for module in corpus(sample=True) if not module.kind.startswith("payload")][:MODULES]
    complaints = [
        (module.title, found.message)
        for module in modules
        for found in SourceFile.of(module.text, Catalogue.shipped(), split=SplitMode.NEVER).findings()
        if found.rule in RULES - KEPT_APART and found.level is not Level.HINT
    ]
    assert not complaints, complaints
