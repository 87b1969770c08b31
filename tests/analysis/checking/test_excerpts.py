"""Payload is judged without its file, so that other processes can do it."""

from __future__ import annotations

from tdls.analysis.checking.excerpts import Excerpt, look_at_excerpts
from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

PAYLOAD = """\
module {
  func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
  func.func @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = func.call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  memref.global "private" @table : memref<4xf32>
}
"""


def test_payload_asks_nothing_of_the_rest_of_its_file() -> None:
    unread = Findings(SourceFile.of(PAYLOAD, Catalogue.shipped())).unread()
    found = look_at_excerpts([Excerpt(section.text, section.surroundings, section.kind) for section in unread], ())
    assert len(found) >= 3
    assert all(alone is not None and alone.findings == () for alone in found)
