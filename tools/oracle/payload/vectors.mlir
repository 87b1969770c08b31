#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @contract(%a: vector<4x8xf32>, %b: vector<8x16xf32>, %c: vector<4x16xf32>) -> vector<4x16xf32> {
  %0 = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"],
                        kind = #vector.kind<add>} %a, %b, %c
    : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  return %0 : vector<4x16xf32>
}
func.func @outer(%a: vector<4xf32>, %b: vector<8xf32>, %acc: vector<4x8xf32>) -> vector<4x8xf32> {
  %0 = vector.outerproduct %a, %b, %acc {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<8xf32>
  return %0 : vector<4x8xf32>
}
// -----
func.func @transfers(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %j: index, %mask: vector<4x8xi1>)
    -> (vector<4x8xf32>, tensor<?x?xf32>) {
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %j], %pad {in_bounds = [false, true]} : memref<?x?xf32>, vector<4x8xf32>
  %1 = vector.transfer_read %t[%i, %j], %pad, %mask : tensor<?x?xf32>, vector<4x8xf32>
  %2 = arith.addf %0, %1 : vector<4x8xf32>
  vector.transfer_write %2, %m[%j, %i] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
    : vector<4x8xf32>, memref<?x?xf32>
  %3 = vector.transfer_write %2, %t[%i, %j], %mask : vector<4x8xf32>, tensor<?x?xf32>
  %4 = vector.load %m[%i, %j] : memref<?x?xf32>, vector<8xf32>
  vector.store %4, %m[%i, %j] {nontemporal = true} : memref<?x?xf32>, vector<8xf32>
  return %2, %3 : vector<4x8xf32>, tensor<?x?xf32>
}
// -----
func.func @shapes(%v: vector<2x4xf32>, %s: f32, %i: index) -> (f32, vector<8xf32>) {
  %0 = vector.broadcast %s : f32 to vector<4xf32>
  %1 = vector.extract %v[1] : vector<4xf32> from vector<2x4xf32>
  %2 = vector.insert %s, %1[%i] : f32 into vector<4xf32>
  %3 = vector.shuffle %2, %0 [0, 1, 4, 5, 6, 7, 2, 3] : vector<4xf32>, vector<4xf32>
  %4 = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>
  %5 = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %6 = vector.reduction <mul>, %3 : vector<8xf32> into f32
  %7 = vector.reduction <maximumf>, %3, %6 : vector<8xf32> into f32
  %8 = vector.multi_reduction <add>, %v, %1 [0] : vector<2x4xf32> to vector<4xf32>
  %9 = vector.bitcast %4 : vector<8xf32> to vector<8xi32>
  %10 = vector.extract_strided_slice %v {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}
    : vector<2x4xf32> to vector<2x2xf32>
  %11 = vector.insert_strided_slice %10, %v {offsets = [0, 0], strides = [1, 1]} : vector<2x2xf32> into vector<2x4xf32>
  %12 = vector.interleave %3, %4 : vector<8xf32> -> vector<16xf32>
  %13, %14 = vector.deinterleave %12 : vector<16xf32> -> vector<8xf32>
  %15 = vector.from_elements %s, %7 : vector<2xf32>
  %16:2 = vector.to_elements %15 : vector<2xf32>
  %17 = vector.step : vector<[4]xindex>
  vector.print %16#1 : f32
  vector.print punctuation <newline>
  return %7, %13 : f32, vector<8xf32>
}
// -----
func.func @masked(%m: memref<?xf32>, %n: index, %idx: vector<8xindex>, %pass: vector<8xf32>) -> (vector<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %mask = vector.create_mask %n : vector<8xi1>
  %fixed = vector.constant_mask [5] : vector<8xi1>
  %0 = vector.maskedload %m[%c0], %mask, %pass : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %1 = vector.gather %m[%c0] [%idx], %fixed, %0 : memref<?xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.scatter %m[%c0] [%idx], %mask, %1 : memref<?xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32>
  vector.compressstore %m[%c0], %mask, %1 : memref<?xf32>, vector<8xi1>, vector<8xf32>
  %2 = vector.expandload %m[%c0], %mask, %pass : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %init = arith.constant 0.0 : f32
  %3 = vector.mask %mask { vector.reduction <add>, %2, %init : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %d = arith.constant dense<1.0> : vector<2x4xf32>
  %i = arith.constant dense<0.0> : vector<4xf32>
  %4:2 = vector.scan <add>, %d, %i {inclusive = true, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<4xf32>
  return %2, %3 : vector<8xf32>, f32
}
// -----
func.func @lanes(%lane: index) -> vector<1xf32> {
  %r = gpu.warp_execute_on_lane_0(%lane)[32] -> (vector<1xf32>) {
    %v = "any.def"() : () -> vector<32xf32>
    gpu.yield %v : vector<32xf32>
  }
  %vs = vector.vscale
  return %r : vector<1xf32>
}
// -----
func.func @scalable(%s: vector<[4]xf32>, %v: vector<4xf32>, %m: memref<8xf32>, %i: index, %c: vector<4xi1>) {
  %0 = vector.scalable.insert %v, %s[0] : vector<4xf32> into vector<[4]xf32>
  %1 = vector.scalable.extract %s[0] : vector<4xf32> from vector<[4]xf32>
  vector.maskedstore %m[%i], %c, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>
  return
}
