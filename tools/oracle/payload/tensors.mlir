func.func @slices(%t: tensor<?x16xf32>, %small: tensor<4x4xf32>, %i: index, %n: index) -> tensor<?x16xf32> {
  %0 = tensor.extract_slice %t[%i, 0] [4, 4] [1, 2] : tensor<?x16xf32> to tensor<4x4xf32>
  %1 = tensor.insert_slice %0 into %t[%i, 8] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<?x16xf32>
  %2 = tensor.insert_slice %small into %1[0, %n] [4, 4] [%i, 1] : tensor<4x4xf32> into tensor<?x16xf32>
  %3 = tensor.dim %2, %i : tensor<?x16xf32>
  %4 = tensor.extract %2[%i, %n] : tensor<?x16xf32>
  %5 = tensor.insert %4 into %2[%n, %i] : tensor<?x16xf32>
  return %5 : tensor<?x16xf32>
}
// -----
func.func @reshapes(%t: tensor<8x4x?xf32>, %n: index, %shape: tensor<2xi32>) -> (tensor<?x8xf32>, tensor<*xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<8x4x?xf32> into tensor<32x?xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2, 3]] output_shape [4, 8, %n, 2] : tensor<32x?xf32> into tensor<4x8x?x2xf32>
  %2 = tensor.reshape %t(%shape) : (tensor<8x4x?xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %3 = tensor.cast %2 : tensor<?x8xf32> to tensor<*xf32>
  %4 = tensor.rank %3 : tensor<*xf32>
  return %2, %3 : tensor<?x8xf32>, tensor<*xf32>
}
// -----
func.func @padded(%t: tensor<?x7xf32>, %low: index, %v: f32) -> (tensor<?x16xf32>, tensor<4x?xindex>) {
  %0 = tensor.pad %t low[%low, 0] high[0, 9] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x7xf32> to tensor<?x16xf32>
  %1 = tensor.generate %low {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<4x?xindex>
  %2 = tensor.from_elements %v, %v, %v : tensor<3xf32>
  %3 = tensor.splat %v : tensor<8xf32>
  %4 = tensor.splat %v[%low] : tensor<?xf32>
  %5 = tensor.concat dim(0) %2, %3 : (tensor<3xf32>, tensor<8xf32>) -> tensor<11xf32>
  %6 = tensor.empty(%low) : tensor<?x2xi1>
  %7 = tensor.bitcast %5 : tensor<11xf32> to tensor<11xi32>
  return %0, %1 : tensor<?x16xf32>, tensor<4x?xindex>
}
// -----
func.func @gathers(%t: tensor<4x8xf32>, %idx: tensor<2x1xindex>) -> tensor<2x1x8xf32> {
  %0 = tensor.gather %t[%idx] gather_dims([0]) : (tensor<4x8xf32>, tensor<2x1xindex>) -> tensor<2x1x8xf32>
  return %0 : tensor<2x1x8xf32>
}
// -----
func.func @scattered(%t: tensor<8x4xf32>, %i: tensor<2x1xindex>, %s: tensor<2x1x4xf32>) -> tensor<8x4xf32> {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<2x1x4xf32>, tensor<8x4xf32>, tensor<2x1xindex>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
