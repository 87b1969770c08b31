// Every set of patterns of transform.apply_patterns, on a payload that it changes.
// -----
// canonicalization
func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %s = arith.addi %c0, %x : i32
  return %s : i32
}
// patterns
transform.apply_patterns.canonicalization
// -----
// several sets
func.func @f(%m: memref<8x8xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%i, 2] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1], offset: ?>>
  %j = arith.addi %i, %c0 : index
  %v = memref.load %s[%j, %j] : memref<2x2xf32, strided<[8, 1], offset: ?>>
  return %v : f32
}
// patterns
transform.apply_patterns.canonicalization
transform.apply_patterns.scf.for_loop_canonicalization
transform.apply_patterns.memref.fold_memref_alias_ops
// -----
// scf: canonicalization of loops
func.func @f(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c4 {
    %s = affine.min affine_map<(d0) -> (4, -d0 + 16)>(%i)
    memref.store %s, %m[%i] : memref<?xindex>
  }
  return
}
// patterns
transform.apply_patterns.scf.for_loop_canonicalization
// -----
// linalg: decompose pack and unpack
func.func @f(%a: tensor<1x1x32x8xf32>, %p: tensor<1x1x1x1x8x32xf32>) -> tensor<1x1x1x1x8x32xf32> {
  %0 = linalg.pack %a inner_dims_pos = [3, 2] inner_tiles = [8, 32] into %p : tensor<1x1x32x8xf32> -> tensor<1x1x1x1x8x32xf32>
  return %0 : tensor<1x1x1x1x8x32xf32>
}
// patterns
transform.apply_patterns.linalg.decompose_pack_unpack
// -----
// linalg: decompose pad
func.func @f(%a: tensor<4x5xf32>, %v: f32) -> tensor<6x9xf32> {
  %0 = tensor.pad %a low[1, 2] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x5xf32> to tensor<6x9xf32>
  return %0 : tensor<6x9xf32>
}
// patterns
transform.apply_patterns.linalg.decompose_pad
// -----
// linalg: pad vectorization
func.func @f(%a: tensor<4x5xf32>, %o: tensor<6x9xf32>) -> vector<6x9xf32> {
  %v = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %a low[0, 0] high[2, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x5xf32> to tensor<6x9xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %v : tensor<6x9xf32>, vector<6x9xf32>
  return %1 : vector<6x9xf32>
}
// patterns
transform.apply_patterns.linalg.pad_vectorization
// -----
// linalg: unnecessary inputs
func.func @f(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// patterns
transform.apply_patterns.linalg.erase_unnecessary_inputs
// -----
// linalg: additions into destinations
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = linalg.add ins(%m, %n : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}
// patterns
transform.apply_patterns.linalg.fold_add_into_dest
// -----
// linalg: packs of empty tensors
func.func @f() -> tensor<1x2x4x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %p = tensor.empty() : tensor<1x2x4x4xf32>
  %0 = linalg.pack %e inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p : tensor<4x8xf32> -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}
// patterns
transform.apply_patterns.linalg.fold_pack_unpack_into_empty
// -----
// linalg: dimensions of one
// $how: reshapes | slices
func.func @f(%a: tensor<1x4xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<1x4xf32>) outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
// patterns
transform.apply_patterns.linalg.fold_unit_extent_dims_via_$how
// -----
// linalg: canonicalization of tiles
func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<4xf32> {
  %c4 = arith.constant 4 : index
  %s = affine.min affine_map<(d0) -> (4, d0)>(%c4)
  %0 = tensor.extract_slice %a[0] [%s] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
// patterns
transform.apply_patterns.linalg.tiling_canonicalization
// -----
// memref: allocations on the stack
// $limit: nothing | size_limit(64) | size_limit(8)
func.func @f(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
// patterns
transform.apply_patterns.memref.alloc_to_alloca $limit
// -----
// memref: expand operations
func.func @f(%m: memref<?xf32>, %shape: memref<2xindex>) -> memref<?x?xf32> {
  %0 = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  return %0 : memref<?x?xf32>
}
// patterns
transform.apply_patterns.memref.expand_ops
// -----
// memref: expand metadata
func.func @f(%m: memref<8x8xf32>, %i: index) -> (memref<f32>, index, index, index, index, index) {
  %s = memref.subview %m[%i, 0] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1], offset: ?>>
  %b, %o, %sizes:2, %strides:2 = memref.extract_strided_metadata %s : memref<2x2xf32, strided<[8, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %b, %o, %sizes#0, %sizes#1, %strides#0, %strides#1 : memref<f32>, index, index, index, index, index
}
// patterns
transform.apply_patterns.memref.expand_strided_metadata
// -----
// memref: computations of addresses
func.func @f(%m: memref<8x8xf32>, %i: index, %j: index) -> f32 {
  %v = memref.load %m[%i, %j] : memref<8x8xf32>
  return %v : f32
}
// patterns
transform.apply_patterns.memref.extract_address_computations
// -----
// memref: aliases
func.func @f(%m: memref<8x8xf32>, %i: index, %j: index) -> f32 {
  %s = memref.subview %m[%i, 2] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1], offset: ?>>
  %v = memref.load %s[%j, %j] : memref<2x2xf32, strided<[8, 1], offset: ?>>
  return %v : f32
}
// patterns
transform.apply_patterns.memref.fold_memref_alias_ops
// -----
// memref: dimensions of results
func.func @f(%t: tensor<?x4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %e = linalg.exp ins(%t : tensor<?x4xf32>) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = tensor.dim %e, %c0 : tensor<?x4xf32>
  return %d : index
}
// patterns
transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
// -----
// tensor: slices further up
func.func @f(%a: tensor<8x4xf32>) -> tensor<2x4xf32> {
  %e = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 4, 4] : tensor<8x4xf32> into tensor<2x4x4xf32>
  %s = tensor.extract_slice %e[1, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to tensor<1x4x4xf32>
  %r = tensor.extract_slice %s[0, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<1x4x4xf32> to tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
// patterns
transform.apply_patterns.tensor.bubble_up_extract_slice
// -----
// tensor: concatenations
func.func @f(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
// patterns
transform.apply_patterns.tensor.decompose_concat
// -----
// tensor: expansion of rank before an insertion
func.func @f(%a: tensor<4x4xf32>, %d: tensor<8x8xf32>) -> tensor<2x2xf32> {
  %e = tensor.insert_slice %a into %d[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  %x = tensor.empty() : tensor<1x4x4xf32>
  %y = tensor.insert_slice %a into %x[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<4x4xf32> into tensor<1x4x4xf32>
  %z = tensor.extract_slice %y[0, 1, 1] [1, 2, 2] [1, 1, 1] : tensor<1x4x4xf32> to tensor<2x2xf32>
  return %z : tensor<2x2xf32>
}
// patterns
transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
// -----
// tensor: into packs
func.func @f(%a: tensor<5x8xf32>, %p: tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x8xf32> to tensor<8x8xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  return %1 : tensor<2x2x4x4xf32>
}
// patterns
transform.apply_patterns.tensor.fold_into_pack_and_unpack
// -----
// tensor: empty tensors
// $options: nothing | {fold_single_use_only = true}
func.func @f(%i: index) -> (tensor<2xf32>, tensor<2x2xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %s = tensor.extract_slice %e[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %x = tensor.expand_shape %e [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %s, %x : tensor<2xf32>, tensor<2x2xf32>
}
// patterns
transform.apply_patterns.tensor.fold_tensor_empty $options
// -----
// tensor: subsets
// $into: fold_tensor_subset_ops | fold_tensor_subset_ops_into_vector_transfers
func.func @f(%a: tensor<8x8xf32>, %i: index) -> vector<2xf32> {
  %pad = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %a[%i, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %v = vector.transfer_read %s[%c1, %c1], %pad {in_bounds = [true]} : tensor<4x4xf32>, vector<2xf32>
  return %v : vector<2xf32>
}
// patterns
transform.apply_patterns.tensor.$into
// -----
// tensor: slices of slices
func.func @f(%a: tensor<8x8xf32>, %i: index) -> tensor<2x2xf32> {
  %s = tensor.extract_slice %a[%i, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %t = tensor.extract_slice %s[1, 1] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return %t : tensor<2x2xf32>
}
// patterns
transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
// -----
// tensor: reshapes
func.func @f(%a: tensor<4x4xf32>, %d: tensor<8x4x4xf32>) -> tensor<8x4x4xf32> {
  %e = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
  %r = tensor.insert_slice %e into %d[2, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<1x4x4xf32> into tensor<8x4x4xf32>
  return %r : tensor<8x4x4xf32>
}
// patterns
transform.apply_patterns.tensor.reassociative_reshape_folding
// -----
// tensor: constants
// $options: nothing | aggressive
func.func @f() -> (tensor<2xf32>, tensor<2x4xi8>) {
  %c = arith.constant 1.0 : f32
  %g = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<2xf32>
  %s = arith.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>
  %z = arith.constant 0 : i8
  %p = tensor.pad %s low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : i8
  } : tensor<1x4xi8> to tensor<2x4xi8>
  return %g, %p : tensor<2xf32>, tensor<2x4xi8>
}
// patterns
transform.apply_patterns.tensor.rewrite_as_constant $options
// -----
// gpu: barriers
func.func @f(%m: memref<4xf32>, %v: f32, %i: index) {
  memref.store %v, %m[%i] : memref<4xf32>
  gpu.barrier
  gpu.barrier
  %0 = memref.load %m[%i] : memref<4xf32>
  memref.store %0, %m[%i] : memref<4xf32>
  return
}
// patterns
transform.apply_patterns.gpu.eliminate_barriers
// -----
// gpu: rewrites
func.func @f() -> index {
  %0 = gpu.global_id x
  return %0 : index
}
// patterns
transform.apply_patterns.gpu.gpu_rewrite_patterns
// -----
// gpu: shuffles
// $options: nothing | chipset = "gfx950"
func.func @f(%x: f32) -> f32 {
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %0, %1 = gpu.shuffle xor %x, %c16, %c64 : f32
  return %0 : f32
}
// patterns
transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu $options
// -----
// payload contraction
func.func @f(%a: vector<16x16xf16>, %b: vector<16x16xf16>, %c: vector<16x16xf16>) -> vector<16x16xf16> {
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf16>
  return %0 : vector<16x16xf16>
}
// -----
// gpu: unroll for subgroups
// on: contraction
// $shape: [16, 16, 8] | [8, 4, 2]
// patterns
transform.apply_patterns.gpu.unroll_vectors_subgroup_mma $shape
// -----
// vector: contractions
// on: contraction
// $strategy: nothing | lowering_strategy = "outerproduct" | lowering_strategy = "dot" | lowering_strategy = "parallelarith" | lowering_strategy = "llvmintr"
// patterns
transform.apply_patterns.vector.lower_contraction $strategy
// -----
// vector: dimensions of one
// $patterns: cast_away_vector_leading_one_dim | drop_unit_dims_with_shape_cast
func.func @f(%a: vector<1x1x8xf32>, %b: vector<1x1x8xf32>) -> vector<1x1x8xf32> {
  %0 = arith.addf %a, %b : vector<1x1x8xf32>
  %1 = vector.shape_cast %0 : vector<1x1x8xf32> to vector<8x1x1xf32>
  %2 = vector.shape_cast %1 : vector<8x1x1xf32> to vector<1x1x8xf32>
  return %2 : vector<1x1x8xf32>
}
// patterns
transform.apply_patterns.vector.$patterns
// -----
// vector: inner dimensions of one
func.func @f(%m: memref<4x8x1xf32>, %i: index) -> vector<8x1xf32> {
  %pad = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%i, %c0, %c0], %pad {in_bounds = [true, true]} : memref<4x8x1xf32>, vector<8x1xf32>
  return %0 : vector<8x1xf32>
}
// patterns
transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
// -----
// vector: elementwise operations
func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %0 = math.fma %a, %b, %a : vector<4xf32>
  return %0 : vector<4xf32>
}
// patterns
transform.apply_patterns.vector.elementwise_to_vector
// -----
// vector: extensions
func.func @f(%a: vector<4x4xf16>, %b: vector<4x4xf16>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  %x = arith.extf %a : vector<4x4xf16> to vector<4x4xf32>
  %y = arith.extf %b : vector<4x4xf16> to vector<4x4xf32>
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %x, %y, %c : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
// patterns
transform.apply_patterns.vector.fold_arith_extension
// -----
// vector: interleaving
// $patterns: interleave_to_shuffle | lower_interleave
func.func @f(%a: vector<2x4xi8>, %b: vector<2x4xi8>, %c: vector<4xi8>) -> (vector<2x8xi8>, vector<8xi8>) {
  %0 = vector.interleave %a, %b : vector<2x4xi8> -> vector<2x8xi8>
  %1 = vector.interleave %c, %c : vector<4xi8> -> vector<8xi8>
  return %0, %1 : vector<2x8xi8>, vector<8xi8>
}
// patterns
transform.apply_patterns.vector.$patterns
// -----
// vector: bit casts
func.func @f(%a: vector<2x4xi32>) -> vector<2x8xi16> {
  %0 = vector.bitcast %a : vector<2x4xi32> to vector<2x8xi16>
  return %0 : vector<2x8xi16>
}
// patterns
transform.apply_patterns.vector.lower_bitcast
// -----
// vector: broadcasts
func.func @f(%a: vector<4xf32>) -> vector<2x4xf32> {
  %0 = vector.broadcast %a : vector<4xf32> to vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
// patterns
transform.apply_patterns.vector.lower_broadcast
// -----
// vector: masks
// $patterns: lower_create_mask | materialize_masks
func.func @f(%n: index) -> (vector<2x4xi1>, vector<8xi1>) {
  %0 = vector.create_mask %n, %n : vector<2x4xi1>
  %1 = vector.create_mask %n : vector<8xi1>
  return %0, %1 : vector<2x4xi1>, vector<8xi1>
}
// patterns
transform.apply_patterns.vector.$patterns
// -----
// vector: masked operations
// $patterns: lower_masks | lower_masked_transfers
func.func @f(%t: tensor<?xf32>, %m: vector<4xi1>, %n: index) -> vector<4xf32> {
  %pad = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %k = vector.constant_mask [3] : vector<4xi1>
  %0 = vector.mask %m { vector.transfer_read %t[%c0], %pad {in_bounds = [true]} : tensor<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}
// patterns
transform.apply_patterns.vector.$patterns
// -----
// vector: gathers
func.func @f(%m: memref<16xf32>, %i: vector<2x2xindex>, %k: vector<2x2xi1>, %p: vector<2x2xf32>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.gather %m[%c0] [%i], %k, %p : memref<16xf32>, vector<2x2xindex>, vector<2x2xi1>, vector<2x2xf32> into vector<2x2xf32>
  return %0 : vector<2x2xf32>
}
// patterns
transform.apply_patterns.vector.lower_gather
// -----
// payload multi_reduction
func.func @f(%a: vector<4x8xf32>, %o: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.multi_reduction <add>, %a, %o [1] : vector<4x8xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}
// -----
// vector: reductions
// on: multi_reduction
// $strategy: nothing | lowering_strategy = "innerreduction" | lowering_strategy = "innerparallel"
// patterns
transform.apply_patterns.vector.lower_multi_reduction $strategy
// -----
// vector: reductions to contractions
func.func @f(%a: vector<4x8xf32>, %b: vector<4x8xf32>, %o: vector<4xf32>) -> vector<4xf32> {
  %m = arith.mulf %a, %b : vector<4x8xf32>
  %0 = vector.multi_reduction <add>, %m, %o [1] : vector<4x8xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}
// patterns
transform.apply_patterns.vector.reduction_to_contract
// -----
// vector: outer products
func.func @f(%a: vector<2xf32>, %b: vector<4xf32>, %c: vector<2x4xf32>) -> vector<2x4xf32> {
  %0 = vector.outerproduct %a, %b, %c : vector<2xf32>, vector<4xf32>
  return %0 : vector<2x4xf32>
}
// patterns
transform.apply_patterns.vector.lower_outerproduct
// -----
// vector: scans
func.func @f(%a: vector<2x4xf32>, %i: vector<4xf32>) -> (vector<2x4xf32>, vector<4xf32>) {
  %0:2 = vector.scan <add>, %a, %i {inclusive = true, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<4xf32>
  return %0#0, %0#1 : vector<2x4xf32>, vector<4xf32>
}
// patterns
transform.apply_patterns.vector.lower_scan
// -----
// vector: shape casts
func.func @f(%a: vector<2x4xf32>) -> vector<8xf32> {
  %0 = vector.shape_cast %a : vector<2x4xf32> to vector<8xf32>
  return %0 : vector<8xf32>
}
// patterns
transform.apply_patterns.vector.lower_shape_cast
// -----
// payload transfers
func.func @f(%m: memref<?x?x8xf32>, %v: vector<4x8xf32>, %i: index) -> vector<4x8xf32> {
  %pad = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %m[%i, %c0, %c0] {permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>} : vector<4x8xf32>, memref<?x?x8xf32>
  %0 = vector.transfer_read %m[%i, %c0, %c0], %pad {permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : memref<?x?x8xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
// -----
// vector: transfers
// on: transfers
// $patterns: lower_transfer | lower_transfer max_transfer_rank = 3 | transfer_to_scf | transfer_to_scf full_unroll = true | transfer_to_scf max_transfer_rank = 2 full_unroll = true | transfer_permutation_patterns
// patterns
transform.apply_patterns.vector.$patterns
// -----
// vector: transfers in one dimension
// $patterns: lower_transfer max_transfer_rank = 1 | split_transfer_full_partial split_transfer_strategy = "force-in-bounds"
func.func @f(%m: memref<?x8xf32>, %i: index) -> vector<4xf32> {
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %i], %pad : memref<?x8xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i, %i], %pad {in_bounds = [true]} : memref<?x8xf32>, vector<4xf32>
  %2 = arith.addf %0, %1 : vector<4xf32>
  return %2 : vector<4xf32>
}
// patterns
transform.apply_patterns.vector.$patterns
// -----
// vector: transpositions
// $strategy: nothing | lowering_strategy = "eltwise" | lowering_strategy = "llvmintr" | lowering_strategy = "shuffle_1d" | lowering_strategy = "shuffle_16x16" | avx2_lowering_strategy = true
func.func @f(%a: vector<4x8xf32>) -> vector<8x4xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  return %0 : vector<8x4xf32>
}
// patterns
transform.apply_patterns.vector.lower_transpose $strategy
// -----
// vector: subviews of lower rank
func.func @f(%m: memref<1x8x1xf32>, %i: index) -> vector<1x8x1xf32> {
  %pad = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<1x8x1xf32>, vector<1x8x1xf32>
  return %0 : vector<1x8x1xf32>
}
// patterns
transform.apply_patterns.vector.rank_reducing_subview_patterns
// -----
// vector: narrow types
func.func @f(%a: vector<8xi4>) -> vector<8xi32> {
  %0 = arith.extsi %a : vector<8xi4> to vector<8xi32>
  return %0 : vector<8xi32>
}
// patterns
transform.apply_patterns.vector.rewrite_narrow_types
// -----
// vector: sink operations
func.func @f(%a: f32, %b: f32) -> vector<4xf32> {
  %x = vector.broadcast %a : f32 to vector<4xf32>
  %y = vector.broadcast %b : f32 to vector<4xf32>
  %0 = arith.addf %x, %y : vector<4xf32>
  return %0 : vector<4xf32>
}
// patterns
transform.apply_patterns.vector.sink_ops
// -----
// vector: sink accesses to memory
func.func @f(%m: memref<8xf32>, %i: index) -> f32 {
  %v = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
  %0 = vector.extract %v[1] : f32 from vector<4xf32>
  return %0 : f32
}
// patterns
transform.apply_patterns.vector.sink_mem_ops
// -----
// vector: elements
// $patterns: unroll_from_elements | unroll_to_elements
func.func @f(%a: f32, %b: f32, %v: vector<1x2xf32>) -> (vector<2x1xf32>, f32, f32) {
  %0 = vector.from_elements %a, %b : vector<2x1xf32>
  %1:2 = vector.to_elements %v : vector<1x2xf32>
  return %0, %1#0, %1#1 : vector<2x1xf32>, f32, f32
}
// patterns
transform.apply_patterns.vector.$patterns
// -----
// arm: products of integers
func.func @f(%a: vector<4x8xi8>, %b: vector<4x8xi8>, %c: vector<4x4xi32>) -> vector<4x4xi32> {
  %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extsi %b : vector<4x8xi8> to vector<4x8xi32>
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %x, %y, %c : vector<4x8xi32>, vector<4x8xi32> into vector<4x4xi32>
  return %0 : vector<4x4xi32>
}
// patterns
transform.apply_patterns.arm_neon.vector_contract_to_i8mm
// -----
// arm: scalable products of integers
func.func @f(%a: vector<4x8xi8>, %b: vector<[4]x8xi8>, %c: vector<4x[4]xi32>) -> vector<4x[4]xi32> {
  %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
  %y = arith.extsi %b : vector<[4]x8xi8> to vector<[4]x8xi32>
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %x, %y, %c : vector<4x8xi32>, vector<[4]x8xi32> into vector<4x[4]xi32>
  return %0 : vector<4x[4]xi32>
}
// patterns
transform.apply_patterns.arm_sve.vector_contract_to_i8mm
// -----
// arm: products of bfloats
func.func @f(%a: vector<4x4xbf16>, %b: vector<4x4xbf16>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<4x4xbf16>, vector<4x4xbf16> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
// patterns
transform.apply_patterns.arm_neon.vector_contract_to_bfmmla
// -----
// arm: scalable products of bfloats
func.func @f(%a: vector<4x4xbf16>, %b: vector<[4]x4xbf16>, %c: vector<4x[4]xf32>) -> vector<4x[4]xf32> {
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<4x4xbf16>, vector<[4]x4xbf16> into vector<4x[4]xf32>
  return %0 : vector<4x[4]xf32>
}
// patterns
transform.apply_patterns.arm_sve.vector_contract_to_bfmmla
// -----
// x86: products
func.func @f(%a: vector<1x1xf32>, %b: vector<1x16xf32>, %c: vector<1x16xf32>) -> vector<1x16xf32> {
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<1x1xf32>, vector<1x16xf32> into vector<1x16xf32>
  return %0 : vector<1x16xf32>
}
// patterns
transform.apply_patterns.x86vector.vector_contract_to_fma
// -----
// x86: products of packed types
func.func @f(%a: vector<1x1x2xbf16>, %b: vector<1x16x2xbf16>, %c: vector<1x16xf32>) -> vector<1x16xf32> {
  %0 = vector.contract {
    indexing_maps = [affine_map<(v, m, n, k) -> (m, k, v)>, affine_map<(v, m, n, k) -> (k, n, v)>, affine_map<(v, m, n, k) -> (m, n)>],
    iterator_types = ["reduction", "parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %c : vector<1x1x2xbf16>, vector<1x16x2xbf16> into vector<1x16xf32>
  return %0 : vector<1x16xf32>
}
// patterns
transform.apply_patterns.x86vector.vector_contract_to_packed_type_dot_product
// -----
// x86: products of bfloats
func.func @f(%a: memref<4x1x2xbf16>, %b: memref<1x32x2xbf16>, %c: vector<1x8xf32>) -> vector<1x8xf32> {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0, %c0, %c0] : memref<4x1x2xbf16>, vector<1x1x2xbf16>
  %y = vector.load %b[%c0, %c0, %c0] : memref<1x32x2xbf16>, vector<1x8x2xbf16>
  %0 = vector.contract {
    indexing_maps = [affine_map<(v, m, n, k) -> (m, k, v)>, affine_map<(v, m, n, k) -> (k, n, v)>, affine_map<(v, m, n, k) -> (m, n)>],
    iterator_types = ["reduction", "parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %x, %y, %c : vector<1x1x2xbf16>, vector<1x8x2xbf16> into vector<1x8xf32>
  return %0 : vector<1x8xf32>
}
// patterns
transform.apply_patterns.x86vector.vector_contract_bf16_to_fma
// -----
// x86: sink producers
func.func @f(%m: memref<4x8xf32>, %c: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = vector.load %m[%c0, %c0] : memref<4x8xf32>, vector<8xf32>
  %y = vector.load %m[%c1, %c0] : memref<4x8xf32>, vector<8xf32>
  %z = vector.load %m[%c2, %c0] : memref<4x8xf32>, vector<8xf32>
  %s = vector.fma %x, %y, %c : vector<8xf32>
  %t = vector.fma %z, %y, %s : vector<8xf32>
  return %t : vector<8xf32>
}
// patterns
transform.apply_patterns.x86vector.sink_vector_producer_ops
