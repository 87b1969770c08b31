// The names of values are what the generator of this project makes of them.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @stdx.fuse_all(%region.0: !transform.any_op {transform.readonly}, %knobs$tile: !transform.param<i64> {transform.readonly})
      -> (!transform.any_op, !transform.param<i64>) {
    %ops-0 = transform.stdx.select in %region.0 where [kind = elementwise, users < 2] : !transform.any_op
    %ops-1 = transform.stdx.sort(%ops-0) by topological : !transform.any_op
    %fused, %left = transform.stdx.greedy_fuse %ops-1 {
    ^bb0(%producer: !transform.any_op, %consumer: !transform.any_op):
      %cost = transform.stdx.cost (%producer, %consumer) model @costs::@traffic -> !transform.param<f64>
      transform.stdx.accept_if %cost < 0.5 : f64
    } : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile = transform.stdx.clamp %knobs$tile to [8 .. 128] step 8 : !transform.param<i64>
    transform.yield %fused, %tile : !transform.any_op, !transform.param<i64>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %eight = transform.param.constant 8 : i64 -> !transform.param<i64>
    %result:2 = transform.include @stdx.fuse_all failures(propagate) (%root, %eight)
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.param<i64>)
    %loops, %more = transform.structured.fuse %result#0 tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.stdx.report "done", %result#1, %loops : !transform.param<i64>, !transform.any_op
    transform.yield
  }
  stdx.cost_library @costs {
    stdx.model @traffic (bytes_in * 2 + bytes_out) -> f64
  }
}
