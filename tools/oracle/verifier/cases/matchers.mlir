module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.structured.match_op %r : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.dim %a[all] {parallel, reduction} : !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.dim %a[0, 0] {parallel} : !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.dim %r[0] {parallel} : !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
     transform.match.structured.dim %r[0] {parallel} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
     transform.match.structured.rank %r : (!transform.any_op) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
     %0 = transform.get_operand %r[0] : (!transform.any_op) -> !transform.any_value
     transform.match.structured.elemental_bitwidth %0 : (!transform.any_value) -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.input %a[0] {permutation, projected_permutation} : !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %0 = transform.match.structured.input %a[0, 1] : (!transform.any_op) -> !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %0 = transform.match.structured.init %a[all] : (!transform.any_op) -> !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %0 = transform.match.structured.init %a[except(0, 0)] : (!transform.any_op) -> !transform.any_value
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %0 = transform.match.structured.init %a[except(0)] : (!transform.any_op) -> !transform.any_value
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %0 = transform.match.structured.result %a[0] : (!transform.any_op) -> !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %0 = transform.match.structured.result %a[0] {any, single} : (!transform.any_op) -> !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %0 = transform.match.structured.result %a[0] {any} : (!transform.any_op) -> !transform.any_value
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %0 = transform.match.structured.result %a[0]: (!transform.any_op) -> !transform.any_value
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.body %a {passthrough, reduction_position = 0} : !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.body %a {passthrough, elementwise} : !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.body %a {contraction = ["a"]} : !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.body %a : !transform.any_op
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.match.structured %r : (!transform.any_op) -> !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.match.structured %r : (!transform.any_op) -> !transform.any_op {
    ^bb0(%a: !transform.any_op):
     %p = transform.param.constant 1 -> !transform.any_param
     transform.match.structured.yield %p : !transform.any_param
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured.yield %a : !transform.any_op
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
     transform.match.structured %a : !transform.any_op {
     ^bb0(%b: !transform.any_op):
       transform.match.structured.dim %a[0] {parallel} : !transform.any_op
       transform.match.structured.yield
     }
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.op<"linalg.matmul">):
     transform.match.structured.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    transform.match.structured %r : !transform.any_op {
    ^bb0(%a: !transform.any_op):
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    "transform.match.structured"(%r) ({}) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %0 = transform.match.structured failures(suppress) %r : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%a: !transform.any_op):
     %p = transform.match.structured.rank %a : (!transform.any_op) -> !transform.param<i32>
     transform.match.structured.yield %p : !transform.param<i32>
    }
    transform.yield
  }
}

// -----

// Right: an integer may be spelled as a boolean.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op {transform.consumed}) {
    %0 = transform.get_operand %r[true] : (!transform.any_op) -> !transform.any_value
    %1 = transform.get_operand %r[except(false, 2)] : (!transform.any_op) -> !transform.any_value
    %2, %3 = transform.structured.tile_using_for %r tile_sizes [true] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
