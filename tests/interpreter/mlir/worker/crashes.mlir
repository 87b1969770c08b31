// Scripts that make MLIR crash, of LLVM 22 and later.
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
// a handle for what is left, and nothing left
// on: matmul
%op = transform.structured.match ops{["linalg.fill"]} in %root : (!any) -> !any
%a, %b = transform.split_handle %op {overflow_result = 1, fail_on_payload_too_small = false} : (!any) -> (!any, !any)
transform.debug.emit_remark_at %b, "left" : !any
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
