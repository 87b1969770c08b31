// Scripts that make MLIR use memory that is not what it takes it for, which mostly ends in a crash.
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
