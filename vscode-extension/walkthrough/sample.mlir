// Tiles a matrix multiplication. The script has a mistake: see the Problems panel.

module attributes {transform.with_named_sequence} {
  func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>,
                    %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %product = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                             outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %product : tensor<64x64xf32>
  }

  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 =
        transform.structured.tile_using_for %matmul tile_sizes [8, 16]
        : (!transform.any_op)
          -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // Tiling has consumed %matmul: from here on it is called %tiled.
    transform.annotate %matmul "tiled" : !transform.any_op
    transform.loop.unroll %loops#1 {factor = 2} : !transform.any_op
    transform.yield
  }
}
