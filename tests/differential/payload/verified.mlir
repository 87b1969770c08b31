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

// -----

func.func @f(%m: memref<?xf32>, %i: index, %pad: f32) -> vector<2x8xf32> {
  %v = vector.transfer_read %m[%i], %pad : memref<?xf32>, vector<2x8xf32>
  return %v : vector<2x8xf32>
}

// -----

func.func @f(%v: vector<2x8xf32>, %m: memref<?xf32>, %i: index) {
  vector.transfer_write %v, %m[%i] : vector<2x8xf32>, memref<?xf32>
  return
}

// -----

func.func @f(%a: memref<5x6xf32>, %b: memref<5x6xi32>, %c: memref<5x6xf32>) {
  linalg.add ins(%a, %b : memref<5x6xf32>, memref<5x6xi32>) outs(%c : memref<5x6xf32>)
  return
}

// -----

func.func @f(%a: memref<5x6xf32>, %b: memref<5x6xf16>, %c: memref<5x6xf32>) {
  linalg.mul ins(%a, %b : memref<5x6xf32>, memref<5x6xf16>) outs(%c : memref<5x6xf32>)
  return
}

// -----

func.func @f(%a: tensor<5x6xi32>, %b: tensor<5x6xi64>, %c: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = linalg.sub ins(%a, %b : tensor<5x6xi32>, tensor<5x6xi64>) outs(%c : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

// -----

func.func @f(%a: tensor<5xi32>, %b: tensor<5xi32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.add ins(%a, %b : tensor<5xi32>, tensor<5xi32>) outs(%c : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @mm(%x: vector<4x8xf32>, %y: vector<6x4xf32>, %z: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x8xf32>, vector<6x4xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @mm(%x: vector<4x8xf32>, %y: vector<8x4xf32>, %z: vector<4x5xf32>) -> vector<4x5xf32> {
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x8xf32>, vector<8x4xf32> into vector<4x5xf32>
  return %0 : vector<4x5xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
func.func @mm(%x: vector<4x8xf32>, %y: vector<8x4xf32>, %z: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = vector.contract {indexing_maps = [#a, #b], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @mm(%x: vector<4x8xf32>, %y: vector<8x4xf32>, %z: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

func.func @f(%t: tensor<?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [%n] : tensor<?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @f(%t: memref<?xf32>, %n: index, %m: index) -> memref<?x?xf32> {
  %0 = memref.expand_shape %t [[0, 1]] output_shape [%n] : memref<?xf32> into memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// -----

func.func @f(%t: memref<8xf32>) -> memref<2x3xf32> {
  %0 = memref.expand_shape %t [[0, 1]] output_shape [2, 3] : memref<8xf32> into memref<2x3xf32>
  return %0 : memref<2x3xf32>
}

// -----

func.func @f(%t: memref<2x3xf32>) -> memref<8xf32> {
  %0 = memref.collapse_shape %t [[0, 1]] : memref<2x3xf32> into memref<8xf32>
  return %0 : memref<8xf32>
}

// -----

func.func @f(%t: memref<2x3x4xf32>) -> memref<6x4xf32> {
  %0 = memref.collapse_shape %t [[0, 1], [2, 3]] : memref<2x3x4xf32> into memref<6x4xf32>
  return %0 : memref<6x4xf32>
}

// -----

func.func @walk(%src: memref<6x7xf32>, %k: index) {
  %ij:2 = affine.delinearize_index %k into (6, 7) : index, index
 %v = affine.load %src[%ij#0, %ij#1] : memref<6x7xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) -> memref<8xf32> {
  %0 = memref.cast %m : memref<4xf32> to memref<8xf32>
  return %0 : memref<8xf32>
}

// -----

func.func @f(%m: memref<4xf32>) -> memref<4xi32> {
  %0 = memref.cast %m : memref<4xf32> to memref<4xi32>
  return %0 : memref<4xi32>
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<5xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<5xf32>
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<4xi32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: memref<4xi32>) {
  bufferization.materialize_in_destination %a in writable %b : (tensor<4xf32>, memref<4xi32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>, %p: f32) -> tensor<6x6xf32> {
  %0 = tensor.pad %a low[1, 1] high[1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %p: f32) -> tensor<7x6xf32> {
  %0 = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : f32
  } : tensor<4x4xf32> to tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %p: f32) -> tensor<6x6xf32> {
  %0 = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index):
    tensor.yield %p : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %p: i32) -> tensor<6x6xf32> {
  %0 = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : i32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// -----

func.func @f(%a: tensor<8x8xf32>) -> tensor<4x5xf32> {
  %0 = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tensor.insert_slice %a into %b[0, 0] [4, 4] [1, 1] : tensor<4x5xf32> into tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @f(%a: tensor<8x8xf32>) -> tensor<4x4xf16> {
  %0 = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

// -----

func.func @f(%a: memref<8x8xf32>) {
  %0 = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x5xf32, strided<[8, 1]>>
  return
}

// -----

func.func @f(%a: memref<8x8xf32>) {
  %0 = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<8x8xf32>) {
  %0 = memref.subview %a[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

func.func @f(%a: i32) -> f32 {
  %0 = arith.bitcast %a : i32 to f64 %1 = arith.truncf %0 : f64 to f32
  return %1 : f32
}

// -----

func.func @f(%a: vector<4xf32>) -> i32 {
  %0 = vector.reduction <add>, %a : vector<4xf32> into i32
  return %0 : i32
}

// -----

func.func @f(%a: memref<4xf32>, %i: index) -> vector<4xf16> {
  %0 = vector.load %a[%i] : memref<4xf32>, vector<4xf16>
  return %0 : vector<4xf16>
}

// -----

func.func @f(%a: memref<4x4xf32>, %i: index, %p: f32) -> vector<4xf32> {
  %0 = vector.transfer_read %a[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @f(%a: memref<4x4xf32>, %i: index, %p: f32) -> vector<4xf32> {
  %0 = vector.transfer_read %a[%i, %i], %p {permutation_map = affine_map<(d0) -> (d0)>} : memref<4x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a : tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%b : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @f(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x5x6xf32>, %o: tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %k : tensor<1x8x8x4xf32>, tensor<3x3x5x6xf32>) outs(%o : tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %0 : tensor<1x6x6x6xf32>
}

// -----

func.func @f(%n: index) -> tensor<4x?xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %c = arith.constant 1.0 : f32 tensor.yield %c : f32
  } : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

func.func @f(%n: index) -> tensor<?xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %c = arith.constant 1 : i32 tensor.yield %c : i32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

memref.global "private" @g : memref<4xf32>
func.func @f() -> memref<5xf32> {
  %0 = memref.get_global @g : memref<5xf32>
  return %0 : memref<5xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32 } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = linalg.index 0 : index
  return %a : tensor<4xf32>
}

// -----

func.func @f(%a: vector<4xf32>, %m: vector<5xi1>, %b: memref<4xf32>, %i: index) {
  vector.maskedstore %b[%i], %m, %a : memref<4xf32>, vector<5xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%a: memref<4xf32>, %i: index, %m: vector<4xi1>, %p: vector<4xf16>) -> vector<4xf32> {
  %0 = vector.maskedload %a[%i], %m, %p : memref<4xf32>, vector<4xi1>, vector<4xf16> into vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @f(%a: memref<4xf32>) -> tensor<5xf32> {
  %0 = bufferization.to_tensor %a : memref<4xf32> to tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @f(%q: memref<?xf32>) {
  %0 = memref.reinterpret_cast %q to offset: [0], sizes: [4, 5], strides: [4, 1]
    : memref<?xf32> to memref<4x4xf32, strided<[4, 1]>>
  return
}

// -----

func.func @f(%q: memref<?xf32>) {
  %0 = memref.reinterpret_cast %q to offset: [0], sizes: [4, 4], strides: [5, 1] : memref<?xf32> to memref<4x4xf32>
  return
}

// -----

func.func @f(%q: memref<?xf32>) {
  %0 = memref.reinterpret_cast %q to offset: [0], sizes: [4, 4], strides: [4] : memref<?xf32> to memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<8x8xf32>) {
  %0 = memref.subview %a[1, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32>
  return
}

// -----

func.func @f(%a: memref<8x8xf32>) {
  %0 = memref.subview %a[0, 0] [2, 2] [2, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1]>>
  return
}

// -----

func.func @f(%a: tensor<8x8xf32>, %i: index) {
  %0 = tensor.extract_slice %a[0, 0] [%i, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: memref<8x4xf32>) {
  %0 = memref.collapse_shape %a [[0, 1]] : memref<8x4xf32> into memref<?xf32>
  return
}

// -----

memref.global "private" constant @g : memref<?xf32> = dense<1.0>

// -----

func.func @f(%a: i32) {
  %r = scf.while (%x = %a) : (i32) -> i64 {
    %c = arith.constant true
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i64):
    scf.yield %a : i32
  }
  return
}

// -----

func.func @f(%i: index, %a: i32, %b: i64) {
  %r = scf.index_switch %i -> i32
  case 0 {
    scf.yield %b : i64
  }
  default {
    scf.yield %a : i32
  }
  return
}

// -----

func.func @f(%i: index, %a: i32) {
  %r = scf.index_switch %i -> i32
  case 0 {
    scf.yield %a : i32
  }
  default {
  }
  return
}

// -----

memref.global "private" constant @weights : memref<4xf32> = dense<2.0>
memref.global "private" constant @weights : memref<4xf32> = dense<3.0>

// -----

func.func @f() {
}

// -----

func.func @f() {
  return
  return
}

// -----

func.func @f(%i: index) {
  scf.for %j = %i to %i step %i {
    scf.yield
    %c = arith.constant 1 : i32
  }
  return
}

// -----

func.func @unnamed(i32) {
  return
}

// -----

func.func @unnamed_beside_a_block(i32, f32) {
^bb0(%a: i32):
  return
}

// -----

func.func @tiles(%a: tensor<32x64xf32>, %d: tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<32x64xf32> -> tensor<4x8x8x4xf32>
  return %0 : tensor<4x8x8x4xf32>
}

// -----

func.func @too_few_tiles(%a: tensor<4x8x8x8xf32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [8] into %d : tensor<4x8x8x8xf32> -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

// -----

func.func @two_masked(%a: vector<8xf32>, %m: vector<8xi1>, %d: memref<8xf32>, %i: index) {
  vector.mask %m {
    vector.transfer_write %a, %d[%i] : vector<8xf32>, memref<8xf32>
    vector.transfer_write %a, %d[%i] : vector<8xf32>, memref<8xf32>
  } : vector<8xi1>
  return
}

// -----

func.func @no_index(%n: index) {
  "scf.for"(%n, %n, %n) ({
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
