"""Most scripts that MLIR rejects on reading have an error of a check, and no other scripts have one, in any version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.verifier.accepted import accepted_modules, false_errors
from oracle.verifier.comparison import BINDINGS, generated, judged, share, valid_modules
from oracle.verifier.constraints.demands import all_constraints
from oracle.verifier.constraints.instances import instances
from oracle.verifier.constraints.measuring import cases_of, measured
from oracle.verifier.upstream import CASES, parts_in, rejected_parts
from samples import at_least, every, some
from tdls.catalogue.catalogue import Catalogue
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

    from preparation.reporting import Compared

MISTAKES = some(200)
ACCEPTED = some(250)
STEP = every(23)
"""Of the constraints of definitions, one of how many is violated."""


def require(major: int) -> None:
    require_mlir_opt(22)
    require_bindings() if major == BINDINGS else require_mlir_opt(major)


@pytest.mark.parametrize("major", [19, 22, BINDINGS])
def test_scripts_that_mlir_rejects_are_reported(major: int, compared: Compared) -> None:
    require(major)
    catalogue = Catalogue.shipped().at(major)
    found = judged(generated(valid_modules(major, sample=True), MISTAKES, 0, catalogue), catalogue, major)
    compared("scripts with a mistake each, as MLIR reads them", len(found))
    assert [each.mistake.text for each in found if each.is_false] == []
    assert share(found) >= at_least(0.97)


@pytest.mark.parametrize("major", [19, 22, BINDINGS])
def test_nothing_is_reported_in_scripts_that_mlir_accepts(major: int, compared: Compared) -> None:
    require(major)
    modules = [text for batch in accepted_modules(ACCEPTED, major, sample=True) for text in batch]
    compared("modules that MLIR accepts, most of them changed at random", len(modules))
    assert [(each.target, each.error.message, each.text) for each in false_errors(modules, major)] == []


def test_parts_of_files_that_mlir_rejects_are_reported(tmp_path: Path) -> None:
    require_mlir_opt(22)
    (tmp_path / "parts.mlir").write_text(PARTS, encoding="utf-8")
    found = rejected_parts(tmp_path, Catalogue.shipped().at(22), 22)
    assert [(each.mistake.kind, each.is_found) for each in found] == [("parts.mlir:2", True)]


def test_rejections_of_the_bindings_alone_are_reported_for_their_version(tmp_path: Path) -> None:
    require(BINDINGS)
    (tmp_path / "child.mlir").write_text(FOREIGN_CHILD, encoding="utf-8")
    for major, numbers in ((22, []), (BINDINGS, [1])):
        found = judged(parts_in(tmp_path), Catalogue.shipped().at(major), major)
        assert [number for number, each in enumerate(found, 1) if each.is_rejected] == numbers
        assert [number for number, each in enumerate(found, 1) if each.errors] == numbers


@pytest.mark.parametrize("inside", ["42", "unit", "[]"])
def test_normal_forms_are_attributes_of_dialects(inside: str, tmp_path: Path) -> None:
    require(BINDINGS)
    (tmp_path / "type.mlir").write_text(NORMALIZED.replace("$inside", inside), encoding="utf-8")
    found = judged(parts_in(tmp_path), Catalogue.shipped().at(BINDINGS), BINDINGS)
    assert [(each.is_rejected, each.is_found) for each in found] == [(True, True)]


@pytest.mark.parametrize("forms", ['["a"]', "[1]", "[i32]", "[@form]", "[[]]", '"a"'])
def test_normal_forms_of_payload_are_attributes_of_dialects(forms: str, tmp_path: Path) -> None:
    require(BINDINGS)
    (tmp_path / "payload.mlir").write_text(PAYLOAD.replace("$forms", forms), encoding="utf-8")
    found = judged(parts_in(tmp_path), Catalogue.shipped().at(BINDINGS), BINDINGS)
    assert [(each.is_rejected, each.is_found) for each in found] == [(True, True)]


def test_each_constraint_is_reported_where_mlir_does_and_nothing_else_is(compared: Compared) -> None:
    require_mlir_opt(22)
    found = judged(parts_in(CASES), Catalogue.shipped().at(22), 22)
    compared("parts for what upstream verifies in code", len(found))
    assert [each.mistake.kind for each in found if each.is_false or each.is_rejected is not each.is_found] == []


@pytest.mark.sample
def test_each_constraint_of_the_catalogue_has_a_case() -> None:
    require_mlir_opt(22)
    catalogue = Catalogue.shipped().at(22)
    made = cases_of(all_constraints(catalogue, 22), instances(catalogue, 22))
    assert [each for each, cases in made.items() if not cases] == []


@pytest.mark.parametrize("major", [19, 22, BINDINGS])
def test_violated_constraints_are_reported_in_the_operation(major: int, compared: Compared) -> None:
    require(major)
    found = measured(Catalogue.shipped().at(major), major, step=STEP)
    cases = [case for each in found for case in each.cases]
    compared("constraints of definitions, violated", len(cases))
    assert [case.mistake.text for case in cases if case.is_false] == []
    assert [each.constraint for each in found if each.missed] == []


FOREIGN_CHILD = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%root: !transform.any_op {transform.readonly}) {
    %constant = arith.constant 1 : i32
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%root: !transform.any_op {transform.readonly}) {
    transform.match.operation_empty %root : !transform.any_op
    transform.yield
  }
}
"""
PAYLOAD = """\
module {
  transform.payload attributes {normal_forms = $forms} {
  }
}
"""
NORMALIZED = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%root: !transform.normalized_op<$inside> {transform.readonly}) {
    transform.yield
  }
}
"""
PARTS = """\
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
}

// -----

transform.sequence failures(propagate) {
}
"""
