// Other transformations of linalg operations.
// -----
// generalize
// on: matmul | elementwise | matmul_buffers
%ops = transform.structured.match interface{LinalgOp} in %root : (!any) -> !any
%generic = transform.structured.generalize %ops : (!any) -> !any
transform.debug.emit_remark_at %generic, "generic" : !any
// -----
// generalize what is no linalg operation
// on: matmul
%ops = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%generic = transform.structured.generalize %ops : (!any) -> !any
// -----
// specialize
// on: matmul | reduction
%ops = transform.structured.match interface{LinalgOp} in %root : (!any) -> !any
%generic = transform.structured.generalize %ops : (!any) -> !any
%named = transform.structured.specialize %generic : (!any) -> !any
// -----
// interchange
// on: matmul
// $order: [2, 0, 1] | [0, 1, 2] | [] | [1, 0] | [0, 0, 1]
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%generic = transform.structured.generalize %op : (!any) -> !any
%changed = transform.structured.interchange %generic iterator_interchange = $order : (!any) -> !any
// -----
// interchange what is not generic
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%changed = transform.structured.interchange %op iterator_interchange = [2, 0, 1] : (!any) -> !any
// -----
// flatten
func.func @flat(%a: memref<4x6xf32>, %b: memref<4x6xf32>) {
  linalg.exp ins(%a : memref<4x6xf32>) outs(%b : memref<4x6xf32>)
  return
}
// script
%op = transform.structured.match ops{["linalg.exp"]} in %root : (!any) -> !any
%flat = transform.structured.flatten_elementwise %op : (!any) -> !any
// -----
// flatten what is not elementwise
// on: matmul_buffers
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%flat = transform.structured.flatten_elementwise %op : (!any) -> !any
// -----
// loops
// on: matmul_buffers | matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%loops = transform.structured.convert_to_loops %op : (!any) -> !any
transform.debug.emit_remark_at %loops, "loop" : !any
// -----
// scalarize
// on: matmul | elementwise
%op = transform.structured.match ops{["linalg.matmul", "linalg.exp"]} in %root : (!any) -> !any
%scalar = transform.structured.scalarize %op : (!any) -> !any
// -----
// transpose a product
// on: matmul | elementwise
// $side: nothing | <rhs> | <lhs>
%last = transform.structured.match ops{["linalg.matmul", "linalg.add"]} in %root : (!any) -> !any
%new = transform.structured.transpose_matmul %last $side : (!any) -> !any
// -----
// payload convolutions
func.func @nhwc(%i: tensor<1x10x10x3xf32>, %f: tensor<3x3x3x4xf32>, %o: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%i, %f : tensor<1x10x10x3xf32>, tensor<3x3x3x4xf32>) outs(%o : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}
func.func @fhwc(%i: tensor<2x10x10x5xf32>, %f: tensor<2x3x3x5xf32>, %o: tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32> {
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%i, %f : tensor<2x10x10x5xf32>, tensor<2x3x3x5xf32>) outs(%o : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return %0 : tensor<2x8x8x2xf32>
}
// -----
// convolutions to image columns
// on: convolutions
// $op: linalg.conv_2d_nhwc_hwcf | linalg.conv_2d_nhwc_fhwc
%op = transform.structured.match ops{["$op"]} in %root : (!any) -> !any
%image, %new = transform.structured.convert_conv2d_to_img2col %op : (!any) -> (!any, !any)
transform.debug.emit_remark_at %image, "image" : !any
// -----
// image columns of a product
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%image, %new = transform.structured.convert_conv2d_to_img2col %op : (!any) -> (!any, !any)
// -----
// transpose a convolution
// on: convolutions
// $op: linalg.conv_2d_nhwc_fhwc | linalg.conv_2d_nhwc_hwcf
%op = transform.structured.match ops{["$op"]} in %root : (!any) -> !any
%new = transform.structured.transpose_conv2d %op : (!any) -> !any
// -----
// winograd
// on: convolutions
// $fmr: 0 | 1 | 2
%op = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!any) -> !any
%new = transform.structured.winograd_conv2d %op {fmr = $fmr : i32} : (!any) -> !any
// -----
// winograd in parts
// on: convolutions
// $part: linalg.winograd_filter_transform | linalg.winograd_input_transform | linalg.winograd_output_transform
%op = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!any) -> !any
%new = transform.structured.winograd_conv2d %op {fmr = 1 : i32} : (!any) -> !any
%part = transform.structured.match ops{["$part"]} in %root : (!any) -> !any
%decomposed = transform.structured.decompose_winograd_op %part : (!any) -> !any
// -----
// decompose a convolution
func.func @narrow(%i: tensor<1x1x?x3xf32>, %f: tensor<1x3x3x4xf32>, %o: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%i, %f : tensor<1x1x?x3xf32>, tensor<1x3x3x4xf32>) outs(%o : tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %0 : tensor<1x1x?x4xf32>
}
// script
%op = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!any) -> !any
%new = transform.structured.decompose %op : (!any) -> !any
transform.debug.emit_remark_at %new, "in one dimension" : !any
// -----
// decompose what is wide
// on: convolutions
%op = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!any) -> !any
%new = transform.structured.decompose %op : (!any) -> !any
// -----
// decompose by the interface
func.func @softmax(%x: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %e = tensor.empty() : tensor<2x16xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x16xf32>) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
// script
%op = transform.structured.match ops{["linalg.softmax"]} in %root : (!any) -> !any
%new = transform.structured.decompose_interface %op : (!any) -> !any
// -----
// pack
// on: matmul | elementwise
// $sizes: [2, 3, 4] | [0, 4, 0] | [2, 3] | [5, 5, 5, 5]
%op = transform.structured.match ops{["linalg.matmul", "linalg.add"]} in %root : (!any) -> !any
%generic = transform.structured.generalize %op : (!any) -> !any
%packed = transform.structured.pack %generic packed_sizes = $sizes : (!any) -> !transform.op<"linalg.generic">
transform.debug.emit_remark_at %packed, "packed" : !transform.op<"linalg.generic">
// -----
// pack greedily
// on: matmul | reduction
// $options: matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 2, 0] | matmul_packed_sizes = [8, 16, 0] matmul_padded_sizes_next_multiple_of = [0, 0, 5] matmul_inner_dims_order = [0, 1, 2]
%op = transform.structured.match ops{["linalg.matmul", "linalg.generic"]} in %root : (!any) -> !any
%generic = transform.structured.generalize %op : (!any) -> !transform.op<"linalg.generic">
%packed = transform.structured.pack_greedily %generic $options : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.generic">
// -----
// lower a pack
// on: matmul
// $options: nothing | {lowerPadLikeWithInsertSlice = false}
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%packed = transform.structured.pack %op packed_sizes = [2, 3, 4] : (!any) -> !transform.op<"linalg.generic">
%pack = transform.get_producer_of_operand %packed[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
%pad, %expand, %transpose = transform.structured.lower_pack %pack $options : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
transform.debug.emit_remark_at %pad, "pad" : !transform.op<"tensor.pad">
// -----
// lower an unpack
// on: matmul
// $options: nothing | {lowerUnpadLikeWithExtractSlice = false}
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%packed = transform.structured.pack %op packed_sizes = [2, 3, 4] : (!any) -> !transform.op<"linalg.generic">
%unpack = transform.get_consumers_of_result %packed[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.unpack">
%empty, %transpose, %collapse, %slice = transform.structured.lower_unpack %unpack $options : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
// -----
// transpose a pack
// on: matmul
// $permutation: outer_perm = [1, 0] | inner_perm = [1, 0] | outer_perm = [1, 0] inner_perm = [1, 0] | outer_perm = [0, 0] | outer_perm = [0, 1, 2]
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%packed = transform.structured.pack %op packed_sizes = [2, 3, 4] : (!any) -> !transform.op<"linalg.generic">
%pack = transform.get_producer_of_operand %packed[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
%new:3 = transform.structured.pack_transpose %pack with_compute_op(%packed) $permutation : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !any)
// -----
// vectorize
// on: matmul | matmul_buffers
// $sizes: nothing | vector_sizes [8, 12, 16] | vector_sizes [8, [12], 16] | vector_sizes [2, 2, 2]
%ops = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
transform.structured.vectorize %ops $sizes : !any
// -----
// vectorize two dimensions
// on: elementwise
// $sizes: [4, 10] : !any | [4, 16] : !any | [[4], 10] : !any | [%size, 10] : !any, !param
%op = transform.structured.match ops{["linalg.add"]} in %root : (!any) -> !any
%size = transform.param.constant 8 : i64 -> !param
transform.structured.vectorize %op vector_sizes $sizes
// -----
// vectorize named contractions
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
transform.structured.vectorize %op {create_named_contraction} : !any
// -----
// vectorize all in a function
// on: matmul | elementwise | reduction
// $options: nothing | {vectorize_padding, vectorize_nd_extract} | {disable_multi_reduction_to_contract_patterns, disable_transfer_permutation_map_lowering_patterns} | {fold_type_extensions_into_contract, flatten_1d_depthwise_conv}
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%changed = transform.structured.vectorize_children_and_apply_patterns %functions $options : (!any) -> !any
// -----
// vectorize all in what is not isolated
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%changed = transform.structured.vectorize_children_and_apply_patterns %op : (!any) -> !any
// -----
// promote
// on: matmul_buffers
// $options: nothing | {operands_to_promote = [0, 2], use_full_tiles_by_default} | {operands_to_promote = [1], use_alloca, alignment = 32} | {operands_to_promote = [0], memory_space = #gpu.address_space<workgroup>, mapping = [#gpu.memory_space<workgroup>], use_full_tile_buffers = [true]}
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loops:3 = transform.structured.tile_using_for %op tile_sizes [4, 4, 4] : (!any) -> (!any, !any, !any, !any)
%promoted = transform.structured.promote %tiled $options : (!any) -> !any
// -----
// promote tensors
// on: matmul
// $where: nothing | to #gpu.address_space<workgroup>
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tensor = transform.get_operand %op[0] : (!any) -> !value
%promoted = transform.structured.promote_tensor $where %tensor : !value
transform.debug.emit_remark_at %promoted, "promoted" : !value
// -----
// destination passing style
// $op: tensor.generate | tensor.from_elements | func.return
func.func @generated(%n: index) -> (tensor<5xindex>, tensor<3xi32>) {
  %t = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<5xindex>
  %c1 = arith.constant 1 : i32
  %e = tensor.from_elements %c1, %c1, %c1 : tensor<3xi32>
  return %t, %e : tensor<5xindex>, tensor<3xi32>
}
// script
%op = transform.structured.match ops{["$op"]} in %root : (!any) -> !any
%new = transform.structured.rewrite_in_destination_passing_style %op : (!any) -> !any
// -----
// copies in place of slices
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
%insert = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!any) -> !any
%copy = transform.structured.insert_slice_to_copy %insert : (!any) -> !any
transform.debug.emit_remark_at %copy, "copied" : !any
// -----
// copies to memref copies
// $element: f32 | f64
func.func @copies(%a: memref<4xf32>, %b: memref<4x$element>) {
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4x$element>)
  return
}
// script
%op = transform.structured.match ops{["linalg.copy"]} in %root : (!any) -> !any
%copy = transform.structured.linalg_copy_to_memref %op : (!any) -> !any
// -----
// copies to threads
// $which: attributes {my.mark} | ops{["linalg.copy"]}
// $options: total_num_threads = 32 desired_bit_alignment = 128 | total_num_threads = 1 desired_bit_alignment = 32
func.func @copy(%a: tensor<?x128xf32>, %b: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %0 = linalg.copy ins(%a : tensor<?x128xf32>) outs(%b : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}
func.func @fixed(%a: tensor<16x32xf32>, %b: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.copy {my.mark} ins(%a : tensor<16x32xf32>) outs(%b : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// script
%op = transform.structured.match $which in %root : (!any) -> !any
%forall, %tiled = transform.structured.gpu.map_copy_to_threads %op $options : (!any) -> (!any, !any)
// -----
// replace
// $new: builtin.module { func.func @replacement() { return } } | func.func @replacement(%x: i32) -> i32 { return %x : i32 }
func.func @old(%x: f32) -> f32 {
  return %x : f32
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%new = transform.structured.replace %functions {
  $new
} : (!any) -> !any
transform.debug.emit_remark_at %new, "new" : !any
// -----
// replace what is used
// on: two_functions
%ops = transform.structured.match ops{["arith.negf"]} in %root : (!any) -> !any
%new = transform.structured.replace %ops {
  func.func @replacement() { return }
} : (!any) -> !any
// -----
// hoist transfers
// $options: nothing | {verify_non_zero_trip}
func.func @hoist(%m: memref<8xf32>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    %r = vector.transfer_read %m[%c0], %pad : memref<8xf32>, vector<4xf32>
    %s = arith.addf %r, %v : vector<4xf32>
    vector.transfer_write %s, %m[%c0] : vector<4xf32>, memref<8xf32>
  }
  return
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%hoisted = transform.structured.hoist_redundant_vector_transfers %functions $options : (!any) -> !any
// -----
// hoist broadcasts
func.func @hoist(%f: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %init = vector.broadcast %f : f32 to vector<4xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%v = %init) -> (vector<4xf32>) {
    %e = vector.extract %v[0] : f32 from vector<4xf32>
    %s = arith.addf %e, %e : f32
    %b = vector.broadcast %s : f32 to vector<4xf32>
    scf.yield %b : vector<4xf32>
  }
  return %r : vector<4xf32>
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%hoisted = transform.structured.hoist_redundant_vector_broadcasts %functions : (!any) -> !any
