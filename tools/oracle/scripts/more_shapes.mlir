module attributes {transform.with_named_sequence} {
  transform.named_sequence @affine(%op: !transform.any_op {transform.consumed}, %a: !transform.any_op {transform.readonly},
                                   %b: !transform.op<"gpu.lane_id"> {transform.readonly}) {
    %0:3 = transform.split_handle %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.affine.simplify_bounded_affine_ops %0#0 with [%a : !transform.any_op] within [0] and [32] : !transform.any_op
    transform.affine.simplify_bounded_affine_ops %0#1 with [%a, %b : !transform.any_op, !transform.op<"gpu.lane_id">] within [0, 5] and [32, 50] : !transform.any_op
    transform.affine.simplify_bounded_affine_ops %0#2 with [] within [] and [] {my.note} : !transform.any_op
    transform.yield
  }
  transform.named_sequence @replicated(%h: !transform.any_op {transform.readonly}, %v: !transform.any_value {transform.readonly},
                                       %p: !transform.param<i64>) {
    %0 = transform.replicate num(%h) %p : !transform.any_op, !transform.param<i64>
    %1 = transform.replicate num(%h) %h {my.note} : !transform.any_op, !transform.any_op
    %2:2 = transform.replicate num(%h) %p, %h : !transform.any_op, !transform.param<i64>, !transform.any_op
    transform.yield
  }
  transform.named_sequence @more_patterns(%h: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %h {
      transform.apply_patterns.canonicalization
    } {max_iterations = 3 : i64} : !transform.any_op
    transform.apply_patterns to %h {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "dot"
      transform.apply_patterns.vector.lower_contraction lowering_strategy = llvmintr {my.note}
      transform.apply_patterns.tensor.rewrite_as_constant aggressive
    } {apply_cse, my.note} : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @by_irdl(%root: !transform.op<"func.func"> {transform.readonly}) {
    %0 = transform.irdl.collect_matching in %root : (!transform.op<"func.func">) -> !transform.op<"test.one"> attributes {my.note} {
      irdl.dialect @test {
        irdl.operation @one {
        }
      }
    }
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @by_irdl(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.irdl.collect_matching in %root : (!transform.any_op) -> !transform.op<"test.two"> {
      irdl.dialect @test {
        irdl.operation @two {
          %any = irdl.any
          irdl.operands(x: %any)
        }
      }
    }
    transform.yield
  }
  transform.named_sequence @bodies(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.body %s {passthrough} : !transform.any_op
      transform.match.structured.body %s {reduction_position = 0 : i64} : !transform.any_op
      transform.match.structured.body %s {elementwise, my.note} : !transform.any_op
      transform.match.structured.yield
    }
    %0 = transform.match.structured failures(propagate) %op : (!transform.any_op) -> !transform.any_op attributes {my.note} {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.body %s {contraction = ["arith.muli", "arith.addi"]} : !transform.any_op
      transform.match.structured.yield %s : !transform.any_op
    }
    transform.yield %0 : !transform.any_op
  }
  transform.named_sequence @replaced(%target: !transform.op<"func.func"> {transform.consumed}) {
    %0 = transform.structured.replace %target {
      builtin.module {
      }
    } : (!transform.op<"func.func">) -> !transform.any_op
    transform.yield
  }
}
// -----
transform.with_pdl_patterns {
^bb0(%root: !pdl.operation):
  transform.sequence %root : !pdl.operation failures(suppress) {
  ^bb1(%arg1: !pdl.operation):
  }
}
// -----
transform.with_pdl_patterns {
^bb0(%root: !transform.any_op, %value: !transform.any_value):
  transform.sequence %root, %value : (!transform.any_op, !transform.any_value) failures(suppress) {
  ^bb1(%arg1: !transform.any_op, %arg2: !transform.any_value):
  }
}
