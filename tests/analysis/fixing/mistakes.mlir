module attributes {transform.with_named_sequences} {
  func.func private @conv(%img: tensor<1x34x34x8xf32>, %flt: tensor<3x3x8x16xf32>, %out: tensor<1x32x32x16xf32>) -> tensor<1x32x32x16xf32> {
    %r = linalg.conv_2d_nhwc_hcwf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%img, %flt : tensor<1x34x34x8xf32>, tensor<3x3x8x16xf32>) outs(%out : tensor<1x32x32x16xf32>) -> tensor<1x32x32x16xf32>
    retrun %r : tensor<1x32x32x16xf32>
  }
  func.func @mm(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x49xf32>) outs(%c : tensor<64x48xf16>) -> tensor<64x48xf32>
    return %0 : tensor<64x48xf32>
  }
  transform.named_sequence @tile_it(%op: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %t, %l:2 = transform.structured.tile_using_for %op tile_size [8, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.print %t {name = "tiled" : !transform.any_op
    %f = transform.cast %l#0 : !transform.any_opp to !transform.op<"scf.for">
    transform.loop.unroll %f {facter = 2} : !transform.op<"scf.for">
    transform.yield %t : !transform.any_op
  }
  func.func @more(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.matmul in(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  transform.named_sequence @more_steps(%op: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} on %op : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %fill tile_sizes [8, 16 : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %t "done" : !transform.any_op
    transform.loop.unroll %l#0 factor = 2} : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %tc, %lc:4 = transform.structured.tile_using_for %conv tile_sizes [1, 4, , 4, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %lc#4 "inner" : !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled = transform.include @tile_itt failures(propagate) (%mm) : (!transform.any_op) -> !transform.any_op
    %func = transform.get_parent_op %tild {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.structured.vectorise %tiled : !transform.any_op
    transform.yield
  }
}
