// Failures: uses of handles that are not valid any more, wrong modules, wrong kinds of payload.
// -----
// use after it was consumed
// on: matmul
// $use: transform.annotate %op "a" : !any | transform.print %op : !any | transform.debug.emit_remark_at %op, "a" : !any | %p = transform.get_parent_op %op : (!any) -> !any | %n = transform.num_associations %op : (!any) -> !param | %m = transform.merge_handles %op, %tiled : !any | %c = transform.cast %op : !any to !transform.op<"linalg.matmul">
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
$use
// -----
// use of an alias
// on: matmul
// $alias: transform.cast %op : !any to !transform.op<"linalg.matmul"> | transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !transform.op<"linalg.matmul"> | transform.select "linalg.matmul" in %op : (!any) -> !transform.op<"linalg.matmul">
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%alias = $alias
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
transform.debug.emit_remark_at %alias, "stale" : !transform.op<"linalg.matmul">
// -----
// use of what was nested
// on: copies
%mul = transform.structured.match ops{["arith.mulf"]} in %root : (!any) -> !any
%loop = transform.get_parent_op %mul {op_name = "scf.for", nth_parent = 2} : (!any) -> !any
transform.loop.unroll %loop {factor = 2} : !any
transform.debug.emit_remark_at %mul, "nested" : !any
// -----
// use of what was around
// on: copies
%mul = transform.structured.match ops{["arith.mulf"]} in %root : (!any) -> !any
%outer = transform.get_parent_op %mul {op_name = "scf.for", nth_parent = 2} : (!any) -> !any
%inner = transform.get_parent_op %mul {op_name = "scf.for"} : (!any) -> !any
transform.loop.unroll %inner {factor = 2} : !any
transform.debug.emit_remark_at %outer, "still valid" : !any
// -----
// use of a value of what was consumed
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%result = transform.get_result %op[0] : (!any) -> !value
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
transform.debug.emit_remark_at %result, "stale" : !value
// -----
// without expensive checks
// on: matmul
// options: disable-expensive-checks=true
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%copy = transform.merge_handles %op : !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
transform.debug.emit_remark_at %loop, "went on" : !any
// -----
// consume the same twice in one operation
// on: siblings
%loops = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
%again = transform.merge_handles %loops, %loops : !any
transform.loop.unroll %again {factor = 2} : !any
// -----
// consume an ancestor before its descendant
// on: copies
// $order: %outer, %inner | %inner, %outer
%mul = transform.structured.match ops{["arith.mulf"]} in %root : (!any) -> !any
%outer = transform.get_parent_op %mul {op_name = "scf.for", nth_parent = 2} : (!any) -> !any
%inner = transform.get_parent_op %mul {op_name = "scf.for"} : (!any) -> !any
%both = transform.merge_handles $order : !any
transform.loop.unroll %both {factor = 2} : !any
// -----
// a second round of a loop
func.func @f(%x: f32) -> f32 {
  %s = arith.addf %x, %x : f32
  %t = arith.addf %s, %x : f32
  return %t : f32
}
// script
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.foreach %ops : !any {
^bb0(%op: !any):
  %changed = transform.apply_registered_pass "canonicalize" to %functions : (!any) -> !any
}
// -----
// consumed and not said
// on: matmul
transform.named_sequence @helper(%op: !any {transform.readonly}) {
  %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
  transform.yield
}
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  transform.include @helper failures(propagate) (%op) : (!any) -> ()
  transform.yield
}
// -----
// use after a call that consumes
// on: matmul
transform.named_sequence @helper(%op: !any {transform.consumed}) {
  %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
  transform.yield
}
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  transform.include @helper failures(propagate) (%op) : (!any) -> ()
  transform.debug.emit_remark_at %op, "stale" : !any
  transform.yield
}
// -----
// arguments without attributes
// on: matmul
// $attributes: nothing | {transform.consumed} | {transform.consumed, transform.readonly} | {my.own}
transform.named_sequence @__transform_main(%root: !any $attributes) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  transform.yield
}
// -----
// too many arguments
// on: matmul
transform.named_sequence @__transform_main(%root: !any {transform.readonly}, %more: !any {transform.readonly}) {
  transform.yield
}
// -----
// more arguments bound
// on: matmul
// options: debug-bind-trailing-args=linalg.fill,linalg.matmul
transform.named_sequence @__transform_main(%root: !any {transform.readonly}, %fill: !any {transform.readonly}, %matmul: !any {transform.readonly}) {
  transform.debug.emit_remark_at %fill, "fill" : !any
  transform.debug.emit_remark_at %matmul, "matmul" : !any
  transform.yield
}
// -----
// no entry point
// on: matmul
transform.named_sequence @other(%root: !any {transform.readonly}) {
  transform.yield
}
// -----
// an unknown operation
// on: matmul
%op = transform.structured.no_such_thing %root : (!any) -> !any
// -----
// an unknown value
// on: matmul
transform.debug.emit_remark_at %nobody, "nobody" : !any
// -----
// wrong syntax
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"} in %root : (!any) -> !any
// -----
// a payload that is wrong
func.func @f(%x: f32) -> i32 {
  return %x : f32
}
// script
transform.print
// -----
// a payload that becomes wrong
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) {
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%changed = transform.func.replace_func_signature @f args_interchange = [2, 1, 0] results_interchange = [] at %functions : (!any) -> (!any, !any)
// -----
// many failures at once
// on: two_functions
transform.sequence %root : !any failures(suppress) {
^bb0(%r: !any):
  %ops = transform.structured.match ops{["arith.addf"]} in %r : (!any) -> !any
  transform.debug.emit_remark_at %ops, "first" : !any
  transform.loop.unroll %ops {factor = 2} : !any
}
transform.sequence %root : !any failures(propagate) {
^bb0(%r: !any):
  %ops = transform.structured.match ops{["arith.mulf"]} in %r : (!any) -> !any
  transform.debug.emit_remark_at %ops, "second" : !any
  transform.loop.unroll %ops {factor = 2} : !any
}
// -----
// texts with other letters
func.func @"größe"(%x: f32) -> f32 { // ein Kommentar: äöü €
  %s = "größe.€"(%x) {"größer" = "𝔸"} : (f32) -> f32 loc("größe.c":1:2)
  return %s : f32
}
// script
%ops = transform.structured.match ops{["func.func", "größe.€"]} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "größer als 𝔸" : !any
// -----
// tabulators
func.func @f(%x: f32) -> f32 {
	%s =	"my.op"(%x) : (f32) -> f32
	return %s : f32
}
// script
%ops = transform.structured.match ops{["my.op"]} in %root : (!any) -> !any
	transform.debug.emit_remark_at %ops, "in front of\ttabulators" : !any
// -----
// explicit locations
// $where: loc("other.c":3:4) | loc(unknown) | loc("a name") | loc("a name"(fused["x.c":1:1, "y.c":2:2])) | loc(callsite("callee"("c.c":1:1) at "caller.c":7:8)) | loc(fused<"why">["x.c":1:1, "y.c":2:2])
func.func @f(%x: f32) -> f32 {
  %s = arith.addf %x, %x : f32 $where
  return %s : f32
}
// script
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "here" : !any
// -----
// a resource
func.func @f() -> tensor<4xi32> {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %d = arith.constant dense_resource<blob> : tensor<4xi32>
  %e = arith.addi %c, %d : tensor<4xi32>
  return %e : tensor<4xi32>
}
// script
%ops = transform.structured.match ops{["arith.constant"]} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "constant" : !any
