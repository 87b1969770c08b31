#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

func.func @fill_then_matmul(%lhs: tensor<64x32xf32>, %rhs: tensor<32x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x128xf32>) -> tensor<64x128xf32>
  %product = linalg.matmul ins(%lhs, %rhs : tensor<64x32xf32>, tensor<32x128xf32>)
                           outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %product : tensor<64x128xf32>
}

func.func @row_sums(%in: tensor<?x?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %sums = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%in : tensor<?x?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%element: f32, %sum: f32):
    %next = arith.addf %element, %sum : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  return %sums : tensor<?xf32>
}
// -----
func.func @map_reduce_transpose(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<16x8xf32>) {
  %shape = tensor.empty() : tensor<8x16xf32>
  %sum = linalg.map { arith.addf } ins(%a, %b : tensor<8x16xf32>, tensor<8x16xf32>) outs(%shape : tensor<8x16xf32>)
  %rows = tensor.empty() : tensor<8xf32>
  %reduced = linalg.reduce ins(%sum : tensor<8x16xf32>) outs(%rows : tensor<8xf32>) dimensions = [1]
    (%in: f32, %acc: f32) {
      %r = arith.maximumf %in, %acc : f32
      linalg.yield %r : f32
    }
  %flipped = tensor.empty() : tensor<16x8xf32>
  %transposed = linalg.transpose ins(%sum : tensor<8x16xf32>) outs(%flipped : tensor<16x8xf32>) permutation = [1, 0]
  return %reduced, %transposed : tensor<8xf32>, tensor<16x8xf32>
}
// -----
func.func @convolution(%image: tensor<1x16x16x4xf32>, %filter: tensor<3x3x4x8xf32>, %out: tensor<1x14x14x8xf32>)
    -> tensor<1x14x14x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %filter : tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>)
    outs(%out : tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
  return %0 : tensor<1x14x14x8xf32>
}
// -----
func.func @softmax_pack(%x: tensor<2x16x32xf32>, %m: tensor<128x256xf32>) -> (tensor<2x16x32xf32>, tensor<128x256xf32>) {
  %e = tensor.empty() : tensor<2x16x32xf32>
  %s = linalg.softmax dimension(2) ins(%x : tensor<2x16x32xf32>) outs(%e : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  %packed = tensor.empty() : tensor<16x8x8x32xf32>
  %p = linalg.pack %m outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %packed
    : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
  %back = tensor.empty() : tensor<128x256xf32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %back
    : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
  return %s, %u : tensor<2x16x32xf32>, tensor<128x256xf32>
}
// -----
func.func @batch(%a: tensor<4x8x16xf16>, %b: tensor<4x16x32xf16>, %c: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x8x16xf16>, tensor<4x16x32xf16>)
    outs(%c : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%0 : tensor<4x8x32xf32>)
    outs(%c : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %1 : tensor<4x8x32xf32>
}
// -----
func.func @indices(%out: tensor<4x?xindex>) -> tensor<4x?xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%out : tensor<4x?xindex>) attrs = {my.tag = "keep"} {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.muli %i, %j : index
    linalg.yield %s : index
  } -> tensor<4x?xindex>
  return %0 : tensor<4x?xindex>
}
