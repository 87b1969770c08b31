// Printed by a tool that does not know its own operations' custom forms.
"builtin.module"() ({
  "transform.named_sequence"() <{arg_attrs = [{transform.consumed}], function_type = (!transform.any_op) -> (), sym_name = "__transform_main"}> ({
  ^bb0(%root: !transform.any_op):
    %0 = "transform.structured.match"(%root) <{ops = ["linalg.matmul"]}> : (!transform.any_op) -> !transform.any_op
    %1:2 = "transform.vendor.partition"(%0) <{ways = 2 : i64, operandSegmentSizes = array<i32: 1, 0>}> ({
    ^bb0(%part: !vendor.handle<"npu">):
      %2 = "vendor.cost"(%part) : (!vendor.handle<"npu">) -> f64
      "vendor.yield"(%2) : (f64) -> ()
    }, {
    }) {vendor.debug} : (!transform.any_op) -> (!transform.any_op, !vendor.handle<"npu">)
    "transform.vendor.finish"(%1#1) : (!vendor.handle<"npu">) -> ()
    "transform.print"(%1#0) <{name = "partition"}> : (!transform.any_op) -> ()
    "transform.yield"() : () -> ()
  }) : () -> ()
}) {transform.with_named_sequence} : () -> ()
