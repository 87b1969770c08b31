"""Scripts in programs of projects with an interpreter of their own: what MLIR's rejects is possible only."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.level import Level

PROGRAM = '''\
IMPORT
program = """
module {
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.op<"builtin.module">) {
      %0 = transform.apply_registered_pass "canonicalize" with options = {"max-iteration" = 3} to %root
          : (!transform.op<"builtin.module">) -> !transform.op<"builtin.module">
      transform.yield
    }
  }
  func.func @circuit() { return }
}
"""
'''


@pytest.mark.parametrize(
    ("imported", "expected"),
    [
        ("from mlir.ir import Context", {"misused-pass": Level.WARNING, "fails-on-payload": Level.WARNING}),
        ("from xdsl.context import Context", {"misused-pass": Level.HINT}),
        ('xdsl = pytest.importorskip("xdsl")', {"misused-pass": Level.HINT}),
    ],
)
def test_passes_in_a_program_that_imports_xdsl(imported: str, expected: dict[str, Level]) -> None:
    text = PROGRAM.replace("IMPORT", imported)
    file = SourceFile.of(text, Catalogue.shipped(), split=SplitMode.PYTHON)
    found = {finding.rule: finding.level for finding in findings_in_file(file)}
    assert {rule: level for rule, level in found.items() if rule in ("misused-pass", "fails-on-payload")} == expected
