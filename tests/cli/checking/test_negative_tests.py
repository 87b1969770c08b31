"""Tests of other tools that are wrong on purpose: `--check` of their folder leaves out expected errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import tdls
from tdls.cli.checking.negative_tests import fails_as_a_whole, prints_diagnostics

VERIFIED = """\
// RUN: shop-opt %s -transform-interpreter -split-input-file -verify-diagnostics
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{unknown transform operation}}
    transform.anotate %root "x" : !transform.any_op
    // expected-error @below {{does not fit}}
    transform.annotate %root
        attributes = 3 : !transform.any_op
    transform.yield
  }
}
"""
UNEXPECTED = '    transform.annotate %nowhere "x" : !transform.any_op\n    transform.yield\n'
LINES = VERIFIED.splitlines()
TOOL_FAILS = "\n".join(["// RUN: not shop-opt %s 2>&1 | FileCheck %s", *LINES[1:3], *LINES[4:5], *LINES[8:], ""])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(text: str, *arguments: str) -> tuple[int, str]:
    Path("test.mlir").write_text(text, encoding="utf-8")
    done = tdls("check", "--no-cache", *arguments)
    return done.returncode, done.stdout


@pytest.mark.parametrize("text", [VERIFIED, TOOL_FAILS])
def test_errors_that_a_test_expects_are_no_findings(text: str) -> None:
    status, output = check(text, ".")
    assert status == 0
    assert "expect left out (--negative-tests shows them)" in output
    assert check(text, ".", "--negative-tests")[0] == 1
    assert check(text, "test.mlir")[0] == 1
    assert check(text, ".", "--fix")[0] == 0
    assert Path("test.mlir").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "text",
    [
        VERIFIED.replace("    transform.yield\n", UNEXPECTED),
        VERIFIED.replace(" -verify-diagnostics", ""),
        TOOL_FAILS.replace("RUN: not", "RUN:"),
        f"// RUN: shop-opt %s\n{TOOL_FAILS}",
    ],
)
def test_other_findings_stay(text: str) -> None:
    status, output = check(text, ".")
    assert status == 1
    assert "error[" in output


def test_a_part_that_expects_an_error_is_wrong_as_a_whole() -> None:
    wrong = VERIFIED.replace("    transform.yield\n", UNEXPECTED)
    sound = VERIFIED.split("\n", 1)[1].replace("expected-error", "expected-remark")
    status, output = check(f"{wrong}\n// -----\n\n", ".")
    assert (status, "error[" in output) == (0, False)
    status, output = check(f"{wrong}\n// -----\n\n{sound}", ".")
    assert (status, "%nowhere" in output, "transform.anotate" in output) == (1, False, True)


@pytest.mark.parametrize(
    ("lines", "fails"),
    [
        ("// RUN: not shop-opt %s", True),
        ("// RUN: not --crash shop-opt %s 2>&1 | FileCheck %s", True),
        ("// RUN: (not shop-opt %s)", True),
        ("// RUN: shop-opt %s | not grep x", False),
        ("// RUN: shop-opt %s\n// RUN: not shop-opt %s", False),
        ("// RUN: echo not", False),
        ("// not run", False),
        ("// RUN: shop-opt %s\n// XFAIL: *", True),
        ("// RUN: shop-opt %s\n// XFAIL: asserts", False),
    ],
)
def test_a_run_by_not_is_expected_to_fail(lines: str, *, fails: bool) -> None:
    assert fails_as_a_whole(lines) is fails


@pytest.mark.parametrize(
    ("lines", "prints"),
    [
        ("// RUN: shop-opt %s --parsing-diagnostics --split-input-file | filecheck %s", True),
        ("// RUN: shop-opt %s -verify-diagnostics | FileCheck %s --check-prefix=A", True),
        ("// RUN: shop-opt %s -verify-diagnostics | FileCheck %s\n// expected-remark @below {{x}}", False),
        ("// RUN: shop-opt %s -verify-diagnostics", False),
        ("// RUN: shop-opt %s | FileCheck %s", False),
    ],
)
def test_filecheck_may_expect_the_errors(lines: str, *, prints: bool) -> None:
    assert prints_diagnostics(lines) is prints


def test_errors_that_filecheck_may_expect_are_left_out() -> None:
    wrong = "".join(line for line in VERIFIED.splitlines(keepends=True) if "expected-" not in line)
    status, output = check(wrong.replace("-diagnostics", "-diagnostics | FileCheck %s"), ".")
    assert (status, "error[" in output) == (0, False)
    status, output = check(wrong, ".")
    assert (status, "error[" in output) == (1, True)
