// Scripts that go on as good as for ever.
// -----
// a pattern that applies to what it made
// $strategy: nothing | split_transfer_strategy = "vector-transfer"
func.func @f(%m: memref<?x8xf32>, %i: index) -> vector<4xf32> {
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %i], %pad : memref<?x8xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
// patterns
transform.apply_patterns.vector.split_transfer_full_partial $strategy
// -----
// products without end
// $strategy: dot | parallelarith
func.func @f(%a: vector<2048x2048xf32>, %b: vector<2048x2048xf32>, %c: vector<2048x2048xf32>) -> vector<2048x2048xf32> {
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<2048x2048xf32>, vector<2048x2048xf32> into vector<2048x2048xf32>
  return %0 : vector<2048x2048xf32>
}
// patterns
transform.apply_patterns.vector.lower_contraction lowering_strategy = "$strategy"
// -----
// a transposition, element by element
func.func @f(%a: vector<4096x4096xf32>) -> vector<4096x4096xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<4096x4096xf32> to vector<4096x4096xf32>
  return %0 : vector<4096x4096xf32>
}
// patterns
transform.apply_patterns.vector.lower_transpose
// -----
// a transfer, row by row
func.func @f(%m: memref<?x?xf32>, %i: index) -> vector<100000x8xf32> {
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %i], %pad : memref<?x?xf32>, vector<100000x8xf32>
  return %0 : vector<100000x8xf32>
}
// patterns
transform.apply_patterns.vector.transfer_to_scf full_unroll = true
