memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]> {alignment = 64}
memref.global @scratch : memref<16x16xi8, 3>

func.func @views(%m: memref<16x32xf32>, %raw: memref<2048xi8>, %i: index, %n: index) -> memref<?x4xf32, strided<[64, 2], offset: ?>> {
  %0 = memref.subview %m[%i, 0] [%n, 4] [2, 2] : memref<16x32xf32> to memref<?x4xf32, strided<[64, 2], offset: ?>>
  %1 = memref.view %raw[%i][%n] : memref<2048xi8> to memref<?x4xf32>
  %2 = memref.reinterpret_cast %m to offset: [%i], sizes: [4, 4], strides: [%n, 1]
    : memref<16x32xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  %3 = memref.collapse_shape %m [[0, 1]] : memref<16x32xf32> into memref<512xf32>
  %flat = memref.cast %3 : memref<512xf32> to memref<?xf32>
  %4 = memref.expand_shape %flat [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  %5 = memref.transpose %m (i, j) -> (j, i) : memref<16x32xf32> to memref<32x16xf32, strided<[1, 32]>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<16x32xf32> -> memref<f32>, index, index, index, index, index
  %6 = memref.cast %m : memref<16x32xf32> to memref<?x?xf32>
  %7 = memref.memory_space_cast %m : memref<16x32xf32> to memref<16x32xf32, 1>
  %8 = memref.extract_aligned_pointer_as_index %m : memref<16x32xf32> -> index
  return %0 : memref<?x4xf32, strided<[64, 2], offset: ?>>
}
// -----
memref.global "private" constant @values : memref<4xf32> = dense<0.5>
func.func @storage(%n: index, %x: f32) -> memref<?x4xf32> {
  %0 = memref.alloc(%n) : memref<?x4xf32>
  %1 = memref.alloca() {alignment = 16 : i64} : memref<4xf32, 1>
  %2 = memref.alloc(%n)[%n] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %3 = memref.get_global @values : memref<4xf32>
  %4 = memref.dim %0, %n : memref<?x4xf32>
  %m = memref.alloc() : memref<8xf32>
  %5 = memref.realloc %m(%n) : memref<8xf32> to memref<?xf32>
  memref.store %x, %0[%n, %n] {nontemporal = true} : memref<?x4xf32>
  %6 = memref.atomic_rmw addf %x, %0[%n, %n] : (f32, memref<?x4xf32>) -> f32
  %7 = memref.generic_atomic_rmw %0[%n, %n] : memref<?x4xf32> {
  ^bb0(%old: f32):
    %new = arith.mulf %old, %x : f32
    memref.atomic_yield %new : f32
  }
  %8 = memref.alloca_scope -> (f32) {
    %inner = memref.alloca() : memref<f32>
    %value = memref.load %inner[] : memref<f32>
    memref.alloca_scope.return %value : f32
  }
  memref.copy %3, %1 : memref<4xf32> to memref<4xf32, 1>
  memref.assume_alignment %0, 32 : memref<?x4xf32>
  memref.prefetch %0[%n, %n], write, locality<1>, data : memref<?x4xf32>
  memref.dealloc %5 : memref<?xf32>
  return %0 : memref<?x4xf32>
}
// -----
func.func @bufferized(%t: tensor<4xf32>, %m: memref<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %1 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %2 = bufferization.alloc_tensor() copy(%1) {memory_space = 1 : i64} : tensor<4xf32>
  %3 = bufferization.alloc_tensor() : tensor<8xf32>
  %4 = bufferization.clone %0 : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%4 : memref<4xf32>) if (%c)
  %5 = bufferization.materialize_in_destination %2 in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  bufferization.dealloc_tensor %3 : tensor<8xf32>
  return %5 : tensor<4xf32>
}
// -----
memref.global @shared : memref<4xf32> = uninitialized
func.func @transfers(%m: memref<8x8xf32>, %f: memref<64xf32, 1>, %tag: memref<1xi32>, %s: memref<2xindex>, %i: index, %n: index) {
  %0 = memref.get_global @shared : memref<4xf32>
  %1 = memref.reshape %m(%s) : (memref<8x8xf32>, memref<2xindex>) -> memref<?x?xf32>
  %2:2 = memref.distinct_objects %m, %m : memref<8x8xf32>, memref<8x8xf32>
  memref.dma_start %m[%i, %i], %f[%i], %n, %tag[%i] : memref<8x8xf32>, memref<64xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%i], %n : memref<1xi32>
  %3 = memref.rank %m : memref<8x8xf32>
  return
}
