// Written by a Python front end: every schedule primitive is one operation.
module attributes {transform.with_named_sequence} {
  func.func @gemm(%A: memref<32x32xf32>, %B: memref<32x32xf32>) -> memref<32x32xf32> attributes {itypes = "__", otypes = "_"} {
    %alloc = memref.alloc() {name = "C"} : memref<32x32xf32>
    affine.for %i = 0 to 32 {
      affine.for %j = 0 to 32 {
        affine.for %k = 0 to 32 {
          %0 = affine.load %A[%i, %k] {from = "A"} : memref<32x32xf32>
          %1 = affine.load %B[%k, %j] {from = "B"} : memref<32x32xf32>
          %2 = arith.mulf %0, %1 : f32
          %3 = affine.load %alloc[%i, %j] {from = "C"} : memref<32x32xf32>
          %4 = arith.addf %3, %2 : f32
          affine.store %4, %alloc[%i, %j] {to = "C"} : memref<32x32xf32>
        } {loop_name = "k", op_name = "S_k_0", reduction}
      } {loop_name = "j"}
    } {loop_name = "i", op_name = "S_i_j_0"}
    return %alloc : memref<32x32xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %i = transform.allo.get_loop "S_i_j_0"["i"] in %root : !transform.any_op -> !transform.any_op
    %k = transform.allo.get_loop "S_k_0"["k"] in %root : !transform.any_op -> !transform.any_op
    %outer, %inner = transform.allo.split %i factor 8 : !transform.any_op -> !transform.any_op, !transform.any_op
    transform.allo.reorder %outer, %k, %inner : !transform.any_op, !transform.any_op, !transform.any_op
    transform.allo.pipeline %inner initiation_interval = 1 rewind : !transform.any_op
    transform.allo.partition %root buffer("A") kind<complete> dim = 2 : !transform.any_op
    %line = transform.allo.reuse_at %root target(@gemm::@A) axis(%k : !transform.any_op) : !transform.any_op -> !transform.any_value
    transform.allo.to %line, fifo{depth = 4} : !transform.any_value
    transform.yield
  }
}
