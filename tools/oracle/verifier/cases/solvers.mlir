module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    %q = transform.smt.constrain_params(%p) : (!transform.param<i64>) -> (!transform.param<i64>) {
     ^bb0(%x: !smt.int):
     %c = smt.int.constant 4
     %y = smt.int.add %x, %c
     smt.yield %y : !smt.int
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.any_param
    transform.smt.constrain_params(%p) : (!transform.any_param) -> () {
     ^bb0(%x: !smt.bool):
     smt.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    transform.smt.constrain_params(%p) : (!transform.param<i64>) -> () {
     ^bb0(%x: !smt.bool):
     smt.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    transform.smt.constrain_params(%p) : (!transform.param<i64>) -> () {
     ^bb0(%x: !smt.bv<32>):
     smt.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    transform.smt.constrain_params(%p) : (!transform.param<i64>) -> () {
     ^bb0(%x: !smt.bv<64>):
     smt.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8.0 : f32 -> !transform.param<f32>
    transform.smt.constrain_params(%p) : (!transform.param<f32>) -> () {
     ^bb0(%x: !smt.int):
     smt.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    transform.smt.constrain_params(%p) : (!transform.param<i64>) -> () {
     ^bb0(%x: i64):
     smt.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    transform.smt.constrain_params(%p) : (!transform.param<i64>) -> () {
     ^bb0:
     smt.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    transform.smt.constrain_params(%p) : (!transform.param<i64>) -> () {
     ^bb0(%x: !smt.int):
     %c = arith.constant 4 : i32
     smt.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    transform.smt.constrain_params(%p) : (!transform.param<i64>) -> () {
     ^bb0(%x: !smt.int):
     smt.yield %x : !smt.int
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    %q = transform.smt.constrain_params(%p) : (!transform.param<i64>) -> (!transform.param<i1>) {
     ^bb0(%x: !smt.int):
     smt.yield %x : !smt.int
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    %q = transform.smt.constrain_params(%p) : (!transform.param<i64>) -> (!transform.param<f32>) {
     ^bb0(%x: !smt.int):
     smt.yield %x : !smt.int
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 -> !transform.param<i64>
    transform.smt.constrain_params(%p) : (!transform.param<i64>) -> () {
     ^bb0(%x: !smt.int):
     transform.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %k = transform.tune.knob<"a"> options = [1, 2] -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %k = transform.tune.knob<"a"> = 2 from options = [1, 2] -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %k = transform.tune.knob<"a"> = 3 from options = [1, 2] -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %k = transform.tune.knob<"a"> = "b" from options = ["a", "c"] -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %k = transform.tune.knob<"a"> = 1 from options = [true, false] -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %k = transform.tune.knob<"a"> = true from options = [true, false] -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %k = transform.tune.knob<"a"> = 1 from options = {a = 1} -> !transform.any_param
    transform.yield
  }
}
