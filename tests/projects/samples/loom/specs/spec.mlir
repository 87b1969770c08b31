module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%variant: !transform.any_op) {
    %functions = transform.structured.match ops{["func.func"]} in %variant
        : (!transform.any_op) -> !transform.any_op
    transform.loom.apply_licm %functions : !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.loom.bubble_reshape_up
      transform.apply_patterns.loom.prepare_for_mma {use_wide = false}
    } : !transform.any_op
    %reduced = transform.loom.vector.reduce %functions by butterfly : (!transform.any_op) -> !transform.any_op
    %grid = transform.loom.forall_to_grid %reduced grid_dims = [4, 2]
        : (!transform.any_op) -> !transform.any_op
    transform.loom.attach_strategy "tall" to %reduced : !transform.any_op
    %size = transform.loom.vector.warp_size : !transform.param<i64>
    %merged = transform.loom.merge_specs %reduced, %grid limit %size
        : (!transform.any_op, !transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
