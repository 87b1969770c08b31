// What LLVM 22 accepts, part by part, and what is easily taken for a mistake. Parts may have operations that nobody knows.

// Arguments of declarations are no uses.
llvm.func external @declared(%arg0: !llvm.ptr, %arg1: i32)
gpu.module @kernels {
  gpu.func @defined(%arg0: memref<4xf32>) kernel {
    gpu.return
  }
}

// -----

// Operations without operands go on with their type.
func.func @no_operands(%condition: i1) {
  scf.while : () -> () {
    scf.condition(%condition)
  } do {
    scf.yield
  }
  return
}

// -----

// Arguments without names have locations, too.
func.func private @located(i32 loc("here"), f32 {some.note} loc(unknown)) -> i32

func.func @bound(%bound: index, %value: f32, %tensor: tensor<8xf32>) {
  %0 = affine.for %i loc("i") = 0 to 8 iter_args(%x loc("x") = %value) -> f32 {
    affine.yield %x : f32
  }
  affine.parallel (%i loc("i"), %j loc(unknown)) = (0, 0) to (8, 8) {
  }
  %1 = scf.for %i = %bound to %bound step %bound iter_args(%x loc("x") = %value) -> f32 {
    scf.yield %x : f32
  }
  scf.parallel (%i loc("i")) = (%bound) to (%bound) step (%bound) {
  }
  %2 = scf.forall (%i loc("i")) in (8) shared_outs(%o loc("o") = %tensor) -> tensor<8xf32> {
  }
  %3 = scf.while (%x loc("x") = %value) : (f32) -> f32 {
    %condition = arith.constant true
    scf.condition(%condition) %x : f32
  } do {
  ^bb0(%y: f32 loc("y")):
    scf.yield %y : f32
  }
  return
}

// -----

// Properties with a C++ parser of their own.
func.func @property(%value: i32) {
  %narrow = llvm.trunc %value overflow<nsw> : i32 to i16
  %both = llvm.trunc %value overflow<nsw, nuw> : i32 to i16
  return
}

// -----

// The file and its modules are graphs.
%sum = arith.addi %one, %one : i32
%one = arith.constant 1 : i32
module {
  %twice = arith.addi %two, %two : i32
  %two = arith.constant 2 : i32
}

// -----

// An offset that is not zero has to be said, one that is zero may be.
func.func @offset(%buffer: memref<4xf32, strided<[1], offset: 0>>) {
  call @callee(%buffer) : (memref<4xf32, strided<[1]>>) -> ()
  return
}
func.func private @callee(memref<4xf32, strided<[1]>>)

// -----

// Within its own types a dialect leaves out its name.
llvm.func @prefixes(%value: !llvm.struct<(struct<(i32)>, ptr)>) {
  llvm.call @callee(%value) : (!llvm.struct<(!llvm.struct<(i32)>, !llvm.ptr)>) -> ()
  "llvm.call"(%value) <{callee = @callee, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (!llvm.struct<(!llvm.struct<(i32)>, !llvm.ptr)>) -> ()
  llvm.return
}
llvm.func @callee(!llvm.struct<(struct<(i32)>, ptr)>)

// -----

// An alias takes the place of the dictionary in front of the operands, and of any other attribute.
#trait = {
  indexing_maps = [
    affine_map<(d0, d1, d2) -> (d0, d2)>,
    affine_map<(d0, d1, d2) -> (d2, d1)>,
    affine_map<(d0, d1, d2) -> (d0, d1)>
  ],
  iterator_types = ["parallel", "parallel", "reduction"]
}
func.func @trait(%value: vector<4x4xf32>, %tensor: tensor<4x4xf32>) -> vector<4x4xf32> {
  %0 = vector.contract #trait %value, %value, %value : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
  %1 = linalg.generic #trait ins(%tensor, %tensor : tensor<4x4xf32>, tensor<4x4xf32>) outs(%tensor : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %2 = linalg.matmul
    {note = 1 : i32}
    ins(%tensor, %tensor : tensor<4x4xf32>, tensor<4x4xf32>) outs(%tensor : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

// What stands behind a type without parameters is read and forgotten.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %found = transform.structured.match ops{["linalg.reduce"]} in %root
      : (!transform.any_op) -> !transform.any_op<"linalg.reduce">
    transform.print %found : !transform.any_op
    transform.print %found : !transform.any_op<"other">
    transform.yield
  }
}

// -----

// Operations of the default dialect need no prefix.
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  %parent = get_parent_op %root : (!transform.any_op) -> !transform.any_op
  print %parent : !transform.any_op
  yield
}

// -----

func.func @waits(%number: i32) {
  acc.parallel wait({devnum: %number : i32, %number : i32}) {
    acc.yield
  }
  return
}

// -----

// Enumerations as bare words in a dictionary.
func.func @rescale(
    %value: tensor<1xi32>, %factor: tensor<1xi32>, %shift: tensor<1xi8>, %zero: tensor<1xi32>) -> tensor<1xi32> {
  %0 = tosa.rescale %value, %factor, %shift, %zero, %zero {
    rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false
  } : (tensor<1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}

// -----

// What nobody knows may be isolated from above, or not.
func.func @unknown(%value: i32) {
  "some.region"() ({
    "some.use"(%value) : (i32) -> ()
  }) {sym_name = "nested"} : () -> ()
  return
}

// -----

// Bit enumerations may be quoted.
func.func @flags(%value: f32) -> f32 {
  %0 = arith.addf %value, %value fastmath<"nnan", "ninf"> : f32
  return %0 : f32
}

// -----

func.func @not_inlined(%value: i32) -> i32 {
  %result = scf.execute_region -> i32 no_inline {
    scf.yield %value : i32
  }
  return %result : i32
}

// -----

// Neighbours of what `verified.mlir` has: all of these are right.
#map = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1 mod 4, -d1 floordiv s0, (d0 + 2) * 3, 4 * d0, s0 * s0 ceildiv 2)>
#set = affine_set<(d0, d1)[s0] : (d0 - 1 >= 0, d1 + s0 == 0, -d0 >= 0)>
func.func private @declared(i32) -> i32
func.func nested @nested(i32)
memref.global @g : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" constant @bytes : memref<2xi8> = dense<"0x0001">
func.func @literals() attributes {
  a = array<f32: 1.0, -2.0, 0x7FC00000>, b = array<i8: -128, 255>, c = array<i1: true, false>, d = array<i32>,
  e = 0x7FC00000 : f32, f = -128 : i8, g = 255 : ui8, h = 4 : index
} {
  %0 = arith.constant dense<"0x00000000"> : tensor<4xf32>
  %1 = arith.constant dense<"0x0000000000000000"> : tensor<2xf32>
  %2 = arith.constant dense<255> : tensor<2xi8>
  %3 = arith.constant dense<[-128, 127]> : tensor<2xi8>
  %4 = arith.constant dense<(1, 2)> : tensor<2xcomplex<i32>>
  %5 = arith.constant dense<0x7F800000> : tensor<2xf32>
  %6 = arith.constant dense<"0x00"> : tensor<9xi1>
  %7 = arith.constant dense<-1> : tensor<3xindex>
  return
}
func.func @sizes(%i: index, %t: tensor<?x4xf32>) {
  %0 = memref.alloc(%i) : memref<?x4xf32>
  %1 = tensor.empty(%i) : tensor<?x4xf32>
  %2 = bufferization.alloc_tensor() copy(%t) : tensor<?x4xf32>
  %3 = bufferization.alloc_tensor(%i) : tensor<?x4xf32>
  %4 = memref.get_global @g : memref<2xf32>
  %5 = arith.constant 1 : i32
  %6 = call @declared(%5) : (i32) -> i32
  return
}
func.func @generic(%a: i32, %c: i1, %v: vector<4xf32>) {
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
  %1 = "arith.select"(%c, %a, %a) : (i1, i32, i32) -> i32
  %2 = "arith.cmpi"(%a, %a) {predicate = 0 : i64} : (i32, i32) -> i1
  %3 = "arith.constant"() {value = 1 : i64} : () -> i64
  %4 = "math.exp"(%v) : (vector<4xf32>) -> vector<4xf32>
  return
}
func.func @affine(%i: index, %m: memref<4x4xf32>) {
  %0 = affine.load %m[%i * 2 + 1, (%i + %i) mod 4] : memref<4x4xf32>
  affine.if #set(%i, %i)[%i] {
  }
  affine.for %j = 0 to 10 step 2 {
    affine.yield
  }
  return
}
func.func @moved(%t: tensor<4x8xf32>, %u: tensor<8x4xf32>, %r: tensor<4xf32>) {
  %0 = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) permutation = [1, 0]
  %1 = linalg.broadcast ins(%r : tensor<4xf32>) outs(%t : tensor<4x8xf32>) dimensions = [1]
  %2 = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  return
}
func.func @vectors(%v: vector<4x8xf32>, %w: vector<4xf32>, %x: f32, %a: vector<8xf32>, %i: index, %m: memref<4xvector<4xf32>>) {
  %0 = vector.extract %v[3] : vector<8xf32> from vector<4x8xf32>
  %1 = vector.extract %v[3, 7] : f32 from vector<4x8xf32>
  %2 = vector.extract %w[0] : vector<1xf32> from vector<4xf32>
  %3 = vector.extract %v[%i, 0] : f32 from vector<4x8xf32>
  %4 = vector.insert %x, %v[3, 7] : f32 into vector<4x8xf32>
  %5 = vector.shuffle %w, %w [0, 7] : vector<4xf32>, vector<4xf32>
  %6 = vector.broadcast %a : vector<8xf32> to vector<4x8xf32>
  %7 = vector.broadcast %x : f32 to vector<4x8xf32>
  %8 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %9 = vector.shape_cast %v : vector<4x8xf32> to vector<32xf32>
  %10 = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  %11 = vector.multi_reduction <add>, %v, %a [0] : vector<4x8xf32> to vector<8xf32>
  %12 = vector.multi_reduction <add>, %v, %x [0, 1] : vector<4x8xf32> to f32
  %13 = vector.bitcast %w : vector<4xf32> to vector<8xf16>
  %14 = vector.constant_mask [4] : vector<4xi1>
  return
}
func.func @blocks(%a: f32) {
  cf.br ^next(%a : f32)
^next(%b: f32):
  return
}

// -----

func.func @slices(%m: memref<8x8xf32>, %t: tensor<8x8xf32>, %q: memref<8x?xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [2, 8] [1, 1] : memref<8x8xf32> to memref<2x8xf32>
  %1 = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<8x8xf32> to memref<4xf32>
  %2 = memref.subview %m[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  %3 = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %4 = memref.subview %m[0, 0] [%i, 8] [1, 1] : memref<8x8xf32> to memref<?x8xf32>
  %5 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, affine_map<(d0, d1) -> (d0 * 8 + d1)>>
  %6 = memref.subview %q[1, 0] [2, 2] [1, 1] : memref<8x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
  %7 = tensor.extract_slice %t[0, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
  %8 = tensor.extract_slice %t[0, 0] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<f32>
  %9 = tensor.insert_slice %7 into %t[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
  return
}

// -----

func.func @casts(%q: memref<?xf32>, %u: memref<*xf32>, %p: f32, %i: index, %t: tensor<4x4xf32>) {
  %0 = memref.reinterpret_cast %q to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<?xf32> to memref<4x4xf32>
  %1 = memref.reinterpret_cast %q to offset: [%i], sizes: [%i, 4], strides: [4, 1]
    : memref<?xf32> to memref<?x4xf32, strided<[4, 1], offset: ?>>
  %2 = memref.cast %u : memref<*xf32> to memref<4x?xf32>
  %3 = tensor.pad %t low[1, 1] high[1, %i] {
  ^bb0(%x: index, %y: index):
    tensor.yield %p : f32
  } : tensor<4x4xf32> to tensor<6x8xf32>
  %4 = vector.transfer_read %q[%i], %p {permutation_map = affine_map<(d0) -> (0, d0)>} : memref<?xf32>, vector<2x8xf32>
  %5 = vector.transfer_read %q[%i], %p : memref<?xf32>, vector<8xf32>
  return
}

// -----

func.func @dynamic(%a: tensor<4x2x?xf32>, %b: tensor<4x?x?xf32>, %c: tensor<4x4x?xf32>, %v: memref<4xvector<2xf32>>) {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x2x?xf32>, tensor<4x?x?xf32>) outs(%c : tensor<4x4x?xf32>)
    -> tensor<4x4x?xf32>
  %i = arith.constant 0 : index
  %1 = vector.load %v[%i] : memref<4xvector<2xf32>>, vector<2xf32>
  memref.alloca_scope {
    memref.alloca_scope.return
  }
  return
}

// -----

func.func @f(%i: index, %a: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case 0 {
    %c = arith.constant 1 : i32
    scf.yield %c : i32
  }
  default {
    scf.yield %a : i32
  }
  scf.index_switch %i
  case 0 {
    scf.yield
  }
  default {
  }
  %w:2 = scf.while (%x = %a) : (i32) -> (i32, i64) {
    %c = arith.constant true
    %k = arith.constant 1 : i64
    scf.condition(%c) %x, %k : i32, i64
  } do {
  ^bb0(%y: i32, %z: i64):
    scf.yield %y : i32
  }
  return %r : i32
}

// -----

func.func private @unnamed(i32, f32)
func.func @named_by_the_block(i32, f32) {
^bb0(%a: i32, %b: f32):
  return
}

// -----

func.func @tiles(%a: tensor<32x64xf32>, %d: tensor<4x8x8x?xf32>, %n: index) -> tensor<32x64xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, %n] into %d : tensor<32x64xf32> -> tensor<4x8x8x?xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, %n] into %a
      : tensor<4x8x8x?xf32> -> tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
}

// -----

func.func @masked(%a: vector<8xf32>, %m: vector<8xi1>, %d: memref<8xf32>, %i: index) -> vector<8xf32> {
  vector.mask %m { vector.transfer_write %a, %d[%i] : vector<8xf32>, memref<8xf32> } : vector<8xi1>
  vector.mask %m { } : vector<8xi1>
  %0 = vector.mask %m { vector.yield %a : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

func.func @generic(%n: index) {
  %0 = "scf.for"(%n, %n, %n, %n) ({
  ^bb0(%i: index, %sum: index):
    "scf.yield"(%i) : (index) -> ()
  }) : (index, index, index, index) -> index
  return
}
