module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%code: !pdl.operation {transform.readonly}) {
    %benches = transform.structured.match ops{["quarry.bench"]} in %code : (!pdl.operation) -> !pdl.operation
    %height = transform.structured.match ops{["arith.constant"]} in %code : (!pdl.operation) -> !pdl.operation
    %tiled, %loops = transform.quarry.tile [%height, 8] of %benches : !pdl.operation
    transform.annotate %height "used" : !pdl.operation
    transform.annotate %benches "again" : !pdl.operation
    transform.yield
  }
}
