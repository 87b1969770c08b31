module attributes {transform.with_named_sequence} {
  transform.named_sequence @recipe(%pieces: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %pieces = transform.structured.match ops{["clay.knead"]} in %root : (!transform.any_op) -> !transform.any_op
    %shelf = transform.structured.match ops{["clay.shelf"]} in %root : (!transform.any_op) -> !transform.any_op
    %stacked = transform.kiln.stack under %shelf, %pieces on %shelf, %root : !transform.any_op
    transform.annotate %shelf "full" : !transform.any_op
    %batch = transform.kiln.gas.load %stacked beside %root
        : (!transform.any_op, !transform.any_op) -> !transform.kiln.batch<4>
    %heat = transform.kiln.measure %batch : (!transform.kiln.batch<4>) -> !transform.kiln.temperature
    %fired = transform.kiln.fire %batch at %heat in reducing by @recipe
        : (!transform.kiln.batch<4>, !transform.kiln.temperature) -> !transform.any_op {
      transform.yield
    }
    %again = transform.kiln.gas.empty %batch : (!transform.kiln.batch<4>) -> !transform.any_op
    transform.yield
  }
}
