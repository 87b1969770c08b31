module attributes {transform.with_named_sequence} {
  func.func @f(%p: tensor<4x4x2x2xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x4x2x2xf32> -> tensor<8x8xf32>
    return %u : tensor<8x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %u = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.unpack">
    %e, %t, %c, %s, %y = transform.structured.lower_unpack %u : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">, !transform.op<"linalg.copy">)
    transform.yield
  }
}
