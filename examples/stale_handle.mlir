// A script with a mistake that parsers and verifiers accept: %matmul is used after tiling has consumed it. When
// it runs, the interpreter stops at the use, or crashes where its checks are compiled out.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_and_unroll(%matmul: !transform.any_op {transform.consumed}) {
    %tiled, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [8, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %loops#1 {factor = 4} : !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.include @tile_and_unroll failures(propagate) (%matmul) : (!transform.any_op) -> ()
    transform.yield
  }
}
