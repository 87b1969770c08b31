func.func @network(%x: tensor<1x8x8x4xf32>, %w: tensor<16x3x3x4xf32>, %b: tensor<16xf32>) -> tensor<1x8x8x16xf32> {
  %izp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %izp, %izp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
    : (tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x16xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %2 = tosa.sigmoid %1 : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = tosa.add %2, %0 : (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %3 : tensor<1x8x8x16xf32>
}
// -----
func.func @elementwise(%a: tensor<4x?xf32>, %b: tensor<1x?xf32>) -> (tensor<4x?xf32>, tensor<4x1xf32>, tensor<4x?xi1>) {
  %0 = tosa.maximum %a, %b : (tensor<4x?xf32>, tensor<1x?xf32>) -> tensor<4x?xf32>
  %1 = tosa.exp %0 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %2 = tosa.reduce_sum %1 {axis = 1 : i32} : (tensor<4x?xf32>) -> tensor<4x1xf32>
  %3 = tosa.greater %1, %a : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xi1>
  %4 = tosa.select %3, %a, %1 : (tensor<4x?xi1>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %5 = tosa.transpose %4 {perms = array<i32: 1, 0>} : (tensor<4x?xf32>) -> tensor<?x4xf32>
  %6 = tosa.abs %4 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %6, %2, %3 : tensor<4x?xf32>, tensor<4x1xf32>, tensor<4x?xi1>
}
// -----
func.func @control(%x: tensor<10xi32>, %c: tensor<i1>, %i: tensor<i32>) -> (tensor<10xi32>, tensor<i32>) {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<10xi32> {
    %a = tosa.add %x, %x : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
    tosa.yield %a : tensor<10xi32>
  } else {
    tosa.yield %x : tensor<10xi32>
  }
  %1:2 = tosa.while_loop (%n = %i, %v = %0) : (tensor<i32>, tensor<10xi32>) -> (tensor<i32>, tensor<10xi32>) {
    %limit = "tosa.const"() <{values = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %go = tosa.greater %limit, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %go : tensor<i1>
  } do {
  ^bb0(%n: tensor<i32>, %v: tensor<10xi32>):
    %m = tosa.add %n, %n : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %m, %v : tensor<i32>, tensor<10xi32>
  }
  return %1#1, %1#0 : tensor<10xi32>, tensor<i32>
}
