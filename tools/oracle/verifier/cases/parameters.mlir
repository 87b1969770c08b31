module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8.0 : f32 -> !transform.param<f32>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 : index -> !transform.param<index>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 : i128 -> !transform.param<i128>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 : si32 -> !transform.param<si32>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 : ui64 -> !transform.param<ui64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 : i64 -> !transform.param<i7>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 : i64 -> !transform.param<tensor<4xf32>>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 : i64 -> !transform.param<!transform.any_op>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %p = transform.param.constant 8 : i64 -> !transform.param<i0>
    transform.yield
  }
}
