// Tiling, fusion, splitting and padding of linalg operations.
// -----
// payload elementwise
func.func @elementwise(%a: tensor<?x10xf32>, %b: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %0 = linalg.exp ins(%a : tensor<?x10xf32>) outs(%b : tensor<?x10xf32>) -> tensor<?x10xf32>
  %1 = linalg.add ins(%0, %a : tensor<?x10xf32>, tensor<?x10xf32>) outs(%b : tensor<?x10xf32>) -> tensor<?x10xf32>
  return %1 : tensor<?x10xf32>
}
// -----
// payload matmul_buffers
func.func @matmul(%a: memref<8x16xf32>, %b: memref<16x12xf32>, %c: memref<8x12xf32>) {
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x12xf32>) outs(%c : memref<8x12xf32>)
  return
}
// -----
// payload reduction
func.func @reduce(%t: tensor<?x20xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]
  } ins(%t : tensor<?x20xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// tile with one loop
// on: matmul | matmul_buffers
// $sizes: [4] | [3] | [0, 4] | [0, 0, 16] | [[4]]
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes $sizes : (!any) -> (!any, !any)
transform.debug.emit_remark_at %loop, "loop" : !any
// -----
// tile with three loops
// on: matmul
// $sizes: [4, 5, 6] | [4, 4, 4] interchange = [2, 0, 1] | [8, 12, 16] | [4, 4, 4] interchange = [0, 0, 1]
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loops:3 = transform.structured.tile_using_for %op tile_sizes $sizes : (!any) -> (!any, !any, !any, !any)
transform.debug.emit_remark_at %loops#2, "innermost" : !any
// -----
// tile with no loop
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled = transform.structured.tile_using_for %op tile_sizes [0, 0] : (!any) -> !any
// -----
// tile with sizes from the payload and from parameters
// on: elementwise
%op = transform.structured.match ops{["linalg.exp"]} in %root : (!any) -> !any
%five = transform.param.constant 5 : i64 -> !param
%tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [%five, 2] : (!any, !param) -> (!any, !any, !any)
// -----
// tile with sizes from an operation
func.func @sized(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %size = arith.addi %n, %c2 : index
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// script
%op = transform.structured.match ops{["linalg.exp"]} in %root : (!any) -> !any
%size = transform.structured.match ops{["arith.addi"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size] : (!any, !any) -> (!any, !any)
// -----
// tile what cannot be tiled
// on: matmul
%op = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
// -----
// tile several operations
// on: elementwise
%ops = transform.structured.match ops{["linalg.exp", "linalg.add"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %ops tile_sizes [7] : (!any) -> (!any, !any)
transform.debug.emit_remark_at %loop, "loop" : !any
// -----
// tile with a forall
// on: matmul
// $how: tile_sizes [4, 4] | num_threads [2, 3] | num_threads [3, 5] (mapping = [#gpu.block<y>, #gpu.block<x>]) | tile_sizes [5] (mapping = [#gpu.thread<x>]) | num_threads [2, 2, 2]
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %forall = transform.structured.tile_using_forall %op $how : (!any) -> (!any, !any)
transform.debug.emit_remark_at %forall, "forall" : !any
// -----
// tile with a forall and parameters
// on: elementwise
%ops = transform.structured.match ops{["linalg.add"]} in %root : (!any) -> !any
%n = transform.param.constant 3 : i64 -> !param
%tiled, %forall = transform.structured.tile_using_forall %ops num_threads [%n, 2] : (!any, !param) -> (!any, !any)
// -----
// fuse producers
// on: elementwise | matmul
// $how: [4, 5] | [4, 5] {apply_cleanup} | [4, 5] interchange [1, 0]
%op = transform.structured.match ops{["linalg.add", "linalg.matmul"]} in %root : (!any) -> !any
%fused, %loops:2 = transform.structured.fuse %op tile_sizes $how : (!any) -> (!any, !any, !any)
transform.debug.emit_remark_at %loops#1, "inner" : !any
// -----
// fuse producers into a forall
// on: elementwise
%op = transform.structured.match ops{["linalg.add"]} in %root : (!any) -> !any
%fused, %forall = transform.structured.fuse %op tile_sizes [4, 5] {use_forall} : (!any) -> (!any, !any)
transform.debug.emit_remark_at %forall, "forall" : !any
// -----
// fuse what has no producers
// on: matmul_buffers
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%fused, %loop = transform.structured.fuse %op tile_sizes [4] : (!any) -> (!any, !any)
// -----
// fuse a producer into a loop
// on: matmul
// $tiling: forall %op num_threads [2] | for %op tile_sizes [4]
%fill = transform.structured.match ops{["linalg.fill"]} in %root : (!any) -> !any
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_$tiling : (!any) -> (!any, !any)
%fused, %new_loop = transform.structured.fuse_into_containing_op %fill into %loop : (!any, !any) -> (!any, !any)
transform.debug.emit_remark_at %fused, "fused" : !any
// -----
// fuse into what does not use it
// on: elementwise
%ops = transform.structured.match ops{["linalg.exp", "linalg.add"]} in %root : (!any) -> !any
%exp, %add = transform.split_handle %ops : (!any) -> (!any, !any)
%tiled, %loop = transform.structured.tile_using_forall %exp num_threads [2] : (!any) -> (!any, !any)
%fused, %new_loop = transform.structured.fuse_into_containing_op %add into %loop : (!any, !any) -> (!any, !any)
// -----
// tile a reduction with a for
// on: reduction
// $how: by tile_sizes = [0, 5] | reduction_dims = [1] by tile_sizes = [0, 5]
%op = transform.structured.match ops{["linalg.generic"]} in %root : (!any) -> !any
%fill, %split, %combine, %for = transform.structured.tile_reduction_using_for %op $how : (!any) -> (!any, !any, !any, !any)
transform.debug.emit_remark_at %combine, "combining" : !any
// -----
// tile the reduction of a product
// on: matmul
// $how: by tile_sizes = [0, 5] | reduction_dims = [2] by tile_sizes = [0, 0, 4]
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%fill, %split, %combine, %for = transform.structured.tile_reduction_using_for %op $how : (!any) -> (!any, !any, !any, !any)
transform.debug.emit_remark_at %combine, "combining" : !any
// -----
// tile a reduction with a forall
// on: reduction
// $how: num_threads = [0, 5] tile_sizes = [] | num_threads = [0, 5] tile_sizes = [0, 3] mapping = [#gpu.thread<x>] | tile_sizes = [0, 5]
%op = transform.structured.match ops{["linalg.generic"]} in %root : (!any) -> !any
%fill, %split, %combine, %for = transform.structured.tile_reduction_using_forall %op by $how : (!any) -> (!any, !any, !any, !any)
transform.debug.emit_remark_at %combine, "combining" : !any
// -----
// sizes of two tilings
// on: matmul | elementwise
// $options: {dimension = 0, target_size = 3} | {dimension = 0, target_size = 3, divisor = 2}
%op = transform.structured.match ops{["linalg.matmul", "linalg.add"]} in %root : (!any) -> !any
%low, %high, %point = transform.structured.multitile_sizes %op $options : (!any) -> !any
transform.debug.emit_remark_at %point, "split here" : !any
// -----
// sizes of two tilings as parameters
// on: matmul | elementwise
%op = transform.structured.match ops{["linalg.matmul", "linalg.add"]} in %root : (!any) -> !any
%low, %high, %point = transform.structured.multitile_sizes %op {dimension = 1, target_size = 8} : (!any) -> !param
transform.debug.emit_param_as_remark %low, "low" : !param
%parts = transform.structured.split %op after %point {dimension = 1} : !any, !param
// -----
// sizes of tiles that become smaller
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%sizes, %chunks = transform.structured.continuous_tile_sizes %op {dimension = 1, target_size = 9} : (!any) -> !any
%parts = transform.structured.split %op after %chunks {dimension = 1, multiway} : !any, !any
%count = transform.num_associations %parts : (!any) -> !param
transform.debug.emit_param_as_remark %count, "parts" : !param
// -----
// sizes of tiles that become smaller, as parameters
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%sizes, %chunks = transform.structured.continuous_tile_sizes %op {dimension = 0, target_size = 5} : (!any) -> !param
transform.debug.emit_param_as_remark %sizes, "sizes" : !param
// -----
// split
// on: matmul | elementwise
// $where: after 3 {dimension = 0} | after 3 {dimension = 1} | after 100 {dimension = 1} | after 3 {dimension = 7}
%op = transform.structured.match ops{["linalg.matmul", "linalg.add"]} in %root : (!any) -> !any
%parts = transform.structured.split %op $where : !any
%count = transform.num_associations %parts : (!any) -> !param
transform.debug.emit_param_as_remark %count, "parts" : !param
// -----
// split a reduction
// on: matmul
// $options: {split_factor = 4, insert_split_dimension = 2} | {split_factor = 4, insert_split_dimension = 0, inner_parallel} | {split_factor = 4, insert_split_dimension = 2, use_scaling_algorithm} | {split_factor = 5, insert_split_dimension = 2} | {split_factor = 4, insert_split_dimension = 2, use_alloc}
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%init, %fill, %split, %combine = transform.structured.split_reduction %op $options : (!any) -> (!any, !any, !any, !any)
transform.debug.emit_remark_at %combine, "combining" : !any
// -----
// pad
// on: matmul | elementwise
// $options: {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]} | {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0]} | {padding_values = [0 : i32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1]} | {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0], copy_back_op = "none"}
%op = transform.structured.match ops{["linalg.matmul", "linalg.add"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [5] : (!any) -> (!any, !any)
%padded, %pad, %copy = transform.structured.pad %tiled $options : (!any) -> (!any, !any, !any)
transform.debug.emit_remark_at %pad, "pad" : !any
// -----
// pad to multiples
// on: matmul
// $multiples: [3, 5, 7] use_prescribed_tensor_shapes {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]} | [3, 5, 7] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], copy_back_op = "linalg.copy"} | [3] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]}
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%padded, %pad, %copy = transform.structured.pad %op pad_to_multiple_of $multiples : (!any) -> (!any, !any, !any)
transform.debug.emit_remark_at %copy, "copied back" : !any
// -----
// pad by the interface
// on: matmul | elementwise
// $sizes: [10, 20, 30] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} | [3, 5, 7] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], pad_to_multiple_of} | [2] {padding_values = [0.0 : f32]}
%op = transform.structured.match ops{["linalg.matmul", "linalg.add"]} in %root : (!any) -> !any
%padded, %pad = transform.structured.pad_tiling_interface %op to padding_sizes $sizes : (!any) -> (!any, !any)
transform.debug.emit_remark_at %pad, "pad" : !any
// -----
// hoist a pad
// on: matmul
// $loops: 1 | 2 | 9
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loops:3 = transform.structured.tile_using_for %op tile_sizes [3, 5, 7] : (!any) -> (!any, !any, !any, !any)
%padded, %pads, %copy = transform.structured.pad %tiled {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], copy_back_op = "none"} : (!any) -> (!any, !any, !any)
%pad = transform.get_producer_of_operand %padded[1] : (!any) -> !any
%hoisted = transform.structured.hoist_pad %pad by $loops loops : (!any) -> !any
transform.debug.emit_remark_at %hoisted, "hoisted" : !any
// -----
// hoist a pad and transpose
// on: matmul
// $transpose: [1, 0] | [0, 0] | [0, 1, 2]
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loops:3 = transform.structured.tile_using_for %op tile_sizes [3, 5, 7] : (!any) -> (!any, !any, !any, !any)
%padded, %pads, %copy = transform.structured.pad %tiled {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], copy_back_op = "none"} : (!any) -> (!any, !any, !any)
%pad = transform.get_producer_of_operand %padded[0] : (!any) -> !any
%hoisted = transform.structured.hoist_pad %pad by 1 loops, transpose by $transpose : (!any) -> !any
// -----
// build a packing loop nest
// on: matmul
// $above: %loops#1 | %loops#0, transpose by [1, 0] | %tiled
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loops:3 = transform.structured.tile_using_for %op tile_sizes [3, 5, 7] : (!any) -> (!any, !any, !any, !any)
%padded, %pads, %copy = transform.structured.pad %tiled {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], copy_back_op = "none"} : (!any) -> (!any, !any, !any)
%pad = transform.get_producer_of_operand %padded[0] : (!any) -> !any
%nest = transform.structured.hoist_pad.build_packing_loop_nest %pad above $above : (!any, !any) -> !any
transform.debug.emit_remark_at %nest, "nest" : !any
// -----
// tile twice and unroll
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %outer:2 = transform.structured.tile_using_for %op tile_sizes [4, 4] : (!any) -> (!any, !any, !any)
%small, %inner = transform.structured.tile_using_for %tiled tile_sizes [0, 2] : (!any) -> (!any, !any)
transform.loop.unroll %inner {factor = 2} : !any
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_patterns to %functions {
  transform.apply_patterns.canonicalization
  transform.apply_patterns.linalg.tiling_canonicalization
} {apply_cse} : !any
