func.func private @orig()
func.func private @updated()
func.func @caller() {
  call @orig() : () -> ()
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %call = transform.structured.match ops{["func.call"]} in %root : (!transform.any_op) -> !transform.any_op
    %cast = transform.cast %call : !transform.any_op to !transform.my.call_op_handle
    transform.my.change_call_target %cast, "updated" : !transform.my.call_op_handle
    %new = transform.my.call_to_op %cast : (!transform.my.call_op_handle) -> !transform.any_op
    transform.my.mm4 ids(%new, 0x2A)
    transform.yield
  }
}
