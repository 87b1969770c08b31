// Functions that schedules are applied to.
// -----
func.func @layer(%a: tensor<32x64xf32>, %b: tensor<64x16xf32>, %bias: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x16xf32>) outs(%f : tensor<32x16xf32>) -> tensor<32x16xf32>
  %s = linalg.add ins(%m, %bias : tensor<32x16xf32>, tensor<32x16xf32>) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %r = linalg.exp ins(%s : tensor<32x16xf32>) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}
// -----
func.func @two_products(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %n = linalg.matmul ins(%m, %c : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %n : tensor<16x16xf32>
}
// -----
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = linalg.abs ins(%m : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %n : tensor<?x?xf32>
}
// -----
func.func @reduce(%t: tensor<16x24xf32>, %o: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]
  } ins(%t : tensor<16x24xf32>) outs(%o : tensor<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}
// -----
func.func @buffers(%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x32xf32>, memref<32x16xf32>) outs(%c : memref<16x16xf32>)
  linalg.copy ins(%c : memref<16x16xf32>) outs(%t : memref<16x16xf32>)
  linalg.add ins(%t, %t : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  memref.dealloc %t : memref<16x16xf32>
  return
}
// -----
func.func @loops(%m: memref<32x32xf32>, %n: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %x = memref.load %m[%i, %j] : memref<32x32xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %n[%i, %j] : memref<32x32xf32>
    }
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %x = memref.load %m[%i, %c0] : memref<32x32xf32>
    memref.store %x, %n[%c0, %i] : memref<32x32xf32>
  }
  return
}
// -----
func.func @conv(%i: tensor<1x10x10x4xf32>, %f: tensor<3x3x4x8xf32>, %o: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%i, %f : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>) outs(%o : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %1 = linalg.abs ins(%0 : tensor<1x8x8x8xf32>) outs(%o : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %1 : tensor<1x8x8x8xf32>
}
// -----
func.func @foralls(%m: memref<8x16xf32>, %v: f32) {
  scf.forall (%i, %j) in (8, 16) {
    memref.store %v, %m[%i, %j] : memref<8x16xf32>
  }
  scf.forall (%i) in (8) {
    %c0 = arith.constant 0 : index
    memref.store %v, %m[%i, %c0] : memref<8x16xf32>
  }
  return
}
// -----
func.func @launched(%m: memref<64xf32>, %v: f32) {
  scf.forall (%i) in (4) {
    scf.forall (%j) in (16) {
      memref.store %v, %m[%j] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
// -----
func.func @softmax(%t: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %s = linalg.softmax dimension(1) ins(%t : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %a = linalg.abs ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %a : tensor<8x16xf32>
}
// -----
func.func @batches(%a: tensor<4x8x16xf32>, %b: tensor<4x16x8xf32>, %c: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %z = arith.constant 1.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %m = linalg.batch_matmul ins(%a, %b : tensor<4x8x16xf32>, tensor<4x16x8xf32>) outs(%f : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %m : tensor<4x8x8xf32>
}
// -----
func.func @padded(%t: tensor<10x12xf32>) -> tensor<16x16xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %t low[0, 0] high[6, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<10x12xf32> to tensor<16x16xf32>
  %e = linalg.exp ins(%p : tensor<16x16xf32>) outs(%p : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %e : tensor<16x16xf32>
}
// -----
func.func @packed(%t: tensor<16x16xf32>, %d: tensor<4x4x4x4xf32>) -> tensor<16x16xf32> {
  %p = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %d : tensor<16x16xf32> -> tensor<4x4x4x4xf32>
  %e = tensor.empty() : tensor<16x16xf32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<4x4x4x4xf32> -> tensor<16x16xf32>
  return %u : tensor<16x16xf32>
}
// -----
func.func @local(%i: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %b[%k] : memref<4xf32>
    "test.use"(%b) : (memref<4xf32>) -> ()
  }
  %s = memref.alloca() : memref<4xf32>
  memref.store %v, %s[%i] : memref<4xf32>
  %r = memref.load %s[%i] : memref<4xf32>
  return %r : f32
}
