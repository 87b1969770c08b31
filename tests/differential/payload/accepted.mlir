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
