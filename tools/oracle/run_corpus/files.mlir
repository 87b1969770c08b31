// How runs are put together: payloads in files of their own, libraries, entry points, options.
// -----
// payload helpers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%op: !any {transform.consumed}) -> !any {
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
    transform.yield %loop : !any
  }
  transform.named_sequence @say(%op: !any {transform.readonly}) {
    transform.debug.emit_remark_at %op, "said by the library" : !any
    transform.yield
  }
}
// -----
// payload more_helpers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @more(%op: !any {transform.readonly}) {
    transform.annotate %op "my.more" : !any
    transform.yield
  }
}
// -----
// payload broken
module attributes {transform.with_named_sequence} {
  transform.named_sequence @oops(%op: !any {transform.consumed}) {
    transform.oops %op
  }
}
// -----
// a payload apart
// on: matmul | elementwise | two_functions
// apart
%ops = transform.structured.match ops{["linalg.matmul", "linalg.add", "arith.addf"]} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "in the other file" : !any
transform.print %ops : !any
// -----
// a payload apart, changed
// on: matmul
// apart
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
// -----
// a payload apart, a failure
// on: copies
// apart
%ops = transform.structured.match ops{["memref.store"]} in %root : (!any) -> !any
transform.loop.unroll %ops {factor = 2} : !any
// -----
// a payload apart, a stale handle
// on: matmul
// apart
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
transform.debug.emit_remark_at %op, "stale" : !any
// -----
// a payload apart that is wrong
// apart
func.func @f(%x: f32) -> i32 {
  return %x : f32
}
// script
transform.print
// -----
// a library
// on: matmul
// library: helpers
transform.named_sequence private @tile(!any {transform.consumed}) -> !any
transform.named_sequence private @say(!any {transform.readonly})
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  transform.include @say failures(propagate) (%op) : (!any) -> ()
  %loop = transform.include @tile failures(propagate) (%op) : (!any) -> !any
  transform.debug.emit_remark_at %loop, "loop" : !any
  transform.yield
}
// -----
// a library that is not declared
// on: matmul
// library: helpers
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  transform.include @say failures(propagate) (%op) : (!any) -> ()
  transform.yield
}
// -----
// two libraries
// on: matmul
// library: helpers more_helpers
transform.named_sequence private @more(!any {transform.readonly})
transform.named_sequence private @say(!any {transform.readonly})
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  transform.include @say failures(propagate) (%op) : (!any) -> ()
  transform.include @more failures(propagate) (%op) : (!any) -> ()
  transform.yield
}
// -----
// a library that is broken
// on: matmul
// library: broken
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
// -----
// a library and a payload apart
// on: matmul
// library: helpers
// apart
transform.named_sequence private @tile(%op: !any {transform.consumed}) -> !any
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  %loop = transform.include @tile failures(propagate) (%op) : (!any) -> !any
  transform.debug.emit_remark_at %loop, "loop" : !any
  transform.yield
}
// -----
// another entry point
// on: matmul
// entry: second
transform.named_sequence @first(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  transform.debug.emit_remark_at %op, "first" : !any
  transform.yield
}
transform.named_sequence @second(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.fill"]} in %root : (!any) -> !any
  transform.debug.emit_remark_at %op, "second" : !any
  transform.yield
}
// -----
// an entry point that is not there
// on: matmul
// entry: third
transform.named_sequence @first(%root: !any {transform.readonly}) {
  transform.yield
}
// -----
// an entry point in a module of its own
// on: matmul
module @schedules attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
    transform.yield
  }
}
// -----
// a marked payload
// options: debug-payload-root-tag=here
func.func @f(%x: f32) -> f32 {
  %s = arith.addf %x, %x : f32
  return %s : f32
}
func.func @g(%x: f32) -> f32 attributes {transform.target_tag = "here"} {
  %s = arith.addf %x, %x : f32
  return %s : f32
}
// script
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "only here" : !any
// -----
// a payload that is not marked
// on: two_functions
// options: debug-payload-root-tag=nowhere
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
// -----
// unregistered payload
func.func @f(%x: !my.type<4>) -> !my.type<4> {
  %0 = "my.op"(%x) {my.attr = #my.value<1>} : (!my.type<4>) -> !my.type<4>
  return %0 : !my.type<4>
}
// script
%ops = transform.structured.match ops{["my.op"]} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "unknown" : !any
transform.annotate %ops "my.seen" : !any
// -----
// aliases that change
func.func @f(%a: memref<4xf32, affine_map<(d0) -> (d0 * 2)>>, %b: memref<8x8xf32, strided<[?, 1], offset: ?>>, %i: index) -> f32 {
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)
  %1 = memref.load %a[%0] : memref<4xf32, affine_map<(d0) -> (d0 * 2)>>
  %2 = memref.load %b[%0, %i] : memref<8x8xf32, strided<[?, 1], offset: ?>>
  %3 = arith.addf %1, %2 : f32
  return %3 : f32
}
// script
%map = transform.param.constant affine_map<(d0, d1) -> (d1, d0)> -> !transform.any_param
%ops = transform.structured.match ops{["affine.apply"]} in %root : (!any) -> !any
transform.annotate %ops "my.map" = %map : !any, !transform.any_param
// -----
// long texts
// $count: 1 | 2
func.func @f() -> (tensor<64xi32>, !llvm.struct<(i32, i64)>) {
  %c = arith.constant dense<"0x01000000020000000300000004000000050000000600000007000000080000000100000002000000030000000400000005000000060000000700000008000000010000000200000003000000040000000500000006000000070000000800000001000000020000000300000004000000050000000600000007000000080000000100000002000000030000000400000005000000060000000700000008000000010000000200000003000000040000000500000006000000070000000800000001000000020000000300000004000000050000000600000007000000080000000100000002000000030000000400000005000000060000000700000008000000"> : tensor<64xi32>
  %u = llvm.mlir.undef : !llvm.struct<(i32, i64)>
  return %c, %u : tensor<64xi32>, !llvm.struct<(i32, i64)>
}
// script
%ops = transform.structured.match ops{["arith.constant"]} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "$count" : !any
// -----
// the payload is printed while it changes
// on: matmul
transform.print {name = "before"}
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%generic = transform.structured.generalize %op : (!any) -> !any
transform.print %generic {name = "generic"} : !any
transform.print {name = "after", use_local_scope}
