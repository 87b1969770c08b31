// A library meant for transform-preload-library: nothing in here runs by itself.
module @library attributes {transform.with_named_sequence, vendor.library_version = 3 : i32} {
  transform.named_sequence private @vendor.external(%op: !transform.any_op {transform.consumed}) -> !transform.any_op
  transform.named_sequence @vendor.tile(%op: !transform.any_op {transform.consumed}, %sizes: !transform.any_param {transform.readonly})
      -> (!transform.any_op {vendor.result}, !transform.any_op) attributes {vendor.cost = 0.5 : f32} {
    %tile, %loops = transform.vendor.tile_any %op sizes %sizes : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    transform.yield %tile, %loops : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @vendor.lower(%op: !transform.any_op {transform.consumed}) {
    %sizes = transform.vendor.load_sizes "matmul/fp16" default([64, 64]) -> !transform.any_param
    %parts:2 = transform.include @vendor.tile failures(suppress) (%op, %sizes)
      : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    %out = transform.include @vendor.external failures(propagate) (%parts#0) : (!transform.any_op) -> !transform.any_op
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %out {vectorize_padding} : (!transform.any_op) -> !transform.any_op
    transform.vendor.check %vectorized, %parts#1
    transform.yield
  }
}
