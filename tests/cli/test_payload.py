"""Payload in directories: left out, and counted, unless an option includes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from command_line import tdls

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
"""
PAYLOAD = "func.func @f(%value: i32) {\n  %0 = arith.addi %value, %other : i32\n  return\n}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.mlir").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "payload.mlir").write_text(PAYLOAD, encoding="utf-8")
    return tmp_path


def check(*arguments: str) -> tuple[int, str]:
    done = tdls("--check", "--isolated", "--no-cache", *arguments)
    return done.returncode, done.stdout


def test_payload_is_left_out_and_counted() -> None:
    status, output = check(".")
    assert status == 0
    assert output == "no findings in 1 file; 1 file without transform operations left out (--payload checks them)\n"
    assert json.loads(check(".", "--format", "json")[1])["summary"]["left_out"] == 1


@pytest.mark.parametrize(
    "arguments", [(".", "--payload"), ("payload.mlir",), ("./payload.mlir",), (".", "payload.mlir")]
)
def test_payload_is_checked_on_request(arguments: tuple[str, ...]) -> None:
    status, output = check(*arguments, "--format", "concise")
    assert status == 1
    assert "use of undefined value `%other`" in output
    assert "left out" not in output


def test_payload_syntax_selects_the_findings() -> None:
    assert check("payload.mlir", "--config", 'payload-syntax = "off"')[0] == 0
    assert check("payload.mlir", "--config", 'payload-syntax = "certain"')[0] == 1


def test_uncertain_findings_are_only_possible(folder: Path) -> None:
    (folder / "payload.mlir").write_text(
        PAYLOAD.replace("arith.addi %value, %other", "spirv.IAdd %value newly<here>"), encoding="utf-8"
    )
    assert check("payload.mlir") == (0, "no findings in 1 file\n")
    status, output = check("payload.mlir", "--possible", "--format", "concise")
    assert (status, "hint: expected " in output) == (0, True)
    assert check("payload.mlir", "--config", 'payload-syntax = "all"')[0] == 1
