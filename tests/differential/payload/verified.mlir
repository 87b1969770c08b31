// Each part has one mistake that MLIR says in every version.
func.func @f(i32)

// -----

func.func @f(%a: i32)

// -----

func.func @f(%a: i32) -> i32 attributes {a}

// -----

func.func public @f()

// -----

func.func @f() {
  %c = arith.constant 2 : f32
  return
}

// -----

func.func @f() {
  "test.x"() {a = 2 : f32} : () -> ()
  return
}

// -----

memref.global @g : memref<f32> = dense<2>

// -----

llvm.func @f() {
 %c = llvm.mlir.constant(2 : f32) : f32
  llvm.return
}

// -----

func.func @f() {
  %c = arith.constant -3 : bf16
  return
}

// -----

func.func @f() attributes {a = [1 : f64]} {
  return
}

// -----

func.func @f() {
  %c = arith.constant dense<1> : tensor<2xf32>
  return
}

// -----

func.func @f() {
  %a = memref.alloc() : memref<?x?xf32>
  return
}

// -----

func.func @f() {
  %a = tensor.empty() : tensor<?xf32>
  return
}

// -----

func.func @f(%i: index) {
  %a = memref.alloca(%i) : memref<4xf32>
  return
}

// -----

func.func @f(%i: index) {
  %a = tensor.empty(%i, %i) : tensor<?x4xf32>
  return
}

// -----

func.func @f(%i: index) {
  %a = bufferization.alloc_tensor() : tensor<?x4xf32>
  return
}

// -----

func.func @f(%i: index) {
  %a = tensor.generate { ^bb0(%x: index): tensor.yield %x : index } : tensor<?xindex>
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  %c = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  %c = "arith.constant"() {value = 1 : i32} : () -> i64
  return
}

// -----

func.func @f(%a: i32, %b: i64, %c: i1) {
  %d = "arith.select"(%c, %a, %b) : (i1, i32, i64) -> i32
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  %c = "arith.cmpi"(%a, %b) {predicate = 0 : i64} : (i32, i64) -> i1
  return
}

// -----

func.func @f(%a: f32) {
  %c = "math.exp"(%a) : (f32) -> f64
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  %c = "arith.cmpi"(%a, %b) {predicate = 0 : i64} : (i32, i32) -> i32
  return
}

// -----

func.func @f() {
  call @h() : () -> ()
  return
}

// -----

func.func @f() {
  %a = memref.get_global @nosuch : memref<4xf32>
  return
}

// -----

func.func @f() {
  cf.br ^bb2
}

// -----

func.func @f() {
  scf.yield
}

// -----

func.func @f(%i: index) {
  scf.for %j = %i to %i step %i { affine.yield }
  return
}

// -----

func.func @f(%i: index) {
  tensor.yield %i : index
}

// -----

func.func @f() {
  linalg.yield
}

// -----

func.func @f() {
  cf.br ^bb1  ^bb1:  ^bb2:
  return
}

// -----

func.func @f(%a: f32) {
  ^bb0(%b: f32):
  return
}

// -----

func.func @f(%a: f32) {
  ^bb0:
  return
}

// -----

#map = affine_map<(d0) -> (d0)>
#m2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [#map, #m2], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4x4xf32>
  return
}

// -----

#m = affine_map<(d0, d1) -> (d0 + d1)>
func.func @f(%i: index) {
  %r = affine.apply #m(%i)
  return
}

// -----

func.func @f() { async.runtime.add_ref %a {} : !async.token
  return
}

// -----

#m = affine_map<(d0, d1) -> (d0 * d1)>
func.func @f() {
  return
}

// -----

#m = affine_map<(d0, d1) -> (d0 mod d1)>
func.func @f() {
  return
}

// -----

#m = affine_map<(d0, d1) -> (d2)>
func.func @f() {
  return
}

// -----

#m = affine_map<(d0, d0) -> (d0)>
func.func @f() {
  return
}

// -----

#m = affine_map<(d0)[d0] -> (d0)>
func.func @f() {
  return
}

// -----

func.func @f(%i: index) {
  %r = affine.apply affine_map<(d0) -> (d0, d0)>(%i)
  return
}

// -----

func.func @f(%i: index, %m: memref<4x4xf32>) {
  %r = affine.load %m[%i] : memref<4x4xf32>
  return
}

// -----

func.func @f(%i: index, %m: memref<4x4xf32>) {
  %r = affine.load %m[%i * %i, %i] : memref<4x4xf32>
  return
}

// -----

func.func @f(%i: index, %m: memref<4x4xf32>) {
  affine.for %j = 0 to 10 step -1 { }
  return
}

// -----

func.func @f(%i: index) {
  affine.if affine_set<(d0, d1) : (d0 >= 0)>(%i) { }
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %u: tensor<4x8xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x8xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x, %y : f32, f32 } -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "paralel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f64): linalg.yield %x : f32 } -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, s0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x8xf32>, %u: tensor<8x4xf32>) {
  %r = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) permutation = [0, 1]
  return
}

// -----

func.func @f(%t: tensor<4x8xf32>, %u: tensor<8x4xf32>) {
  %r = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) permutation = [1, 1]
  return
}

// -----

func.func @f(%t: tensor<4x8xf32>, %u: tensor<8x4xf32>) {
  %r = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) permutation = [1]
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4x8xf32>) {
  %r = linalg.broadcast ins(%t : tensor<4xf32>) outs(%u : tensor<4x8xf32>) dimensions = [2]
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4x8xf32>) {
  %r = linalg.broadcast ins(%t : tensor<4xf32>) outs(%u : tensor<4x8xf32>) dimensions = [0]
  return
}

// -----

func.func @f(%t: tensor<4x8xf32>, %u: tensor<4xf32>) {
  %r = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf32>) outs(%u : tensor<4xf32>) dimensions = [2]
  return
}

// -----

func.func @f(%t: tensor<4x8xf32>, %u: tensor<4xf32>) {
  %r = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf32>) outs(%u : tensor<4xf32>) dimensions = [0]
  return
}

// -----

func.func @f(%t: tensor<4x8xf32>, %u: tensor<4xf32>) {
  %r = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf32>) outs(%u : tensor<4xf32>) dimensions = [0, 1]
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  %r = vector.extract %v[4] : f32 from vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  %r = vector.extract %v[0, 0] : f32 from vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  %r = vector.extract %v[0] : vector<4xf32> from vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %x: f32) {
  %r = vector.insert %x, %v[7] : f32 into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %x: f32) {
  %r = vector.insert %x, %v[0, 1] : f32 into vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  %r = vector.shuffle %v, %v [0, 8] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  %r = vector.broadcast %v : vector<4xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  %r = vector.transpose %v, [0, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  %r = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  %r = vector.shape_cast %v : vector<4x8xf32> to vector<31xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  %r = vector.extract_strided_slice %v {offsets = [0, 0], sizes = [5, 2], strides = [1, 1]} : vector<4x8xf32> to vector<5x2xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %a: vector<8xf32>) {
  %r = vector.multi_reduction <add>, %v, %a [2] : vector<4x8xf32> to vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %a: vector<8xf32>) {
  %r = vector.reduction <add>, %v : vector<4x8xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  %r = vector.bitcast %v : vector<4xf32> to vector<3xi64>
  return
}

// -----

func.func @f() {
  %r = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

func.func @f() {
  %r = vector.constant_mask [2, 2] : vector<4xi1>
  return
}

// -----

func.func @f(%m: memref<4x4xf32>, %i: index, %p: f32) {
  %r = vector.transfer_read %m[%i, %i], %p {in_bounds = [true]} : memref<4x4xf32>, vector<4x4xf32>
  return
}

// -----

func.func @f() {
  %c = arith.constant dense<"0x00"> : tensor<4xf32>
  return
}

// -----

func.func @f() {
  %c = arith.constant dense<"abc"> : tensor<4xf32>
  return
}

// -----

func.func @f() {
  %c = arith.constant dense<300> : tensor<4xi8>
  return
}

// -----

func.func @f() {
  %c = arith.constant dense<-1> : tensor<4xui8>
  return
}

// -----

func.func @f() attributes {a = array<i8: 300>} {
  return
}

// -----

func.func @f() attributes {a = array<i32: 1.0>} {
  return
}

// -----

func.func @f() attributes {a = array<f32: 1>} {
  return
}

// -----

func.func @f() attributes {a = array<i7: 1>} {
  return
}

// -----

func.func @f() {
  %c = arith.constant dense<true> : tensor<4xi8>
  return
}

// -----

func.func @f() {
  %c = arith.constant dense<[1, 2, 3]> : tensor<4xi8>
  return
}

// -----

func.func @f() attributes {a = array<i32: true>} {
  return
}

// -----

func.func @f() {
  %c = arith.constant 300 : i8
  return
}

// -----

func.func @f() {
  %c = arith.constant -1 : ui8
  return
}

// -----

func.func @f() attributes {a = "\q"} {
  return
}
