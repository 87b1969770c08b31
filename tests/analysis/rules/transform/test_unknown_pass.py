"""Names of passes in scripts."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import PassDefinition
from tdls.catalogue.source import MemorySource
from tdls.catalogue.sources.tool_help import tool_source

SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    %result = {} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }}
}}
"""
CATALOGUE = Catalogue.shipped()


def messages(operation: str, catalogue: Catalogue = CATALOGUE) -> list[tuple[str, str | None]]:
    found = findings_in_file(SourceFile.of(SCRIPT.format(operation), catalogue))
    return [(diagnostic.message, diagnostic.help) for diagnostic in found if diagnostic.rule == "unknown-pass"]


@pytest.mark.parametrize(
    "operation",
    [
        'transform.apply_registered_pass "canonicalise" to %root',
        '"transform.apply_registered_pass"(%root) <{pass_name = "canonicalise"}>',
        '"transform.apply_registered_pass"(%root) {pass_name = "canonicalise"}',
        'transform.apply_registered_pass "canonicalise" with options = {"max-iterations" = 3} to %root',
    ],
)
def test_a_mistyped_name_in_each_form(operation: str) -> None:
    expected = (
        "there may be no pass `canonicalise`: neither LLVM nor the project has one of this name",
        "did you mean `canonicalize`?",
    )
    assert messages(operation) == [expected]


@pytest.mark.parametrize(
    "operation",
    [
        'transform.apply_registered_pass "canonicalize" to %root',
        'transform.apply_registered_pass "my-canonicalise" to %root',
        'transform.apply_registered_pass "" to %root',
        "transform.apply_registered_pass #alias to %root",
        "transform.apply_registered_pass canonicalise to %root",
        'transform.my.apply_registered_pass "canonicalise" to %root',
    ],
)
def test_possible_names_of_passes(operation: str) -> None:
    assert messages(operation) == []


def test_passes_that_the_tool_registers() -> None:
    registered = [PassDefinition("canonicalize"), PassDefinition("my-pass")]
    catalogue = CATALOGUE.with_source(tool_source("my-opt", registered, CATALOGUE))
    catalogue = catalogue.with_source(MemorySource("project", passes=[PassDefinition("not-built-yet")]))

    def said(name: str) -> list[tuple[str, str | None]]:
        return messages(f'transform.apply_registered_pass "{name}" to %root', catalogue)

    assert not said("canonicalize")
    assert not said("my-pass")
    assert not said("not-built-yet")
    assert said("cse") == [("`my-opt`, which runs scripts here, has no pass `cse`", None)]
    mistyped = "`my-opt`, which runs scripts here, has no pass `canonicalise`"
    assert said("canonicalise") == [(mistyped, "did you mean `canonicalize`?")]


@pytest.mark.parametrize(
    ("target", "options", "expected"),
    [
        (19, '"max-iterations=3"', []),
        (19, "3 : i64", ["`options` has to be a string, not `3 : i64`"]),
        (22, '"max-iterations=3"', ['`options` has to be a dictionary, not `"max-iterations=3"`']),
        (None, '"max-iterations=3"', []),
    ],
)
def test_options_are_one_string_in_llvm_19(target: int | None, options: str, expected: list[str]) -> None:
    operation = f'transform.apply_registered_pass "canonicalize" to %root {{options = {options}}}'
    catalogue = CATALOGUE.at(target) if target is not None else CATALOGUE
    found = findings_in_file(SourceFile.of(SCRIPT.format(operation), catalogue))
    assert [each.message for each in found if each.rule == "attribute-value"] == expected


def said_of(run_line: str, *, target: int | None = None, script: str | None = None) -> list[str]:
    script = SCRIPT.format('transform.apply_registered_pass "cse" to %root') if script is None else script
    found = findings_in_file(SourceFile.of(f"// RUN: {run_line}\n{script}", CATALOGUE.at(target)))
    return [diagnostic.message for diagnostic in found if diagnostic.rule == "unknown-pass"]


@pytest.mark.parametrize(
    ("run_line", "message"),
    [
        ("mlir-opt %s -canonicalise", "there may be no pass `canonicalise`"),
        ('mlir-opt %s --canonicalize="top-dwn=true" | FileCheck %s', "has no option `top-dwn`"),
        ("my-opt %s --transform-interpreter='entry-points=a'", "has no option `entry-points`"),
        ("mlir-opt %s --transform-interpreter=entry-point=nope", "the named sequence `@nope`"),
        ("mlir-opt %s --test-transform-dialect-interpreter", "exists up to LLVM 17 only"),
        ("mlir-opt %s --convert-std-to-llvm", "exists up to LLVM 14 only"),
    ],
)
def test_run_lines_that_fail(run_line: str, message: str) -> None:
    (found,) = said_of(run_line)
    assert message in found


@pytest.mark.parametrize(
    "run_line",
    [
        "mlir-opt %s --transform-interpreter --split-input-file -canonicalize -cse | FileCheck %s",
        "mlir-opt %s --pass-pipeline='builtin.module(canonicalize{top-down=false},transform-interpreter)'",
        "mlir-opt %s --transform-preload-library=transform-library-paths=a --transform-interpreter=entry-point=b",
        "my-opt %s --my-pass --my-canonicaliser='anything=1' --verify-each",
        "not mlir-opt %s --canonicalise",
        "mlir-opt %s --transform-interpreter=entry-point=nope --verify-diagnostics",
        "opt %s --canonicalise",
        "sed s/--canonicalise// %s",
    ],
)
def test_run_lines_that_may_be_right(run_line: str) -> None:
    assert said_of(run_line) == []


def test_an_interpreter_does_not_run_a_sequence_at_the_top_level() -> None:
    sequence = "transform.sequence failures(propagate) {\n^bb0(%a: !transform.any_op):\n}\n"
    for head, other in (("", "it does not run a `transform.sequence` at the top level"), ("// ", None)):
        text = (
            f"// RUN: mlir-opt %s --transform-interpreter\n{''.join(head + line for line in sequence.splitlines(True))}"
        )
        found = findings_in_file(SourceFile.of(f"{text}transform.named_sequence @a()\n", CATALOGUE))
        (finding,) = (finding for finding in found if finding.rule == "unknown-pass")
        assert "`@__transform_main`, which this file does not have" in finding.message
        assert finding.help == other
    assert said_of("mlir-opt %s --transform-interpreter", script="func.func private @f()\n") == []


@pytest.mark.parametrize(
    ("entry", "message", "fix"),
    [
        ("__transfrm_main", "which this file does not have", "__transform_main"),
        ("@__transfrm_main", "which this file does not have", "__transform_main"),
        ("@__transform_main", "takes the name of its entry point without `@`", "__transform_main"),
        ("other", "which this file does not have", None),
        ("__transform_main", "", None),
    ],
)
def test_an_entry_point_is_named_as_the_file_has_it(entry: str, message: str, fix: str | None) -> None:
    text = f"// RUN: mlir-opt %s --transform-interpreter='entry-point={entry}'\n"
    found = findings_in_file(
        SourceFile.of(text + SCRIPT.format('transform.apply_registered_pass "cse" to %root'), CATALOGUE)
    )
    findings = [finding for finding in found if finding.rule == "unknown-pass"]
    assert [message in finding.message for finding in findings] == [True] * bool(message)
    assert [edit.new_text for each in findings for one in each.fixes for edit in one.edits] == [fix] * (fix is not None)


def test_a_pass_is_looked_up_in_the_target() -> None:
    run_line = "mlir-opt %s --mesh-spmdization"
    assert said_of(run_line) == said_of(run_line, target=19) == []
    (found,) = said_of(run_line, target=22)
    assert found == "LLVM 22 has no pass `mesh-spmdization`"
