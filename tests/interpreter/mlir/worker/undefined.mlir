// Scripts that make MLIR read memory that is not what it takes it for, or divide by nothing: what comes of that is not
// defined, and differs between machines; mostly it is a crash.
// -----
// a reduction where there is none
// on: matmul
// $position: 5 | -1
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
transform.match.structured %op : !any {
^bb0(%s: !any):
  transform.match.structured.body %s {reduction_position = $position} : !any
  transform.match.structured.yield
}
// -----
// pad what has two operands with three values
// on: matmul
%op = transform.structured.match ops{["linalg.fill"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [5] : (!any) -> (!any, !any)
%padded, %pad, %copy = transform.structured.pad %tiled {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0]} : (!any) -> (!any, !any, !any)
transform.debug.emit_remark_at %pad, "pad" : !any
// -----
// tile a reduction that is not there
// on: reduction
// $dimension: -1 | 9223372036854775807
%op = transform.structured.match ops{["linalg.generic"]} in %root : (!any) -> !any
%fill, %split, %combine, %for = transform.structured.tile_reduction_using_for %op reduction_dims = [$dimension] by tile_sizes = [0, 4] : (!any) -> (!any, !any, !any, !any)
// -----
// a tiling of two at a size that is no dimension
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%low, %high, %point = transform.structured.multitile_sizes %op {dimension = 9223372036854775807, target_size = 8} : (!any) -> !param
// -----
// replace the root
// on: matmul
%op = transform.structured.match ops{["builtin.module"]} in %root : (!any) -> !any
%new = transform.structured.replace %op {
  builtin.module {}
} : (!any) -> !any
// -----
// tile sizes that mean that there is an operand
// on: matmul
// $how: %t, %l = transform.structured.tile_using_for %op tile_sizes [$huge] | %t, %l = transform.structured.tile_using_forall %op tile_sizes [$huge] | %t, %l = transform.structured.fuse %op tile_sizes [$huge]
// $huge: -9223372036854775808
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
$how : (!any) -> (!any, !any)
// -----
// vector sizes that mean that there is an operand
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
transform.structured.vectorize %op vector_sizes [-9223372036854775808, 2, 2] : !any
// -----
// packed sizes that mean that there is an operand
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%packed = transform.structured.pack %op packed_sizes = [-9223372036854775808, 2, 2] : (!any) -> !any
// -----
// an operand before the first
// on: two_functions
%op = transform.structured.match ops{["arith.negf"]} in %root : (!any) -> !any
%producer = transform.get_producer_of_operand %op[-1] : (!any) -> !any
// -----
// a result before the first
// on: two_functions
%op = transform.structured.match ops{["arith.mulf"]} in %root : (!any) -> !any
%consumers = transform.get_consumers_of_result %op[-1] : (!any) -> !any
// -----
// unroll to nothing
// on: contraction
// $shape: [8, 4, 0] | [0, 4, 8]
// patterns
transform.apply_patterns.gpu.unroll_vectors_subgroup_mma $shape
// -----
// sizes of two tilings by nothing
// on: matmul
// $options: {dimension = 0, target_size = 3, divisor = 0} | {dimension = 0, target_size = 0}
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%low, %high, %point = transform.structured.multitile_sizes %op $options : (!any) -> !param
// -----
// sizes of tiles that are nothing
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%sizes, %chunks = transform.structured.continuous_tile_sizes %op {dimension = 0, target_size = 0} : (!any) -> !param
// -----
// a pipeline that begins all at once
// on: copies
%op = transform.structured.match ops{["arith.mulf"]} in %root : (!any) -> !any
%loop = transform.get_parent_op %op {op_name = "scf.for"} : (!any) -> !transform.op<"scf.for">
%pipelined = transform.loop.pipeline %loop {iteration_interval = 0 : i64} : (!transform.op<"scf.for">) -> !any
