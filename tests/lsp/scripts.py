"""Scripts that tests of several features open."""

LIBRARY = """\
module attributes {transform.with_named_sequence} {
  // Tiles a matrix multiplication.
  transform.named_sequence @tile(%matmul: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %tiled, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [8, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield %tiled : !transform.any_op
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %found = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %small = transform.include @tile failures(propagate) (%found) : (!transform.any_op) -> !transform.any_op
    transform.annotate %small "𝄞" : !transform.any_op
    transform.foreach %small : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      transform.annotate %one "seen" : !transform.any_op
    }
    transform.yield
  }
}
"""
"""A sequence that another one includes; no findings."""

WITH_IMPLIED_TYPES = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %pad : !transform.any_op
    transform.yield
  }
}
"""
"""The types of the results in line 4 are not written, since there are no others."""


def with_cursor(before: str, after: str = "", text: str = LIBRARY) -> str:
    """Put the cursor between two adjacent pieces of a text, at their first occurrence."""
    place = text.index(before + after) + len(before)
    return text[:place] + "$0" + text[place:]
