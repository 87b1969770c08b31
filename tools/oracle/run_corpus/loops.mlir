// Transformations of loops: the extensions of the dialects scf and affine.
// -----
// payload copies
func.func @copy(%from: memref<8x12xf32>, %to: memref<8x12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c12 step %c1 {
      %v = memref.load %from[%i, %j] : memref<8x12xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %to[%i, %j] : memref<8x12xf32>
    }
  }
  return
}
// -----
// payload unknown_bound
func.func @sum(%m: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c4 iter_args(%s = %zero) -> (f32) {
    %v = memref.load %m[%i] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %sum : f32
}
// -----
// payload affine_loop
func.func @affine(%m: memref<24xf32>, %v: f32) {
  affine.for %i = 0 to 24 {
    affine.store %v, %m[%i] : memref<24xf32>
  }
  return
}
// -----
// unroll
// on: copies | unknown_bound
// $factor: 1 | 2 | 3 | 100
%loops = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
transform.loop.unroll %loops {factor = $factor} : !any
// -----
// unroll an affine loop
// on: affine_loop
// $factor: 1 | 4 | 7
%loops = transform.structured.match ops{["affine.for"]} in %root : (!any) -> !any
transform.loop.unroll %loops {factor = $factor} : !any
// -----
// unroll what is no loop
// on: copies
%stores = transform.structured.match ops{["memref.store"]} in %root : (!any) -> !any
transform.loop.unroll %stores {factor = 2} : !any
// -----
// unroll and jam
// on: copies | affine_loop | unknown_bound
// $factor: 1 | 2 | 5
%loops = transform.structured.match ops{["scf.for", "affine.for"]} in %root : (!any) -> !any
transform.loop.unroll_and_jam %loops {factor = $factor} : !any
// -----
// peel
// on: unknown_bound | copies
// $front: {} | {peel_front = true} | {fail_if_already_divisible = true}
%body = transform.structured.match ops{["arith.mulf", "arith.addf"]} in %root : (!any) -> !any
%loop = transform.get_parent_op %body {op_name = "scf.for"} : (!any) -> !transform.op<"scf.for">
%main, %remainder = transform.loop.peel %loop $front : (!transform.op<"scf.for">) -> (!any, !any)
transform.debug.emit_remark_at %main, "main" : !any
transform.debug.emit_remark_at %remainder, "remainder" : !any
// -----
// pipeline the inner loop
// on: copies
%mul = transform.structured.match ops{["arith.mulf"]} in %root : (!any) -> !any
%loop = transform.get_parent_op %mul {op_name = "scf.for"} : (!any) -> !transform.op<"scf.for">
%pipelined = transform.loop.pipeline %loop {iteration_interval = 1 : i64, read_latency = 2 : i64} : (!transform.op<"scf.for">) -> !any
transform.print %pipelined {name = "pipelined"} : !any
// -----
// pipeline
// on: copies | unknown_bound
// $options: {} | {iteration_interval = 1 : i64, read_latency = 3 : i64}
%loop = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !transform.op<"scf.for">
%pipelined = transform.loop.pipeline %loop $options : (!transform.op<"scf.for">) -> !any
// -----
// coalesce
// on: copies | affine_loop
// $nth: 2 | 1
%mul = transform.structured.match ops{["arith.mulf", "affine.store"]} in %root : (!any) -> !any
%loop = transform.get_parent_op %mul {nth_parent = $nth : i64} : (!any) -> !any
%coalesced = transform.loop.coalesce %loop : (!any) -> !any
transform.debug.emit_remark_at %coalesced, "one loop" : !any
// -----
// outline
// on: copies
// $which: %inner | %outer
%loops = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
%outer, %inner = transform.split_handle %loops : (!any) -> (!any, !any)
%function, %call = transform.loop.outline $which {func_name = "outlined"} : (!any) -> (!any, !any)
transform.debug.emit_remark_at %function, "the function" : !any
transform.debug.emit_remark_at %call, "the call" : !any
// -----
// promote loops of one iteration
func.func @once(%m: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  affine.for %i = 3 to 4 {
    affine.store %v, %m[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}
// script
%loops = transform.structured.match ops{["scf.for", "affine.for"]} in %root : (!any) -> !any
transform.loop.promote_if_one_iteration %loops : !any
// -----
// payload foralls
func.func @forall(%m: memref<4x6xf32>, %v: f32) {
  scf.forall (%i, %j) in (4, 6) {
    memref.store %v, %m[%i, %j] : memref<4x6xf32>
  }
  return
}
// -----
// payload forall_with_results
func.func @shared(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
// -----
// forall to for
// on: foralls | forall_with_results
%foralls = transform.structured.match ops{["scf.forall"]} in %root : (!any) -> !any
%outer, %inner = transform.loop.forall_to_for %foralls : (!any) -> (!any, !any)
transform.debug.emit_remark_at %outer, "outer" : !any
transform.debug.emit_remark_at %inner, "inner" : !any
// -----
// forall to parallel
// on: foralls | forall_with_results | copies
%foralls = transform.structured.match ops{["scf.forall", "scf.for"]} in %root : (!any) -> !any
%parallel = transform.loop.forall_to_parallel %foralls : (!any) -> !any
transform.debug.emit_remark_at %parallel, "parallel" : !any
// -----
// parallel to nested fors
func.func @parallel(%m: memref<4x6xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c6) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<4x6xf32>
  }
  return
}
// script
%parallel = transform.structured.match ops{["scf.parallel"]} in %root : (!any) -> !any
%loops = transform.loop.parallel_for_to_nested_fors %parallel : (!any) -> !any
transform.debug.emit_remark_at %loops, "loops" : !any
// -----
// payload siblings
func.func @siblings(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %r = tensor.insert %one into %t[%i] : tensor<8xf32>
    scf.yield %r : tensor<8xf32>
  }
  %1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %b) -> (tensor<8xf32>) {
    %v = tensor.extract %a[%i] : tensor<8xf32>
    %r = tensor.insert %v into %t[%i] : tensor<8xf32>
    scf.yield %r : tensor<8xf32>
  }
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
// -----
// fuse siblings
// on: siblings
// $loops: %first into %second | %second into %first | %first into %first
%loops = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
%first, %second = transform.split_handle %loops : (!any) -> (!any, !any)
%fused = transform.loop.fuse_sibling $loops : (!any, !any) -> !any
transform.debug.emit_remark_at %fused, "fused" : !any
// -----
// fuse loops that are nested
// on: copies
%loops = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
%outer, %inner = transform.split_handle %loops : (!any) -> (!any, !any)
%fused = transform.loop.fuse_sibling %outer into %inner : (!any, !any) -> !any
// -----
// hoist subsets that do not depend on the loop
func.func @accumulate(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%o = %t) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %o[2] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %e = tensor.extract %s[%c0] : tensor<1xf32>
    %n = arith.addf %e, %v : f32
    %u = tensor.from_elements %n : tensor<1xf32>
    %w = tensor.insert_slice %u into %o[2] [1] [1] : tensor<1xf32> into tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
// script
%loop = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
transform.loop.hoist_loop_invariant_subsets %loop : !any
// -----
// licm
// on: copies | affine_loop
%loops = transform.structured.match interface{LoopLikeInterface} in %root : (!any) -> !any
transform.apply_licm to %loops : !any
// -----
// licm out of what is no loop
// on: copies
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_licm to %functions : !any
// -----
// take the branch that is assumed
// $else: nothing | take_else_branch
func.func @branch(%c: i1, %m: memref<f32>, %a: f32, %b: f32) {
  scf.if %c {
    memref.store %a, %m[] : memref<f32>
  } else {
    memref.store %b, %m[] : memref<f32>
  }
  return
}
// script
%if = transform.structured.match ops{["scf.if"]} in %root : (!any) -> !any
transform.scf.take_assumed_branch %if $else : (!any) -> ()
// -----
// take the branch that is not there
func.func @branch(%c: i1, %m: memref<f32>, %a: f32) {
  scf.if %c {
    memref.store %a, %m[] : memref<f32>
  }
  return
}
// script
%if = transform.structured.match ops{["scf.if"]} in %root : (!any) -> !any
transform.scf.take_assumed_branch %if take_else_branch : (!any) -> ()
// -----
// payload bounded
func.func @bounded(%i: index, %m: memref<64xf32>, %v: f32) {
  %lane = gpu.lane_id
  %low = affine.min affine_map<(d0) -> (d0, 100)>(%lane)
  %high = affine.max affine_map<(d0) -> (d0, -3)>(%lane)
  %apply = affine.apply affine_map<(d0, d1) -> ((d0 + d1) floordiv 32)>(%lane, %low)
  memref.store %v, %m[%low] : memref<64xf32>
  memref.store %v, %m[%high] : memref<64xf32>
  memref.store %v, %m[%apply] : memref<64xf32>
  return
}
// -----
// simplify with bounds
// on: bounded
// $bounds: within [0] and [32] | within [0] and [1000] | within [0, 1] and [32, 32] | within [32] and [0]
%ops = transform.structured.match ops{["affine.min", "affine.max"]} in %root : (!any) -> !any
%lane = transform.structured.match ops{["gpu.lane_id"]} in %root : (!any) -> !any
transform.affine.simplify_bounded_affine_ops %ops with [%lane : !any] $bounds : !any
// -----
// simplify the wrong operation with bounds
// on: bounded
%ops = transform.structured.match ops{["memref.store"]} in %root : (!any) -> !any
%lane = transform.structured.match ops{["gpu.lane_id"]} in %root : (!any) -> !any
transform.affine.simplify_bounded_affine_ops %ops with [%lane : !any] within [0] and [32] : !any
// -----
// simplify minima and maxima
// on: bounded
%ops = transform.structured.match ops{["affine.min", "affine.max"]} in %root : (!any) -> !any
transform.affine.simplify_min_max_affine_ops %ops : !any
// -----
// simplify minima and maxima of what is neither
// on: bounded
%ops = transform.structured.match ops{["memref.store"]} in %root : (!any) -> !any
transform.affine.simplify_min_max_affine_ops %ops : !any
