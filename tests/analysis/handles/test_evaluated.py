"""The operations that handles hold on the payload of a script, and their relation to those of other handles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.findings import evaluated, handle_findings
from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context

ANY = "!transform.any_op"
TILE = "transform.structured.tile_using_for"


@pytest.mark.parametrize(
    ("found", "used", "is_certain"),
    [
        ("filter_result_type = tensor<8xf32>", 'ops{["linalg.exp"]}', True),
        ("filter_result_type = tensor<8xf32>", 'ops{["linalg.abs", "linalg.exp"]}', True),
        ("filter_result_type = tensor<8xf64>", 'ops{["linalg.exp"]}', False),
    ],
)
def test_operations_in_common_are_known(found: str, used: str, is_certain: bool) -> None:
    file = _script(
        f"""
        %found = transform.structured.match {found} in %root : ({ANY}) -> {ANY}
        %used = transform.structured.match {used} in %root : ({ANY}) -> {ANY}
        %tiled, %loop = {TILE} %used tile_sizes [2] : ({ANY}) -> ({ANY}, {ANY})
        transform.annotate %found "seen" : {ANY}
        """
    )
    assert _certain(file) == ([("%found", TILE)] if is_certain else [])


def test_parents_of_several_operations_are_counted() -> None:
    file = _script(
        f"""
        %both = transform.structured.match ops{{["linalg.abs", "linalg.exp"]}} in %root : ({ANY}) -> {ANY}
        %tiled, %loops = {TILE} %both tile_sizes [2] : ({ANY}) -> ({ANY}, {ANY})
        %own = transform.get_parent_op %tiled {{op_name = "scf.for"}} : ({ANY}) -> {ANY}
        transform.loop.unroll %own {{factor = 2}} : {ANY}
        """
    )
    assert handle_findings(_context(file)).repeated == ()


def test_unknown_contents_are_not_shown() -> None:
    file = _script(
        f"""
        %found = transform.structured.match filter_result_type = tensor<8xf32> in %root : ({ANY}) -> {ANY}
        %function = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
        %other = transform.apply_registered_pass "canonicalize" to %function : ({ANY}) -> {ANY}
        %used = transform.structured.match ops{{["linalg.exp"]}} in %other : ({ANY}) -> {ANY}
        %tiled, %loop = {TILE} %used tile_sizes [2] : ({ANY}) -> ({ANY}, {ANY})
        transform.annotate %found "seen" : {ANY}
        """
    )
    assert _certain(file) == [("%found", "transform.apply_registered_pass")]


def _script(body: str) -> SourceFile:
    text = f"""module attributes {{transform.with_named_sequence}} {{
  func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {{
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.abs ins(%0 : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }}
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
{body}
    transform.yield
  }}
}}
"""
    return SourceFile.of(text, Catalogue.shipped())


def _context(file: SourceFile) -> Context:
    return file.context_at(file.text.index("@__transform_main"))


def _certain(file: SourceFile) -> list[tuple[str, str]]:
    """Return which handles are certainly invalid, and the consuming operations."""
    found = handle_findings(_context(file)).invalid
    return [(use.value.shown, use.cause.consumer.name) for use in found if use.is_certain]


def test_contents_of_the_last_iteration_alone_are_not_shown() -> None:
    matrix = "tensor<4x4xf32>"
    product = f"ins(%{{0}}, %{{1}} : {matrix}, {matrix}) outs(%a : {matrix}) -> {matrix}"
    text = f"""module attributes {{transform.with_named_sequence}} {{
  func.func @f(%a: {matrix}) -> {matrix} {{
  %0 = linalg.matmul {product.format("a", "a")}
  %1 = linalg.matmul {product.format("0", "0")}
  return %1 : {matrix}
  }}
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
  %all = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
  transform.foreach %all : {ANY} {{
  ^bb0(%each: {ANY}):
    %users = transform.get_consumers_of_result %each[0] : ({ANY}) -> {ANY}
    transform.annotate %users "seen" : {ANY}
  }}
    transform.yield
  }}
}}
"""
    file = SourceFile.of(text, Catalogue.shipped())
    contexts = (context for context in file.contexts if context.mentions_transform)
    contents = {value.shown: known for context in contexts for value, known in evaluated(context).contents.items()}
    assert "%users" not in contents
    assert "%all" in contents
