module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.tile_using_forall %r num_threads [4] tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = "transform.structured.tile_using_forall"(%r) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_num_threads = array<i64: 4>, static_tile_sizes = array<i64: 2>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = "transform.structured.tile_using_forall"(%r) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = "transform.structured.tile_using_forall"(%r) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_num_threads = array<i64>, static_tile_sizes = array<i64>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = "transform.structured.tile_using_forall"(%r) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_num_threads = array<i64: 0>, static_tile_sizes = array<i64>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = "transform.structured.tile_using_forall"(%r, %r, %r) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, static_num_threads = array<i64>, static_tile_sizes = array<i64>}> : (!transform.any_op, !transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.tile_using_forall %r num_threads [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.tile_using_forall %r tile_sizes [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.tile_using_forall %r tile_sizes [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.tile_using_forall %r tile_sizes [-1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.fuse %r tile_sizes [4, 2] interchange [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.fuse %r tile_sizes [4, 2] interchange [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.fuse %r tile_sizes [4, 2] interchange [0, -1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.fuse %r tile_sizes [4, 2] interchange [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.fuse %r tile_sizes [4, 2] interchange [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.tile_using_for %r tile_sizes [4, 2] interchange = [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.tile_using_for %r tile_sizes [4, 2] interchange = [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.structured.tile_using_for"(%r) <{static_sizes = array<i64: 4, 2>, scalable_sizes = array<i1: true>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.structured.vectorize"(%r) <{static_vector_sizes = array<i64: 4, 2>, scalable_sizes = array<i1: true>}> : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.structured.split"(%r) <{static_chunk_sizes = -9223372036854775808 : i64, dimension = 0 : i64}> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.structured.split"(%r, %r) <{static_chunk_sizes = 4 : i64, dimension = 0 : i64}> : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.structured.pack"(%r) <{static_packed_sizes = array<i64: 4, -9223372036854775808>}> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.structured.pack_transpose"(%r, %r) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pack_transpose %r with_compute_op(%r) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pack_greedily %r matmul_packed_sizes = [8, 16, 32] matmul_padded_sizes_next_multiple_of = [4, 4, 4] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pack_greedily %r matmul_packed_sizes = [8, 16, 0] matmul_padded_sizes_next_multiple_of = [0, 0, 4] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pack_greedily %r matmul_packed_sizes = [8, 16, 0] matmul_padded_sizes_next_multiple_of = [0, 4] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {padding_values=[0.0 : f32], padding_dimensions=[0, 1], pad_to_multiple_of = [2]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r pad_to_multiple_of [2] {padding_values=[0.0 : f32], padding_dimensions=[0, 1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {copy_back_op = "abc"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r pad_to_multiple_of [-2] {padding_values=[0.0 : f32], padding_dimensions=[0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad_tiling_interface %r to padding_sizes [4, 4] {padding_dimensions=[0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad_tiling_interface %r to padding_sizes [4, 4] pad_to_multiple_of {padding_dimensions=[0, -1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {memcpy_op = "abc"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {alloc_op = "abc"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {alloc_op = "memref.alloca", memcpy_op = "linalg.copy", emit_dealloc} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.bufferization.one_shot_bufferize %r {memcpy_op = "abc"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.bufferization.one_shot_bufferize %r {dump_alias_sets = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.bufferization.one_shot_bufferize %r {print_conflicts = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.bufferization.one_shot_bufferize %r {print_conflicts = true, test_analysis_only = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.bufferization.eliminate_empty_tensors %r : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.structured.replace %r {
     builtin.module { }
    } : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.structured.replace %r {
     %c = arith.constant 1 : i32
    } : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.structured.replace %r {
     func.func private @foo()
    } : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.structured.replace %r {
    } : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.structured.replace %r {
     ^bb0(%x: !transform.any_op):
     func.func private @foo()
    } : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.affine.simplify_bounded_affine_ops %r with [%r : !transform.any_op] within [0] and [20, 30] : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.affine.simplify_bounded_affine_ops %r with [%r : !transform.any_op] within [0, 1] and [20] : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.func.cast_and_call @foo(%r) after %r : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call @foo(%v) -> %v after %r : (!transform.any_value, !transform.any_value, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call %r(%v) -> %v before %r : (!transform.any_op, !transform.any_value, !transform.any_value, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call @foo %r(%v) -> %v before %r : (!transform.any_op, !transform.any_value, !transform.any_value, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call (%v) -> %v before %r : (!transform.any_value, !transform.any_value, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call @foo(%v) -> %v before %r {transform.apply_patterns.canonicalization} : (!transform.any_value, !transform.any_value, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call @foo(%v) -> %v before %r {transform.type_conversion.tensor.cast_shape_dynamic_dims} : (!transform.any_value, !transform.any_value, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = "transform.func.cast_and_call"(%r, %v) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, function_name = @foo}> ({}) : (!transform.any_op, !transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_patterns to %r {
    transform.apply_patterns.vector.lower_transpose lowering_strategy = abc
    } : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_registered_pass "abc" to %r : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_registered_pass "canonicalize" with options = {"a" = 1, "a" = 2} to %r : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_registered_pass "canonicalize" with options = "a=1" to %r : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_registered_pass "canonicalize" with options = {"a" = %r} to %r : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 1 -> !transform.any_param
    transform.apply_registered_pass "canonicalize" with options = {"a" = %p} to %r : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 1 -> !transform.any_param
    "transform.apply_registered_pass"(%r, %p) <{pass_name = "canonicalize", options = {a = 1}}> : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 1 -> !transform.any_param
    "transform.apply_registered_pass"(%r, %p) <{pass_name = "canonicalize", options = {a = #transform.param_operand<index=1>}}> : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 1 -> !transform.any_param
    "transform.apply_registered_pass"(%r, %p) <{pass_name = "canonicalize", options = {a = #transform.param_operand<index=0>, b = #transform.param_operand<index=0>}}> : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}
