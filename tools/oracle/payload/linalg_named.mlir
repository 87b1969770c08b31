func.func @elementwise(%a: tensor<4x8xf32>, %i: tensor<4x8xi32>, %c: tensor<4x8xi1>, %m: memref<4x8xf32>) {
  %0 = linalg.abs ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.ceil ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.erf ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = linalg.floor ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = linalg.log ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = linalg.negf ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = linalg.rsqrt ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = linalg.square ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = linalg.tanh ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %10 = linalg.add ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %11 = linalg.div ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %12 = linalg.div_unsigned ins(%i, %i : tensor<4x8xi32>, tensor<4x8xi32>) outs(%i : tensor<4x8xi32>) -> tensor<4x8xi32>
  %13 = linalg.max ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %14 = linalg.powf ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %15 = linalg.select ins(%c, %a, %a : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.sub ins(%m, %m : memref<4x8xf32>, memref<4x8xf32>) outs(%m : memref<4x8xf32>)
  return
}
// -----
func.func @products(%v8: tensor<8xf32>, %v4: tensor<4xf32>, %m: tensor<4x8xf32>, %n: tensor<8x4xf32>, %q: tensor<4x8xi8>, %r: tensor<8x4xi8>,
                    %zero: i32, %o: tensor<4x4xi32>, %b: tensor<2x4x8xf32>, %d: tensor<2x8x4xf32>, %s: tensor<4x4xf32>, %f: tensor<f32>) {
  %0 = linalg.matvec ins(%m, %v8 : tensor<4x8xf32>, tensor<8xf32>) outs(%v4 : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.vecmat ins(%v4, %m : tensor<4xf32>, tensor<4x8xf32>) outs(%v8 : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.dot ins(%v8, %v8 : tensor<8xf32>, tensor<8xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  %3 = linalg.quantized_matmul ins(%q, %r, %zero, %zero : tensor<4x8xi8>, tensor<8x4xi8>, i32, i32) outs(%o : tensor<4x4xi32>) -> tensor<4x4xi32>
  %4 = linalg.batch_reduce_matmul ins(%b, %d : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%m, %n : tensor<4x8xf32>, tensor<8x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%n, %n : tensor<8x4xf32>, tensor<8x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = linalg.broadcast ins(%v4 : tensor<4xf32>) outs(%m : tensor<4x8xf32>) dimensions = [1]
  return
}
// -----
func.func @batches(%b: tensor<2x4x8xf32>, %w: tensor<2x8xf32>, %x: tensor<2x4xf32>, %p: tensor<2x3x4x8xf32>, %r: tensor<5x3x6x8xf32>, %o: tensor<2x5x4x6xf32>) {
  %0 = linalg.batch_matvec ins(%b, %w : tensor<2x4x8xf32>, tensor<2x8xf32>) outs(%x : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = linalg.batch_vecmat ins(%x, %b : tensor<2x4xf32>, tensor<2x4x8xf32>) outs(%w : tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = linalg.mmt4d ins(%p, %r : tensor<2x3x4x8xf32>, tensor<5x3x6x8xf32>) outs(%o : tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32>
  return
}
// -----
func.func @convolutions(%l: tensor<10xf32>, %k: tensor<3xf32>, %lo: tensor<8xf32>, %i: tensor<1x10x10x3xf32>, %f: tensor<4x3x3x3xf32>,
                        %o: tensor<1x8x8x4xf32>, %c: tensor<1x3x10x10xf32>, %co: tensor<1x4x8x8xf32>, %df: tensor<3x3x3xf32>, %do: tensor<1x8x8x3xf32>,
                        %dm: tensor<3x3x3x2xf32>, %dmo: tensor<1x8x8x3x2xf32>, %s: tensor<1x10x3xf32>, %sf: tensor<3x3x4xf32>, %so: tensor<1x8x4xf32>) {
  %0 = linalg.conv_1d ins(%l, %k : tensor<10xf32>, tensor<3xf32>) outs(%lo : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%i, %f : tensor<1x10x10x3xf32>, tensor<4x3x3x3xf32>) outs(%o : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%c, %f : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%co : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %3 = linalg.depthwise_conv_2d_nhwc_hwc ins(%i, %df : tensor<1x10x10x3xf32>, tensor<3x3x3xf32>) outs(%do : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  %4 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%i, %dm : tensor<1x10x10x3xf32>, tensor<3x3x3x2xf32>) outs(%dmo : tensor<1x8x8x3x2xf32>) -> tensor<1x8x8x3x2xf32>
  %5 = linalg.conv_1d_nwc_wcf ins(%s, %sf : tensor<1x10x3xf32>, tensor<3x3x4xf32>) outs(%so : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  return
}
// -----
func.func @pools(%i: tensor<1x10x10x3xf32>, %w: tensor<3x3xf32>, %o: tensor<1x8x8x3xf32>, %c: tensor<1x3x10x10xf32>, %co: tensor<1x3x8x8xf32>,
                 %t: tensor<2x3x3x5xf32>, %u: tensor<6x6x5x2xf32>, %x: tensor<2x10x10x5xf32>, %y: tensor<6x6x2x2x2x5xf32>, %z: tensor<6x6x2x2x2x2xf32>,
                 %r: tensor<2x8x8x2xf32>) {
  %0 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%i, %w : tensor<1x10x10x3xf32>, tensor<3x3xf32>) outs(%o : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  %1 = linalg.pooling_nchw_max ins(%c, %w : tensor<1x3x10x10xf32>, tensor<3x3xf32>) outs(%co : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %2 = linalg.pooling_nhwc_min ins(%i, %w : tensor<1x10x10x3xf32>, tensor<3x3xf32>) outs(%o : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  %3 = linalg.winograd_filter_transform fmr(F_4_3) ins(%t : tensor<2x3x3x5xf32>) outs(%u : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %4 = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<2x10x10x5xf32>) outs(%y : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  %5 = linalg.winograd_output_transform fmr(F_4_3) ins(%z : tensor<6x6x2x2x2x2xf32>) outs(%r : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return
}
