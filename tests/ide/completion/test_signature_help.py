"""Signature help at a cursor (`$0`): the signature, and which part of it is due."""

from __future__ import annotations

import pytest

from ide.with_cursor import CATALOGUE, URI, parse_cursor, snapshot_of
from tdls.ide.completion.completion import resolve
from tdls.ide.completion.signature_help import SignatureHelp, signature_help
from tdls.ide.forms.signatures import signature_parts

_SCRIPT = """\
transform.named_sequence @main(%root: !transform.any_op) {
  LINE
  transform.yield
}
"""


def _help(line: str) -> SignatureHelp | None:
    text, offset = parse_cursor(_SCRIPT.replace("LINE", line))
    return signature_help(snapshot_of(text), URI, offset)


def _active(line: str) -> str | None:
    found = _help(line)
    assert found is not None
    if found.active is None:
        return None
    span = found.parameters[found.active].span
    return found.label[span.start : span.end]


@pytest.mark.parametrize(
    ("line", "active"),
    [
        ("transform.annotate $0", "%target"),
        ("transform.annotate %ro$0ot", "%target"),
        ("transform.annotate %root $0", "<name>"),
        ('transform.annotate %root "x" = $0', "%param"),
        ('transform.annotate %root "x" : $0', "!target"),
        ("%a, %b = transform.structured.tile_using_for %root $0", "%packed_tile_sizes"),
        ("%a, %b = transform.structured.tile_using_for %root tile_sizes [4, $0", "%dynamic_sizes..."),
        ("%a, %b = transform.structured.tile_using_for %root tile_sizes [4] interchange = [$0", "%interchange..."),
        ("%a, %b = transform.structured.tile_using_forall %root num_threads [$0", "%num_threads..."),
        ("%a, %b = transform.structured.tile_using_forall %root num_threads *($0", "%packed_num_threads"),
        ('%a = transform.structured.match ops{["$0', "<ops>"),
        ('%a = transform.structured.match ops{["a"]} in $0', "%target"),
        ('%a = transform.structured.match ops{["a"]} in %root : $0', "(!target) -> (!results)"),
        ("%a = transform.structured.split %root after $0", "%dynamic_chunk_sizes"),
        ('"transform.structured.split"(%root, $0', "%dynamic_chunk_sizes"),
        ('"transform.structured.split"(%root) : ($0', "(!target, !dynamic_chunk_sizes) -> (!split_list)"),
        ("transform.foreach_match in %root @m -> $0", "<actions>"),
        ("transform.include @x failures($0", "propagate | suppress"),
        ("transform.include @x failures(propagate) ($0", "%operands..."),
        ("transform.named_sequence @$0", "@sym_name"),
        ("transform.named_sequence @f($0", "%argument: !type {...}, ..."),
        ("transform.apply_patterns to %root { } {$0", "{...}?"),
    ],
)
def test_the_active_parameter(line: str, active: str) -> None:
    assert _active(line) == active


@pytest.mark.parametrize(
    "line", ["$0", "transform.pri$0", "// transform.print $0", "my.op $0", "transform.print\n  $0"]
)
def test_no_signature_outside_of_known_operations(line: str) -> None:
    assert _help(line) is None


def test_parameters_have_effects_on_handles() -> None:
    found = _help("%a, %b = transform.structured.tile_using_for $0")
    assert found is not None
    said = {parameter.documentation for parameter in found.parameters}
    assert "`%target`: handle to operations, **consumed**" in said
    assert "`%dynamic_sizes`: handle to operations or parameter, any number, read" in said
    assert "`static_interchange`: integers, optional" in said


def test_the_inner_operation_counts() -> None:
    line = "transform.foreach %root : !transform.any_op {\n^bb0(%x: !transform.any_op):\n  transform.annotate $0\n}"
    assert _active(line) == "%target"


def test_a_second_operation_on_the_line() -> None:
    assert _active("transform.print transform.annotate %root $0") == "<name>"


def test_a_file_that_is_not_known() -> None:
    assert signature_help(snapshot_of(""), "file:///other.mlir", 0) is None


@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize("name", CATALOGUE.operation_names("transform"))
def test_every_operation_has_a_signature_with_its_operands(name: str, generic: bool) -> None:
    definition = CATALOGUE.operation(name)
    assert definition is not None
    signature = signature_parts(definition, generic=generic)
    assert signature.text.strip('"').startswith(name)
    assert "\n" not in signature.text
    assert all(part.span.end <= len(signature.text) for part in signature.parts)
    texts = {part.name: signature.text[part.span.start : part.span.end] for part in signature.parts}
    assert all(texts[operand.name].rstrip(".") == f"%{operand.name}" for operand in definition.operands)


def test_documentation_of_items() -> None:
    snapshot = snapshot_of("")
    operation = resolve(snapshot, ("operation", "transform.structured.tile_using_for"))
    assert "tile_sizes" in operation
    assert "`%target`: handle to operations, **consumed**" in operation
    assert "LLVM main" in operation
    mode = resolve(snapshot, ("attribute", "transform.include:failure_propagation_mode"))
    assert "one of `propagate`, `suppress`" in mode
    assert "!transform.any_op" in resolve(snapshot, ("type", "!transform.any_op"))
    assert resolve(snapshot, ("operation", "my.op")) == ""
    assert resolve(snapshot, ("value", "%x")) == ""
