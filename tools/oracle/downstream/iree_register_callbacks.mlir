module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%variant: !transform.any_op {transform.consumed}) {
    transform.iree.register_match_callbacks
    %_, %reduction, %eltwise = transform.iree.match_callback failures(propagate) "reduction"(%variant)
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.iree.emit_remark "found one" at %reduction : !transform.any_op
    %first, %rest = transform.iree.take_first %eltwise, %reduction
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %init, %more, %split, %combine = transform.structured.split_reduction %first {split_factor = 2, insert_split_dimension = 1}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.iree.reduce_shared_memory_bank_conflicts %rest {padding_size_bits = 128 : i64} : (!transform.any_op) -> ()
    transform.iree.apply_licm %variant : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %variant : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.iree.fold_reshape_into_tensor_hal_interface
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.iree.bubble_expand {aggressive}
      transform.apply_patterns.scf.for_loop_canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.iree.apply_buffer_optimizations %func : (!transform.any_op) -> ()
    transform.yield
  }
}
