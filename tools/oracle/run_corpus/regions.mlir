// Operations with regions, calls and matchers: what decides whether and how often other operations are executed.
// -----
// sequence
// on: two_functions
// $mode: propagate | suppress
transform.sequence %root : !any failures($mode) {
^bb0(%inner: !any):
  %ops = transform.structured.match ops{["arith.addf"]} in %inner : (!any) -> !any
  transform.loop.unroll %ops {factor = 2} : !any
}
%again = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
transform.debug.emit_remark_at %again, "went on" : !any
// -----
// sequence with results
// on: two_functions
%param = transform.param.constant 3 : i64 -> !param
%found = transform.sequence %root, %param : (!any, !param) -> !any failures(propagate) {
^bb0(%inner: !any, %p: !param):
  %ops = transform.structured.match ops{["arith.negf"]} in %inner : (!any) -> !any
  transform.debug.emit_param_as_remark %p : !param
  transform.yield %ops : !any
}
transform.debug.emit_remark_at %found, "found" : !any
// -----
// sequence within a sequence
// on: two_functions
// $outer: propagate | suppress
// $inner: propagate | suppress
transform.sequence %root : !any failures($outer) {
^bb0(%r: !any):
  transform.sequence %r : !any failures($inner) {
  ^bb1(%s: !any):
    %ops = transform.structured.match ops{["arith.addf"]} in %s : (!any) -> !any
    %a, %b, %c = transform.split_handle %ops : (!any) -> (!any, !any, !any)
  }
  %ops = transform.structured.match ops{["arith.negf"]} in %r : (!any) -> !any
  transform.debug.emit_remark_at %ops, "reached" : !any
}
// -----
// include
// on: two_functions
// $mode: propagate | suppress
// $name: addf | mulf | fewf
transform.named_sequence @helper(%r: !any {transform.readonly}) -> !any {
  %ops = transform.structured.match ops{["arith.$name"]} in %r : (!any) -> !any
  %one, %other = transform.split_handle %ops {pass_through_empty_handle = false} : (!any) -> (!any, !any)
  transform.yield %one : !any
}
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %op = transform.include @helper failures($mode) (%root) : (!any) -> !any
  transform.debug.emit_remark_at %op, "from the helper" : !any
  transform.yield
}
// -----
// include with parameters
// on: matmul
transform.named_sequence @tile(%op: !any {transform.consumed}, %size: !param {transform.readonly}) -> (!any, !any) {
  %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size] : (!any, !param) -> (!any, !any)
  transform.yield %tiled, %loop : !any, !any
}
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
  %size = transform.param.constant 4 : i64 -> !param
  %tiled, %loop = transform.include @tile failures(propagate) (%op, %size) : (!any, !param) -> (!any, !any)
  %small = transform.param.constant 2 : i64 -> !param
  %tiled_again, %inner = transform.include @tile failures(propagate) (%tiled, %small) : (!any, !param) -> (!any, !any)
  transform.debug.emit_remark_at %inner, "inner" : !any
  transform.yield
}
// -----
// include what is not there
// on: two_functions
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  transform.include @nobody failures(propagate) (%root) : (!any) -> ()
  transform.yield
}
// -----
// include what has no body
// on: two_functions
transform.named_sequence private @elsewhere(%r: !any {transform.readonly})
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  transform.include @elsewhere failures(propagate) (%root) : (!any) -> ()
  transform.yield
}
// -----
// include itself
// on: two_functions
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  transform.include @__transform_main failures(propagate) (%root) : (!any) -> ()
  transform.yield
}
// -----
// for each operation
// on: two_functions | matmul
%ops = transform.structured.match ops{["arith.addf", "linalg.fill", "linalg.matmul"]} in %root : (!any) -> !any
%parents = transform.foreach %ops : !any -> !any {
^bb0(%op: !any):
  %parent = transform.get_parent_op %op {op_name = "func.func"} : (!any) -> !any
  transform.debug.emit_remark_at %op, "each" : !any
  transform.yield %parent : !any
}
transform.debug.emit_remark_at %parents, "parents" : !any
// -----
// for each of several
// on: two_functions
// $zip: nothing | with_zip_shortest
// $which: 0 | all
%adds = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%values = transform.get_operand %adds[$which] : (!any) -> !value
%one = transform.param.constant 1 : i64 -> !param
%two = transform.param.constant 2 : i64 -> !param
%numbers = transform.merge_handles %one, %two : !param
%last = transform.foreach %adds, %values, %numbers $zip : !any, !value, !param -> !param {
^bb0(%op: !any, %value: !value, %number: !param):
  transform.debug.emit_param_as_remark %number, "number" at %op : !param, !any
  transform.yield %number : !param
}
transform.debug.emit_param_as_remark %last : !param
// -----
// for each that fails
// on: two_functions
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
transform.foreach %ops : !any {
^bb0(%op: !any):
  transform.debug.emit_remark_at %op, "before" : !any
  %user = transform.get_consumers_of_result %op[0] : (!any) -> !any
  %cast = transform.cast %user : !any to !transform.op<"arith.mulf">
}
// -----
// for each match
// on: two_functions | matmul
// $options: nothing | restrict_root | flatten_results
transform.named_sequence @is_add(%op: !any {transform.readonly}) -> !any {
  transform.match.operation_name %op ["arith.addf"] : !any
  transform.yield %op : !any
}
transform.named_sequence @is_other(%op: !any {transform.readonly}) -> !any {
  transform.match.operation_name %op ["arith.negf", "linalg.fill"] : !any
  transform.yield %op : !any
}
transform.named_sequence @say_add(%op: !any {transform.readonly}) {
  transform.debug.emit_remark_at %op, "an addition" : !any
  transform.yield
}
transform.named_sequence @say_other(%op: !any {transform.readonly}) {
  transform.debug.emit_remark_at %op, "another" : !any
  transform.yield
}
transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
  %updated = transform.foreach_match $options in %root @is_add -> @say_add, @is_other -> @say_other : (!any) -> !any
  transform.yield
}
// -----
// for each match with more handles
// on: two_functions
// $options: nothing | flatten_results
transform.named_sequence @match(%op: !any {transform.readonly}, %limit: !param {transform.readonly}) -> (!any, !param) {
  transform.match.operation_name %op ["arith.addf"] : !any
  transform.yield %op, %limit : !any, !param
}
transform.named_sequence @act(%op: !any {transform.readonly}, %limit: !param {transform.readonly}) -> !any {
  transform.debug.emit_param_as_remark %limit, "limit" at %op : !param, !any
  %users = transform.get_consumers_of_result %op[0] : (!any) -> !any
  transform.yield %users : !any
}
transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
  %limit = transform.param.constant 8 : i64 -> !param
  %updated, %users = transform.foreach_match $options in %root, %limit @match -> @act : (!any, !param) -> (!any, !any)
  transform.debug.emit_remark_at %users, "users" : !any
  transform.yield
}
// -----
// for each match whose action fails
// on: two_functions
transform.named_sequence @match(%op: !any {transform.readonly}) -> !any {
  transform.match.operation_name %op ["arith.addf"] : !any
  transform.yield %op : !any
}
transform.named_sequence @act(%op: !any {transform.readonly}) {
  %cast = transform.cast %op : !any to !transform.op<"arith.mulf">
  transform.yield
}
transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
  %updated = transform.foreach_match in %root @match -> @act : (!any) -> !any
  transform.yield
}
// -----
// collect what matches
// on: two_functions | matmul
transform.named_sequence @match(%op: !any {transform.readonly}) -> (!any, !param) {
  transform.match.operation_name %op ["arith.addf", "linalg.matmul"] : !any
  %count = transform.num_associations %op : (!any) -> !param
  transform.yield %op, %count : !any, !param
}
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %found, %counts = transform.collect_matching @match in %root : (!any) -> (!any, !param)
  transform.debug.emit_remark_at %found, "collected" : !any
  transform.debug.emit_param_as_remark %counts : !param
  transform.yield
}
// -----
// match empty handles and names
// on: two_functions
// $names: "no.such" | "arith.addf"
%ops = transform.structured.match ops{[$names]} in %root : (!any) -> !any
transform.match.operation_empty %ops : !any
// -----
// match names
// on: two_functions
// $names: "arith.negf" | "arith.addf", "arith.negf" | "func.func"
%ops = transform.structured.match ops{["arith.negf"]} in %root : (!any) -> !any
transform.match.operation_name %ops [$names] : !any
// -----
// compare parameters
// on: two_functions
// $predicate: le | lt | ge | gt | eq | ne
%one = transform.param.constant 1 : i64 -> !param
%two = transform.param.constant 2 : i64 -> !param
transform.match.param.cmpi $predicate %one, %two : !param
// -----
// compare several parameters
// on: two_functions
%one = transform.param.constant 1 : i64 -> !param
%two = transform.param.constant 2 : i64 -> !param
%both = transform.merge_handles %one, %two : !param
transform.match.param.cmpi le %one, %both : !param
// -----
// alternatives
// on: two_functions
// $first: addf | mulf
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%first, %second = transform.split_handle %functions : (!any) -> (!any, !any)
%used = transform.alternatives %first : !any -> !any {
^bb0(%scope: !any):
  %op = transform.structured.match ops{["arith.addf"]} in %scope : (!any) -> !any
  %cast = transform.cast %op : !any to !transform.op<"arith.$first">
  %back = transform.cast %cast : !transform.op<"arith.$first"> to !any
  transform.yield %back : !any
}, {
^bb0(%scope: !any):
  %op = transform.structured.match ops{["arith.mulf"]} in %scope : (!any) -> !any
  transform.annotate %op "chosen.second" : !any
  transform.yield %op : !any
}
transform.debug.emit_remark_at %used, "used" : !any
// -----
// alternatives that all fail
func.func @sum(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y : f32
  return %s : f32
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.alternatives %functions : !any {
^bb0(%scope: !any):
  %op = transform.structured.match ops{["arith.addf"]} in %scope : (!any) -> !any
  transform.annotate %op "tried.once" : !any
  %cast = transform.cast %op : !any to !transform.op<"arith.negf">
}, {
^bb0(%scope: !any):
  %op = transform.structured.match ops{["arith.addf"]} in %scope : (!any) -> !any
  transform.loop.unroll %op {factor = 2} : !any
}
// -----
// alternatives of which one does nothing
func.func @sum(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y : f32
  return %s : f32
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.alternatives %functions : !any {
^bb0(%scope: !any):
  %op = transform.structured.match ops{["arith.addf"]} in %scope : (!any) -> !any
  transform.annotate %op "tried.once" : !any
  transform.loop.unroll %op {factor = 2} : !any
}, {
^bb0(%scope: !any):
}
// -----
// alternatives in what is not isolated
// on: two_functions
%ops = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
transform.alternatives %ops : !any {
^bb0(%scope: !any):
}
// -----
// tuned alternatives
// on: matmul
// $selected: 0 | 1 | 2
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled = transform.tune.alternatives<"choice"> selected_region = $selected -> !any {
  %t, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!any) -> (!any, !any)
  transform.yield %t : !any
}, {
  %t, %loop = transform.structured.tile_using_forall %op tile_sizes [4] : (!any) -> (!any, !any)
  transform.yield %t : !any
}
transform.debug.emit_remark_at %tiled, "tiled" : !any
// -----
// tuned alternatives nobody chose from
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
transform.tune.alternatives<"choice"> {
  transform.annotate %op "first" : !any
  transform.yield
}, {
  transform.annotate %op "second" : !any
  transform.yield
}
// -----
// knobs
// on: matmul
// $knob: <"size"> = 4 from options = [2, 4, 8] | <"size"> = 5 from options = [2, 4, 8] | <"size"> options = [2, 4, 8] | <"bound"> = 42 from options = affine_set<(d0) : (d0 - 2 >= 0)>
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%size = transform.tune.knob$knob -> !param
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size] : (!any, !param) -> (!any, !any)
// -----
// a knob chooses an alternative
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%which = transform.tune.knob<"which"> = 1 from options = [0, 1] -> !param
transform.tune.alternatives<"choice"> selected_region = %which : !param {
  transform.annotate %op "first" : !any
  transform.yield
}, {
  transform.annotate %op "second" : !any
  transform.yield
}
// -----
// constraints on parameters
// on: matmul
%two = transform.param.constant 2 : i64 -> !param
%four = transform.param.constant 4 : i64 -> !param
transform.smt.constrain_params(%two, %four) : (!param, !param) -> () {
^bb0(%x: !smt.int, %y: !smt.int):
  %less = smt.int.cmp le %x, %y
  smt.assert %less
}
// -----
// patterns in pdl
// on: two_functions
// root: consumed
transform.with_pdl_patterns %root : !any {
^bb0(%scope: !any):
  pdl.pattern @multiplication : benefit(1) {
    %operands = pdl.operands
    %types = pdl.types
    %op = pdl.operation "arith.mulf"(%operands : !pdl.range<value>) -> (%types : !pdl.range<type>)
    pdl.rewrite %op with "transform.dialect"
  }
  transform.sequence %scope : !any failures(propagate) {
  ^bb1(%inner: !any):
    %found = transform.pdl_match @multiplication in %inner : (!any) -> !any
    transform.debug.emit_remark_at %found, "found by pdl" : !any
  }
}
// -----
// patterns in irdl
func.func @f(%x: i32, %y: i64, %z: i8) {
  %0 = "test.whatever"(%x) : (i32) -> i32
  %1 = "test.whatever"(%y) : (i64) -> i64
  %2 = "test.whatever"(%z) : (i8) -> i8
  return
}
// script
%found = transform.irdl.collect_matching in %root : (!any) -> !any {
  irdl.dialect @test {
    irdl.operation @whatever {
      %i32 = irdl.is i32
      %i64 = irdl.is i64
      %either = irdl.any_of(%i32, %i64)
      irdl.results(result: %either)
      irdl.operands(operand: %either)
    }
  }
}
transform.debug.emit_remark_at %found, "found by irdl" : !any
// -----
// structured matchers
// on: matmul | elementwise | convolutions
// $mode: propagate | suppress
transform.named_sequence @match(%op: !any {transform.readonly}) -> (!any, !param, !param, !param, !param, !param) {
  %r:6 = transform.match.structured failures($mode) %op : (!any) -> (!any, !param, !param, !param, !param, !param) {
  ^bb0(%s: !any):
    %rank = transform.match.structured.rank %s : (!any) -> !param
    %inputs = transform.match.structured.num_inputs %s : (!any) -> !param
    %inits = transform.match.structured.num_inits %s : (!any) -> !param
    %dim = transform.match.structured.dim %s[0] {parallel} : (!any) -> !param
    %first = transform.match.structured.input %s[0] : (!any) -> !value
    %bits = transform.match.structured.elemental_bitwidth %first : (!value) -> !param
    transform.match.structured.init %s[all] {projected_permutation} : !any
    transform.match.structured.yield %s, %rank, %inputs, %inits, %dim, %bits : !any, !param, !param, !param, !param, !param
  }
  transform.yield %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : !any, !param, !param, !param, !param, !param
}
transform.named_sequence @act(%op: !any {transform.readonly}, %a: !param {transform.readonly}, %b: !param {transform.readonly}, %c: !param {transform.readonly}, %d: !param {transform.readonly}, %e: !param {transform.readonly}) {
  transform.debug.emit_param_as_remark %a, "rank" at %op : !param, !any
  transform.debug.emit_param_as_remark %b, "inputs" : !param
  transform.debug.emit_param_as_remark %c, "inits" : !param
  transform.debug.emit_param_as_remark %d, "size" : !param
  transform.debug.emit_param_as_remark %e, "bits" : !param
  transform.yield
}
transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
  %updated = transform.foreach_match in %root @match -> @act : (!any) -> !any
  transform.yield
}
// -----
// matchers of bodies
// on: matmul | reduction
// $body: contraction = ["arith.mulf", "arith.addf"] | contraction = ["arith.muli", "arith.addi"] | reduction_position = 0 | passthrough | elementwise
transform.named_sequence @match(%op: !any {transform.readonly}) -> !any {
  transform.match.structured %op : !any {
  ^bb0(%s: !any):
    transform.match.structured.body %s {$body} : !any
    transform.match.structured.yield
  }
  transform.yield %op : !any
}
transform.named_sequence @act(%op: !any {transform.readonly}) {
  transform.debug.emit_remark_at %op, "matched" : !any
  transform.yield
}
transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
  %updated = transform.foreach_match in %root @match -> @act : (!any) -> !any
  transform.yield
}
// -----
// matchers of contractions
// on: matmul | elementwise
transform.named_sequence @match(%op: !any {transform.readonly}) -> (!any, !param, !param, !param, !param) {
  %r:5 = transform.match.structured %op : (!any) -> (!any, !param, !param, !param, !param) {
  ^bb0(%s: !any):
    %batch, %m, %n, %k = transform.match.structured.classify_contraction_dims %s : (!any) -> (!param, !param, !param, !param)
    transform.match.structured.yield %s, %batch, %m, %n, %k : !any, !param, !param, !param, !param
  }
  transform.yield %r#0, %r#1, %r#2, %r#3, %r#4 : !any, !param, !param, !param, !param
}
transform.named_sequence @act(%op: !any {transform.readonly}, %batch: !param {transform.readonly}, %m: !param {transform.readonly}, %n: !param {transform.readonly}, %k: !param {transform.readonly}) {
  transform.debug.emit_param_as_remark %batch, "batch" at %op : !param, !any
  transform.debug.emit_param_as_remark %m, "m" : !param
  transform.debug.emit_param_as_remark %n, "n" : !param
  transform.debug.emit_param_as_remark %k, "k" : !param
  transform.yield
}
transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
  %updated = transform.foreach_match in %root @match -> @act : (!any) -> !any
  transform.yield
}
// -----
// matchers of convolutions
// on: convolutions
transform.named_sequence @match(%op: !any {transform.readonly}) -> (!any, !param, !param) {
  %r:3 = transform.match.structured %op : (!any) -> (!any, !param, !param) {
  ^bb0(%s: !any):
    %d:8 = transform.match.structured.classify_convolution_dims %s : (!any) -> (!param, !param, !param, !param, !param, !param, !param, !param)
    transform.match.structured.yield %s, %d#1, %d#3 : !any, !param, !param
  }
  transform.yield %r#0, %r#1, %r#2 : !any, !param, !param
}
transform.named_sequence @act(%op: !any {transform.readonly}, %image: !param {transform.readonly}, %filter: !param {transform.readonly}) {
  transform.debug.emit_param_as_remark %image, "image" at %op : !param, !any
  transform.debug.emit_param_as_remark %filter, "filter" : !param
  transform.yield
}
transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
  %updated = transform.foreach_match in %root @match -> @act : (!any) -> !any
  transform.yield
}
// -----
// matchers of results and dimensions
// on: matmul | reduction
// $matcher: %x = transform.match.structured.result %s[0] {any} : (!any) -> !any | %x = transform.match.structured.result %s[0] {single} : (!any) -> !any | %x = transform.match.structured.result %s[0] : (!any) -> !value | %x = transform.match.structured.dim %s[all] : (!any) -> !param | transform.match.structured.dim %s[-1] {reduction} : !any | transform.match.structured.dim %s[except(-1)] {parallel} : !any | transform.match.structured.dim %s[9] : !any | transform.match.structured.input %s[all] {permutation} : !any | %x = transform.match.structured.init %s[0] : (!any) -> !any
transform.named_sequence @match(%op: !any {transform.readonly}) -> !any {
  transform.match.structured %op : !any {
  ^bb0(%s: !any):
    $matcher
    transform.match.structured.yield
  }
  transform.yield %op : !any
}
transform.named_sequence @__transform_main(%root: !any {transform.readonly}) {
  %found = transform.collect_matching @match in %root : (!any) -> !any
  transform.debug.emit_remark_at %found, "matched" : !any
  transform.yield
}
// -----
// a matcher at the top
// on: matmul
// $name: linalg.matmul | func.func
%op = transform.structured.match ops{["$name"]} in %root : (!any) -> !any
%rank = transform.match.structured failures(propagate) %op : (!any) -> !param {
^bb0(%s: !any):
  %r = transform.match.structured.rank %s : (!any) -> !param
  transform.match.structured.yield %r : !param
}
transform.debug.emit_param_as_remark %rank : !param
// -----
// patterns to a fixed point
// on: two_functions
// $options: nothing | {max_iterations = 1 : i64} | {apply_cse} | {max_num_rewrites = 0 : i64}
func.func @more(%x: i32) -> i32 {
  %c = arith.constant 0 : i32
  %a = arith.addi %x, %c : i32
  %b = arith.addi %a, %c : i32
  %d = arith.addi %x, %b : i32
  %e = arith.addi %x, %b : i32
  %f = arith.muli %d, %e : i32
  return %f : i32
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_patterns to %functions {
  transform.apply_patterns.canonicalization
} $options : !any
// -----
// patterns to the root
// on: two_functions
transform.apply_patterns to %root {
  transform.apply_patterns.canonicalization
} : !any
// -----
// patterns to what is not isolated
// on: copies
%loops = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
transform.apply_patterns to %loops {
  transform.apply_patterns.canonicalization
} : !any
// -----
// handles through patterns
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %loop = transform.structured.tile_using_for %op tile_sizes [8] : (!any) -> (!any, !any)
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_patterns to %functions {
  transform.apply_patterns.canonicalization
} : !any
transform.debug.emit_remark_at %tiled, "still here" : !any
%count = transform.num_associations %loop : (!any) -> !param
transform.debug.emit_param_as_remark %count, "loops" : !param
