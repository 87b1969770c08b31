module { transform.sequence failures(propagate) {
  ^bb0(%op: !transform.any_op):
  transform.foreach %op : !transform.any_op -> !transform.any_op, !transform.any_op {
  ^bb1(%arg_op: !transform.any_op):
    transform.yield %arg_op, %arg_op : !transform.any_op, !transform.any_op
  }
}}

// -----

module { transform.sequence failures(propagate) {
  ^bb0(%op: !transform.any_op):
  transform.foreach %op : !transform.any_op -> !transform.any_op {
  ^bb1(%arg_op: !transform.any_op):
    transform.yield %arg_op : !transform.any_op
  }
}}

// -----

module { transform.sequence failures(propagate) {
  ^bb0(%op: !transform.any_op):
  %0 = transform.foreach %op : !transform.any_op -> !transform.any_op {
  ^bb1(%arg_op: !transform.any_op):
    transform.yield %arg_op : !transform.any_op
  }
}}
