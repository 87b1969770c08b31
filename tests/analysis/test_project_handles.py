"""What is said about handles that operations of a project return."""

from __future__ import annotations

from tdls.analysis.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import HandleEffect, OperandDefinition, OperationDefinition, PayloadEffect, ResultDefinition
from tdls.catalogue.source import MemorySource

_HANDLE = "TransformHandleTypeInterface"
_TILE = OperationDefinition(
    "transform.my.tile",
    operands=(OperandDefinition("target", _HANDLE, effect=HandleEffect.CONSUMES),),
    results=(ResultDefinition("tiled", _HANDLE, effect=HandleEffect.PRODUCES),),
    payload_effect=PayloadEffect.MODIFIES,
    assembly_format="$target attr-dict `:` functional-type(operands, results)",
)
_SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %first = transform.my.tile %loop : (!transform.any_op) -> !transform.any_op
    %second = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %second {factor = 2} : !transform.any_op
    transform.loop.unroll %first {factor = 2} : !transform.any_op
    transform.yield
  }
}
"""


def findings(script: str) -> list[str]:
    """The rules that find something."""
    catalogue = Catalogue.shipped().with_source(MemorySource("my.json", [_TILE]))
    return [finding.rule for finding in SourceFile.of(script, catalogue).findings()]


def test_nothing_is_said_where_no_relation_is_known() -> None:
    assert findings(_SCRIPT) == []


def test_what_the_operation_consumes_is_gone() -> None:
    used = _SCRIPT.replace("unroll %first", "unroll %loop")
    assert "use-after-free" in findings(used)
