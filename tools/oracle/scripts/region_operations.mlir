// transform.sequence: with and without operands, results, extra bindings, names without prefix.
transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op):
  %0 = sequence %arg0 : !transform.any_op -> !transform.any_op failures(propagate) {
  ^bb0(%arg1: !transform.any_op):
    %1 = transform.structured.match ops{["linalg.matmul"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    yield %1 : !transform.any_op
  }
  sequence %0 : !transform.any_op failures(suppress) {
  ^bb0(%arg2: !transform.any_op):
    cast %arg2 : !transform.any_op to !transform.op<"linalg.matmul">
  }
}
// -----
transform.sequence failures(suppress) {
^bb1(%root: !transform.any_op, %value: !transform.any_value, %param: !transform.param<i64>):
  %1:2 = transform.sequence %root, %value, %param : (!transform.any_op, !transform.any_value, !transform.param<i64>)
      -> !transform.any_op, !transform.any_op failures(propagate) attributes {my.note = "x"} {
  ^bb0(%a: !transform.any_op, %b: !transform.any_value, %c: !transform.param<i64>):
    %d = get_parent_op %a : (!transform.any_op) -> !transform.any_op
    transform.yield %a, %d : !transform.any_op, !transform.any_op
  }
  print %1#0 {name = "result", skip_regions} : !transform.any_op
  transform.print
  print {name = "nothing"}
}
// -----
module attributes {transform.with_named_sequence} {
  transform.sequence failures(propagate) {
  ^bb0(%root: !transform.any_op):
    transform.include @empty failures(propagate) () : () -> ()
    %0 = transform.include @one failures(suppress) (%root) : (!transform.any_op) -> (!transform.any_op)
    %1:2 = include @two failures(propagate) (%0, %root) {my.note} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.param<i64>)
  }
  transform.named_sequence private @empty()
  transform.named_sequence private @external(%x: !transform.any_op {transform.readonly}) -> !transform.any_op
  transform.named_sequence @one(%x: !transform.any_op {transform.consumed}) -> !transform.any_op attributes {my.note = 3 : i8} {
    %0 = transform.merge_handles %x : !transform.any_op
    transform.yield %0 : !transform.any_op
  }
  transform.named_sequence @two(%x: !transform.any_op {transform.readonly}, %y: !transform.any_op {transform.readonly, my.note = "y"})
      -> (!transform.any_op, !transform.param<i64>) {
    %0 = transform.merge_handles deduplicate %x, %y, %x {my.note} : !transform.any_op
    %1 = transform.param.constant 3 : i64 -> !transform.param<i64>
    transform.yield %0, %1 : !transform.any_op, !transform.param<i64>
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @foreach(%ops: !transform.any_op {transform.readonly}, %values: !transform.any_value {transform.readonly}, %params: !transform.param<i64>) {
    transform.foreach %ops : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.debug.emit_remark_at %op, "each" : !transform.any_op
    }
    %0 = transform.foreach %ops : !transform.any_op -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.yield %op : !transform.any_op
    }
    %1:2 = transform.foreach %ops, %values, %params : !transform.any_op, !transform.any_value, !transform.param<i64> -> !transform.any_op, !transform.param<i64> {
    ^bb0(%op: !transform.any_op, %value: !transform.any_value, %param: !transform.param<i64>):
      transform.yield %op, %param : !transform.any_op, !transform.param<i64>
    }
    %2 = transform.foreach %ops, %0 with_zip_shortest : !transform.any_op, !transform.any_op -> !transform.any_op {
    ^bb0(%left: !transform.any_op, %right: !transform.any_op):
      %both = transform.merge_handles %left, %right : !transform.any_op
      transform.yield %both : !transform.any_op
    }
    transform.yield
  }
  transform.named_sequence @alternatives(%scope: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %0 = transform.get_parent_op %scope {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    transform.alternatives %scope : !transform.any_op {
    ^bb0(%inner: !transform.any_op):
    }
    %1:2 = transform.alternatives %0 : !transform.any_op -> !transform.any_op, !transform.any_op {
    ^bb0(%inner: !transform.any_op):
      %2 = transform.structured.match ops{["linalg.matmul"]} in %inner : (!transform.any_op) -> !transform.any_op
      transform.yield %2, %inner : !transform.any_op, !transform.any_op
    }, {
    ^bb0(%inner: !transform.any_op):
      transform.yield %inner, %inner : !transform.any_op, !transform.any_op
    }
    transform.yield %1#1 : !transform.any_op
  }
}
// -----
transform.alternatives {
^bb0(%root: !transform.any_op):
}, {
^bb0(%root: !transform.any_op):
  transform.yield
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}, %other: !transform.any_op {transform.readonly}) {
    %0 = transform.foreach_match in %root @is_matmul -> @seen : (!transform.any_op) -> !transform.any_op
    %1 = transform.foreach_match restrict_root in %0
      @is_matmul -> @seen,
      @is_any -> @seen : (!transform.any_op) -> !transform.any_op
    %2, %3 = transform.foreach_match flatten_results in %1, %other
      @with_extra -> @give : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %4:2 = transform.foreach_match restrict_root flatten_results in %2, %other
      @with_extra -> @give {my.note} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %5 = transform.collect_matching @is_matmul in %4#0 : (!transform.any_op) -> !transform.any_op
    %6:2 = transform.collect_matching @two in %4#0 : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>)
    transform.collect_matching @none in %4#0 {my.note} : (!transform.any_op) -> ()
    transform.yield
  }
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul", "linalg.generic"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_any(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @none(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @two(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>) {
    %n = transform.num_associations %op : (!transform.any_op) -> !transform.param<i64>
    transform.yield %op, %n : !transform.any_op, !transform.param<i64>
  }
  transform.named_sequence @with_extra(%op: !transform.any_op {transform.readonly}, %extra: !transform.any_op {transform.readonly})
      -> (!transform.any_op, !transform.any_op) {
    transform.yield %op, %extra : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @seen(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @give(%op: !transform.any_op {transform.readonly}, %extra: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @patterns(%root: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %root {
    } : !transform.any_op
    transform.apply_patterns to %root {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.linalg.tiling_canonicalization
    } {apply_cse, max_iterations = 10 : i64, max_num_rewrites = 5 : i64, my.note} : !transform.any_op
    transform.apply_conversion_patterns to %root {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
      transform.apply_conversion_patterns.vector.vector_to_llvm {reassociate_fp_reductions = true}
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
        {index_bitwidth = 64, use_bare_ptr = true}
    } {legal_dialects = ["llvm"], illegal_ops = ["math.erf"], partial_conversion, preserve_handles} : !transform.any_op
    transform.apply_conversion_patterns to %root {
      transform.apply_conversion_patterns.scf.scf_to_control_flow
    } {illegal_dialects = ["scf"], legal_ops = ["func.func", "func.return"]} : !transform.any_op
    transform.apply_conversion_patterns to %root {
    } : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  func.func private @callee(%x: tensor<?xf32>) -> tensor<?xf32>
  transform.named_sequence @calls(%at: !transform.any_op {transform.readonly}, %in: !transform.any_value {transform.readonly},
                                  %out: !transform.any_value {transform.consumed}, %f: !transform.any_op {transform.readonly}) {
    transform.func.cast_and_call @callee before %at : (!transform.any_op) -> !transform.any_op
    %0 = transform.func.cast_and_call @callee(%in) -> %out after %at : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
    %1 = transform.func.cast_and_call %f(%in) before %at {
      transform.type_conversion.tensor.cast_shape_dynamic_dims
      transform.type_conversion.tensor.cast_shape_dynamic_dims ignore_dynamic_info
    } : (!transform.any_op, !transform.any_value, !transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @replaced(%target: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.replace %target {
      builtin.module {
        func.func @replacement(%x: i32) -> i32 {
          return %x : i32
        }
      }
    } : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.replace %0 attributes {my.note} {
      arith.constant {my.attr} 3 : i32
    } : (!transform.any_op) -> !transform.any_op
    %2 = "transform.structured.replace"(%1) ({
      %c = "arith.constant"() <{value = 2 : i32}> : () -> i32
    }) : (!transform.any_op) -> !transform.op<"arith.constant">
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tuned(%h: !transform.any_op {transform.readonly}) {
    %knob = transform.tune.knob<"tile size"> options = [2, 4, 8] -> !transform.any_param
    %set = transform.tune.knob<"set"> = 4 from options = [2, 4, 8] {my.note} -> !transform.param<i64>
    transform.tune.alternatives<"choice"> {
      transform.yield
    }, {
      transform.debug.emit_remark_at %h, "second" : !transform.any_op
      transform.yield
    }
    %0 = transform.tune.alternatives<"picked"> selected_region = 1 -> !transform.any_op {
      transform.yield %h : !transform.any_op
    }, {
      transform.yield %h : !transform.any_op
    }
    %1 = transform.tune.alternatives<"param"> selected_region = %set : !transform.param<i64> -> !transform.any_op {
      transform.yield %h : !transform.any_op
    }
    transform.yield
  }
  transform.named_sequence @constrained(%a: !transform.param<i64>, %b: !transform.param<i64>) {
    transform.smt.constrain_params(%a, %b) : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%x: !smt.int, %y: !smt.int):
      %c = smt.int.cmp le %x, %y
      smt.assert %c
    }
    %0 = transform.smt.constrain_params(%a) {my.note} : (!transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%x: !smt.int):
      %two = smt.int.constant 2
      %m = smt.int.mod %x, %two
      smt.yield %m : !smt.int
    }
    transform.smt.constrain_params() : () -> () {
    }
    transform.yield
  }
}
// -----
transform.with_pdl_patterns {
^bb0(%root: !transform.any_op):
  pdl.pattern @some : benefit(1) {
    %0 = pdl.operation "my.op"
    pdl.rewrite %0 with "transform.dialect"
  }
  sequence %root : !transform.any_op failures(propagate) {
  ^bb1(%arg1: !transform.any_op):
    %1 = pdl_match @some in %arg1 : (!transform.any_op) -> !transform.any_op
    %2 = transform.pdl_match @some in %1 {my.note} : (!transform.any_op) -> !transform.op<"my.op">
  }
}
// -----
transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op):
  with_pdl_patterns %arg0 : !transform.any_op {
  ^bb1(%arg1: !transform.any_op):
    pdl.pattern @inner : benefit(1) {
      %0 = pdl.operation
      pdl.rewrite %0 with "transform.dialect"
    }
    transform.sequence %arg1 : !transform.any_op failures(suppress) {
    ^bb2(%arg2: !transform.any_op):
      pdl_match @inner in %arg2 : (!transform.any_op) -> !transform.any_op
    }
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @by_irdl(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.irdl.collect_matching in %root : (!transform.any_op) -> !transform.any_op {
      irdl.dialect @test {
        irdl.operation @whatever {
          %i32 = irdl.is i32
          %i64 = irdl.is i64
          %either = irdl.any_of(%i32, %i64)
          irdl.results(foo: %either)
        }
      }
    }
    transform.yield
  }
  transform.named_sequence @structured(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>) {
    %0:2 = transform.match.structured failures(suppress) %op : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>) {
    ^bb0(%s: !transform.any_op):
      %n = transform.match.structured.dim %s[0] : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.dim %s[all] {parallel} : !transform.any_op
      %m = transform.match.structured.dim %s[except(-1, 0)] {reduction} : (!transform.any_op) -> !transform.param<i64>
      %map = transform.match.structured.input %s[0] {projected_permutation} : (!transform.any_op) -> !transform.affine_map
      transform.match.structured.init %s[all] {permutation} : !transform.any_op
      transform.match.structured.body %s {contraction = ["arith.mulf", "arith.addf"]} : !transform.any_op
      transform.match.structured.yield %s, %n : !transform.any_op, !transform.param<i64>
    }
    transform.yield %0#0, %0#1 : !transform.any_op, !transform.param<i64>
  }
}
