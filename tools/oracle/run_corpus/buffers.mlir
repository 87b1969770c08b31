// Buffers and tensors: bufferization, memref and tensor.
// -----
// bufferize
// on: matmul | elementwise | reduction
// $how: %functions | %functions {allow_return_allocs_from_loops = true} | layout{IdentityLayoutMap} %functions | %functions {memcpy_op = "linalg.copy"} | %functions {test_analysis_only = true}
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%changed = transform.bufferization.one_shot_bufferize $how : (!any) -> !any
transform.debug.emit_remark_at %changed, "bufferized" : !any
// -----
// bufferize the module
// root: consumed
// on: matmul
%changed = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!any) -> !any
// -----
// bufferize unknown operations
// $options: nothing | {allow_unknown_ops = true}
func.func @unknown(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "my.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%changed = transform.bufferization.one_shot_bufferize %functions $options : (!any) -> !any
// -----
// bufferize to an allocation
// on: matmul | elementwise
// $options: nothing | {memory_space = 3 : i64} | {memory_space = 3 : i64, alloc_op = "memref.alloca", memcpy_op = "linalg.copy"} | {bufferize_destination_only, emit_dealloc} | {alloc_op = "no.such"}
%ops = transform.structured.match ops{["linalg.matmul", "linalg.exp"]} in %root : (!any) -> !any
%buffer, %new = transform.structured.bufferize_to_allocation %ops $options : !any
%count = transform.num_associations %new : (!any) -> !param
transform.debug.emit_param_as_remark %count, "new operations" : !param
// -----
// empty tensors
// $operation: bufferization.eliminate_empty_tensors | structured.eliminate_empty_tensors
func.func @empty(%f: f32, %t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.insert_slice %0 into %t[2] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.$operation %functions : !any
// -----
// empty tensors to allocations
func.func @empty(%n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}
// script
%empty = transform.structured.match ops{["tensor.empty"]} in %root : (!any) -> !transform.op<"tensor.empty">
%alloc = transform.bufferization.empty_tensor_to_alloc_tensor %empty : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
transform.debug.emit_remark_at %alloc, "allocated" : !transform.op<"bufferization.alloc_tensor">
// -----
// hoist buffers out of loops
func.func @loop(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<5xf32>
    memref.store %v, %m[%c0] : memref<5xf32>
    "my.use"(%m) : (memref<5xf32>) -> ()
  }
  return
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.bufferization.buffer_loop_hoisting %functions : !any
// -----
// alloca to global
func.func @local(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<2x32xf32>
  memref.store %v, %m[%c0, %c0] : memref<2x32xf32>
  return
}
func.func @other(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
// script
%alloca = transform.structured.match ops{["memref.alloca"]} in %root : (!any) -> !transform.op<"memref.alloca">
%get, %global = transform.memref.alloca_to_global %alloca : (!transform.op<"memref.alloca">) -> (!any, !any)
transform.debug.emit_remark_at %global, "global" : !any
// -----
// erase what is not read
func.func @dead(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.memref.erase_dead_alloc_and_stores %functions : (!any) -> ()
// -----
// make an allocation independent of loops
// $loops: 1 | 2
func.func @dependent(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloca(%i) : memref<?xf32>
    "my.use"(%m) : (memref<?xf32>) -> ()
  }
  return
}
// script
%alloca = transform.structured.match ops{["memref.alloca"]} in %root : (!any) -> !any
%new = transform.memref.make_loop_independent %alloca {num_loops = $loops} : (!any) -> !any
transform.debug.emit_remark_at %new, "independent" : !any
// -----
// make a tensor independent of loops
// $loops: 1 | 3
func.func @dependent(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = tensor.empty(%i) : tensor<?xf32>
    "my.use"(%t) : (tensor<?xf32>) -> ()
  }
  return
}
// script
%empty = transform.structured.match ops{["tensor.empty"]} in %root : (!any) -> !any
%new = transform.tensor.make_loop_independent %empty {num_loops = $loops} : (!any) -> !any
transform.debug.emit_remark_at %new, "independent" : !any
// -----
// several buffers in place of one
// $options: {factor = 2 : i64} | {factor = 3 : i64, skip_analysis}
func.func @buffered(%in: memref<16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c16 step %c4 {
    %s = memref.subview %in[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %s, %m : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
    "my.use"(%m) : (memref<4xf32>) -> ()
  }
  return
}
// script
%alloc = transform.structured.match ops{["memref.alloc"]} in %root : (!any) -> !transform.op<"memref.alloc">
%new = transform.memref.multibuffer %alloc $options : (!transform.op<"memref.alloc">) -> !any
// -----
// several buffers where there is no loop
func.func @buffered(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}
// script
%alloc = transform.structured.match ops{["memref.alloc"]} in %root : (!any) -> !transform.op<"memref.alloc">
%new = transform.memref.multibuffer %alloc {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !any
