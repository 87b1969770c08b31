"""Scripts whose payload is in another file are checked against it by ``tdls --check``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from command_line import tdls
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.project.payload import written_payload

if TYPE_CHECKING:
    from pathlib import Path

PAYLOAD = """\
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %abs = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %abs "seen" : !transform.any_op
    transform.yield
  }
}
"""
COMMENT = "// tdls: payload=payload.mlir\n"
PRELOADED = "--transform-preload-library=transform-library-paths=%s"
PIPELINE = '"builtin.module(transform-preload-library{transform-library-paths=%s},transform-interpreter)"'
FOUND = [("warning", "finds-nothing")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
    return tmp_path


def check(project: Path, head: str, *, script: str = SCRIPT) -> list[tuple[str, str]]:
    """Level and rule of every finding in a script that begins with `head`."""
    (project / "scripts" / "script.mlir").write_text(head + script, encoding="utf-8")
    done = tdls("--check", "--format", "json", "scripts/script.mlir", folder=project)
    return [(finding["level"], finding["rule"]) for finding in json.loads(done.stdout)["diagnostics"]]


@pytest.mark.parametrize(
    "head",
    [
        COMMENT,
        f"// RUN: mlir-opt %S/payload.mlir {PRELOADED} --transform-interpreter | FileCheck %s\n",
        f"// RUN: mlir-opt %p/payload.mlir --transform-interpreter {PRELOADED}\n",
        f"// RUN: mlir-opt %S/payload.mlir --pass-pipeline={PIPELINE}\n",
        f"{COMMENT}// RUN: mlir-opt %S/payload.mlir {PRELOADED} --transform-interpreter\n",
    ],
)
def test_a_payload_that_is_named_is_looked_at(project: Path, head: str) -> None:
    assert check(project, head) == FOUND
    (project / "scripts" / "payload.mlir").write_text(PAYLOAD.replace("exp", "abs"), encoding="utf-8")
    assert check(project, head) == []


@pytest.mark.parametrize(
    "head",
    [
        "",
        "// tdls: payload=missing.mlir\n",
        "// tdls: payload=../../outside.mlir\n",
        "// tdls: payload=payload.mlir,other.mlir\n",
        "// tdls: payload=payload.mlir entry-point=other\n",
        f"{COMMENT}// RUN: mlir-opt %s --transform-interpreter\n",
        f"{COMMENT}// RUN: my-tool %s\n",
        "// RUN: mlir-opt %S/payload.mlir --transform-interpreter\n",
        f"// RUN: mlir-opt %S/payload.mlir --canonicalize | mlir-opt {PRELOADED} --transform-interpreter\n",
        f"// RUN: mlir-opt %S/payload.mlir --canonicalize {PRELOADED} --transform-interpreter\n",
        f"// RUN: mlir-opt %S/payload.mlir {PRELOADED} --transform-interpreter=entry-point=other\n",
    ],
)
def test_nothing_is_reported_for_an_uncertain_payload(project: Path, head: str) -> None:
    (project / "scripts" / "other.mlir").write_text(PAYLOAD, encoding="utf-8")
    (project.parent / "outside.mlir").write_text(PAYLOAD, encoding="utf-8")
    assert check(project, head) == []


@pytest.mark.parametrize(
    "payload",
    [
        f"// RUN: mlir-opt %s --canonicalize --transform-interpreter\n{PAYLOAD}",
        f"{PAYLOAD}// -----\n{PAYLOAD}",
        f"{PAYLOAD}\n{SCRIPT}",
        PAYLOAD.replace("ins(", ""),
        "",
    ],
)
def test_a_payload_that_may_be_another_one_tells_nothing(project: Path, payload: str) -> None:
    (project / "scripts" / "payload.mlir").write_text(payload, encoding="utf-8")
    assert check(project, COMMENT) == []


def test_a_payload_with_unknown_forms_may_have_no_operation_that_its_text_does_not_name(project: Path) -> None:
    (project / "scripts" / "payload.mlir").write_text(PAYLOAD.replace("linalg.exp", "own.exp"), encoding="utf-8")
    assert check(project, COMMENT) == [("hint", "finds-nothing")]


def test_a_payload_that_cannot_be_read_tells_nothing(project: Path) -> None:
    (project / "scripts" / "payload.mlir").unlink()
    (project / "scripts" / "payload.mlir").mkdir()
    assert check(project, COMMENT) == []


def test_other_operations_of_the_file_do_not_count(project: Path) -> None:
    assert check(project, COMMENT, script=f"{SCRIPT}\n{PAYLOAD.replace('exp', 'abs')}") == FOUND


def test_a_script_that_mlir_may_not_read_is_not_run(project: Path) -> None:
    assert check(project, COMMENT, script=SCRIPT.replace("transform.yield", "transform.oops")) == []


def test_the_payload_of_the_settings_counts_for_scripts_that_have_none(project: Path) -> None:
    (project / "tdls.toml").write_text('payload = "scripts/payload.mlir"\n', encoding="utf-8")
    assert check(project, "") == FOUND
    assert check(project, "// tdls: payload=missing.mlir\n") == []
    assert check(project, "", script=f"{SCRIPT}\n{PAYLOAD.replace('exp', 'abs')}") == []
    (project / "scripts" / "payload.mlir").write_text(PAYLOAD.replace("exp", "abs"), encoding="utf-8")
    assert check(project, "") == []
    (project / "tdls.toml").write_text('payload = "scripts/no.mlir"\n', encoding="utf-8")
    assert check(project, "") == []


def test_a_payload_of_the_settings_outside_of_the_repository_needs_consent(project: Path) -> None:
    (project.parent / "outside.mlir").write_text(PAYLOAD, encoding="utf-8")
    (project / "tdls.toml").write_text('payload = "../outside.mlir"\n', encoding="utf-8")
    assert check(project, "") == []


def test_nothing_is_read_for_settings_that_name_no_payload() -> None:
    """A script is opened without reading all of it first."""
    file = SourceFile.of(SCRIPT, Catalogue.shipped())
    assert not any(written_payload(file, settings_name_one=False))
    assert not any(piece.section.is_read for piece in file.sections.pieces)
    assert written_payload(file).has_none
