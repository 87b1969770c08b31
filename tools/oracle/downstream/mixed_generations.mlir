// Scripts written for several LLVM releases live in one project; each operation here still exists.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match interface{LinalgOp} attributes{vendor.tag = "hot"} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1, %loop = transform.structured.tile_using_for %0 tile_sizes [8] interchange = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pad, %copy = transform.structured.pad %1 {padding_values = [0.0 : f32], padding_dimensions = [0]}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %hoisted = transform.vendor.hoist %pad by 1 loops, transpose by [1, 0] : !transform.any_op
    %2 = transform.cast %loop : !transform.any_op to !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %2 : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    %func, %call = transform.loop.outline %main {func_name = "hot"} : (!transform.any_op) -> (!transform.any_op, !transform.op<"func.call">)
    transform.vendor.annotate_all [%rest, %hoisted]
    transform.yield
  }
}
