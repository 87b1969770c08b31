module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<8x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0.0 : f32
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        memref.store %z, %m[%i, %j] : memref<8x8xf32>
      } {inner}
    } {outer}
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %o = transform.structured.match ops{["scf.for"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    %c = transform.loop.coalesce_nested %o : (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}
