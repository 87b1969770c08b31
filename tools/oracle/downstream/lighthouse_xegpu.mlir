module attributes {transform.with_named_sequence} {
  transform.named_sequence @set_layouts(%func: !transform.any_op {transform.readonly}, %sg: !transform.any_param {transform.readonly}) {
    %dpas = transform.structured.match ops{["xegpu.dpas"]} in %func : (!transform.any_op) -> !transform.any_op
    %a = transform.get_operand %dpas[0] : (!transform.any_op) -> !transform.any_value
    %desc = transform.lh.get_load_desc %a through ["arith.truncf", "vector.transpose"] : (!transform.any_value) -> !transform.any_op
    %new = transform.lh.set_layout %desc sg_layout = [8, 4] sg_data = [32, 32] inst_data = [8, 16] order(row_major)
      : (!transform.any_op) -> !transform.any_op
    transform.lh.prefetch %new depth(%sg) : !transform.any_op, !transform.any_param
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %funcs = transform.structured.match ops{["func.func"]} attributes{lighthouse.kernel} in %module
      : (!transform.any_op) -> !transform.any_op
    %depth = transform.param.constant 2 : i32 -> !transform.any_param
    transform.foreach %funcs : !transform.any_op {
    ^bb0(%func: !transform.any_op):
      transform.include @set_layouts failures(propagate) (%func, %depth) : (!transform.any_op, !transform.any_param) -> ()
    }
    %lowered = transform.apply_registered_pass "lower-affine" to %module : (!transform.any_op) -> !transform.any_op
    %binary = transform.lh.compile %lowered to "spirv" options { "O" = 3 : i32, verify } : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
