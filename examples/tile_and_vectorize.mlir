// Tiles a matrix multiplication and the bias addition behind it together, then vectorizes both.
//
// RUN: mlir-opt %s --transform-interpreter --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @matmul_bias
// CHECK:         scf.forall
// CHECK:           scf.for
// CHECK:             vector.contract

func.func @matmul_bias(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>, %bias: tensor<128x256xf32>)
    -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %product = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>)
                           outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sum = linalg.add ins(%product, %bias : tensor<128x256xf32>, tensor<128x256xf32>)
                    outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %sum : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root
        : (!transform.any_op) -> !transform.any_op

    // The consumer is tiled first, its producers are pulled into the loop it makes.
    %tiled_add, %forall = transform.structured.tile_using_forall %add tile_sizes [16, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled_matmul, %forall_1 = transform.structured.fuse_into_containing_op %matmul into %forall
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled_fill, %forall_2 = transform.structured.fuse_into_containing_op %fill into %forall_1
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)

    // The reduction gets a loop of its own.
    %inner_matmul, %reduction = transform.structured.tile_using_for %tiled_matmul tile_sizes [0, 0, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    transform.structured.vectorize %inner_matmul : !transform.any_op
    transform.structured.vectorize %tiled_add : !transform.any_op
    transform.structured.vectorize %tiled_fill : !transform.any_op

    %func = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.yield
  }
}
