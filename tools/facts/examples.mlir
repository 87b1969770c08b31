func.func @broadcast(%input: tensor<4xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.broadcast ins(%input : tensor<4xf32>) outs(%init : tensor<4x8xf32>) dimensions = [1]
  return %0 : tensor<4x8xf32>
}

// -----

func.func @contract(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.contract indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>
    ] ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

func.func @fill_rng_2d(%min: f64, %max: f64, %seed: i32, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @select(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.select ins(%p, %a, %b : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

func.func @loop(%low: index, %high: index, %step: index, %start: f32) -> f32 {
  %0 = scf.for %i = %low to %high step %step iter_args(%sum = %start) -> (f32) {
    %1 = arith.addf %sum, %sum : f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// -----

func.func @generic(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %in : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @choice(%condition: i1, %a: f32, %b: f32) -> f32 {
  %0 = scf.if %condition -> (f32) {
    %1 = arith.addf %a, %b : f32
    scf.yield %1 : f32
  } else {
    scf.yield %a : f32
  }
  return %0 : f32
}

// -----

func.func @argmax(%x: tensor<4x8xf32>) -> tensor<4xi32> {
  %0 = "tosa.argmax"(%x) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @reduce_max(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %0 = "tosa.reduce_max"(%x) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

func.func @reduce_min(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %0 = "tosa.reduce_min"(%x) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

func.func @minimum(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "tosa.minimum"(%x, %y) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @max_pool2d(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = "tosa.max_pool2d"(%x) {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

func.func @apply_scale(%x: i32, %m: i32, %s: i8) -> i32 {
  %0 = "tosa.apply_scale"(%x, %m, %s) {rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>} : (i32, i32, i8) -> i32
  return %0 : i32
}

// -----

func.func @rescale(%x: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = "tosa.rescale"(%x, %m, %s, %z, %z) {scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

// -----

func.func @resize(%x: tensor<1x8x8x4xf32>) -> tensor<1x15x15x4xf32> {
  %s = "tosa.const_shape"() {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = "tosa.const_shape"() {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = "tosa.resize"(%x, %s, %o, %o) {mode = #tosa.resize_mode<BILINEAR>} : (tensor<1x8x8x4xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x15x15x4xf32>
  return %0 : tensor<1x15x15x4xf32>
}

// -----

func.func @dma_start(%m: memref<64xf32>, %n: memref<64xf32, 1>, %t: memref<1xi32>, %i: index, %z: index) {
  memref.dma_start %m[%i], %n[%i], %z, %t[%i] : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
  return
}

// -----

func.func @warp(%x: f32) -> vector<4xf32> {
  %l = arith.constant 0 : index
  %0 = vector.warp_execute_on_lane_0(%l)[32] -> (vector<4xf32>) {
    %v = "test.dummy"() : () -> vector<4xf32>
    vector.yield %v : vector<4xf32>
  }
  return %0 : vector<4xf32>
}
