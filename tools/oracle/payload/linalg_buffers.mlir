func.func @matmul(%a: memref<32x64xf32>, %b: memref<64x16xf32>, %c: memref<32x16xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x16xf32>) outs(%c : memref<32x16xf32>)
  return
}
func.func @caller(%a: memref<32x64xf32>, %b: memref<64x16xf32>) {
  %c = memref.alloc() : memref<32x16xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x16xf32>)
  call @matmul(%a, %b, %c) : (memref<32x64xf32>, memref<64x16xf32>, memref<32x16xf32>) -> ()
  memref.dealloc %c : memref<32x16xf32>
  return
}
// -----
func.func @dot(%x: memref<?xf64>, %y: memref<?xf64>, %r: memref<f64>) {
  linalg.dot ins(%x, %y : memref<?xf64>, memref<?xf64>) outs(%r : memref<f64>)
  return
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#flip = affine_map<(d0, d1) -> (d1, d0)>
func.func @strided(%in: memref<8x8xf32, strided<[16, 1], offset: ?>>, %out: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [#flip, #map], iterator_types = ["parallel", "parallel"]}
      ins(%in : memref<8x8xf32, strided<[16, 1], offset: ?>>) outs(%out : memref<8x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.constant 2.0 : f32
    %m = arith.mulf %i, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  }
  linalg.copy ins(%out : memref<8x8xf32>) outs(%in : memref<8x8xf32, strided<[16, 1], offset: ?>>)
  return
}
// -----
func.func @pooling(%in: memref<1x?x?x8xf32>, %window: memref<2x2xf32>, %out: memref<1x?x?x8xf32>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%in, %window : memref<1x?x?x8xf32>, memref<2x2xf32>) outs(%out : memref<1x?x?x8xf32>)
  return
}
