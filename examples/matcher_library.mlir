// A library of matchers and the actions to take: every operation of the payload is offered to the matchers in
// order, and the first one that accepts it decides which action runs.
//
// RUN: mlir-opt %s --transform-interpreter | FileCheck %s
// CHECK-LABEL: func.func @layers
// CHECK:         linalg.fill
// CHECK-SAME:      strategy = "elementwise"
// CHECK:         linalg.matmul
// CHECK-SAME:      strategy = "contraction"

module attributes {transform.with_named_sequence} {
  func.func @layers(%a: tensor<32x?xf32>, %b: tensor<?x64xf32>) -> tensor<32x64xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<32x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x64xf32>) -> tensor<32x64xf32>
    %product = linalg.matmul ins(%a, %b : tensor<32x?xf32>, tensor<?x64xf32>)
                             outs(%init : tensor<32x64xf32>) -> tensor<32x64xf32>
    return %product : tensor<32x64xf32>
  }

  // A matrix multiplication whose result has 32 rows or more.
  transform.named_sequence @match_large_matmul(%candidate: !transform.any_op {transform.readonly})
      -> (!transform.any_op, !transform.param<i64>) {
    transform.match.operation_name %candidate ["linalg.matmul"] : !transform.any_op
    %rows = transform.match.structured %candidate : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%structured: !transform.any_op):
      %rank = transform.match.structured.rank %structured : (!transform.any_op) -> !transform.param<i64>
      %three = transform.param.constant 3 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %three : !transform.param<i64>
      %sizes = transform.match.structured.dim %structured[0] : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield %sizes : !transform.param<i64>
    }
    %least = transform.param.constant 32 : i64 -> !transform.param<i64>
    transform.match.param.cmpi ge %rows, %least : !transform.param<i64>
    transform.yield %candidate, %rows : !transform.any_op, !transform.param<i64>
  }

  transform.named_sequence @match_elementwise(%candidate: !transform.any_op {transform.readonly})
      -> !transform.any_op {
    transform.match.structured %candidate : !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      transform.match.structured.dim %structured[all] {parallel} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield %candidate : !transform.any_op
  }

  transform.named_sequence @use_contraction(%op: !transform.any_op {transform.readonly},
                                            %rows: !transform.param<i64> {transform.readonly}) {
    %strategy = transform.param.constant "contraction" -> !transform.any_param
    transform.annotate %op "strategy" = %strategy : !transform.any_op, !transform.any_param
    transform.annotate %op "rows" = %rows : !transform.any_op, !transform.param<i64>
    transform.yield
  }

  transform.named_sequence @use_elementwise(%op: !transform.any_op {transform.readonly}) {
    %strategy = transform.param.constant "elementwise" -> !transform.any_param
    transform.annotate %op "strategy" = %strategy : !transform.any_op, !transform.any_param
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %updated = transform.foreach_match in %root
        @match_large_matmul -> @use_contraction,
        @match_elementwise -> @use_elementwise
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
