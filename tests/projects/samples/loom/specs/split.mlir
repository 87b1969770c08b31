module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%variant: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %variant : (!transform.any_op) -> !transform.any_op
    %count = transform.structured.match ops{["arith.constant"]} in %variant : (!transform.any_op) -> !transform.any_op
    %split = transform.loom.split_by 1 : %count of %functions
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.loom.apply_cse %split : !transform.any_op
    transform.annotate %count "read" : !transform.any_op
    transform.loom.apply_cse %functions : !transform.any_op
    transform.yield
  }
}
