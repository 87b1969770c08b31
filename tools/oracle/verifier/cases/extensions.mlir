module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {copy_back_op = "memref.copy"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {copy_back_op = "linalg.copy"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {copy_back_op = "bufferization.materialize_in_destination"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {copy_back_op = "memref.tensor_store"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {memcpy_op = "memref.copy"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {memcpy_op = "linalg.copy"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {memcpy_op = "bufferization.materialize_in_destination"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {memcpy_op = "none"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {alloc_op = "memref.alloc"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {alloc_op = "bufferization.alloc_tensor"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = transform.structured.bufferize_to_allocation %r {alloc_op = ""} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.bufferization.one_shot_bufferize %r {memcpy_op = "memref.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.bufferization.one_shot_bufferize %r {memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.bufferization.one_shot_bufferize %r {memcpy_op = "none"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r pad_to_multiple_of [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r pad_to_multiple_of [] {padding_dimensions=[0]}: (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r pad_to_multiple_of [%r, 2] {padding_dimensions=[0]}: (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {padding_values=[0]}: (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {padding_values=["a"]}: (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {padding_values=[f32]}: (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {padding_values=[#ub.poison]}: (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad %r {transpose_paddings=[[1, 0], []]}: (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad_tiling_interface %r to padding_sizes [4, 4] {padding_values=[]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad_tiling_interface %r to padding_sizes [] {padding_values=[]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.pad_tiling_interface %r to {padding_values=[[1]]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call @foo(%v) -> %v before %r : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call(%v) -> %v before %r : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call @foo(%v) -> %v before %r {transform.apply_patterns.canonicalization} : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call @foo(%v) -> %v before %r {transform.type_conversion.tensor.cast_shape_dynamic_dims} : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %v = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
    %0 = transform.func.cast_and_call @foo(%v) -> %v before %r {
    ^bb0(%x: i32):
    transform.type_conversion.tensor.cast_shape_dynamic_dims
    transform.type_conversion.tensor.cast_shape_dynamic_dims} : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_conversion_patterns to %r {
     transform.apply_conversion_patterns.dialect_to_llvm "math"
    } {legal_dialects = ["llvm"]} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_conversion_patterns to %r {
     transform.apply_conversion_patterns.dialect_to_llvm "math"
    } : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_conversion_patterns to %r {
     transform.apply_conversion_patterns.scf.structural_conversions
    } : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.structured.split"(%r, %r) <{static_chunk_sizes = -9223372036854775808 : i64, dimension = 0 : i64}> : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0:2 = "transform.structured.split"(%r) <{static_split_point = -9223372036854775808 : i64, dimension = 0 : i64}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = "transform.structured.match"(%r) : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = "transform.structured.match"(%r) <{op_attrs = {a = 1}, ops = ["a"], filter_result_type = i32}> : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.gpu.map_nested_forall_to_threads %r block_dims = [1, 2] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.gpu.map_nested_forall_to_threads %r block_dims = [1, 2, 3] warp_size = 0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.gpu.map_forall_to_blocks %r grid_dims = [1, 2] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.apply_patterns to %r { transform.apply_patterns.gpu.eliminate_barriers } : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.loop.fuse_sibling %r into %r : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.loop.outline %r {func_name = "a b"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.dlti.query [1] at %r : (!transform.any_op) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.dlti.query ["a", i32] at %r : (!transform.any_op) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.dlti.query [] at %r : (!transform.any_op) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.dlti.query [@a] at %r : (!transform.any_op) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.func.replace_func_signature @f args_interchange = [0, 0] results_interchange = [0] at %r : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.annotate %r "a" = %r : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 1 -> !transform.any_param
    transform.debug.emit_param_as_remark %p, "a" at %r : !transform.any_param, !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.get_consumers_of_result %r[-1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.get_producer_of_operand %r[-1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.get_parent_op %r {nth_parent = 0} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.alternatives %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.yield
    }, {
    ^bb0(%a: !transform.op<"a">):
     transform.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.alternatives %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.yield
    }, {
     transform.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.alternatives %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.yield
    }, { }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.alternatives"(%r)({
    ^bb0(%a: !transform.any_op):
     transform.yield
    }, { }) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.alternatives"(%r) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.alternatives"(%r)({
    ^bb0(%a: !transform.any_op):
     arith.constant 1 : i32
     transform.yield
    }) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.foreach"(%r)({
    ^bb0(%a: !transform.any_op):
     arith.constant 1 : i32
     transform.yield
    }) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %x = transform.tune.alternatives<"a"> selected_region = 2 -> !transform.any_param {
     %p = transform.param.constant 1 -> !transform.any_param
     transform.yield %p : !transform.any_param
    }, {
     %p = transform.param.constant 1 -> !transform.any_param
     transform.yield %p : !transform.any_param
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %x = transform.tune.alternatives<"a"> selected_region = -1 -> !transform.any_param {
     %p = transform.param.constant 1 -> !transform.any_param
     transform.yield %p : !transform.any_param
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %x = transform.tune.alternatives<"a"> -> !transform.any_param {
     %p = transform.param.constant 1 -> !transform.any_param
     transform.yield %p : !transform.any_param
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %q = transform.param.constant 0 -> !transform.any_param
    %x = "transform.tune.alternatives"(%q) <{name = "a", selected_region_attr = 0 : i64}> ({
     %p = transform.param.constant 1 -> !transform.any_param
     transform.yield %p : !transform.any_param
    }) : (!transform.any_param) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %x = "transform.tune.alternatives"() <{name = "a", selected_region_attr = 0 : i64}> : () -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %c = transform.collect_matching @x in %r : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.irdl.collect_matching in %r : (!transform.any_op) -> !transform.any_op {
     ^bb0(%a: !transform.any_op):
     irdl.dialect @test { irdl.operation @x { } }
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.irdl.collect_matching in %r : (!transform.any_op) -> !transform.any_op {
     arith.constant 1 : i32
    }
    transform.yield
  }
}
