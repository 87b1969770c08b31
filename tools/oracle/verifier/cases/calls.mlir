module attributes { transform.with_named_sequence } {
  transform.named_sequence @foo(%arg0: !transform.any_op {transform.readonly}) -> (!transform.any_op) {
    transform.yield %arg0 : !transform.any_op
  }
  transform.named_sequence @main(%arg1: !transform.any_op {transform.readonly})  {
    %0 = transform.include @foo failures(suppress) (%arg1) : (!transform.any_op) -> (!transform.op<"a.b">)
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  transform.named_sequence @foo(%arg0: !transform.op<"a.b"> {transform.readonly}) -> (!transform.any_op) {
    %0 = transform.cast %arg0 : !transform.op<"a.b"> to !transform.any_op
    transform.yield %0 : !transform.any_op
  }
  transform.named_sequence @main(%arg1: !transform.any_op {transform.readonly})  {
    %0 = transform.include @foo failures(suppress) (%arg1) : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  transform.named_sequence @m(%arg0: !transform.op<"a.b"> {transform.readonly}) -> (!transform.op<"a.b">) {
    transform.yield %arg0 : !transform.op<"a.b">
  }
  transform.named_sequence @a(%arg0: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @main(%arg1: !transform.any_op {transform.consumed})  {
    %0 = transform.foreach_match in %arg1 @m -> @a : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  transform.named_sequence @m(%arg0: !transform.any_op {transform.readonly}) -> (!transform.any_op) {
    transform.yield %arg0 : !transform.any_op
  }
  transform.named_sequence @a(%arg0: !transform.any_op ) {
    transform.yield
  }
  transform.named_sequence @main(%arg1: !transform.any_op {transform.consumed})  {
    %0 = transform.foreach_match in %arg1 @m -> @a : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  transform.named_sequence @m(%arg0: !transform.any_op {transform.consumed}) -> (!transform.any_op) {
    transform.yield %arg0 : !transform.any_op
  }
  transform.named_sequence @a(%arg0: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @main(%arg1: !transform.any_op {transform.consumed})  {
    %0 = transform.foreach_match in %arg1 @m -> @a : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  transform.named_sequence @m(%arg0: !transform.any_op {transform.readonly}, %b: !transform.any_param {transform.readonly}) -> (!transform.any_op) {
    transform.yield %arg0 : !transform.any_op
  }
  transform.named_sequence @a(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_param {
    %p = transform.param.constant 1 -> !transform.any_param
    transform.yield %p : !transform.any_param
  }
  transform.named_sequence @main(%arg1: !transform.any_op {transform.consumed})  {
    %p = transform.param.constant 1 -> !transform.param<i64>
    %0, %1 = transform.foreach_match in %arg1, %p @m -> @a : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.param<i64>)
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  transform.named_sequence @main(%arg1: !transform.any_op {transform.consumed})  {
    %0 = "transform.foreach_match"(%arg1) <{matchers = [@m], actions = []}> : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  transform.named_sequence @main(%arg1: !transform.any_op {transform.consumed})  {
    %0 = "transform.foreach_match"(%arg1) <{matchers = [], actions = []}> : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
  transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
}

// -----

%y = transform.sequence -> !transform.any_op failures(propagate) {
^bb0(%a: !transform.any_op):
  transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
  transform.yield %a : !transform.any_op
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  transform.foreach %a : !transform.any_op {
    ^bb0(%b: !transform.any_op):
     transform.structured.generalize %b : (!transform.any_op) -> !transform.any_op
     transform.structured.generalize %b : (!transform.any_op) -> !transform.any_op
  }
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  %0 = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
  transform.foreach %a : !transform.any_op {
    ^bb0(%b: !transform.any_op):
     transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
     transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
  }
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  %0 = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
  transform.alternatives %a : !transform.any_op {
    ^bb0(%b: !transform.any_op):
     transform.structured.generalize %b : (!transform.any_op) -> !transform.any_op
     transform.yield
  }, {
    ^bb0(%b: !transform.any_op):
     transform.structured.generalize %b : (!transform.any_op) -> !transform.any_op
     transform.yield
  }
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  %0 = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
  "transform.merge_handles"(%0, %0) : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.structured.fuse_into_containing_op %0 into %0 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
}

// -----

module attributes {transform.consumed} {}

// -----

module attributes {transform.readonly = 1} {}

// -----

module attributes {transform.target_tag = 1} {}

// -----

module attributes {transform.silence_tracking_failures = 1} {}

// -----

func.func private @module() attributes {transform.foo}

// -----

func.func private @module(i32 {transform.foo})

// -----

func.func private @module(i32 {transform.readonly})

// -----

module attributes { transform.with_named_sequence } {
  transform.named_sequence @m(%arg0: !transform.any_op {transform.readonly = 2}) -> (!transform.any_op) {
    transform.yield %arg0 : !transform.any_op
  }
}

// -----

module attributes { transform.with_named_sequence = 3} { }

// -----

module {
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  %0 = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
  "transform.structured.generalize"(%0) {transform.foo} : (!transform.any_op) -> !transform.any_op
}
}

// -----

module attributes {transform.with_named_sequence} {
  "transform.named_sequence"() <{arg_attrs = [{transform.consumed}, {}], function_type = (!transform.any_op, !transform.any_op) -> (), sym_name = "test", sym_visibility = "private"}> ({}) : () -> ()
}

// -----

module attributes {transform.with_named_sequence} {
  "transform.named_sequence"() <{function_type = (!transform.any_op, !transform.any_op) -> (), sym_name = "test", sym_visibility = "private"}> ({}) : () -> ()
}

// -----

// Right: nothing to be marked, and each marked.
module attributes {transform.with_named_sequence} {
  "transform.named_sequence"() <{function_type = () -> (), sym_name = "none", sym_visibility = "private"}> ({}) : () -> ()
  "transform.named_sequence"() <{arg_attrs = [{transform.consumed}], function_type = (!transform.any_op) -> (), sym_name = "all", sym_visibility = "private"}> ({}) : () -> ()
}
