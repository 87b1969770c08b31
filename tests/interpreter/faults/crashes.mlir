// Scripts that make MLIR crash, of LLVM 22 and later.
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
// split after nothing
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%parts = transform.structured.split %op after 0 {dimension = 1} : !any
// -----
// independent of no loop
func.func @f(%n: index) -> tensor<?xf32> {
  %t = tensor.empty(%n) : tensor<?xf32>
  return %t : tensor<?xf32>
}
// script
%op = transform.structured.match ops{["tensor.empty"]} in %root : (!any) -> !any
%new = transform.tensor.make_loop_independent %op {num_loops = 0} : (!any) -> !any
// -----
// destination passing style of nothing
func.func @f() {
  return
}
// script
%op = transform.structured.match ops{["func.return"]} in %root : (!any) -> !any
%new = transform.structured.rewrite_in_destination_passing_style %op : (!any) -> !any
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
// a handle for what is left, and nothing left
// on: matmul
%op = transform.structured.match ops{["linalg.fill"]} in %root : (!any) -> !any
%a, %b = transform.split_handle %op {overflow_result = 1, fail_on_payload_too_small = false} : (!any) -> (!any, !any)
transform.debug.emit_remark_at %b, "left" : !any
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
// -----
// outline a function
// on: matmul
%function = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%new, %call = transform.loop.outline %function {func_name = "outlined"} : (!any) -> (!any, !any)
// -----
// a call after the root
func.func private @helper(%t: tensor<?xf32>) -> tensor<?xf32>
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %e = math.exp %t : tensor<4xf32>
  %g = math.log %e : tensor<4xf32>
  return %g : tensor<4xf32>
}
// script
%exp = transform.structured.match ops{["math.exp"]} in %root : (!any) -> !any
%log = transform.structured.match ops{["math.log"]} in %root : (!any) -> !any
%in = transform.get_result %exp[0] : (!any) -> !value
%out = transform.get_result %log[0] : (!any) -> !value
%call = transform.func.cast_and_call @helper(%in) -> %out after %root {
  transform.type_conversion.tensor.cast_shape_dynamic_dims ignore_dynamic_info
} : (!any, !value, !value) -> !any
