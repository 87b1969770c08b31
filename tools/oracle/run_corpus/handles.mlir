// Handles, parameters and values: the operations of the transform dialect itself, without those that have regions.
// -----
// payload matmul
func.func @matmul(%a: tensor<8x16xf32>, %b: tensor<16x12xf32>, %c: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32) outs(%c : tensor<8x12xf32>) -> tensor<8x12xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x12xf32>) outs(%filled : tensor<8x12xf32>) -> tensor<8x12xf32>
  return %r : tensor<8x12xf32>
}
// -----
// payload two_functions
func.func @first(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y : f32
  %p = arith.mulf %s, %y : f32
  return %p : f32
}
func.func @second(%x: f32) -> f32 {
  %s = arith.addf %x, %x : f32
  %n = arith.negf %s : f32
  return %n : f32
}
// -----
// nothing
// on: matmul | two_functions
// -----
// match by name
// on: matmul | two_functions
// $names: "linalg.matmul" | "arith.addf" | "arith.addf", "arith.mulf" | "func.func" | "no.such"
%ops = transform.structured.match ops{[$names]} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "matched" : !any
// -----
// match by interface
// on: matmul | two_functions
// $interface: LinalgOp | TilingInterface | LoopLikeInterface
%ops = transform.structured.match interface{$interface} in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "matched" : !any
// -----
// match by attributes and types
// $filter: attributes {my.mark} | attributes {my.size = 3 : i32} | filter_result_type = f32 | filter_operand_types = [f32] | filter_operand_types = [f32, f32]
func.func @marked(%x: f32) -> f32 {
  %a = arith.addf %x, %x {my.mark} : f32
  %b = math.exp %a {my.size = 3 : i32} : f32
  return %b : f32
}
// script
%ops = transform.structured.match $filter in %root : (!any) -> !any
transform.debug.emit_remark_at %ops, "matched" : !any
// -----
// print
// on: two_functions
// $options: nothing | {name = "a name"} | {skip_regions} | {assume_verified, name = "x", use_local_scope}
%ops = transform.structured.match ops{["func.func", "arith.negf"]} in %root : (!any) -> !any
transform.print %ops $options : !any
// -----
// print everything
// on: two_functions
transform.print
transform.print {name = "once more"}
// -----
// print parameters
// on: two_functions
%add = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%operand = transform.get_operand %add[0] : (!any) -> !value
transform.debug.emit_remark_at %operand, "an operand" : !value
%three = transform.param.constant 3 : i64 -> !param
transform.print %three {name = "wrong"} : !param
// -----
// annotate
// on: two_functions
// $value: : !any | = %one : !any, !param | = %text : !any, !transform.any_param
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%one = transform.param.constant 1 : i64 -> !param
%text = transform.param.constant "some text" -> !transform.any_param
transform.annotate %ops "my.note" $value
// -----
// annotate with two parameters
// on: two_functions
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%one = transform.param.constant 1 : i64 -> !param
%two = transform.merge_handles %one, %one : !param
transform.annotate %ops "my.note" = %two : !any, !param
// -----
// cast
// on: two_functions
// $name: func.func | arith.addf
%ops = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%cast = transform.cast %ops : !any to !transform.op<"$name">
%back = transform.cast %cast : !transform.op<"$name"> to !any
transform.debug.emit_remark_at %back, "cast" : !any
// -----
// merge handles
// on: two_functions
// $deduplicate: nothing | deduplicate
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%adds = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%all = transform.merge_handles $deduplicate %functions, %adds, %functions : !any
transform.debug.emit_remark_at %all, "one of all" : !any
%count = transform.num_associations %all : (!any) -> !param
transform.debug.emit_param_as_remark %count, "how many" : !param
// -----
// merge values and parameters
// on: two_functions
%adds = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%left = transform.get_operand %adds[0] : (!any) -> !value
%right = transform.get_operand %adds[1] : (!any) -> !value
%both = transform.merge_handles deduplicate %left, %right : !value
transform.debug.emit_remark_at %both, "an operand" : !value
%one = transform.param.constant 1 : i64 -> !param
%two = transform.param.constant 2 : i64 -> !param
%numbers = transform.merge_handles %two, %one, %two : !param
transform.debug.emit_param_as_remark %numbers : !param
%count = transform.num_associations %numbers : (!param) -> !param
transform.debug.emit_param_as_remark %count, "how many" at %adds : !param, !any
// -----
// split a handle
// on: two_functions | matmul
// $options: nothing | {overflow_result = 0} | {overflow_result = 1, fail_on_payload_too_small = false} | {fail_on_payload_too_small = false}
%ops = transform.structured.match ops{["func.func", "arith.addf"]} in %root : (!any) -> !any
%a, %b = transform.split_handle %ops $options : (!any) -> (!any, !any)
transform.debug.emit_remark_at %a, "a" : !any
transform.debug.emit_remark_at %b, "b" : !any
// -----
// split an empty handle
// on: matmul
// $options: nothing | {pass_through_empty_handle = false}
%ops = transform.structured.match ops{["no.such"]} in %root : (!any) -> !any
%a, %b = transform.split_handle %ops $options : (!any) -> (!any, !any)
%count = transform.num_associations %a : (!any) -> !param
transform.debug.emit_param_as_remark %count : !param
// -----
// split parameters and values
// on: two_functions
%one = transform.param.constant 1 : i64 -> !param
%two = transform.param.constant 2 : i64 -> !param
%both = transform.merge_handles %one, %two : !param
%x:2 = transform.split_handle %both : (!param) -> (!param, !param)
transform.debug.emit_param_as_remark %x#1 : !param
%adds = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%sums = transform.get_result %adds[0] : (!any) -> !value
%sum:2 = transform.split_handle %sums : (!value) -> (!value, !value)
transform.debug.emit_remark_at %sum#1, "the second sum" : !value
// -----
// constant parameters
// on: two_functions
// $constant: 7 : i32 -> !transform.param<i32> | 7 : i32 -> !transform.param<i64> | "text" -> !transform.param<i64> | f32 -> !transform.type
%p = transform.param.constant $constant
// -----
// show constant parameters
// on: two_functions
// $constant: "text" | [1, 2.5 : f32, unit] | {a = @symbol} | affine_map<(d0) -> (d0 * 2)> | tensor<3xi8> | dense<1> : vector<2xi32>
%p = transform.param.constant $constant -> !transform.any_param
transform.debug.emit_param_as_remark %p, "constant" : !transform.any_param
// -----
// replicate
// on: two_functions
%adds = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%function = transform.structured.match ops{["arith.negf"]} in %root : (!any) -> !any
%p = transform.param.constant 5 : i64 -> !param
%ps, %functions = transform.replicate num(%adds) %p, %function : !any, !param, !any
transform.debug.emit_param_as_remark %ps : !param
%count = transform.num_associations %functions : (!any) -> !param
transform.debug.emit_param_as_remark %count : !param
// -----
// parents
// on: two_functions | matmul
// $options: nothing | {op_name = "func.func"} | {op_name = "builtin.module"} | {isolated_from_above, deduplicate} | {nth_parent = 2 : i64} | {op_name = "scf.for"} | {op_name = "scf.for", allow_empty_results} | {nth_parent = 9 : i64}
%ops = transform.structured.match ops{["arith.addf", "arith.mulf", "linalg.fill"]} in %root : (!any) -> !any
%parent = transform.get_parent_op %ops $options : (!any) -> !any
transform.debug.emit_remark_at %parent, "parent" : !any
// -----
// operands
// on: two_functions
// $which: [0] | [1] | [-1] | [all] | [except(0)] | [0, 1] | [2] | [1, -1]
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%values = transform.get_operand %ops[all] : (!any) -> !value
%chosen = transform.get_operand %ops$which : (!any) -> !value
transform.debug.emit_remark_at %chosen, "operand" : !value
// -----
// results
// on: two_functions
// $which: [0] | [-1] | [all] | [except(0)] | [1]
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%values = transform.get_result %ops$which : (!any) -> !value
transform.debug.emit_remark_at %values, "result" : !value
// -----
// producers
// on: two_functions
// $number: 0 | 1 | 5
%ops = transform.structured.match ops{["arith.mulf", "arith.negf"]} in %root : (!any) -> !any
%producers = transform.get_producer_of_operand %ops[$number] : (!any) -> !any
transform.debug.emit_remark_at %producers, "producer" : !any
// -----
// consumers
// on: two_functions
// $number: 0 | 1
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%one, %other = transform.split_handle %ops : (!any) -> (!any, !any)
%consumers = transform.get_consumers_of_result %one[$number] : (!any) -> !any
transform.debug.emit_remark_at %consumers, "consumer" : !any
// -----
// consumers of several operations
// on: two_functions
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%consumers = transform.get_consumers_of_result %ops[0] : (!any) -> !any
// -----
// defining operations
// on: two_functions
// $op: arith.mulf | arith.negf
%ops = transform.structured.match ops{["$op"]} in %root : (!any) -> !any
%value = transform.get_operand %ops[0] : (!any) -> !value
%defining = transform.get_defining_op %value : (!value) -> !any
transform.debug.emit_remark_at %defining, "defined here" : !any
// -----
// no operation defines an argument
// on: two_functions
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%value = transform.get_operand %ops[0] : (!any) -> !value
%defining = transform.get_defining_op %value : (!value) -> !any
// -----
// types of values
// on: two_functions | matmul
// $elemental: nothing | elemental
%ops = transform.structured.match ops{["linalg.matmul", "arith.addf"]} in %root : (!any) -> !any
%values = transform.get_operand %ops[0] : (!any) -> !value
%types = transform.get_type $elemental %values : (!value) -> !transform.type
transform.debug.emit_param_as_remark %types, "types" : !transform.type
// -----
// select
// on: two_functions
// $name: arith.addf | arith.negf
%ops = transform.structured.match ops{["arith.addf", "arith.mulf"]} in %root : (!any) -> !any
%chosen = transform.select "$name" in %ops : (!any) -> !any
transform.debug.emit_remark_at %chosen, "selected" : !any
// -----
// verify
// on: two_functions | matmul
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.verify %functions : !any
// -----
// dead code
// $op: func.func | arith.addi
func.func @dead(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  %b = arith.muli %a, %a : i32
  %c = arith.subi %x, %x : i32
  return %c : i32
}
// script
%functions = transform.structured.match ops{["$op"]} in %root : (!any) -> !any
transform.apply_dce to %functions : !any
// -----
// common subexpressions
func.func @common(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  %b = arith.addi %x, %x : i32
  %c = arith.muli %a, %b : i32
  return %c : i32
}
// script
%adds = transform.structured.match ops{["arith.addi"]} in %root : (!any) -> !any
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_cse to %functions : !any
%count = transform.num_associations %adds : (!any) -> !param
transform.debug.emit_param_as_remark %count, "left" : !param
transform.debug.emit_remark_at %adds, "one addition" : !any
// -----
// common subexpressions in what is not isolated
// on: two_functions
%adds = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
transform.apply_cse to %adds : !any
// -----
// passes
// on: two_functions | matmul
// $pass: canonicalize | cse | convert-linalg-to-loops | test-no-such-pass | convert-math-to-llvm | inline
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%changed = transform.apply_registered_pass "$pass" to %functions : (!any) -> !any
transform.debug.emit_remark_at %changed, "done" : !any
// -----
// passes with options
// on: matmul
// $options: "top-down" = false, "max-iterations" = 3 | "test-convergence" = true | "no-such-option" = 1
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%changed = transform.apply_registered_pass "canonicalize" with options = { $options } to %functions : (!any) -> !any
// -----
// passes with options from parameters
// on: matmul
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%times = transform.param.constant 2 : i64 -> !param
%changed = transform.apply_registered_pass "canonicalize" with options = { "max-iterations" = %times } to %functions : (!any, !param) -> !any
// -----
// a pass over the module
module @inner attributes {my.inner} {
  func.func @first() { return }
  func.func private @second() { return }
}
// script
%modules = transform.structured.match attributes {my.inner} in %root : (!any) -> !any
%changed = transform.apply_registered_pass "symbol-privatize" to %modules : (!any) -> !any
%last = transform.apply_registered_pass "symbol-dce" to %changed : (!any) -> !any
// -----
// sparse operands
// $constraint: !any
func.func @sparse(%a: tensor<4x4xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = linalg.copy ins(%a : tensor<4x4xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %c : tensor<4x4xf32>
}
// script
%copy = transform.structured.match ops{["linalg.copy"]} in %root : (!any) -> !any
%sparse = transform.sparse_tensor.match.sparse_inout %copy : (!any) -> !any
transform.debug.emit_remark_at %sparse, "sparse" : !any
// -----
// no sparse operands
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%sparse = transform.sparse_tensor.match.sparse_inout %op : (!any) -> !any
// -----
// data layout
// $keys: "a" | "b", "c" | "b", "none" | i32
module attributes {dlti.map = #dlti.map<"a" = 42 : i32, "b" = #dlti.map<"c" = 7 : i32>, i32 = 32 : i64>} {
  func.func @f() { return }
}
// script
%f = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%found = transform.dlti.query [$keys] at %f : (!any) -> !transform.any_param
transform.debug.emit_param_as_remark %found, "layout" : !transform.any_param
// -----
// a remark at values
// on: two_functions
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%values = transform.get_operand %ops[all] : (!any) -> !value
transform.debug.emit_remark_at %values, "größer: \22value\22\nin a second line" : !value
// -----
// deduplicate arguments
// root: consumed
// $name: callee | caller | nobody
func.func @callee(%a: i32, %b: i32) -> i32 {
  %s = arith.addi %a, %b : i32
  return %s : i32
}
func.func @caller(%a: i32) -> i32 {
  %r = func.call @callee(%a, %a) : (i32, i32) -> i32
  return %r : i32
}
// script
%module, %function = transform.func.deduplicate_func_args @$name at %root : (!any) -> (!any, !any)
transform.debug.emit_remark_at %function, "now" : !any
// -----
// replace a signature
// root: consumed
// $how: args_interchange = [1, 0] results_interchange = [1, 0] at %root {adjust_func_calls} | args_interchange = [1, 0] results_interchange = [1, 0] at %root | args_interchange = [0] results_interchange = [0, 1] at %root
func.func @callee(%a: i32, %b: f32) -> (i32, f32) {
  return %a, %b : i32, f32
}
func.func @caller(%a: i32, %b: f32) -> f32 {
  %r:2 = func.call @callee(%a, %b) : (i32, f32) -> (i32, f32)
  return %r#1 : f32
}
// script
%module, %function = transform.func.replace_func_signature @callee $how : (!any) -> (!any, !any)
// -----
// cast and call
// $conversion: { transform.type_conversion.tensor.cast_shape_dynamic_dims } | { transform.type_conversion.tensor.cast_shape_dynamic_dims ignore_dynamic_info } | nothing
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
%call = transform.func.cast_and_call @helper(%in) -> %out after %log $conversion : (!any, !value, !value) -> !any
// -----
// call without values
// $where: before | after
func.func private @helper()
func.func @f(%t: f32) -> f32 {
  %e = math.exp %t : f32
  return %e : f32
}
// script
%exp = transform.structured.match ops{["math.exp"]} in %root : (!any) -> !any
%call = transform.func.cast_and_call @helper $where %exp : (!any) -> !any
transform.debug.emit_remark_at %call, "called" : !any
