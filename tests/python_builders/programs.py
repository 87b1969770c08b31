"""Programs that build scripts, in a folder of a test."""

from __future__ import annotations

import sys
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.runs.model import Limits
from tdls.python_builders.builder import build
from tdls.python_builders.findings import ProgramFindings, program_findings
from tdls.python_builders.locations import Workspace
from tdls.python_builders.model import BuildRequest, BuildResult

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.text.diagnostic import Diagnostic

needs_columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="older Pythons know lines of calls only")
HEAD = """\
from torch_mlir import ir
from torch_mlir.dialects import transform
from torch_mlir.dialects.transform import structured

def scheduled(body):
    module = ir.Module.create()
    module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
    handle = transform.AnyOpType.get()
    consumed = [{"transform.consumed": ir.UnitAttr.get()}]
    with ir.InsertionPoint(module.body):
        main = transform.NamedSequenceOp("__transform_main", [handle], [], arg_attrs=consumed)
    with ir.InsertionPoint(main.body):
        body(main.bodyTarget)
        transform.YieldOp([])
    return module

def match(root):
    return structured.MatchOp.match_op_names(root, ["linalg.matmul"]).result

def tile(handle):
    return structured.TileUsingForOp(handle, sizes=[4])

def mark(handle):
    transform.annotate(handle, "mark")
"""
"""The module ``kit`` of the programs."""


class Programs(NamedTuple):
    """A folder with programs."""

    folder: Path

    def write(self, name: str, text: str) -> Path:
        """Write a file of a program."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    def build(self, entry: str, *arguments: str, limits: Limits | None = None) -> BuildResult:
        """Run a program."""
        limits = limits or Limits(seconds=60.0)
        return build(BuildRequest(entry, str(self.folder), sys.executable, arguments, limits))

    def check(self, entry: str, *arguments: str) -> ProgramFindings:
        """Return the findings in a program."""
        return self.findings(self.build(entry, *arguments))

    def findings(self, result: BuildResult) -> ProgramFindings:
        """Return the findings in the result of a program."""
        return program_findings(result, Catalogue.shipped(), Workspace([self.folder], result.bindings))


def shown(text: str, finding: Diagnostic) -> str:
    """Return the rule of a finding with the code that it is at, on one line."""
    return f"{finding.rule}: {' '.join(text[finding.span.start : finding.span.end].split())}"
