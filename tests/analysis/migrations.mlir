// To LLVM 22: the types of sizes move out of the list.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["my.size"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.pack %m packed_sizes = [4, %s : !transform.any_op, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %t, %f = transform.structured.tile_using_forall %p tile_sizes [%s : !transform.any_op, 8] : (!transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %t vector_sizes [%s : !transform.any_op, 8] vectorize_nd_extract : !transform.any_op
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["my.size"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.pack %m packed_sizes = [4, %s, 8] : (!transform.any_op, !transform.any_op) -> !transform.op<"linalg.generic">
    %t, %f = transform.structured.tile_using_forall %p tile_sizes [%s, 8] : (!transform.op<"linalg.generic">, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %t vector_sizes [%s, 8] {vectorize_nd_extract} : !transform.any_op, !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM 22: the type of a packed handle.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["my.size"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.pack_greedily %m matmul_packed_sizes = [4, %s : !transform.any_op, 8] matmul_inner_dims_order = [0, 1, 2] : (!transform.any_op) -> !transform.any_op
    %t, %f = transform.structured.tile_using_forall %p num_threads *(%s : !transform.any_op) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["my.size"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.pack_greedily %m matmul_packed_sizes = [4, %s, 8] matmul_inner_dims_order = [0, 1, 2] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %t, %f = transform.structured.tile_using_forall %p num_threads *(%s) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
// -----
// To LLVM 22: a packed handle of LLVM 16, and sizes without types.
transform.sequence failures(propagate) {
^bb0(%root: !pdl.operation):
  %m = transform.structured.match ops{["linalg.matmul"]} in %root
  %s = transform.structured.match ops{["my.size"]} in %root
  %p = transform.structured.pack %m packed_sizes = [4, %s, 8] : (!pdl.operation) -> !transform.op<"linalg.generic">
  %t:2 = transform.structured.tile_to_foreach_thread_op %p tile_sizes %s
}
// becomes:
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.match ops{["my.size"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.structured.pack %m packed_sizes = [4, %s, 8] : (!transform.any_op, !transform.any_op) -> !transform.op<"linalg.generic">
  %t:2 = transform.structured.tile_using_forall %p tile_sizes *(%s) : (!transform.op<"linalg.generic">, !transform.any_op) -> (!transform.any_op, !transform.any_op)
}
// -----
// To LLVM 22: a static shape.
func.func @f(%a: tensor<?x6xf32>, %b: tensor<?xf32>, %c: memref<2xf32>) {
  %0 = memref.expand_shape %c [[0, 1]] : memref<2xf32> into memref<2x1xf32>
  return
}
// becomes:
func.func @f(%a: tensor<?x6xf32>, %b: tensor<?xf32>, %c: memref<2xf32>) {
  %0 = memref.expand_shape %c [[0, 1]] output_shape [2, 1] : memref<2xf32> into memref<2x1xf32>
  return
}
// -----
// To LLVM 22: dynamic sizes, which are computed.
func.func @f(%a: tensor<?x6xf32>, %b: tensor<?xf32>, %c: memref<2xf32>) {
  %0 = tensor.expand_shape %a [[0], [1, 2]] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %1 = tensor.expand_shape %b [[0, 1]] : tensor<?xf32> into tensor<?x4xf32>
  return
}
// becomes:
func.func @f(%a: tensor<?x6xf32>, %b: tensor<?xf32>, %c: memref<2xf32>) {
  %index0_of_0 = arith.constant 0 : index
  %size0_of_0 = tensor.dim %a, %index0_of_0 : tensor<?x6xf32>
  %0 = tensor.expand_shape %a [[0], [1, 2]] output_shape [%size0_of_0, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %index0_of_1 = arith.constant 0 : index
  %size0_of_1 = tensor.dim %b, %index0_of_1 : tensor<?xf32>
  %factor0_of_1 = arith.constant 4 : index
  %part0_of_1 = arith.divsi %size0_of_1, %factor0_of_1 : index
  %1 = tensor.expand_shape %b [[0, 1]] output_shape [%part0_of_1, 4] : tensor<?xf32> into tensor<?x4xf32>
  return
}
// -----
// To LLVM 22: two dynamic sizes of one.
func.func @f(%a: tensor<?x6xf32>, %b: tensor<?xf32>, %c: memref<2xf32>) {
  %0 = tensor.expand_shape %b [[0, 1]] : tensor<?xf32> into tensor<?x?xf32>
  return
}
// becomes:
// -----
// To LLVM 22: a shape that is written.
func.func @f(%a: tensor<?x6xf32>, %b: tensor<?xf32>, %c: memref<2xf32>) {
  %0 = memref.expand_shape %c [[0, 1]] output_shape [2, 1] : memref<2xf32> into memref<2x1xf32>
  return
}
// becomes:
// -----
// To LLVM 22: the argument for the output.
func.func @f(%a: tensor<64xf32>, %b: tensor<64xf64>) {
  %0 = linalg.map ins(%a : tensor<64xf32>) outs(%b : tensor<64xf64>) (%x: f32) {
    %y = arith.extf %x : f32 to f64
    linalg.yield %y : f64
  }
  %1 = linalg.map {math.absf} ins(%0 : tensor<64xf64>) outs(%b : tensor<64xf64>)
  return
}
// becomes:
func.func @f(%a: tensor<64xf32>, %b: tensor<64xf64>) {
  %0 = linalg.map ins(%a : tensor<64xf32>) outs(%b : tensor<64xf64>) (%x: f32, %init: f64) {
    %y = arith.extf %x : f32 to f64
    linalg.yield %y : f64
  }
  %1 = linalg.map {math.absf} ins(%0 : tensor<64xf64>) outs(%b : tensor<64xf64>)
  return
}
// -----
// To LLVM 19: and away again.
func.func @f(%a: tensor<64xf32>) {
  %0 = linalg.map ins(%a : tensor<64xf32>) outs(%a : tensor<64xf32>) (%x: f32, %init: f32) {
    linalg.yield %x : f32
  }
  return
}
// becomes:
func.func @f(%a: tensor<64xf32>) {
  %0 = linalg.map ins(%a : tensor<64xf32>) outs(%a : tensor<64xf32>) (%x: f32) {
    linalg.yield %x : f32
  }
  return
}
// -----
// To LLVM 19: one that is used stays.
func.func @f(%a: tensor<64xf32>) {
  %0 = linalg.map ins(%a : tensor<64xf32>) outs(%a : tensor<64xf32>) (%x: f32, %init: f32) {
    linalg.yield %init : f32
  }
  return
}
// becomes:
// -----
// To LLVM 22: a renamed payload operation in all types.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%root: !transform.op<"tensor.pack">) -> !transform.op<"tensor.pack"> {
    %0 = "my.op"(%root) : (!transform.op<"tensor.pack">) -> !transform.op<"tensor.pack">
    transform.foreach %0 : !transform.op<"tensor.pack"> {
    ^bb0(%each: !transform.op<"tensor.pack">):
      transform.yield
    }
    transform.yield %root : !transform.op<"tensor.pack">
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%root: !transform.op<"linalg.pack">) -> !transform.op<"linalg.pack"> {
    %0 = "my.op"(%root) : (!transform.op<"linalg.pack">) -> !transform.op<"linalg.pack">
    transform.foreach %0 : !transform.op<"linalg.pack"> {
    ^bb0(%each: !transform.op<"linalg.pack">):
      transform.yield
    }
    transform.yield %root : !transform.op<"linalg.pack">
  }
}
// -----
// To LLVM main: a removed payload operation.
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// becomes:
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.elementwise <add> ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// To LLVM 19: parentheses around types stay.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["my.size"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.tile_using_for %m [0] : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["my.size"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.tile_using_for %m tile_sizes [0] : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}
// -----
// To LLVM main: attributes become properties and keywords.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %root {factor = 4 : i64} : !transform.any_op
    %1 = transform.get_parent_op %root {op_name = "func.func", nth_parent = 2 : i64, deduplicate} : (!transform.any_op) -> !transform.any_op
    %2 = transform.get_parent_op %root {isolated_from_above} // the function
        : (!transform.any_op) -> !transform.any_op
    transform.print %root {name = "x", my.own = 1, use_local_scope} : !transform.any_op
    transform.apply_patterns to %root {
      // none
    } {apply_cse} : !transform.any_op
    %5 = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %root factor = 4 : !transform.any_op
    %1 = transform.get_parent_op %root <op_name = "func.func", nth_parent = 2, deduplicate> : (!transform.any_op) -> !transform.any_op
    %2 = transform.get_parent_op %root <isolated_from_above> // the function
        : (!transform.any_op) -> !transform.any_op
    transform.print %root name = "x" use_local_scope {my.own = 1} : !transform.any_op
    transform.apply_patterns to %root {
      // none
    } apply_cse : !transform.any_op
    %5 = transform.structured.match ops{["linalg.elementwise"]} attributes {kind = #linalg.elementwise_kind<add>} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM 22: numbers become a case, and a text of options a dictionary.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.winograd_conv2d %root {m = 4 : i64, r = 3} : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "x" to %root {options = "a-b=false c=7 d=08,f"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.winograd_conv2d %root {fmr = 1 : i32} : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "x" with options = {"a-b" = false, "c" = 7, "d" = "08,f"} to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM main: numbers become a case.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.winograd_conv2d %root {m = 2, r = 5} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.winograd_conv2d %root fmr(F_2_5) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM 19: a case becomes numbers again.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.winograd_conv2d %root fmr(F_2_3) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.winograd_conv2d %root {m = 2, r = 3} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM main: a new result has a name.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %unpack = transform.cast %root : !transform.any_op to !transform.op<"linalg.unpack">
    %a, %b, %c, %d = transform.structured.lower_unpack %unpack : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %unpack = transform.cast %root : !transform.any_op to !transform.op<"linalg.unpack">
    %a, %b, %c, %d, %copy_op = transform.structured.lower_unpack %unpack : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">, !transform.op<"linalg.copy">)
    transform.yield
  }
}
// -----
// To LLVM main: a new result has another name.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %unpack = transform.cast %root : !transform.any_op to !transform.op<"linalg.unpack">
    %a, %b, %c, %copy_op = transform.structured.lower_unpack %unpack : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %unpack = transform.cast %root : !transform.any_op to !transform.op<"linalg.unpack">
    %a, %b, %c, %copy_op, %copy_op1 = transform.structured.lower_unpack %unpack : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">, !transform.op<"linalg.copy">)
    transform.yield
  }
}
// -----
// To LLVM main: a new result is one more of a group.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %unpack = transform.cast %root : !transform.any_op to !transform.op<"linalg.unpack">
    %a:4 = transform.structured.lower_unpack %unpack : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %unpack = transform.cast %root : !transform.any_op to !transform.op<"linalg.unpack">
    %a:5 = transform.structured.lower_unpack %unpack : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">, !transform.op<"linalg.copy">)
    transform.yield
  }
}
// -----
// To LLVM main: a search stays that would have to become two.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.add", "linalg.sub"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM main: a search stays whose attributes are others.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.add"]} attributes{x = 1} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM main: a damaged line stays.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %root {factor = 4 : i64, : !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM main: an operation of a project stays.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.my.own %root {factor = 4 : i64} : !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM 23: the parts of a pattern are all listed.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %root {
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = innerreduction
    } : !transform.any_op
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %root {
      transform.apply_patterns.vector.reorder_multi_reduction_dims lowering_strategy = innerreduction
      transform.apply_patterns.vector.multi_reduction_flattening lowering_strategy = innerreduction
      transform.apply_patterns.vector.multi_reduction_unrolling lowering_strategy = innerreduction
    } : !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM main: also where its strategy is a text.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %root {
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
    } : !transform.any_op
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %root {
      transform.apply_patterns.vector.reorder_multi_reduction_dims lowering_strategy = "innerreduction"
      transform.apply_patterns.vector.multi_reduction_flattening lowering_strategy = "innerreduction"
      transform.apply_patterns.vector.multi_reduction_unrolling lowering_strategy = "innerreduction"
    } : !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM main: a pattern stays whose parts make other operations of its strategy.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %root {
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = innerparallel
    } : !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM 23: also where the strategy is the usual one.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %root {
      transform.apply_patterns.vector.lower_multi_reduction
    } : !transform.any_op
    transform.yield
  }
}
// -----
// To LLVM 22: a loop that becomes a new result is followed.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %f = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.fuse_into_containing_op %m into %f : (!transform.any_op, !transform.any_op) -> !transform.any_op
  %b = transform.structured.fuse_into_containing_op %n into %f : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.print %f : !transform.any_op
}
// becomes:
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %f = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %a, %new_containing_op = transform.structured.fuse_into_containing_op %m into %f : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %b, %new_containing_op1 = transform.structured.fuse_into_containing_op %n into %new_containing_op : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.print %new_containing_op1 : !transform.any_op
}
// -----
// To LLVM 22: payload and its search change together.
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0 = linalg.elemwise_unary ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return
}
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %m = transform.structured.match ops{["linalg.elemwise_unary"]} in %r : (!transform.any_op) -> !transform.any_op
}
// becomes:
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return
}
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %m = transform.structured.match ops{["linalg.elementwise"]} in %r : (!transform.any_op) -> !transform.any_op
}
// -----
// To LLVM main: also with a function.
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0 = linalg.elemwise_unary {fun = #linalg.unary_fn<log>} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return
}
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %m = transform.structured.match ops{["linalg.elemwise_unary"]} in %r : (!transform.any_op) -> !transform.any_op
}
// becomes:
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0 = linalg.elementwise <log> ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return
}
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %m = transform.structured.match ops{["linalg.elementwise"]} in %r : (!transform.any_op) -> !transform.any_op
}
// -----
// To LLVM 22: a payload that would be cast stays, with its search.
func.func @f(%a: tensor<4xf64>, %b: tensor<4xf32>) {
  %0 = linalg.elemwise_unary ins(%a : tensor<4xf64>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return
}
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %m = transform.structured.match ops{["linalg.elemwise_unary"]} in %r : (!transform.any_op) -> !transform.any_op
}
// -----
// To LLVM 22: a payload whose search is for another operation stays.
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0 = linalg.elemwise_unary ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return
}
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %m = transform.structured.match ops{["linalg.elemwise_binary"]} in %r : (!transform.any_op) -> !transform.any_op
}
// -----
// To LLVM main: a way through versions, where none is direct.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  transform.vector.lower_multi_reduction %r lowering_strategy = "innerreduction" : (!transform.any_op) -> !transform.any_op
}
// becomes:
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  transform.apply_patterns to %r {
    transform.apply_patterns.vector.reorder_multi_reduction_dims lowering_strategy = "innerreduction"
    transform.apply_patterns.vector.multi_reduction_flattening lowering_strategy = "innerreduction"
    transform.apply_patterns.vector.multi_reduction_unrolling lowering_strategy = "innerreduction"
  } : !transform.any_op
}
// -----
// To LLVM main: the generic form gets properties.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0:2 = "transform.structured.tile_using_for"(%root) {static_sizes = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0>, my.own} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0:2 = "transform.structured.tile_using_for"(%root) <{static_sizes = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> {my.own} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
// -----
// To LLVM main: payload gets the types and shapes of today.
func.func @f(%a: tensor<2xf32>, %b: memref<2xf32>, %v: vector<2x4xf32>) {
  %0 = linalg.add ins(%a, %a : tensor<2xf32>, tensor<2xf32>) outs(%a : tensor<2xf32>) -> tensor<2xf32>
  %1 = tensor.expand_shape %a [[0, 1]] : tensor<2xf32> into tensor<2x1xf32>
  %3 = bufferization.to_memref %a : memref<2xf32>
  %4 = bufferization.to_tensor %b restrict : memref<2xf32>
  %5 = vector.extract %v[1] : vector<2x4xf32>
  return
}
// -----
// To LLVM main: an unknown size of a known one stays.
func.func @f(%a: tensor<2xf32>) {
  %0 = tensor.expand_shape %a [[0, 1]] : tensor<2xf32> into tensor<?x1xf32>
  return
}
// -----
// To LLVM 22: results that changed their order are told by the forms around them.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %v = transform.structured.vectorize %r : (!transform.any_op) -> !transform.any_op
  %l, %f, %a, %b = transform.structured.tile_reduction_using_forall %v by num_threads = [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
}
// becomes:
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %v = transform.structured.vectorize_children_and_apply_patterns %r : (!transform.any_op) -> !transform.any_op
  %f, %a, %b, %l = transform.structured.tile_reduction_using_forall %v by num_threads = [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
}
// -----
// To LLVM 22: alone they are taken as they are.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %l, %f, %a, %b = transform.structured.tile_reduction_using_forall %r by num_threads = [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
}
// -----
// To LLVM 22: a deallocation that was the default is written where the forms around it are older.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %v = transform.structured.vectorize %r : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.bufferize_to_allocation %v : !transform.any_op
}
// becomes:
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %v = transform.structured.vectorize_children_and_apply_patterns %r : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.bufferize_to_allocation %v {emit_dealloc} : !transform.any_op
}
// -----
// To LLVM 22: alone it is taken as it is.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %a, %b = transform.structured.bufferize_to_allocation %r : !transform.any_op
}
// -----
// To LLVM 22: a bufferization that changed its default stays in an older script.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %v = transform.structured.vectorize %r : (!transform.any_op) -> !transform.any_op
  %b = transform.bufferization.one_shot_bufferize %v : (!transform.any_op) -> !transform.any_op
}
// -----
// To LLVM 22: what is done to operations one by one becomes a loop.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %n = transform.merge_handles %root : !transform.any_op
    %a:2 = transform.structured.split %root after %n {dimension = 1} : !transform.any_op, !transform.any_op
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %n = transform.merge_handles %root : !transform.any_op
    %a:2 = transform.foreach %root, %n : !transform.any_op, !transform.any_op -> !transform.any_op, !transform.any_op {
    ^bb0(%target: !transform.any_op, %dynamic_chunk_sizes: !transform.any_op):
      %parts = transform.structured.split %target after %dynamic_chunk_sizes {dimension = 1} : !transform.any_op, !transform.any_op
      %first, %second = transform.split_handle %parts {fail_on_payload_too_small = false} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield %first, %second : !transform.any_op, !transform.any_op
    }
    transform.yield
  }
}
// -----
// To LLVM 22: also for functions with loops.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %f = transform.structured.match ops{["func.func"]} in %r : (!transform.any_op) -> !transform.any_op
  transform.structured.hoist_redundant_tensor_subsets %f : (!transform.any_op) -> !transform.any_op
}
// becomes:
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %f = transform.structured.match ops{["func.func"]} in %r : (!transform.any_op) -> !transform.any_op
  transform.foreach %f : !transform.any_op {
  ^bb0(%target: !transform.any_op):
    %loops = transform.structured.match ops{["scf.for"]} in %target : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %loops : !transform.any_op
  }
}
// -----
// To LLVM 22: but not for loops.
transform.sequence failures(propagate) {
^bb0(%r: !transform.any_op):
  %f = transform.structured.match ops{["scf.for"]} in %r : (!transform.any_op) -> !transform.any_op
  transform.structured.hoist_redundant_tensor_subsets %f : (!transform.any_op) -> !transform.any_op
}
// -----
// To LLVM 22: what the version reads holds no part back.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.read_only}) {
    %0, %1 = transform.structured.tile_using_for %root [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
// becomes:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.read_only}) {
    %0, %1 = transform.structured.tile_using_for %root tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
