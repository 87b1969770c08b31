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
