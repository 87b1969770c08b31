transform.sequence failures(suppress) {
^bb0(%root: !transform.any_op):
  %func = get_parent_op %root {op_name = "func.func", isolated_from_above} : (!transform.any_op) -> !transform.any_op
  %best = transform.alternatives %func : !transform.any_op -> !transform.any_op {
  ^bb0(%scope: !transform.any_op):
    %conv = transform.structured.match ops{["vendor.conv"]} in %scope : (!transform.any_op) -> !transform.any_op
    transform.vendor.require_unit_stride %conv {dims = [0, 1]}
    %wino = transform.vendor.to_winograd %conv, tile = 4 : !transform.any_op -> !transform.any_op
    transform.yield %wino : !transform.any_op
  }, {
  ^bb0(%scope: !transform.any_op):
    %col = transform.vendor.to_im2col %scope : !transform.any_op -> !transform.any_op
    transform.yield %col : !transform.any_op
  }, {
  ^bb0(%scope: !transform.any_op):
    transform.yield %scope : !transform.any_op
  }
  transform.vendor.commit %best
}
