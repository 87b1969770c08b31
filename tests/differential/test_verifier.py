"""Of what MLIR rejects while it reads scripts, most is an error of a check, and nothing else is, in any version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.verifier.accepted import BINDINGS, accepted_modules, false_errors
from oracle.verifier.comparison import generated, judged, share, valid_modules
from oracle.verifier.upstream import CASES, parts_in, rejected_parts
from tdls.catalogue.catalogue import Catalogue
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

    from preparation.reporting import Compared

MISTAKES = 1000
ACCEPTED = 1500


def test_what_mlir_rejects_is_reported(compared: Compared) -> None:
    require_mlir_opt(22)
    catalogue = Catalogue.shipped().at(22)
    found = judged(generated(valid_modules(22, sample=True), MISTAKES, 0, catalogue), catalogue, 22)
    compared("scripts with a mistake each, as MLIR reads them", len(found))
    assert [each.mistake.text for each in found if each.is_false] == []
    assert share(found) >= 0.97


@pytest.mark.parametrize("major", [19, 22, BINDINGS])
def test_nothing_is_reported_of_what_mlir_accepts(major: int, compared: Compared) -> None:
    require_mlir_opt(22)
    require_bindings() if major == BINDINGS else require_mlir_opt(major)
    modules = [text for batch in accepted_modules(ACCEPTED, major, sample=True) for text in batch]
    compared("modules that MLIR accepts, most of them changed at random", len(modules))
    assert [(each.target, each.error.message, each.text) for each in false_errors(modules, major)] == []


def test_parts_of_files_that_mlir_rejects_are_reported(tmp_path: Path) -> None:
    require_mlir_opt(22)
    (tmp_path / "parts.mlir").write_text(PARTS, encoding="utf-8")
    found = rejected_parts(tmp_path, Catalogue.shipped().at(22), 22)
    assert [(each.mistake.kind, each.is_found) for each in found] == [("parts.mlir:2", True)]


def test_each_constraint_is_reported_where_mlir_does_and_nothing_else_is(compared: Compared) -> None:
    require_mlir_opt(22)
    found = judged(parts_in(CASES), Catalogue.shipped().at(22), 22)
    compared("parts for what upstream verifies in code", len(found))
    assert [each.mistake.kind for each in found if each.is_false or each.is_rejected is not each.is_found] == []


PARTS = """\
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
}

// -----

transform.sequence failures(propagate) {
}
"""
