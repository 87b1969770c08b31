"""The versions of LLVM that a module fits, by tdls and by these versions of MLIR."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oracle.bindings import shapes
from oracle.tools import SPLIT_MARKER, run
from oracle.transform_modules import transform_modules
from samples import at_least, every
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import all_rules, failing_on_reading
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import SplitMode
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

FOLDERS = [Path(__file__).parents[2] / "tools" / "oracle" / name for name in ("scripts", "payload")]
CATALOGUE = Catalogue.shipped()
EVERY = every(12)
"""One in how many of the modules with one operation each is read."""


@cache
def modules() -> list[str]:
    """Modules that LLVM 22 writes, those that people wrote, and the examples of rules, right and wrong."""
    require_mlir_opt(22)
    texts = [module.text for module in transform_modules(0, attempts=10, kept=3)[::EVERY]]
    files = [path for folder in FOLDERS for path in sorted(folder.glob("*.mlir"))]
    for file in files:
        texts += re.split(rf"^{SPLIT_MARKER}.*$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return texts + [text for rule in all_rules() for text in (rule.text.example_bad, rule.text.example_good)]


def accepted(version: int) -> list[bool]:
    if version == 23:
        require_bindings()
        return [shape is not None for shape in shapes(modules())]
    require_mlir_opt(version)
    outcomes = run(modules(), "--allow-unregistered-dialect", major=version)
    return [outcome.text is not None and not outcome.crashed for outcome in outcomes]


def findings(text: str, version: int) -> list[str]:
    """Return what a version rejects, without attributes of other versions, which it reads and ignores."""
    found = findings_in_file(SourceFile.of(text, CATALOGUE.at(version), split=SplitMode.NEVER))
    ignored = re.compile(r"and not as in LLVM \d+, which has no `\w+`")
    return [each.message for each in found if each.rule in failing_on_reading() and not ignored.search(each.message)]


@pytest.mark.parametrize(("version", "least"), [(19, 0.8), (22, 0.7), (23, 0.8)])
def test_scripts_that_a_version_reads_fit_it_and_most_rejected_ones_do_not(
    version: int, least: float, compared: Compared
) -> None:
    answers = list(zip(modules(), accepted(version), strict=True))
    compared(f"modules, as LLVM {version} reads them", len(answers))
    alarms = {text: found for text, is_read in answers if is_read and (found := findings(text, version))}
    assert alarms == {}
    rejected = [bool(findings(text, version)) for text, is_read in answers if not is_read]
    assert len(rejected) > 10
    assert sum(rejected) >= at_least(least) * len(rejected)
