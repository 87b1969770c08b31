#set = affine_set<(d0)[s0] : (d0 - 8 >= 0, -d0 + s0 - 1 >= 0)>
#bound = affine_map<(d0)[s0] -> (d0 + 8, s0)>
#min = affine_map<(d0)[s0] -> (d0 * 2, s0 - 1)>

func.func @blocked(%a: memref<?x?xf32>, %b: memref<?xf32>, %n: index, %m: index) {
  affine.for %i = 0 to %n step 4 {
    affine.for %j = max affine_map<(d0) -> (d0, 0)>(%i) to min #bound(%i)[%m] {
      %x = affine.load %a[%i, %j + 1] : memref<?x?xf32>
      affine.if #set(%j)[%m] {
        affine.store %x, %b[%i + symbol(%m)] : memref<?xf32>
      } else {
        affine.store %x, %b[%j * 2] : memref<?xf32>
      }
    }
  }
  return
}
func.func @carried(%a: memref<100xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 100 iter_args(%acc = %zero) -> (f32) {
    %x = affine.load %a[%i] : memref<100xf32>
    %s = arith.addf %x, %acc : f32
    affine.yield %s : f32
  }
  return %sum : f32
}
// -----
func.func @parallel(%a: memref<64x64xf32>, %n: index) -> f32 {
  %r = affine.parallel (%i, %j) = (0, 0) to (64, min(64, %n)) step (2, 4) reduce ("addf") -> f32 {
    %x = affine.load %a[%i, %j] : memref<64x64xf32>
    affine.yield %x : f32
  }
  affine.parallel (%i) = (0) to (symbol(%n)) {
    affine.store %r, %a[%i, 0] : memref<64x64xf32>
  }
  return %r : f32
}
// -----
func.func @arithmetic(%i: index, %n: index, %v: memref<?xf32>) -> (index, index, index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 4 + s0 mod 3)>(%i)[%n]
  %1 = affine.min affine_map<(d0)[s0] -> (d0 * 2, s0 - 1)>(%i)[%n]
  %2 = affine.max affine_map<(d0, d1) -> (d0, d1, 16)>(%i, %0)
  %c4 = arith.constant 4 : index
  %x, %y = affine.delinearize_index %i into (%n, 16) : index, index
  %z = affine.linearize_index [%x, %y] by (%n, 16) : index
  %vec = affine.vector_load %v[%i + 4] : memref<?xf32>, vector<8xf32>
  affine.vector_store %vec, %v[%i] : memref<?xf32>, vector<8xf32>
  affine.prefetch %v[%i + 12], read, locality<3>, data : memref<?xf32>
  return %1, %2, %z : index, index, index
}
// -----
func.func @dma(%from: memref<40x10xf32>, %to: memref<40x10xf32, 1>) {
  %tag = memref.alloc() : memref<1xi32>
  %c40 = arith.constant 40 : index
  affine.for %i = 0 to 10 {
    affine.dma_start %from[%i, %i], %to[%i, %i], %tag[%i mod 2], %c40 : memref<40x10xf32>, memref<40x10xf32, 1>, memref<1xi32>
    affine.dma_wait %tag[%i mod 2], %c40 : memref<1xi32>
  }
  return
}
